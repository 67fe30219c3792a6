// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/schedule/own_block.hpp>
#include <tutti/schedule/parameters.hpp>

namespace tutti {

/// An algorithm by name, for programs that list them or take their names from a user. Two entries are the
/// same algorithm if `what` and `name` are: where they lie says nothing.
struct catalogue_entry {
    collective what;       ///< the collective
    std::string_view name; ///< as in schedule/algorithm.hpp
    parameters defaults;   ///< of the options it takes
    /// p ranks, q = ceil(lg p), p' = 2^floor(lg p), f radix, k arity or option, s splits, S segments; what it
    /// defines itself behind a comma. `tests/schedule/catalogue_formulas_test.cpp` calculates it.
    std::string_view rounds;
    std::string_view volume; ///< sent and folded by the busiest rank, in vectors; F as `tutti list` has it
    std::string_view source; ///< author and year, or who calls it so

    /// The generator for a place. Throws argument_error for a parameter that it does not take or allow.
    any_generator (*make)(place, const parameters&);

    /// The values of an option that the algorithm says are worth trying; none if it does not say.
    std::vector<int> (*worth_trying)(const char* option);

    /// Of an allgather: whether its messages carry nothing but their senders' own blocks (own_block.hpp), so
    /// that a multicast by it leaves out messages and looks at nobody else's steps.
    bool sends_only_own_block = false;
};

/// The values that an algorithm really uses: its defaults for what `given` leaves open, nothing for options
/// it lacks.
constexpr parameters effective(const catalogue_entry& entry, const parameters& given) {
    return overridden(entry.defaults, given);
}

namespace detail {

/// The schedule of an algorithm with options: see catalogue_entry::make.
template <collective What, class Algorithm>
any_generator make_algorithm(place at, const parameters& given) {
    const Algorithm how = configured<Algorithm>(given);
    return any_generator::made_by([&how, at] { return generate(of<What>, how, at); });
}

/// What an algorithm generates for a collective.
template <collective What, class Algorithm>
using generator_of = decltype(generate(of<What>, std::declval<const Algorithm&>(), place{}));

/// See catalogue_entry::worth_trying.
template <class Algorithm>
std::vector<int> values_worth_trying([[maybe_unused]] const char* option) {
    std::vector<int> values;
    if constexpr (has_options<Algorithm>) {
        const auto keep = [&](const char* name, auto&, std::initializer_list<int> tried = {}) {
            if (std::string_view(name) == option) values = tried;
        };
        Algorithm{}.options(keep);
    }
    return values;
}

template <collective What, class Algorithm>
constexpr catalogue_entry entry(std::string_view name, std::string_view rounds, std::string_view volume,
                                std::string_view source) {
    return {.what = What,
            .name = name,
            .defaults = defaults_of<Algorithm>(),
            .rounds = rounds,
            .volume = volume,
            .source = source,
            .make = &make_algorithm<What, Algorithm>,
            .worth_trying = &values_worth_trying<Algorithm>,
            .sends_only_own_block = sends_only_own_block<generator_of<What, Algorithm>>};
}

/// `c`, as a value that depends on `Whenever`: a compiler makes at once whatever a template names that does
/// not depend on its parameters.
template <class Whenever>
constexpr collective later(collective c) noexcept {
    return c;
}

/// The entries of one collective, by schedule/<collective>/catalogue.hpp. The second parameter is never
/// given: it makes the list one that is compiled when somebody asks for it, not by whoever includes it.
template <collective C, class Whenever = void>
struct catalogue_part;

template <collective C>
inline constexpr auto catalogue_entries_of = catalogue_part<C>::list();

} // namespace detail

/// The one of these algorithms that has this name, or null.
constexpr const catalogue_entry* find_algorithm(std::span<const catalogue_entry> among,
                                                std::string_view name) noexcept {
    for (const catalogue_entry& entry : among)
        if (entry.name == name) return &entry;
    return nullptr;
}

} // namespace tutti
