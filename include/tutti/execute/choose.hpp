// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/allgather_circulant.hpp>
#include <tutti/schedule/allgather_ring.hpp>
#include <tutti/schedule/allreduce_circulant.hpp>
#include <tutti/schedule/allreduce_halving_doubling.hpp>
#include <tutti/schedule/allreduce_recursive_doubling.hpp>
#include <tutti/schedule/alltoall_bruck.hpp>
#include <tutti/schedule/alltoall_pairwise.hpp>
#include <tutti/schedule/barrier_dissemination.hpp>
#include <tutti/schedule/bcast_fnomial.hpp>
#include <tutti/schedule/exscan_census.hpp>
#include <tutti/schedule/reduce_binary_tree.hpp>
#include <tutti/schedule/reduce_fnomial.hpp>
#include <tutti/schedule/reduce_halving_doubling.hpp>
#include <tutti/schedule/reduce_scatter_circulant.hpp>
#include <tutti/schedule/reduce_scatter_direct.hpp>

namespace tutti {

/// Stands for "you choose": the default of every call.
struct automatic {};

/// What a choice may depend on: only what every rank knows and has equal, so that all choose alike.
struct request_facts {
    place at;                ///< rank, size and root
    std::int64_t bytes = 0;  ///< of the whole vector
    bool commutative = true; ///< of the operation, where there is one
};

/// An algorithm for collective C that covers the request. Few messages for short vectors, little volume for
/// long ones (Rabenseifner and Adamidis 2004, section 4, without its machine-dependent borders); never one
/// whose claims do not cover the request.
template <collective C>
any_generator choose(const request_facts& facts) {
    constexpr std::int64_t short_vector = 2048; // bytes below which the number of rounds decides
    const bool is_short = facts.bytes <= short_vector;
    const bool power_of_two = (facts.at.size & (facts.at.size - 1)) == 0;
    if constexpr (C == collective::allreduce) {
        if (is_short) return generate(of<C>, recursive_doubling{}, facts.at);
        if (power_of_two || !facts.commutative) return generate(of<C>, halving_doubling{}, facts.at);
        return generate(of<C>, circulant{}, facts.at);
    } else if constexpr (C == collective::reduce) {
        if (is_short && facts.commutative) return generate(of<C>, fnomial{}, facts.at);
        if (is_short) return generate(of<C>, binary_tree{}, facts.at);
        return generate(of<C>, halving_doubling{}, facts.at);
    } else if constexpr (C == collective::reduce_scatter) {
        if (!facts.commutative) return generate(of<C>, direct{}, facts.at);
        return generate(of<C>, circulant{}, facts.at);
    } else if constexpr (C == collective::bcast) {
        if (is_short) return generate(of<C>, fnomial{}, facts.at);
        return generate(of<C>, fnomial{.segments = facts.bytes < 1 << 20 ? 1 : 8}, facts.at);
    } else if constexpr (C == collective::allgather) {
        return generate(of<C>, circulant{}, facts.at);
    } else if constexpr (C == collective::alltoall) {
        if (is_short) return generate(of<C>, bruck{}, facts.at);
        return generate(of<C>, pairwise{}, facts.at);
    } else if constexpr (C == collective::exscan) {
        return generate(of<C>, census{}, facts.at);
    } else {
        return generate(of<C>, dissemination{}, facts.at);
    }
}

/// A type that names an algorithm for collective C: there is a `generate(of<C>, algorithm, place)` for it, in
/// tutti or in the algorithm's own namespace.
template <class Algorithm, collective C>
concept algorithm_for = std::same_as<Algorithm, automatic> || requires(const Algorithm& how, place at) {
    { generate(of<C>, how, at) } -> generator;
};

/// The schedule for a request: chosen, or the one that was named.
template <collective C, class Algorithm>
any_generator make_schedule(const Algorithm& how, const request_facts& facts) {
    if constexpr (std::same_as<Algorithm, automatic>)
        return choose<C>(facts);
    else
        return generate(of<C>, how, facts.at);
}

} // namespace tutti
