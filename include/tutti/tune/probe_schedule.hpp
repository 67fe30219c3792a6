// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/schedule.hpp>
#include <tutti/core/step.hpp>

#if TUTTI_BODIES
#include <array>
#endif

/// The tiny schedules that calibration times: what is measured is what will be run, by the same engine. Ranks
/// beyond those named are idle. All but the serial reduction are between ranks 0 and 1.
namespace tutti::probes {

/// No round: what every call costs.
schedule nothing();

/// Ranks 0 and 1 exchange their inputs and, if `fold`, fold them.
schedule exchange(rank_type rank, bool fold);

/// Rank 0 sends its input to rank 1, which sends back what it has received: what comes back is fresh.
schedule ping_pong(rank_type rank);

/// Rank 0 sends `messages` messages, one after the other, which rank 1 folds; then rank 1 says that it is
/// done.
schedule stream(rank_type rank, block_index messages);

/// The serial reduction of Moody et al. 2003, section 4.1, of the first `ranks` ranks to rank 0, which then
/// says that it is done. Its time over the number of ranks is a line; the slope is what receiving and folding
/// a message costs.
schedule serial(rank_type rank, rank_type ranks);

/// Every rank copies its input.
schedule local_copy();

/// An empty message goes round all ranks.
schedule ring(rank_type rank, rank_type size);

#if TUTTI_BODIES
namespace detail {
inline schedule of_rounds(block_index blocks, const std::vector<std::vector<step>>& rounds) {
    schedule s(blocks, capabilities{});
    for (const auto& steps : rounds) s.add_round(steps);
    return s;
}
} // namespace detail

TUTTI_BODY schedule nothing() { return detail::of_rounds(1, {}); }

TUTTI_BODY schedule exchange(rank_type rank, bool fold) {
    if (rank > 1) return detail::of_rounds(1, {{}});
    const rank_type peer = 1 - rank;
    const block_set all{0, 1};
    return detail::of_rounds(1,
                             {{step::send(peer, all), fold ? step::recv_reduce(peer, all, side_of(peer, rank))
                                                           : step::recv(peer, all)}});
}

TUTTI_BODY schedule ping_pong(rank_type rank) {
    const block_set all{0, 1};
    switch (rank) {
    case 0: return detail::of_rounds(1, {{step::send(1, all)}, {step::recv(1, all)}});
    case 1: return detail::of_rounds(1, {{step::recv(0, all)}, {step::send(0, all)}});
    default: return detail::of_rounds(1, {{}, {}});
    }
}

TUTTI_BODY schedule stream(rank_type rank, block_index messages) {
    std::vector<step> first;
    std::vector<step> second;
    const block_set none{0, 0};
    if (rank <= 1)
        for (block_index b = 0; b < messages; ++b)
            first.push_back(rank == 0 ? step::send(1, {b, 1})
                                      : step::recv_reduce(0, {b, 1}, operand_side::left));
    if (rank <= 1) second.push_back(rank == 0 ? step::recv(1, none) : step::send(0, none));
    return detail::of_rounds(messages, {first, second});
}

TUTTI_BODY schedule serial(rank_type rank, rank_type ranks) {
    std::vector<step> first;
    std::vector<step> second;
    const block_set all{0, 1};
    const block_set none{0, 0};
    for (rank_type peer = 1; rank == 0 && peer < ranks; ++peer) {
        first.push_back(step::recv_reduce(peer, all, operand_side::right));
        second.push_back(step::send(peer, none));
    }
    if (rank > 0 && rank < ranks) {
        first.push_back(step::send(0, all));
        second.push_back(step::recv(0, none));
    }
    return detail::of_rounds(1, {first, second});
}

TUTTI_BODY schedule local_copy() {
    return detail::of_rounds(1, {{step::copy({0, 1}, buffer_name::input, buffer_name::work)}});
}

TUTTI_BODY schedule ring(rank_type rank, rank_type size) {
    const block_set none{0, 0};
    std::vector<std::vector<step>> rounds(static_cast<std::size_t>(size));
    for (rank_type i = 0; i < size && size > 1; ++i) {
        if (i == rank) rounds[static_cast<std::size_t>(i)].push_back(step::send((rank + 1) % size, none));
        if ((i + 1) % size == rank) rounds[static_cast<std::size_t>(i)].push_back(step::recv(i, none));
    }
    return detail::of_rounds(1, rounds);
}
#endif

} // namespace tutti::probes
