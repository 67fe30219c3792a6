// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/collectives/alltoallv.hpp>
#include <tutti/collectives/values.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/alltoall/shift.hpp>

namespace tutti {

namespace detail {

/// To the rank `distance` ahead all of `in`; what comes from the one behind, as long as `out` is.
template <class Transport, class T>
void shift(communicator<Transport>& comm, rank_type distance, const std::vector<T>& in, std::vector<T>& out) {
    std::vector<std::int64_t> sent(static_cast<std::size_t>(comm.size()), 0);
    std::vector<std::int64_t> received(sent);
    sent[static_cast<std::size_t>(ahead(comm.rank(), distance, comm.size()))] =
        static_cast<std::int64_t>(in.size());
    received[static_cast<std::size_t>(behind(comm.rank(), distance, comm.size()))] =
        static_cast<std::int64_t>(out.size());
    alltoallv(comm, in, sent, out, received, cyclic_shift{distance});
}

/// Parts on their way, by the distance from where they come to where they go.
template <class T>
struct travelling {
    std::vector<std::vector<T>> parts;
    std::vector<std::int64_t> counts; ///< -1: of a rank whose parts are not whole

    travelling(const gathered<T>& mine, rank_type me, rank_type size)
        : parts(static_cast<std::size_t>(size)), counts(static_cast<std::size_t>(size), -1) {
        if (!is_whole(mine, size)) return;
        auto begin = mine.values.begin();
        for (rank_type to = 0; to < size; ++to) {
            // Example with 5 ranks: of rank 3 the part for rank 1 has distance 3.
            const auto d = static_cast<std::size_t>(behind(to, me, size));
            counts[d] = mine.counts[static_cast<std::size_t>(to)];
            parts[d].assign(begin, begin + counts[d]);
            begin += counts[d];
        }
    }

    /// Those of these distances go so far; how long they are goes before.
    template <class Transport>
    void move(communicator<Transport>& comm, rank_type so_far, const std::vector<std::size_t>& distances) {
        std::vector<std::int64_t> told;
        std::vector<T> sent;
        for (const std::size_t d : distances) {
            told.push_back(counts[d]);
            sent.insert(sent.end(), parts[d].begin(), parts[d].end());
        }
        std::vector<std::int64_t> heard(told.size());
        shift(comm, so_far, told, heard);
        std::size_t long_in_all = 0;
        for (const std::int64_t count : heard) long_in_all += static_cast<std::size_t>(count < 0 ? 0 : count);
        std::vector<T> came(long_in_all);
        shift(comm, so_far, sent, came);
        auto begin = came.begin();
        for (std::size_t k = 0; k < distances.size(); ++k) {
            counts[distances[k]] = heard[k];
            const auto end = begin + (heard[k] < 0 ? 0 : heard[k]);
            parts[distances[k]].assign(begin, end);
            begin = end;
        }
    }
};

} // namespace detail

/// `alltoallv` of values by few messages, for parts that are short: every part travels its distance along the
/// digits of that distance, to the base `how.radix`, with all others that have the same digit.
///
/// Rounds: 2 ceil(log_r p) of r - 1 messages each, one with lengths before the one with elements. Volume:
/// every part is sent as often as its distance has digits that are not 0; one by `alltoallv` without an
/// algorithm once, by p - 1 messages, behind an alltoall of lengths. Errors: as there. Source: Fan, Gilray,
/// Pascucci, Huang, Micinski and Kumar 2022 (HPDC), two-phase Bruck; here for any radix.
template <class Transport, element T>
[[nodiscard]] gathered<T> alltoallv(communicator<Transport>& comm, const gathered<T>& parts,
                                    const bruck& how) {
    const rank_type size = comm.size();
    detail::travelling<T> on_way(parts, comm.rank(), size);
    gathered<T> all{{}, std::vector<std::int64_t>(static_cast<std::size_t>(size))};
    // Refused by a call, of which the others hear.
    if (how.radix < 2) alltoall(comm, detail::told_counts(parts, size), all.counts, how);
    for (std::int64_t weight = 1; weight < size; weight *= how.radix)
        for (std::int64_t digit = 1; digit < how.radix && digit * weight < size; ++digit) {
            std::vector<std::size_t> distances;
            for (std::int64_t d = digit * weight; d < size; ++d)
                if (d / weight % how.radix == digit) distances.push_back(static_cast<std::size_t>(d));
            on_way.move(comm, static_cast<rank_type>(digit * weight), distances);
        }
    for (rank_type from = 0; from < size; ++from) {
        const auto d = static_cast<std::size_t>(behind(comm.rank(), from, size));
        all.counts[static_cast<std::size_t>(from)] = on_way.counts[d];
        all.values.insert(all.values.end(), on_way.parts[d].begin(), on_way.parts[d].end());
    }
    if (!detail::all_whole(parts, all.counts, size)) detail::exchange_parts(comm, parts, all, pairwise{});
    return all;
}

} // namespace tutti
