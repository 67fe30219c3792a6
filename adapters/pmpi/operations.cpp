// SPDX-License-Identifier: BSL-1.0
#include "operations.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/core/copy_bytes.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/execute/operation.hpp>

namespace tutti::pmpi {

namespace {

/// The fold by an operation of tutti, where that is one on such elements.
template <class T, class Op>
std::optional<reducible> with(Op op, same_bits same = same_bits::always) {
    return reducible{element_shape::of<T>(), operation_on_bytes::of<T>(op), same};
}

template <class T>
std::optional<reducible> of_numbers(MPI_Op op) {
    constexpr bool has_order = std::is_arithmetic_v<T>;
    constexpr bool is_exact = std::is_integral_v<T>;
    constexpr same_bits of_sums = is_exact ? same_bits::always : same_bits::of_two;
    if (op == MPI_SUM) return with<T>(sum{}, of_sums);
    if (op == MPI_PROD) // of complex numbers, by a formula that is not the only one
        return with<T>(product{}, has_order ? of_sums : same_bits::never);
    if constexpr (has_order) { // of 0 and -0, or a number and none, either may be taken
        constexpr same_bits of_extremes = is_exact ? same_bits::always : same_bits::never;
        if (op == MPI_MAX) return with<T>(max{}, of_extremes);
        if (op == MPI_MIN) return with<T>(min{}, of_extremes);
    }
    if constexpr (std::is_integral_v<T>) {
        if (op == MPI_LAND) return with<T>(logical_and{});
        if (op == MPI_LOR) return with<T>(logical_or{});
        if (op == MPI_LXOR) return with<T>(logical_xor{});
        if (op == MPI_BAND) return with<T>(bit_and{});
        if (op == MPI_BOR) return with<T>(bit_or{});
        if (op == MPI_BXOR) return with<T>(bit_xor{});
    }
    return std::nullopt;
}

std::optional<reducible> of_bits(MPI_Op op) {
    if (op == MPI_BAND) return with<std::uint8_t>(bit_and{});
    if (op == MPI_BOR) return with<std::uint8_t>(bit_or{});
    if (op == MPI_BXOR) return with<std::uint8_t>(bit_xor{});
    return std::nullopt;
}

std::optional<reducible> of_truth(MPI_Op op) {
    if (op == MPI_LAND) return with<std::uint8_t>(logical_and{});
    if (op == MPI_LOR) return with<std::uint8_t>(logical_or{});
    if (op == MPI_LXOR) return with<std::uint8_t>(logical_xor{});
    return std::nullopt;
}

std::optional<reducible> of_known(MPI_Op op, element_kind is) {
    switch (is) {
    case element_kind::none: return std::nullopt;
    case element_kind::int8: return of_numbers<std::int8_t>(op);
    case element_kind::int16: return of_numbers<std::int16_t>(op);
    case element_kind::int32: return of_numbers<std::int32_t>(op);
    case element_kind::int64: return of_numbers<std::int64_t>(op);
    case element_kind::uint8: return of_numbers<std::uint8_t>(op);
    case element_kind::uint16: return of_numbers<std::uint16_t>(op);
    case element_kind::uint32: return of_numbers<std::uint32_t>(op);
    case element_kind::uint64: return of_numbers<std::uint64_t>(op);
    case element_kind::float32: return of_numbers<float>(op);
    case element_kind::float64: return of_numbers<double>(op);
    case element_kind::float_long: return of_numbers<long double>(op);
    case element_kind::complex32: return of_numbers<std::complex<float>>(op);
    case element_kind::complex64: return of_numbers<std::complex<double>>(op);
    case element_kind::complex_long: return of_numbers<std::complex<long double>>(op);
    case element_kind::bits: return of_bits(op);
    case element_kind::truth: return of_truth(op);
    }
    return std::nullopt;
}

/// MPI's own fold, which writes its right operand.
struct local_reduction {
    MPI_Op op;
    MPI_Datatype type;
    std::int64_t extent;
    bool commutative;

