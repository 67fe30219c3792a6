// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <tutti/collectives/make_plan.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/execute/buffers.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/execute/operation.hpp>
#include <tutti/schedule/catalogue_entry.hpp>

/// What a call cannot take is taken by a deleted one beside it, whose last template argument says why: so
/// does the first line of the compiler. Such a call is no more valid than before, in a requires-expression
/// either.
namespace tutti::refused {

/// A list that compilers write out.
template <std::size_t Length>
struct text {
    char characters[Length]{}; ///< ends with a zero
};

struct elements_must_be_trivially_copyable_no_bits {}; ///< bits: those of a std::vector<bool>
struct elements_come_as_a_range_no_pointer {};         ///< std::span(pointer, count) is one
struct elements_come_first {};                         ///< before operation, root and algorithm
struct out_is_const_or_has_other_elements_than_in {};  ///< in, which is only read, comes before out
struct result_goes_into_what_is_const {};              ///< in place
struct result_goes_into_a_temporary {};                ///< which nobody sees: give it a name
struct input_is_gone_when_it_is_read {};               ///< a temporary, and the call has only begun
struct counts_come_behind_the_first_elements {};       ///< how many elements each rank has
struct counts_must_be_of_std_int64_t {};               ///< MPI's are of int
struct operation_is_missing {};                        ///< behind the elements
struct operation_comes_before_root_and_algorithm {};   ///< and behind the elements
struct no_operation_of_two_elements {};                ///< op(left, right), which makes a third
struct root_comes_before_algorithm {};                 ///< where an algorithm is named, so is the root
/// But those listed have; docs/algorithms.md tells which algorithm has what.
template <collective, text>
struct this_algorithm_has_no {};
/// What by_nodes needs inside the nodes beside the collective itself.
template <collective>
struct inner_algorithm_has_no {};

} // namespace tutti::refused

