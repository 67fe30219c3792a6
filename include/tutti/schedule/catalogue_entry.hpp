// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/schedule/parameters.hpp>

namespace tutti {

/// An algorithm by name, for programs that list them or take their names from a user. Two entries are the
/// same algorithm if `what` and `name` are: where they lie says nothing.
struct catalogue_entry {
    collective what;
    std::string_view name;    ///< as in schedule/algorithm.hpp
    std::string_view options; ///< the parameters it takes, "radix,segments"; "" if none
    parameters defaults;      ///< of the options it takes
    std::string_view rounds;  ///< p ranks, q = ceil(lg p), p' = 2^floor(lg p), f radix, k arity or option, s
                              ///< splits, S segments, T levels; other options: defaults
    std::string_view volume;  ///< sent and folded by the busiest rank, in vectors
    std::string_view source;

    /// The generator for a place. Throws argument_error for a parameter that it does not take or allow.
    any_generator (*make)(place, const parameters&);
};

/// The values that an algorithm really uses: its defaults for what `given` leaves open, nothing for options
/// it lacks.
constexpr parameters effective(const catalogue_entry& entry, const parameters& given) noexcept {
    return overridden(entry.defaults, given);
}

#if defined(TUTTI_COMPILED)
std::span<const catalogue_entry> catalogue() noexcept;
#endif

namespace detail {

/// The schedule of an algorithm with options: see catalogue_entry::make.
template <collective What, class Algorithm>
any_generator make_algorithm(place at, const parameters& given) {
    if constexpr (std::is_empty_v<Algorithm>) { // without options: a look at all of them will do
        if (!(given == parameters{})) [[unlikely]]
            configured<Algorithm>(given); // throws
        return any_generator::made_by([at] { return generate(of<What>, Algorithm{}, at); });
    } else {
        const Algorithm how = configured<Algorithm>(given);
        return any_generator::made_by([&how, at] { return generate(of<What>, how, at); });
    }
}

template <collective What, class Algorithm>
constexpr catalogue_entry entry(std::string_view name, std::string_view options, std::string_view rounds,
                                std::string_view volume, std::string_view source) {
    return {.what = What,
            .name = name,
            .options = options,
            .defaults = defaults_of<Algorithm>(),
            .rounds = rounds,
            .volume = volume,
            .source = source,
            .make = &make_algorithm<What, Algorithm>};
}

/// `c`, as a value that depends on `Whenever`: a compiler makes at once whatever a template names that does
/// not depend on its parameters.
template <class Whenever>
constexpr collective later(collective c) noexcept {
    return c;
}

/// The entries of one collective, by schedule/catalogue_<collective>.hpp. The second parameter is never
/// given: it makes the list one that is compiled when somebody asks for it, not by whoever includes it.
template <collective C, class Whenever = void>
struct catalogue_part;

template <collective C>
inline constexpr auto catalogue_entries_of = catalogue_part<C>::list();

/// Those of one collective, which lie side by side.
constexpr std::span<const catalogue_entry> part_of(std::span<const catalogue_entry> all,
                                                   collective what) noexcept {
    std::size_t first = 0;
    while (first < all.size() && all[first].what != what) ++first;
    std::size_t end = first;
    while (end < all.size() && all[end].what == what) ++end;
    return all.subspan(first, end - first);
}

} // namespace detail

/// The algorithms of one collective. Only what schedule/catalogue_<collective>.hpp includes is compiled for
/// it.
template <collective C>
constexpr std::span<const catalogue_entry> catalogue_of() noexcept {
#if defined(TUTTI_COMPILED)
    return detail::part_of(catalogue(), C);
#else
    return detail::catalogue_entries_of<C>;
#endif
}

/// The one of these algorithms that has this name, or null.
constexpr const catalogue_entry* find_algorithm(std::span<const catalogue_entry> among,
                                                std::string_view name) noexcept {
    for (const catalogue_entry& entry : among)
        if (entry.name == name) return &entry;
    return nullptr;
}

} // namespace tutti
