// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/schedule/allgather/catalogue.hpp>
#include <tutti/schedule/allreduce/catalogue.hpp>
#include <tutti/schedule/alltoall/catalogue.hpp>
#include <tutti/schedule/barrier/catalogue.hpp>
#include <tutti/schedule/bcast/catalogue.hpp>
#include <tutti/schedule/catalogue_entry.hpp>
#include <tutti/schedule/exscan/catalogue.hpp>
#include <tutti/schedule/gather/catalogue.hpp>
#include <tutti/schedule/in_catalogue.hpp>
#include <tutti/schedule/reduce/catalogue.hpp>
#include <tutti/schedule/reduce_scatter/catalogue.hpp>
#include <tutti/schedule/scan/catalogue.hpp>
#include <tutti/schedule/scatter/catalogue.hpp>

/// All algorithms of all collectives. A new algorithm is its header and one line in the header of its
/// collective; one of a program's own, an in_catalogue.
namespace tutti {

namespace detail {

template <class Whenever, collective... All>
constexpr auto joined_entries() {
    std::array<catalogue_entry, (catalogue_part<All, Whenever>::list().size() + ...)> all{};
    std::size_t at = 0;
    const auto add = [&](const auto& part) {
        std::copy(part.begin(), part.end(), all.begin() + at);
        at += part.size();
    };
    (add(catalogue_part<All, Whenever>::list()), ...);
    return all;
}

/// A template only so that no more than the programs that ask for it compile it.
template <class Whenever = void>
inline constexpr auto catalogue_entries =
    joined_entries<Whenever, collective::barrier, collective::bcast, collective::reduce,
                   collective::allreduce, collective::reduce_scatter, collective::allgather,
                   collective::gather, collective::scatter, collective::alltoall, collective::exscan,
                   collective::scan>();

} // namespace detail

/// All algorithms, collective by collective, each time the same list. Without the archive tutti::compiled, a
/// file that calls this compiles them all, which takes seconds.
#if !defined(TUTTI_COMPILED)
/// All algorithms, also those that the program has added.
template <class Whenever = void>
std::span<const catalogue_entry> catalogue() {
    static const std::vector<catalogue_entry> all =
        detail::added().behind(detail::catalogue_entries<Whenever>);
    return all;
}
#endif

/// The algorithms of one collective, where only the running program knows which.
#if defined(TUTTI_COMPILED)
inline std::span<const catalogue_entry> catalogue_of(collective what) {
    return detail::part_of(catalogue(), what);
}
#else
/// Those of one collective.
template <class Whenever = void>
std::span<const catalogue_entry> catalogue_of(collective what) {
    return detail::part_of(catalogue<Whenever>(), what);
}
#endif

/// The algorithm of that name for a collective, or null.
template <class Whenever = void>
const catalogue_entry* find_algorithm(collective what, std::string_view name) {
    return find_algorithm(catalogue_of(what), name);
}

} // namespace tutti
