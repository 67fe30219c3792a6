// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

/// Operations: any callable `T op(const T& left, const T& right)` that is associative. `left` always comes
/// from the lower ranks. Whether the operation is also commutative is a trait, because it decides which
/// algorithms may run.
namespace tutti {

/// The smaller of two; the left one of equals.
struct min {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return right < left ? right : left;
    }
};

/// The larger of two; the left one of equals.
struct max {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return left < right ? right : left;
    }
};

/// left + right; commutes on numbers, as those below.
struct sum {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(left + right); // small integers promote: back to T, as MPI_SUM does
    }
};

/// left * right.
struct product {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(left * right);
    }
};

/// left & right, bit by bit.
struct bit_and {
    template <std::integral T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(left & right);
    }
};

/// left | right, bit by bit.
struct bit_or {
    template <std::integral T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(left | right);
    }
};

/// left ^ right, bit by bit.
struct bit_xor {
    template <std::integral T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(left ^ right);
    }
};

/// 1 if both are other than 0, else 0.
struct logical_and {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(static_cast<bool>(left) & static_cast<bool>(right)); // no branch: vectorises
    }
};

/// 1 if any of them is other than 0, else 0.
struct logical_or {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(static_cast<bool>(left) | static_cast<bool>(right));
    }
};

/// 1 if exactly one of them is other than 0, else 0.
struct logical_xor {
    template <class T>
    constexpr T operator()(const T& left, const T& right) const {
        return static_cast<T>(static_cast<bool>(left) != static_cast<bool>(right));
    }
};

/// A value and where it was found; the element type of min_location and max_location.
template <class T, std::integral Index = std::int64_t>
struct located {
    T value{};     ///< what is compared
    Index index{}; ///< where it is from; among equals the lowest wins

    friend constexpr bool operator==(const located&, const located&) = default;
};

/// The smaller value with its index; of equal values the one with the smaller index (as MPI_MINLOC).
struct min_location {
    /// The one with the less value.
    template <class T, class Index>
    constexpr located<T, Index> operator()(const located<T, Index>& left,
                                           const located<T, Index>& right) const {
        // Bitwise connectives and two selects: one compare-and-blend per member instead of a branch per
        // element.
        const bool take_right =
            (right.value < left.value) | ((right.value == left.value) & (right.index < left.index));
        return {take_right ? right.value : left.value, take_right ? right.index : left.index};
    }
};

/// The larger value with its index; of equal values the one with the smaller index (as MPI_MAXLOC).
struct max_location {
    /// The one with the greater value.
    template <class T, class Index>
    constexpr located<T, Index> operator()(const located<T, Index>& left,
                                           const located<T, Index>& right) const {
        const bool take_right =
            (left.value < right.value) | ((right.value == left.value) & (right.index < left.index));
        return {take_right ? right.value : left.value, take_right ? right.index : left.index};
    }
};

/// Says of an operation that it is commutative: `tutti::commutative(my_merge)`.
template <class Op>
struct commutative {
    Op op; ///< the operation itself

    /// Says of `operation` that it commutes, and means it.
    constexpr explicit commutative(Op operation) : op(std::move(operation)) {}

    template <class T>
        requires std::invocable<const Op&, const T&, const T&>
    constexpr T operator()(const T& left, const T& right) const {
        return op(left, right);
    }
};

namespace detail {
template <class T>
struct is_number : std::is_arithmetic<T> {};

/// std::complex and what is like it, told by its look: <complex> is long. Numbers of two parts commute
/// whatever they are made for; quaternions, which do not, are longer.
template <template <class> class Pair, class T>
    requires(sizeof(Pair<T>) == 2 * sizeof(T)) && requires(const Pair<T>& z) {
        { z.real() } -> std::same_as<T>;
        { z.imag() } -> std::same_as<T>;
    }
struct is_number<Pair<T>> : std::true_type {};

template <class Op, class... Known>
inline constexpr bool one_of = (std::same_as<Op, Known> || ...);

template <class Op, class T>
inline constexpr bool known_commutative =
    one_of<Op, sum, std::plus<>, std::plus<T>, product, std::multiplies<>, std::multiplies<T>, min, max,
           bit_and, std::bit_and<>, std::bit_and<T>, bit_or, std::bit_or<>, std::bit_or<T>, bit_xor,
           std::bit_xor<>, std::bit_xor<T>, logical_and, std::logical_and<>, logical_or, std::logical_or<>,
           logical_xor>;
} // namespace detail

/// Whether `op(a, b)` equals `op(b, a)` for elements of type T. Known for the ready-made and the standard
/// operations on numbers; any other callable is taken to be non-commutative: wrap it in `commutative`, or
/// specialise this.
template <class Op, class T>
inline constexpr bool is_commutative = detail::is_number<T>::value && detail::known_commutative<Op, T>;

/// As was said of it.
template <class Op, class T>
inline constexpr bool is_commutative<commutative<Op>, T> = true;

/// Among equals the lowest place wins, whatever comes first.
template <class T, class Index>
inline constexpr bool is_commutative<min_location, located<T, Index>> = true;

/// Likewise.
template <class T, class Index>
inline constexpr bool is_commutative<max_location, located<T, Index>> = true;

/// What travels: tutti moves elements as bytes.
template <class T>
concept element = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T>;

/// A callable that folds two elements into one.
template <class Op, class T>
concept operation = element<T> && requires(const Op& op, const T& left, const T& right) {
    { op(left, right) } -> std::convertible_to<T>;
};

} // namespace tutti
