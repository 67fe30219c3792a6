// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/proving.hpp"

namespace tutti::testing {

/// A message of one rank with its blocks one by one, joined pieces put together.
struct listed_message {
    rank_type rank = no_rank;
    round_index round = 0;
    step_kind kind = step_kind::send;
    rank_type peer = no_rank;
    std::vector<block_index> blocks{};
};

/// The messages of one rank: round by round, in program order.
inline std::vector<listed_message> messages_of_rank(place at, const generator_factory& make) {
    std::vector<listed_message> all;
    const any_generator g = make(at);
    for (round_index i = 0; i < g.rounds(); ++i) {
        bool joined = false;
        g.emit(i, [&](const step& s) {
            if (s.is_local()) return;
            if (!joined) all.push_back({.rank = at.rank, .round = i, .kind = s.kind, .peer = s.peer});
            for (block_index k = 0; k < s.blocks.count; ++k)
                all.back().blocks.push_back(block_at(s.blocks, k, g.blocks()));
            joined = s.continues();
        });
    }
    return all;
}

/// The messages of all ranks: rank by rank, round by round, in program order.
inline std::vector<listed_message> messages_of(rank_type size, const generator_factory& make) {
    std::vector<listed_message> all;
    for (rank_type r = 0; r < size; ++r)
        for (listed_message& m : messages_of_rank({r, size, 0}, make)) all.push_back(std::move(m));
    return all;
}

/// What one rank does, a line per round that is not idle: "0: send 3 [0 1], recv 3 [4]".
inline std::string exchange_text(rank_type size, rank_type rank, const generator_factory& make) {
    std::string text;
    round_index line = -1;
    for (const listed_message& m : messages_of(size, make)) {
        if (m.rank != rank) continue;
        text += m.round == line ? ", " : (text.empty() ? "" : "\n") + std::to_string(m.round) + ": ";
        line = m.round;
        text += (m.kind == step_kind::send ? "send " : "recv ") + std::to_string(m.peer) + " [";
        for (std::size_t k = 0; k < m.blocks.size(); ++k)
            text += (k == 0 ? "" : " ") + std::to_string(m.blocks[k]);
        text += "]";
    }
    return text;
}

/// Sizes beyond 70 at which schedules are proved.
inline const std::vector<rank_type> larger_sizes{96, 127, 128, 129, 255, 257};

} // namespace tutti::testing
