// SPDX-License-Identifier: BSL-1.0
#include "data_type.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include <tutti/core/copy_bytes.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/fold_function.hpp>

namespace tutti::pmpi {

namespace {

struct known_number {
    MPI_Datatype handle;
    element_kind is;
};

/// The integer of so many bytes.
constexpr element_kind integer(std::size_t bytes, bool has_sign) noexcept {
    switch (bytes) {
    case 1: return has_sign ? element_kind::int8 : element_kind::uint8;
    case 2: return has_sign ? element_kind::int16 : element_kind::uint16;
    case 4: return has_sign ? element_kind::int32 : element_kind::uint32;
    case 8: return has_sign ? element_kind::int64 : element_kind::uint64;
    default: return element_kind::none;
    }
}
template <class T>
constexpr element_kind integer_of() noexcept {
    return integer(sizeof(T), T(-1) < T(0));
}

/// Made once: in some MPIs a type is the address of an object, in others a number.
const std::vector<known_number>& known_numbers() {
    static const std::vector<known_number> list{
        {MPI_DOUBLE, element_kind::float64},
        {MPI_INT, integer_of<int>()},
        {MPI_FLOAT, element_kind::float32},
        {MPI_LONG, integer_of<long>()},
        {MPI_LONG_LONG_INT, integer_of<long long>()},
        {MPI_UNSIGNED, integer_of<unsigned>()},
        {MPI_UNSIGNED_LONG, integer_of<unsigned long>()},
        {MPI_UNSIGNED_LONG_LONG, integer_of<unsigned long long>()},
        {MPI_SHORT, integer_of<short>()},
        {MPI_UNSIGNED_SHORT, integer_of<unsigned short>()},
        {MPI_SIGNED_CHAR, element_kind::int8},
        {MPI_UNSIGNED_CHAR, element_kind::uint8},
        {MPI_INT8_T, element_kind::int8},
        {MPI_INT16_T, element_kind::int16},
        {MPI_INT32_T, element_kind::int32},
        {MPI_INT64_T, element_kind::int64},
        {MPI_UINT8_T, element_kind::uint8},
        {MPI_UINT16_T, element_kind::uint16},
        {MPI_UINT32_T, element_kind::uint32},
        {MPI_UINT64_T, element_kind::uint64},
        {MPI_AINT, integer_of<MPI_Aint>()},
        {MPI_OFFSET, integer_of<MPI_Offset>()},
        {MPI_COUNT, integer_of<MPI_Count>()},
        {MPI_BYTE, element_kind::bits},
        {MPI_C_BOOL, element_kind::truth},
        {MPI_LONG_DOUBLE, element_kind::float_long},
        {MPI_C_FLOAT_COMPLEX, element_kind::complex32},
        {MPI_C_DOUBLE_COMPLEX, element_kind::complex64},
        {MPI_C_LONG_DOUBLE_COMPLEX, element_kind::complex_long},
    };
    return list;
}

bool is_any_of(MPI_Datatype handle, std::initializer_list<MPI_Datatype> those) noexcept {
    return std::find(those.begin(), those.end(), handle) != those.end();
}

/// How many numbers, addresses and types a type was made of, and by what.
struct envelope {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_UNDEFINED;

