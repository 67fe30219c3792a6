// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/// What `tests/mutate` weaves into its copy of the headers: each change of a token has a number, and is made
/// where that number is in the environment variable TUTTI_SWITCH. Nothing is changed in what the compiler
/// evaluates. Where TUTTI_SWITCHES_SEEN names a file, the byte of a number becomes 1 when its place is
/// executed, and 2 if the change would not have compiled there.
///
/// An operator is woven as `a < as<less_equal>{7} < b`: since `<` stands where it stood, what its operands
/// are remains as it was, and nobody has to find them. Needs POSIX, as the script does.
namespace switches {

inline constexpr int most = 1 << 16; ///< numbers, and bytes of the file

inline unsigned char* file_of_seen() noexcept {
    const char* const path = std::getenv("TUTTI_SWITCHES_SEEN");
    const int file = path == nullptr ? -1 : ::open(path, O_RDWR);
    if (file < 0) return nullptr;
    void* const bytes =
        ::mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); // of forked processes, too
    ::close(file);
    return bytes == MAP_FAILED ? nullptr : static_cast<unsigned char*>(bytes);
}

inline unsigned char* const seen = file_of_seen();
inline const int chosen = std::getenv("TUTTI_SWITCH") == nullptr ? 0 : std::atoi(std::getenv("TUTTI_SWITCH"));

inline bool reached(int number) noexcept {
    if (seen != nullptr && seen[number] == 0) seen[number] = 1; // threads need not fight for the line
    return number == chosen;
}

/// Whether the change of this number is made here and now.
constexpr bool on(int number) noexcept { return !std::is_constant_evaluated() && reached(number); }

[[noreturn]] inline void cannot(int number) noexcept {
    if (seen != nullptr) seen[number] = 2;
    std::abort();
}

/// A number, or true or false.
template <class T>
constexpr T either(int number, T original, T instead) noexcept {
    return on(number) ? instead : original;
}

/// `!x` is woven as `!(flipped<7>)x`.
template <int Number>
struct flipped {
    bool value;
    template <class T>
    constexpr explicit flipped(T&& x) : value(static_cast<bool>(x) != on(Number)) {}
    constexpr operator bool() const noexcept { return value; }
};

/// `std::min(a, b)` is woven as `extreme<true>{7}.of(a, b)`.
template <bool Least>
struct extreme {
    int number;
    template <class T>
    constexpr const T& of(const T& a, const T& b) const {
        return Least != on(number) ? std::min(a, b) : std::max(a, b);
    }
    template <class T, class Less>
    constexpr const T& of(const T& a, const T& b, Less less) const {
        return Least != on(number) ? std::min(a, b, less) : std::max(a, b, less);
    }
    template <class T>
    constexpr T of(std::initializer_list<T> all) const {
        return Least != on(number) ? std::min(all) : std::max(all);
    }
};

/// What stands in an operator's place; and the first operand, waiting for the second.
template <class Instead>
struct as {
    int number;
};
template <class Instead, class Operand>
struct waiting {
    Operand&& operand;
    int number;
};

template <class Original, class Instead, class L, class R>
constexpr std::invoke_result_t<Original, L, R> one_of(int number, L&& left, R&& right) {
    using result = std::invoke_result_t<Original, L, R>;
    if (on(number)) {
        if constexpr (std::is_invocable_r_v<result, Instead, L, R>)
            return static_cast<result>(Instead{}(static_cast<L&&>(left), static_cast<R&&>(right)));
        else
            cannot(number);
    }
    return Original{}(static_cast<L&&>(left), static_cast<R&&>(right));
}

template <class T>
inline constexpr bool is_operand = true;
template <class Instead>
inline constexpr bool is_operand<as<Instead>> = false;
template <class Instead, class Operand>
inline constexpr bool is_operand<waiting<Instead, Operand>> = false;

#define TUTTI_OPERATION(NAME, SIGN)                                                                          \
    struct NAME {                                                                                            \
        template <class L, class R>                                                                          \
        constexpr auto operator()(L&& left, R&& right) const                                                 \
            -> decltype(static_cast<L&&>(left) SIGN static_cast<R&&>(right)) {                               \
            return static_cast<L&&>(left) SIGN static_cast<R&&>(right);                                      \
        }                                                                                                    \
    };
