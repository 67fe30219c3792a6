// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tutti/core/block.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// The options of all algorithms, by name; the value here stands for the algorithm's default, or for an
/// option that it lacks.
struct parameters {
    rank_type radix = 0;
    rank_type arity = 0;
    int splits = -1;
    block_index segments = 0;
    rank_type k = 0;
    int zeta = -1;
    std::int64_t outstanding = 0;
    std::int64_t pace = -1;

    friend constexpr bool operator==(const parameters&, const parameters&) = default;
};

namespace detail {

/// An option: its name, where `parameters` has it, how to find it in an algorithm that has it.
template <class Member, class Find>
struct algorithm_option {
    const char* name;
    Member parameters::*member;
    Find find;

    constexpr bool is_given(const parameters& p) const noexcept { return p.*member != parameters{}.*member; }

    template <class Algorithm>
    static constexpr bool is_taken_by = std::is_invocable_v<const Find&, Algorithm&>;
};
// Clang 16 does not find it by itself.
template <class Member, class Find>
algorithm_option(const char*, Member parameters::*, Find) -> algorithm_option<Member, Find>;

template <class A>
concept has_radix = requires(A& a) { a.radix; };
template <class A>
concept has_arity = requires(A& a) { a.arity; };
template <class A>
concept has_splits = requires(A& a) { a.splits; };
template <class A>
concept has_segments = requires(A& a) { a.segments; };
template <class A>
concept has_k = requires(A& a) { a.k; };
template <class A>
concept has_zeta = requires(A& a) { a.zeta; };
template <class A>
concept has_outstanding = requires(A& a) { a.outstanding; };
template <class A>
concept has_pace = requires(A& a) { a.pace; };

} // namespace detail

/// Calls f(option) for every option that algorithms may have. A new one is a member of `parameters`, a
/// concept and a line here.
template <class F>
constexpr void for_each_option(F&& f) {
    using namespace detail;
    f(algorithm_option{"radix", &parameters::radix, [](has_radix auto& a) -> auto& { return a.radix; }});
    f(algorithm_option{"arity", &parameters::arity, [](has_arity auto& a) -> auto& { return a.arity; }});
    f(algorithm_option{"splits", &parameters::splits, [](has_splits auto& a) -> auto& { return a.splits; }});
    f(algorithm_option{"segments", &parameters::segments,
                       [](has_segments auto& a) -> auto& { return a.segments; }});
    f(algorithm_option{"k", &parameters::k, [](has_k auto& a) -> auto& { return a.k; }});
    f(algorithm_option{"zeta", &parameters::zeta, [](has_zeta auto& a) -> auto& { return a.zeta; }});
    f(algorithm_option{"outstanding", &parameters::outstanding,
                       [](has_outstanding auto& a) -> auto& { return a.outstanding; }});
    f(algorithm_option{"pace", &parameters::pace, [](has_pace auto& a) -> auto& { return a.pace; }});
}

/// The algorithm with the given options. Throws argument_error for one that it lacks; what values are allowed
/// is checked where the generator is made.
template <class Algorithm>
constexpr Algorithm configured(const parameters& given) {
    Algorithm how{};
    for_each_option([&](const auto& option) {
        if (!option.is_given(given)) return;
        if constexpr (std::remove_cvref_t<decltype(option)>::template is_taken_by<Algorithm>)
            option.find(how) = given.*option.member;
        else
            detail::throw_argument(option.name, given.*option.member,
                                   "nothing, this algorithm has no such option");
    });
    return how;
}

/// The options that an algorithm has, with the values that it has for them.
template <class Algorithm>
constexpr parameters parameters_of(Algorithm how) {
    parameters result;
    for_each_option([&](const auto& option) {
        if constexpr (std::remove_cvref_t<decltype(option)>::template is_taken_by<Algorithm>)
            result.*option.member = option.find(how);
    });
    return result;
}

/// The options that an algorithm has, with their defaults.
template <class Algorithm>
constexpr parameters defaults_of() {
    return parameters_of(Algorithm{});
}

/// `defaults`, but for those of its options that are given.
constexpr parameters overridden(const parameters& defaults, const parameters& given) noexcept {
    parameters result = defaults;
    for_each_option([&](const auto& option) {
        if (option.is_given(result) && option.is_given(given)) result.*option.member = given.*option.member;
    });
    return result;
}

/// "fnomial radix=4 segments=1"
inline std::string name_with_options(std::string_view algorithm, const parameters& with) {
    std::string text(algorithm);
    for_each_option([&](const auto& option) {
        if (option.is_given(with))
            text.append(" ")
                .append(option.name)
                .append("=")
                .append(std::to_string(static_cast<std::int64_t>(with.*option.member)));
    });
    return text;
}

} // namespace tutti