    void operator()(std::byte* result, const std::byte* left, const std::byte* right,
                    std::int64_t bytes) const {
        if (result == left && commutative) std::swap(left, right);
        if (result == left) return by_way_of_a_copy(result, right, bytes);
        if (result != right) copy_bytes(result, right, bytes); // there may be none
        fold(left, result, bytes);
    }

private:
    void fold(const std::byte* left, std::byte* right, std::int64_t bytes) const {
        constexpr std::int64_t most = 1 << 30; // elements, which MPI counts in an int
        for (std::int64_t left_over = bytes / extent; left_over > 0; left_over -= most) {
            const std::int64_t count = std::min(left_over, most);
            mpi::check(PMPI_Reduce_local(left, right, static_cast<int>(count), type, op), "MPI_Reduce_local");
            left += count * extent;
            right += count * extent;
        }
    }
    void by_way_of_a_copy(std::byte* left, const std::byte* right, std::int64_t bytes) const {
        constexpr std::int64_t about = 8192;
        const std::int64_t most = std::max<std::int64_t>(about / extent, 1) * extent;
        std::vector<std::byte> part(static_cast<std::size_t>(std::min(most, bytes)));
        for (std::int64_t at = 0; at < bytes; at += most) {
            const std::int64_t length = std::min(most, bytes - at);
            copy_bytes(part.data(), right + at, length);
            fold(left + at, part.data(), length);
            copy_bytes(left + at, part.data(), length);
        }
    }
};

bool is_predefined(MPI_Op op) noexcept {
    for (const MPI_Op one : {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                             MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP})
        if (op == one) return true;
    return false;
}

bool is_pair(MPI_Datatype type) noexcept {
    for (const MPI_Datatype one : {MPI_DOUBLE_INT, MPI_FLOAT_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT,
                                   MPI_LONG_DOUBLE_INT, MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER})
        if (type != MPI_DATATYPE_NULL && type == one) return true;
    return false;
}

bool is_logical(MPI_Op op) noexcept { return op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR; }

/// Whether MPI folds such elements by itself, so that we may ask it to.
bool folds_locally(MPI_Op op, const data_type& type) noexcept {
    if (!is_predefined(op)) return true;
    if (op == MPI_MAXLOC || op == MPI_MINLOC) return is_pair(type.handle);
    if (is_logical(op)) return type.named && MPI_LOGICAL != MPI_DATATYPE_NULL && type.handle == MPI_LOGICAL;
    return false;
}

/// Where MPIs are wrong: MPICH 4.0 and Open MPI 4.1 take the largest and least as if the type had a sign. The
/// latter has short sums saturate, too, and takes negative offsets for large ones.
bool mpi_folds_wrongly(MPI_Op op, MPI_Datatype type) noexcept {
    const bool is_extreme = op == MPI_MAX || op == MPI_MIN;
    if (is_extreme && type == MPI_UNSIGNED_LONG) return true;
#if defined(OPEN_MPI)
    if (is_extreme && type == MPI_OFFSET) return true;
    if (op == MPI_SUM) return type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T;
#endif
    return false;
}

} // namespace

std::optional<reducible> reducible_of(MPI_Op op, const data_type& type) {
    if (op == MPI_OP_NULL || type.extent <= 0 || !type.dense) return std::nullopt;
    if (type.of_fortran && is_logical(op)) return std::nullopt; // an error in some MPIs
    if (auto ours = of_known(op, type.is)) {
        if (mpi_folds_wrongly(op, type.handle)) ours->same = same_bits::never;
        return ours;
    }
    if (!folds_locally(op, type)) return std::nullopt;
    int commutes = 0;
    if (PMPI_Op_commutative(op, &commutes) != MPI_SUCCESS) return std::nullopt;
    // As much as an element has that lies behind others of its like: of 12 bytes 4.
    const auto extent = static_cast<std::size_t>(type.extent);
    const element_shape shape{extent, std::min(extent & (~extent + 1), alignof(std::max_align_t))};
    return reducible{
        shape,
        {fold_function::over(shape, local_reduction{op, type.handle, type.extent, commutes != 0}),
         commutes != 0},
        commutes != 0 ? same_bits::never : same_bits::of_two}; // two ranks in their order
}

} // namespace tutti::pmpi