#define TUTTI_BINARY(NAME, SIGN)                                                                             \
    TUTTI_OPERATION(NAME, SIGN)                                                                              \
    template <class L, class Instead>                                                                        \
        requires is_operand<std::remove_cvref_t<L>>                                                          \
    constexpr waiting<Instead, L> operator SIGN(L&& left, as<Instead> by) noexcept {                         \
        return {static_cast<L&&>(left), by.number};                                                          \
    }                                                                                                        \
    template <class Instead, class L, class R>                                                               \
    constexpr decltype(auto) operator SIGN(waiting<Instead, L> first, R&& right) {                           \
        return one_of<NAME, Instead>(first.number, static_cast<L&&>(first.operand),                          \
                                     static_cast<R&&>(right));                                               \
    }
#define TUTTI_ASSIGNMENT(NAME, SIGN) /* these bind from the right */                                         \
    TUTTI_OPERATION(NAME, SIGN)                                                                              \
    template <class Instead, class R>                                                                        \
    constexpr waiting<Instead, R> operator SIGN(as<Instead> by, R&& right) noexcept {                        \
        return {static_cast<R&&>(right), by.number};                                                         \
    }                                                                                                        \
    template <class Instead, class L, class R>                                                               \
    constexpr decltype(auto) operator SIGN(L&& left, waiting<Instead, R> second) {                           \
        return one_of<NAME, Instead>(second.number, static_cast<L&&>(left),                                  \
                                     static_cast<R&&>(second.operand));                                      \
    }
TUTTI_BINARY(less, <)
TUTTI_BINARY(less_equal, <=)
TUTTI_BINARY(greater, >)
TUTTI_BINARY(greater_equal, >=)
TUTTI_BINARY(equal, ==)
TUTTI_BINARY(unequal, !=)
TUTTI_BINARY(plus, +)
TUTTI_BINARY(minus, -)
TUTTI_BINARY(times, *)
TUTTI_BINARY(over, /)
TUTTI_BINARY(modulo, %)
TUTTI_BINARY(up_by, <<)
TUTTI_BINARY(down_by, >>)
TUTTI_BINARY(bit_and, &)
TUTTI_BINARY(bit_or, |)
TUTTI_ASSIGNMENT(add, +=)
TUTTI_ASSIGNMENT(subtract, -=)
TUTTI_ASSIGNMENT(multiply, *=)
TUTTI_ASSIGNMENT(divide, /=)
#undef TUTTI_ASSIGNMENT
#undef TUTTI_BINARY
#undef TUTTI_OPERATION

/// `++x` is woven as `increment{7}->*x`, and `x++` as `x->*increment{7}`: of all operators with two operands,
/// `->*` binds them most tightly.
#define TUTTI_STEP(NAME, SIGN, INSTEAD)                                                                      \
    struct NAME {                                                                                            \
        int number;                                                                                          \
    };                                                                                                       \
    template <class T>                                                                                       \
    constexpr auto operator->*(NAME by, T& x)->decltype(SIGN x) {                                            \
        if (on(by.number)) {                                                                                 \
            if constexpr (requires { INSTEAD x; })                                                           \
                return INSTEAD x;                                                                            \
            else                                                                                             \
                cannot(by.number);                                                                           \
        }                                                                                                    \
        return SIGN x;                                                                                       \
    }                                                                                                        \
    template <class T>                                                                                       \
    constexpr auto operator->*(T& x, NAME by)->decltype(x SIGN) {                                            \
        if (on(by.number)) {                                                                                 \
            if constexpr (requires { x INSTEAD; })                                                           \
                return x INSTEAD;                                                                            \
            else                                                                                             \
                cannot(by.number);                                                                           \
        }                                                                                                    \
        return x SIGN;                                                                                       \
    }
TUTTI_STEP(increment, ++, --)
TUTTI_STEP(decrement, --, ++)
#undef TUTTI_STEP

} // namespace switches