    explicit envelope(MPI_Datatype handle) noexcept {
        if (PMPI_Type_get_envelope(handle, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
            combiner = MPI_UNDEFINED;
    }
};

/// Whether types so made are nobody's to free.
bool is_predefined(int combiner) noexcept {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL
           || combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

constexpr element_kind real(std::size_t bytes) noexcept {
    return bytes == 4 ? element_kind::float32 : bytes == 8 ? element_kind::float64 : element_kind::none;
}
constexpr element_kind complex(std::size_t bytes) noexcept {
    return bytes == 8 ? element_kind::complex32 : bytes == 16 ? element_kind::complex64 : element_kind::none;
}

bool is_integer_of_fortran(MPI_Datatype handle, int combiner) noexcept {
    return combiner == MPI_COMBINER_F90_INTEGER
           || is_any_of(handle, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8});
}

/// What Fortran's kinds and C++'s types are depends on how MPI was configured, and some may not be there:
/// then MPI would call it an error to be asked for their bytes. Of one that a program uses, these are known.
element_kind kind_of(MPI_Datatype handle, int combiner, std::size_t bytes) noexcept {
    for (const known_number& one : known_numbers())
        if (one.handle == handle) return one.is;
    if (is_integer_of_fortran(handle, combiner)) return integer(bytes, true);
    if (combiner == MPI_COMBINER_F90_REAL
        || is_any_of(handle, {MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8}))
        return real(bytes);
    if (combiner == MPI_COMBINER_F90_COMPLEX
        || is_any_of(handle, {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16,
                              MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX}))
        return complex(bytes);
    if (handle == MPI_CXX_LONG_DOUBLE_COMPLEX && bytes == 2 * sizeof(long double))
        return element_kind::complex_long;
    if (handle == MPI_CXX_BOOL && bytes == 1) return element_kind::truth;
    return element_kind::none;
}

/// What a type was made of.
struct contents {
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;

    contents(MPI_Datatype handle, const envelope& by)
        : integers(static_cast<std::size_t>(by.integers)), addresses(static_cast<std::size_t>(by.addresses)),
          types(static_cast<std::size_t>(by.types), MPI_DATATYPE_NULL) {
        mpi::check(PMPI_Type_get_contents(handle, by.integers, by.addresses, by.types, integers.data(),
                                          addresses.data(), types.data()),
                   "MPI_Type_get_contents");
    }
    contents(const contents&) = delete;
    contents& operator=(const contents&) = delete;
    ~contents() {
        for (MPI_Datatype& one : types)
            if (!is_predefined(envelope(one).combiner)) PMPI_Type_free(&one);
    }
};

bool is_one_run(MPI_Datatype handle, const envelope& by);

/// Of so many elements of a type one after the other, if they are one run of bytes: how many; else -1.
MPI_Count bytes_in_one_run(std::int64_t elements, MPI_Datatype of) {
    MPI_Count bytes = 0, lower = 0, extent = 0;
    if (elements == 0) return 0;
    if (PMPI_Type_size_x(of, &bytes) != MPI_SUCCESS
        || PMPI_Type_get_extent_x(of, &lower, &extent) != MPI_SUCCESS || (elements > 1 && extent != bytes)
        || !is_one_run(of, envelope(of)))
        return -1;
    return elements * bytes;
}

/// Whether an element is nothing but bytes one behind the other, from its address on, in the order of
/// sending: seen of the types that programs make for structures and numbers of several words. What MPI 4 made
/// with long counts has fewer integers than are asked for here, and is packed as others are.
bool is_one_run(MPI_Datatype handle, const envelope& by) {
    if (is_predefined(by.combiner)) {
        MPI_Count bytes = 0, first = 0, length = 0;
        return PMPI_Type_size_x(handle, &bytes) == MPI_SUCCESS
               && PMPI_Type_get_true_extent_x(handle, &first, &length) == MPI_SUCCESS && first == 0
               && length == bytes;
    }
    const bool is_structure = by.combiner == MPI_COMBINER_STRUCT && by.integers > 0;
    if (!is_structure && !(by.combiner == MPI_COMBINER_CONTIGUOUS && by.integers == 1)
        && !(by.combiner == MPI_COMBINER_DUP && by.types == 1)
        && !(by.combiner == MPI_COMBINER_RESIZED && by.addresses == 2))
        return false;
    const contents of(handle, by);
    if (!is_structure)
        return bytes_in_one_run(by.combiner == MPI_COMBINER_CONTIGUOUS ? of.integers[0] : 1, of.types[0])
               >= 0;
    MPI_Count end = 0;
    for (std::size_t k = 0; k < of.types.size(); ++k) {
        const MPI_Count bytes = bytes_in_one_run(of.integers[k + 1], of.types[k]);
        if (bytes < 0 || (bytes > 0 && of.addresses[k] != end)) return false;
        end += bytes;
    }
    return true;
}

data_type described(MPI_Datatype handle) {
    data_type t{.handle = handle};
    MPI_Count bytes = 0, lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    if (handle == MPI_DATATYPE_NULL || PMPI_Type_size_x(handle, &bytes) != MPI_SUCCESS || bytes < 0
        || PMPI_Type_get_extent_x(handle, &lower, &extent) != MPI_SUCCESS
        || PMPI_Type_get_true_extent_x(handle, &true_lower, &true_extent) != MPI_SUCCESS)
        return t;
    t.bytes = bytes;
    t.extent = extent;
    const envelope by(handle);
    t.named = is_predefined(by.combiner);
    t.dense = lower == 0 && true_lower == 0 && true_extent <= extent && (t.named || bytes == extent);
    t.whole = t.dense && bytes == extent && is_one_run(handle, by);
    if (!t.named) return t;
    t.is = kind_of(handle, by.combiner, static_cast<std::size_t>(bytes));
    t.of_fortran = is_integer_of_fortran(handle, by.combiner);
    return t;
}

} // namespace

data_type data_type::of(MPI_Datatype handle) {
    thread_local data_type last;
    if (last.named && last.handle == handle) return last;
    const data_type found = described(handle);
    if (found.named) last = found;
    return found;
}

std::byte* room_of(std::vector<std::byte>& room, std::int64_t bytes) {
    if (room.size() < static_cast<std::size_t>(bytes)) room.resize(static_cast<std::size_t>(bytes));
    return room.data();
}

namespace {
/// f(first element, elements) for pieces of a vector whose bytes an int counts.
template <class F>
void for_each_piece(std::int64_t count, const data_type& type, const F& f) {
    if (type.bytes == 0) return;
    const std::int64_t most = std::numeric_limits<int>::max() / type.bytes;
    if (most == 0)
        throw argument_error("an element's length", detail::sentence({type.bytes, " bytes"}),
                             "less than 2^31 bytes where it has gaps: TUTTI_OFF leaves the call to MPI");
    for (std::int64_t first = 0; first < count; first += most)
        f(first, static_cast<int>(std::min(most, count - first)));
}

/// `room` for a vector of the user's.
std::byte* room_of_elements(std::vector<std::byte>& room, std::int64_t count, const data_type& type) {
    const std::int64_t bytes = bytes_of(count, type.bytes);
    if (bytes < 0)
        throw argument_error("a count", detail::sentence({count, " elements of ", type.bytes, " bytes"}),
                             "as many as memory can have");
    return room_of(room, bytes);
}

/// MPICH 4.0 takes MPI_BOTTOM for a mistake where it is to pack: elements there are told by their distance
/// from another address.
class elements_at_bottom {
public:
    explicit elements_at_bottom(const data_type& type) : type_(type) {
        const int one = 1;
        const MPI_Aint back = -MPI_Aint{address};
        mpi::check(PMPI_Type_create_hindexed(1, &one, &back, type.handle, &type_.handle),
                   "MPI_Type_create_hindexed");
        mpi::check(PMPI_Type_commit(&type_.handle), "MPI_Type_commit");
    }
    elements_at_bottom(const elements_at_bottom&) = delete;
    elements_at_bottom& operator=(const elements_at_bottom&) = delete;
    ~elements_at_bottom() { PMPI_Type_free(&type_.handle); }

