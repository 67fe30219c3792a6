// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

#include <tutti/collectives/arguments.hpp>

/// What the calls accept whose elements are not bytes alone: strings, vectors, whatever Boost.Serialization
/// can take apart and put together again.
namespace tutti::boost_mpi {

/// An element that travels serialised: of a type that is not trivially copyable, so that none of tutti's
/// other calls takes it. That its type can be serialised is seen only when it is.
template <class T>
concept object = std::is_object_v<T> && !std::is_const_v<T> && !element<T> && std::default_initializable<T>
                 && std::copyable<T>;

/// Contiguous objects to read: a vector, an array, a span of them. A single one is std::span(&x, 1); mind
/// that a std::string by itself is a row of characters, as everywhere in C++, and they travel as such.
template <class R>
concept readable_objects =
    requires { typename tutti::detail::span_of<R>; } && object<tutti::detail::element_of<R>>;

/// Contiguous objects to write, which outlive the call: see tutti::writable.
template <class R>
concept writable_objects =
    readable_objects<R> && !std::is_const_v<typename tutti::detail::span_of<R>::element_type>
    && std::is_constructible_v<tutti::detail::span_of<R>, R>;

/// Objects to write of the type that `In` has.
template <class Out, class In>
concept writable_objects_like =
    writable_objects<Out> && std::same_as<tutti::detail::element_of<Out>, tutti::detail::element_of<In>>;

/// A callable that folds two objects into one.
template <class Op, class T>
concept object_operation = object<T> && requires(const Op& op, const T& left, const T& right) {
    { op(left, right) } -> std::convertible_to<T>;
};

} // namespace tutti::boost_mpi
