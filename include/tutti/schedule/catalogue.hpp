// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather_bruck.hpp>
#include <tutti/schedule/allgather_circulant.hpp>
#include <tutti/schedule/allgather_direct.hpp>
#include <tutti/schedule/allgather_hypercube.hpp>
#include <tutti/schedule/allgather_kprefix.hpp>
#include <tutti/schedule/allgather_kshift.hpp>
#include <tutti/schedule/allgather_mesh2d.hpp>
#include <tutti/schedule/allgather_neighbor_exchange.hpp>
#include <tutti/schedule/allgather_prefix_send.hpp>
#include <tutti/schedule/allgather_recursive_doubling.hpp>
#include <tutti/schedule/allgather_ring.hpp>
#include <tutti/schedule/allgather_sparbit.hpp>
#include <tutti/schedule/allreduce_binary_blocks.hpp>
#include <tutti/schedule/allreduce_circulant.hpp>
#include <tutti/schedule/allreduce_halving_doubling.hpp>
#include <tutti/schedule/allreduce_recursive_doubling.hpp>
#include <tutti/schedule/allreduce_ring.hpp>
#include <tutti/schedule/allreduce_tree.hpp>
#include <tutti/schedule/alltoall_bruck.hpp>
#include <tutti/schedule/alltoall_pairwise.hpp>
#include <tutti/schedule/barrier_dissemination.hpp>
#include <tutti/schedule/bcast_binary_tree.hpp>
#include <tutti/schedule/bcast_chain.hpp>
#include <tutti/schedule/bcast_fnomial.hpp>
#include <tutti/schedule/bcast_kary.hpp>
#include <tutti/schedule/bcast_serial.hpp>
#include <tutti/schedule/bcast_two_tree.hpp>
#include <tutti/schedule/exscan_census.hpp>
#include <tutti/schedule/flow_control.hpp>
#include <tutti/schedule/parameters.hpp>
#include <tutti/schedule/reduce_binary_blocks.hpp>
#include <tutti/schedule/reduce_binary_tree.hpp>
#include <tutti/schedule/reduce_chain.hpp>
#include <tutti/schedule/reduce_fnomial.hpp>
#include <tutti/schedule/reduce_fnomial_split.hpp>
#include <tutti/schedule/reduce_halving_doubling.hpp>
#include <tutti/schedule/reduce_kary.hpp>
#include <tutti/schedule/reduce_ring.hpp>
#include <tutti/schedule/reduce_scatter_circulant.hpp>
#include <tutti/schedule/reduce_scatter_direct.hpp>
#include <tutti/schedule/reduce_scatter_pairwise.hpp>
#include <tutti/schedule/reduce_serial.hpp>
#include <tutti/schedule/reduce_two_tree.hpp>

/// All algorithms by name, for programs that list them or take their names from a user. A new algorithm is
/// its header and one line here.
namespace tutti {

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
    parameters result = entry.defaults;
    for_each_option([&](const auto& option) {
        if (option.is_given(result) && option.is_given(given)) result.*option.member = given.*option.member;
    });
    return result;
}

namespace detail {

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
            .make = [](place at, const parameters& given) -> any_generator {
                return generate(of<What>, configured<Algorithm>(given), at);
            }};
}