    void* data() const noexcept { return reinterpret_cast<void*>(std::uintptr_t{address}); }
    const data_type& type() const noexcept { return type_; }

private:
    static constexpr std::uint16_t address = 4096;
    data_type type_;
};
} // namespace

void pack(const void* from, std::int64_t count, const data_type& type, std::byte* to) {
    if (type.whole) return copy_bytes(to, static_cast<const std::byte*>(from), count * type.bytes);
    if (from == MPI_BOTTOM) {
        const elements_at_bottom same(type);
        return pack(same.data(), count, same.type(), to);
    }
    for_each_piece(count, type, [&](std::int64_t first, int elements) {
        int at = 0;
        mpi::check(PMPI_Pack(static_cast<const std::byte*>(from) + first * type.extent, elements, type.handle,
                             to + first * type.bytes, static_cast<int>(elements * type.bytes), &at,
                             MPI_COMM_SELF),
                   "MPI_Pack");
    });
}

void unpack(const std::byte* from, std::int64_t count, const data_type& type, void* to) {
    if (type.whole) return copy_bytes(static_cast<std::byte*>(to), from, count * type.bytes);
    if (to == MPI_BOTTOM) {
        const elements_at_bottom same(type);
        return unpack(from, count, same.type(), same.data());
    }
    for_each_piece(count, type, [&](std::int64_t first, int elements) {
        int at = 0;
        mpi::check(PMPI_Unpack(from + first * type.bytes, static_cast<int>(elements * type.bytes), &at,
                               static_cast<std::byte*>(to) + first * type.extent, elements, type.handle,
                               MPI_COMM_SELF),
                   "MPI_Unpack");
    });
}

packed_input::packed_input(const void* data, std::int64_t count, const data_type& type,
                           std::vector<std::byte>& room)
    : data_(static_cast<const std::byte*>(data)) {
    if (type.whole || count <= 0) return; // MPI packs nothing only where there is memory for it
    std::byte* const to = room_of_elements(room, count, type);
    pack(data, count, type, to);
    data_ = to;
}

packed_output::packed_output(void* data, std::int64_t count, const data_type& type,
                             std::vector<std::byte>& room)
    : user_(data), count_(count), type_(type),
      data_(type.whole || count <= 0 ? static_cast<std::byte*>(data) : room_of_elements(room, count, type)) {}

void packed_output::put_into(std::vector<std::byte>& room) { data_ = room_of_elements(room, count_, type_); }

void packed_output::load() {
    if (data_ != user_) pack(user_, count_, type_, data_);
}

void packed_output::store() {
    if (data_ != user_) unpack(data_, count_, type_, user_);
}

} // namespace tutti::pmpi
