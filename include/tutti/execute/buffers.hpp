// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/execute/operation.hpp>

/// The memory that a caller hands over: what it may be, and the same with its type forgotten.
namespace tutti {

namespace detail {
template <class R>
using span_of = decltype(std::span(std::declval<R&>()));
template <class R>
using element_of = std::remove_cv_t<typename span_of<R>::element_type>;
} // namespace detail

/// Contiguous elements to read: a vector, an array, a span.
template <class R>
concept readable = requires { typename detail::span_of<R>; } && element<detail::element_of<R>>;

namespace detail {
template <class R>
concept not_const = readable<R> && !std::is_const_v<typename span_of<R>::element_type>;
} // namespace detail

/// Contiguous elements to write, as an argument: `R` of a parameter `R&&`. What is written has to outlive the
/// call: a temporary may be a span or another view of it, but no vector.
template <class R>
concept writable = detail::not_const<R> && std::is_constructible_v<detail::span_of<R>, R>;

/// Elements to write of the type that `In` has.
template <class Out, class In>
concept writable_like = writable<Out> && std::same_as<detail::element_of<Out>, detail::element_of<In>>;

namespace detail {

/// `argument` must have exactly `expected` elements; `why` tells where the number comes from.
void check_count(const char* argument, std::size_t count, std::size_t expected, const char* why);

template <class T>
inline constexpr char place_of_type = 0;

/// A caller's buffer with the element type forgotten.
template <class Byte>
struct caller_buffer {
    Byte* data = nullptr;
    std::size_t count = 0; ///< elements
    element_shape element{};
    const char* type = nullptr; ///< an address that no other type of elements has

    std::int64_t bytes() const noexcept { return static_cast<std::int64_t>(count * element.bytes); }
    bool empty() const noexcept { return count == 0; }
};
using input_bytes = caller_buffer<const std::byte>;
using output_bytes = caller_buffer<std::byte>;

template <class R>
input_bytes input_of(const R& range) noexcept {
    const std::span all(range);
    using T = element_of<R>;
    return {reinterpret_cast<const std::byte*>(all.data()),
            all.size(),
            {sizeof(T), alignof(T)},
            &place_of_type<T>};
}
template <class R>
output_bytes output_of(R& range) noexcept {
    const std::span all(range);
    using T = element_of<R>;
    return {reinterpret_cast<std::byte*>(all.data()), all.size(), {sizeof(T), alignof(T)}, &place_of_type<T>};
}

/// Whether both have memory in common.
bool overlap(const input_bytes& in, const output_bytes& out) noexcept;
/// Input and output must not share memory: for the same memory there are the in-place overloads.
void check_apart(const input_bytes& in, const output_bytes& out);

#if TUTTI_BODIES
TUTTI_BODY void check_count(const char* argument, std::size_t count, std::size_t expected, const char* why) {
    if (count != expected)
        throw argument_error(argument, sentence({count, " elements"}),
                             sentence({expected, " elements, ", why}));
}

TUTTI_BODY bool overlap(const input_bytes& in, const output_bytes& out) noexcept {
    const auto address = [](const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); };
    return !in.empty() && !out.empty() && address(in.data) < address(out.data + out.bytes())
           && address(out.data) < address(in.data + in.bytes());
}

TUTTI_BODY void check_apart(const input_bytes& in, const output_bytes& out) {
    if (overlap(in, out))
        throw argument_error("out", "memory that overlaps in",
                             "memory apart from in (leave out away to work in place)");
}
#endif

} // namespace detail
} // namespace tutti