// A table, one algorithm per line.
// clang-format off
inline constexpr std::array catalogue_entries{
    entry<collective::barrier, dissemination>("dissemination", "", "q", "none", "Hensgen, Finkel and Manber 1988"),

    entry<collective::bcast, serial>("serial", "", "1", "sent p-1", "Moody et al. 2003, 4.1 (mirrored)"),
    entry<collective::bcast, chain>("chain", "segments", "p-2+S", "sent 1", "classic"),
    entry<collective::bcast, kary>("kary", "arity,segments", "T+S-1, T ~ log_k p", "sent k", "classic"),
    entry<collective::bcast, fnomial>("fnomial", "radix,segments", "ceil(log_f p)+S-1", "sent ~ (f-1) log_f p", "Moody et al. 2003, 5.2"),
    entry<collective::bcast, binary_tree>("binary_tree", "segments", "T+S-1, T <= q", "sent 2", "Sanders, Speck and Träff 2009"),
    entry<collective::bcast, two_tree>("two_tree", "segments", "floor(lg p)+S", "sent 1", "Sanders, Speck and Träff 2009"),

    entry<collective::reduce, serial>("serial", "", "1", "sent 1, folded p-1", "Moody et al. 2003, 4.1 and 5.1"),
    entry<collective::reduce, chain>("chain", "segments", "p-2+S", "sent 1, folded 1", "classic"),
    entry<collective::reduce, kary>("kary", "arity,segments", "T+S-1, T ~ log_k p", "sent 1, folded k", "Moody et al. 2003, 6.1"),
    entry<collective::reduce, fnomial>("fnomial", "radix,segments", "ceil(log_f p)+S-1", "sent 1, folded ~ (f-1) log_f p", "Moody et al. 2003, 5.2"),
    entry<collective::reduce, fnomial_split>("fnomial_split", "radix,splits", "s+ceil(log_f ceil(p/2^s))+1", "sent 1, folded ~ 1+((f-1) log_f(p/2^s)-1)/2^s", "Moody et al. 2003, 5.3"),
    entry<collective::reduce, binary_tree>("binary_tree", "segments", "T+S-1, T <= q", "sent 1, folded 2", "Sanders, Speck and Träff 2009"),
    entry<collective::reduce, two_tree>("two_tree", "segments", "floor(lg p)+S", "sent 1, folded 1", "Sanders, Speck and Träff 2009"),
    entry<collective::reduce, halving_doubling>("halving_doubling", "", "2 lg p' (+2)", "sent 3/2-1/p' (+1/2), folded 1-1/p' (+1/2)", "Rabenseifner and Adamidis 2004, 3.5"),
    entry<collective::reduce, binary_blocks>("binary_blocks", "", "2 lg p' (+1)", "sent 3/2-1/p', folded 1-1/p' (1)", "Rabenseifner and Adamidis 2004, 3.6"),
    entry<collective::reduce, ring>("ring", "", "p", "sent 1, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.7"),

    entry<collective::allreduce, serial>("serial", "", "2", "sent p-1, folded p-1", "Moody et al. 2003, 4.1 and 6.1"),
    entry<collective::allreduce, kary>("kary", "arity,segments", "2(T+S-1), T ~ log_k p", "sent k+1, folded k", "Moody et al. 2003, 6.1"),
    entry<collective::allreduce, fnomial>("fnomial", "radix,segments", "2(ceil(log_f p)+S-1)", "sent and folded ~ (f-1) log_f p", "Moody et al. 2003, 5.2 and 6.1"),
    entry<collective::allreduce, binary_tree>("binary_tree", "segments", "2(floor(lg p)+S-1)", "sent 3, folded 2", "Sanders, Speck and Träff 2009"),
    entry<collective::allreduce, two_tree>("two_tree", "segments", "2(floor(lg p)+S)", "sent 2, folded 1", "Sanders, Speck and Träff 2009"),
    entry<collective::allreduce, recursive_doubling>("recursive_doubling", "", "q (+1)", "sent q, folded q", "Rabenseifner and Adamidis 2004, 3.4"),
    entry<collective::allreduce, halving_doubling>("halving_doubling", "", "2 lg p' (+3)", "sent 2-2/p' (+3/2), folded 1-1/p' (+1/2)", "Rabenseifner and Adamidis 2004, 3.5"),
    entry<collective::allreduce, binary_blocks>("binary_blocks", "", "2 lg p' (+2)", "sent 2-2/p' (2), folded 1-1/p' (1)", "Rabenseifner and Adamidis 2004, 3.6"),
    entry<collective::allreduce, ring>("ring", "", "2(p-1)", "sent 2-2/p, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.7"),
    entry<collective::allreduce, circulant>("circulant", "", "2q", "sent 2-2/p, folded 1-1/p", "Träff 2024 (arXiv 2410.14234)"),

    entry<collective::reduce_scatter, circulant>("circulant", "", "q", "sent 1-1/p, folded 1-1/p", "Träff 2024 (arXiv 2410.14234)"),
    entry<collective::reduce_scatter, pairwise>("pairwise", "", "p-1", "sent 1-1/p, folded 1-1/p", "Rabenseifner and Adamidis 2004, 3.2"),
    entry<collective::reduce_scatter, direct>("direct", "", "1", "sent 1-1/p, folded 1-1/p", "classic"),

    entry<collective::allgather, circulant>("circulant", "", "q", "sent 1-1/p", "Träff 2024 (arXiv 2410.14234)"),
    entry<collective::allgather, ring>("ring", "", "p-1", "sent 1-1/p", "Rabenseifner and Adamidis 2004, 3.2"),
    entry<collective::allgather, flow_controlled<direct>>("direct", "outstanding,pace", "p-1", "sent 1-1/p", "Kumar and Kalé 2004, 3"),
    entry<collective::allgather, flow_controlled<prefix_send>>("prefix_send", "outstanding,pace", "2^q-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.3"),
    entry<collective::allgather, flow_controlled<kprefix>>("kprefix", "k,outstanding,pace", "k ceil(p/k)-1", "sent 1-1/p (ceil(p/k) k/p-1/p)", "Kumar and Kalé 2004, 4.4"),
    entry<collective::allgather, flow_controlled<kshift>>("kshift", "k,outstanding,pace", "p-1", "sent 1-1/p", "Kumar and Kalé 2004, 4.5"),
    entry<collective::allgather, bruck>("bruck", "", "q", "sent 1-1/p", "Bruck et al. 1997"),
    entry<collective::allgather, sparbit>("sparbit", "", "q", "sent 1-1/p", "Loch and Koslovski 2021 (arXiv 2109.08751)"),
    entry<collective::allgather, recursive_doubling>("recursive_doubling", "", "lg p' (+2)", "sent 1-1/p (~ 2)", "Thakur and Gropp 2003"),
    entry<collective::allgather, hypercube>("hypercube", "zeta", "lg p'-z+2^z-1 (+2), z = zeta", "sent 1-1/p (~ 2)", "Kumar and Kalé 2004, 3.2"),
    entry<collective::allgather, mesh2d>("mesh2d", "", "~ 2 sqrt(p)-2", "sent 1-1/p (< 1+1/sqrt(p))", "Kumar and Kalé 2004, 3.1"),
    entry<collective::allgather, neighbor_exchange>("neighbor_exchange", "", "ceil(p/2)", "sent 1-1/p (1)", "Chen, Zhang, Zhang and Yuan 2005"),

    entry<collective::alltoall, bruck>("bruck", "", "q", "sent ~ q/2", "Bruck et al. 1997"),
    entry<collective::alltoall, pairwise>("pairwise", "", "p-1", "sent 1-1/p", "classic"),

    entry<collective::exscan, census>("census", "", "q", "sent q, folded < 2q", "Bar-Noy, Kipnis and Schieber 1993"),
};
// clang-format on

} // namespace detail

/// All algorithms, collective by collective.
///
/// A file that calls this compiles them all, which takes seconds. A program of many files can define
/// TUTTI_CATALOGUE_APART for all of them and have one file define
/// `std::span<const tutti::catalogue_entry> tutti::catalogue() noexcept { return detail::catalogue_entries;
/// }`.
#ifdef TUTTI_CATALOGUE_APART
std::span<const catalogue_entry> catalogue() noexcept;
#else
constexpr std::span<const catalogue_entry> catalogue() noexcept { return detail::catalogue_entries; }
#endif

/// The algorithm of that name for a collective, or null.
inline const catalogue_entry* find_algorithm(collective what, std::string_view name) noexcept {
    for (const catalogue_entry& entry : catalogue())
        if (entry.what == what && entry.name == name) return &entry;
    return nullptr;
}

} // namespace tutti
