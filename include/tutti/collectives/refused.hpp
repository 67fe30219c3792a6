// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include <tutti/collectives/make_plan.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/execute/buffers.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/operation.hpp>

/// What a call cannot take is taken by a deleted one beside it whose result says why: so does the first line
/// of the compiler. Such a call is no more valid than before, in a requires-expression either.
namespace tutti::refused {

struct elements_must_be_trivially_copyable_no_bits {}; ///< bits: those of a std::vector<bool>
struct out_is_const_or_has_other_elements_than_in {};
struct result_goes_into_what_is_const {};
struct counts_must_be_of_std_int64_t {};
struct no_operation_of_two_elements {}; ///< op(left, right), which makes a third
template <collective>
struct this_algorithm_has_no {}; ///< docs/algorithms.md tells which algorithm has what
template <collective>
struct inner_algorithm_has_no {}; ///< what by_nodes needs inside the nodes beside the collective itself

} // namespace tutti::refused

namespace tutti::detail {

template <class Comm>
inline constexpr bool is_communicator = false;
template <class Transport>
inline constexpr bool is_communicator<communicator<Transport>> = true;
/// Not one that knows more calls, as tutti::boost_mpi's.
template <class Comm>
concept plain_communicator = is_communicator<Comm>;

/// A range of what does not travel as its bytes. Of all ranges only std::vector<bool> can flip().
template <class R>
concept not_of_bytes =
    (requires { typename span_of<R>; } && !element<element_of<R>>) || requires(R& r) { r.flip(); };

template <class R>
concept read_only = readable<R> && !writable<R>;

/// Elements that an `out` beside `In` cannot be.
template <class Out, class In>
concept unlike = readable<Out> && !writable_like<Out, In>;

template <class Counts>
concept other_counts = readable<Counts> && std::integral<element_of<Counts>>
                       && !std::convertible_to<const Counts&, std::span<const std::int64_t>>;

template <class In, class... More>
concept has_operation = (operation<More, element_of<In>> || ...);

/// Behind `In` there is an object of a class, but nothing that folds.
template <class In, class... More>
concept has_other_than_operation =
    ((std::is_class_v<More> && !readable<More>) || ...) && !has_operation<In, More...>;

template <class First, class... More>
struct last : last<More...> {};
template <class One>
struct last<One> : std::type_identity<One> {};

/// The last one stands where an algorithm may, and is neither one for C nor anything else that may be there.
template <collective C, class In, class... More>
concept has_no_algorithm_for =
    std::is_class_v<typename last<In, More...>::type> && !readable<typename last<In, More...>::type>
    && !operation<typename last<In, More...>::type, element_of<In>>
    && !algorithm_for<typename last<In, More...>::type, C>;

/// It would be one for C but for its `inner`, which has C and lacks `Needed`.
template <collective C, collective Needed, class In, class... More>
concept inner_lacks =
    has_no_algorithm_for<C, In, More...> && requires(const typename last<In, More...>::type& how) {
        requires algorithm_for<std::remove_cvref_t<decltype(how.inner)>, C>;
        requires !algorithm_for<std::remove_cvref_t<decltype(how.inner)>, Needed>;
    };

} // namespace tutti::detail
