// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti {

/// What is computed, as in MPI. The pre- and post-conditions that the prover holds schedules against are in
/// verify/contract.hpp.
enum class collective : std::uint8_t {
    barrier,        ///< nobody leaves before everybody has come
    bcast,          ///< root's vector to all
    reduce,         ///< fold of all vectors to root
    allreduce,      ///< fold of all vectors to all
    reduce_scatter, ///< block r of the fold to rank r
    allgather,      ///< block r of the result is rank r's, on all
    gather,         ///< block r of the result is rank r's, on root
    scatter,        ///< block r of root's vector to rank r
    alltoall,       ///< block j of rank i becomes block i of rank j
    exscan,         ///< rank r gets the fold of ranks 0..r-1; rank 0 nothing
    scan,           ///< rank r gets the fold of ranks 0..r
    multicast,      ///< block r of the result is rank r's, on those that a relation names (core/relation.hpp)
};

/// Those that need nothing but a size and a root, which is what loops over collectives have to offer. A
/// multicast needs a relation, too, and is not among them; its schedules are those of the allgather, pruned.
inline constexpr std::array all_collectives{
    collective::barrier,        collective::bcast,     collective::reduce, collective::allreduce,
    collective::reduce_scatter, collective::allgather, collective::gather, collective::scatter,
    collective::alltoall,       collective::exscan,    collective::scan,
};

/// "allreduce": as users type it.
constexpr std::string_view name_of(collective c) noexcept {
    switch (c) {
    case collective::barrier: return "barrier";
    case collective::bcast: return "bcast";
    case collective::reduce: return "reduce";
    case collective::allreduce: return "allreduce";
    case collective::reduce_scatter: return "reduce_scatter";
    case collective::allgather: return "allgather";
    case collective::gather: return "gather";
    case collective::scatter: return "scatter";
    case collective::alltoall: return "alltoall";
    case collective::exscan: return "exscan";
    case collective::scan: return "scan";
    case collective::multicast: return "multicast";
    }
    return "?";
}

/// The one of all_collectives that has this name.
constexpr std::optional<collective> collective_named(std::string_view name) noexcept {
    for (collective c : all_collectives)
        if (name_of(c) == name) return c;
    return std::nullopt;
}

/// Whether one rank is the root: of bcast, reduce, gather and scatter.
constexpr bool has_root(collective c) noexcept {
    return c == collective::bcast || c == collective::reduce || c == collective::gather
           || c == collective::scatter;
}

/// Whether every rank has its share of the vector, so that the number of blocks is a multiple of the ranks'.
constexpr bool has_parts(collective c) noexcept {
    return c == collective::reduce_scatter || c == collective::allgather || c == collective::gather
           || c == collective::scatter || c == collective::alltoall || c == collective::multicast;
}

/// Whether the collective applies an operation, so that order and association matter.
constexpr bool folds(collective c) noexcept {
    return c == collective::reduce || c == collective::allreduce || c == collective::reduce_scatter
           || c == collective::exscan || c == collective::scan;
}

/// Whether every rank gets the fold of other ranks than the others do.
constexpr bool scans(collective c) noexcept { return c == collective::exscan || c == collective::scan; }

/// A collective as a type, to choose overloads: `generate(of<collective::reduce>, ring{}, at)`.
template <collective C>
struct collective_constant {
    static constexpr collective value = C; ///< the collective
};

/// Names a collective where a type is asked for: generate(of<collective::bcast>, ...).
template <collective C>
inline constexpr collective_constant<C> of{};

} // namespace tutti