namespace tutti::detail {

enum class no_slip {};
/// Why a call is refused.
template <class Why>
concept slip = !std::same_as<Why, no_slip>;

template <class Comm>
inline constexpr bool is_communicator = false;
template <class Transport>
inline constexpr bool is_communicator<communicator<Transport>> = true;
template <class Transport>
void as_communicator(communicator<Transport>&);
/// One of tutti's, or one that knows more calls, as tutti::boost_mpi's.
template <class Comm>
concept any_communicator = requires(Comm& comm) { detail::as_communicator(comm); };

/// A range of what does not travel as its bytes. Of all ranges only std::vector<bool> can flip().
template <class R>
concept not_of_bytes =
    (requires { typename span_of<R>; } && !element<element_of<R>>) || requires(std::remove_cvref_t<R>& r) {
        r.flip();
        r.begin();
    };
template <class R>
concept any_range = readable<R> || not_of_bytes<R>;
template <class R>
concept read_only = readable<R> && !writable<R>;

/// Elements that could be written, but for nobody.
template <class R>
concept temporary = not_const<R> && !writable<R>;
template <class In, class Out, bool InPlace>
concept goes_into_a_temporary =
    readable<In> && (InPlace ? temporary<In> : temporary<Out> && writable_like<Out&, In>);

/// Elements that an `out` beside `In` cannot be.
template <class Out, class In>
concept unlike = any_range<Out> && !writable_like<Out, In>;

template <class Counts>
concept right_counts = std::convertible_to<Counts, std::span<const std::int64_t>>;
template <class Counts>
concept other_counts = readable<Counts> && std::integral<element_of<Counts>> && !right_counts<const Counts&>;

/// As `gathered` of values.hpp.
template <class T>
concept parts_of_ranks = requires(T& parts) {
    parts.values;
    parts.counts;
};

/// What `First` has elements of: a range, or one by itself.
template <class First>
struct elements_in : std::remove_cvref<First> {};
template <readable First>
struct elements_in<First> : std::type_identity<element_of<First>> {};

/// The argument at `At`; no_slip, which is none, behind the last.
template <std::size_t At, class... Args>
struct argument : std::type_identity<no_slip> {};
template <std::size_t At, class First, class... More>
struct argument<At, First, More...> : argument<At - 1, More...> {};
template <class First, class... More>
struct argument<0, First, More...> : std::type_identity<First> {};
template <std::size_t At, class... Args>
using argument_at = typename argument<At, Args...>::type;

template <class T, collective C>
concept algorithm_of = algorithm_for<std::remove_cvref_t<T>, C>;

/// What stands behind all elements stands before some.
template <collective C, class First, class Second>
concept comes_too_early = !any_range<First> && readable<Second>
                          && (std::integral<std::remove_cvref_t<First>>
                              || operation<First, element_of<Second>> || algorithm_of<First, C>);

/// An object of a class, or a function, that may be an operation or an algorithm.
template <class T>
concept something_to_do =
    (std::is_class_v<std::remove_cvref_t<T>>
     || std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<T>>>)&&!any_range<T>
    && !right_counts<T> && !parts_of_ranks<T>;

/// Whether nothing but ranges comes before the operation on elements of type T.
template <class T, class Next, class... More>
consteval bool operation_follows_elements() {
    if constexpr (operation<Next, T>)
        return true;
    else if constexpr (sizeof...(More) > 0 && (any_range<Next> || right_counts<Next>))
        return operation_follows_elements<T, More...>();
    else
        return false;
}

/// The names of C's algorithms.
template <collective C>
consteval auto names_of_algorithms() {
    constexpr std::size_t length = [] {
        std::size_t sum = 0;
        for (const catalogue_entry& one : catalogue_entries_of<C>) sum += one.name.size() + 2;
        return sum;
    }();
    refused::text<length - 1> names;
    std::size_t at = 0;
    const auto write = [&](std::string_view what) {
        for (const char c : what) names.characters[at++] = c;
    };
    for (const catalogue_entry& one : catalogue_entries_of<C>) {
        if (at > 0) write(", ");
        write(one.name);
    }
    return names;
}

/// The slip in where the elements come, of all collectives.
template <collective C, class Comm, class First, class... More>
consteval auto slip_of_elements() {
    if constexpr (is_communicator<Comm> && not_of_bytes<First>)
        return refused::elements_must_be_trivially_copyable_no_bits{};
    else if constexpr (std::is_pointer_v<std::remove_cvref_t<First>>
                       && !std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<First>>>)
        return refused::elements_come_as_a_range_no_pointer{};
    else if constexpr (comes_too_early<C, First, argument_at<0, More...>>
                       || comes_too_early<C, argument_at<0, More...>, argument_at<1, More...>>)
        return refused::elements_come_first{};
    else
        return no_slip{};
}

/// The slip in what comes last, where root and algorithm may stand. T: that of elements, if they are folded.
template <collective C, class T, class... More>
consteval auto slip_of_algorithm() {
    using last = argument_at<sizeof...(More) - 1, More...>;
    if constexpr (!something_to_do<last> || operation<last, T>)
        return no_slip{};
    else if constexpr (!algorithm_of<last, C>) {
        if constexpr (scans(C) && requires(const std::remove_cvref_t<last>& how) {
                          requires algorithm_of<decltype(how.inner), C>;
                          requires !algorithm_of<decltype(how.inner), collective::bcast>;
                      })
            return refused::inner_algorithm_has_no<collective::bcast>{};
        else
            return refused::this_algorithm_has_no<C, names_of_algorithms<C>()>{};
    } else if constexpr (has_root(C) && !(std::convertible_to<More, rank_type> || ...))
        return refused::root_comes_before_algorithm{};
    else
        return no_slip{};
}

/// The slip in a call that folds.
template <collective C, class Comm, class First, class... More>
consteval auto slip_in_fold() {
    using T = typename elements_in<First>::type;
    using second = argument_at<0, More...>;
    constexpr bool in_place =
        operation<second, T>
        || (C == collective::reduce_scatter && right_counts<second> && !writable_like<second, First>);
    if constexpr (!any_communicator<Comm>)
        return no_slip{};
    else if constexpr (slip<decltype(slip_of_elements<C, Comm, First, More...>())>)
        return slip_of_elements<C, Comm, First, More...>();
    else if constexpr (!element<T> || not_of_bytes<First>) // objects, of who takes them
        return no_slip{};
    else if constexpr (goes_into_a_temporary<First, second, in_place>)
        return refused::result_goes_into_a_temporary{};
    else if constexpr (readable<First> && unlike<second, First>)
        return refused::out_is_const_or_has_other_elements_than_in{};
    else if constexpr (other_counts<argument_at<1, More...>>)
        return refused::counts_must_be_of_std_int64_t{};
    else if constexpr (!(operation<More, T> || ...)) {
        if constexpr (((something_to_do<More> && !algorithm_of<More, C>) || ...))
            return refused::no_operation_of_two_elements{};
        else
            return refused::operation_is_missing{};
    } else if constexpr (!operation_follows_elements<T, More...>())
        return refused::operation_comes_before_root_and_algorithm{};
    else if constexpr (read_only<First> && operation<second, T>)
        return refused::result_goes_into_what_is_const{};
    else
        return slip_of_algorithm<C, T, More...>();
}

/// The slip in a call that moves blocks of equal lengths.
template <collective C, class Comm, class First, class... More>
consteval auto slip_in_move() {
    using second = argument_at<0, More...>;
    constexpr bool in_place = C == collective::bcast || !any_range<second>;
    if constexpr (!any_communicator<Comm>)
        return no_slip{};
    else if constexpr (slip<decltype(slip_of_elements<C, Comm, First, More...>())>)
        return slip_of_elements<C, Comm, First, More...>();
    else if constexpr (!element<typename elements_in<First>::type> || not_of_bytes<First>)
        return no_slip{};
    else if constexpr (goes_into_a_temporary<First, second, in_place>)
        return refused::result_goes_into_a_temporary{};
    else if constexpr (C != collective::bcast && readable<First> && unlike<second, First>)
        return refused::out_is_const_or_has_other_elements_than_in{};
    else if constexpr (in_place && read_only<First>)
        return refused::result_goes_into_what_is_const{};
    else
        return slip_of_algorithm<C, void, More...>();
}

/// The slip in a call that moves blocks of any lengths.
template <collective C, class Comm, class First, class... More>
consteval auto slip_in_move_of_parts() {
    using counts = argument_at<0, More...>;
    using third = argument_at<1, More...>;
    constexpr bool in_place = right_counts<counts> && !any_range<third>;
    if constexpr (!any_communicator<Comm>)
        return no_slip{};
    else if constexpr (slip<decltype(slip_of_elements<C, Comm, First, More...>())>)
        return slip_of_elements<C, Comm, First, More...>();
    else if constexpr (!readable<First>)
        return no_slip{};
    else if constexpr (other_counts<counts> || other_counts<argument_at<2, More...>>)
        return refused::counts_must_be_of_std_int64_t{};
    else if constexpr (any_range<counts> && !right_counts<counts>)
        return refused::counts_come_behind_the_first_elements{};
    else if constexpr (goes_into_a_temporary<First, third, in_place>)
        return refused::result_goes_into_a_temporary{};
    else if constexpr (unlike<third, First>)
        return refused::out_is_const_or_has_other_elements_than_in{};
    else if constexpr (in_place && read_only<First>)
        return refused::result_goes_into_what_is_const{};
    else
        return slip_of_algorithm<C, void, More...>();
}

template <collective C, class Comm, class... Args>
using fold_slip = decltype(slip_in_fold<C, Comm, Args...>());
template <collective C, class Comm, class... Args>
using move_slip = decltype(slip_in_move<C, Comm, Args...>());
template <collective C, class Comm, class... Args>
using parts_slip = decltype(slip_in_move_of_parts<C, Comm, Args...>());

/// The slip in a call that reads its elements when it has returned.
template <class Slip, class Comm, class First>
consteval auto slip_in_what_is_begun() {
    if constexpr (!slip<Slip> && any_communicator<Comm> && readable<First> && temporary<First>)
        return refused::input_is_gone_when_it_is_read{};
    else
        return Slip{};
}
template <class Slip, class Comm, class... Args>
using begun_slip = decltype(slip_in_what_is_begun<Slip, Comm, argument_at<0, Args...>>());
template <collective C, class Comm, class... Args>
using begun_fold_slip = begun_slip<fold_slip<C, Comm, Args...>, Comm, Args...>;
template <collective C, class Comm, class... Args>
using begun_move_slip = begun_slip<move_slip<C, Comm, Args...>, Comm, Args...>;
template <collective C, class Comm, class... Args>
using begun_parts_slip = begun_slip<parts_slip<C, Comm, Args...>, Comm, Args...>;

} // namespace tutti::detail
