// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include <tutti/core/math.hpp>
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"

namespace tutti::testing {

/// A message of one block.
struct carried {
    rank_type from = 0;
    rank_type to = 0;
    block_index block = 0;
};

/// What all ranks send in round i, or nothing if some message is not one block long.
inline std::optional<std::vector<carried>> one_block_round(const std::vector<any_generator>& ranks,
                                                           round_index i) {
    std::vector<carried> messages;
    bool one_block = true;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        ranks[r].emit(i, [&](const step& s) {
            one_block = one_block && s.blocks.count == 1 && !s.continues();
            if (s.kind == step_kind::send)
                messages.push_back({static_cast<rank_type>(r), s.peer, s.blocks.first});
        });
    if (!one_block) return std::nullopt;
    return messages;
}

inline std::vector<any_generator> all_ranks(rank_type size, const generator_factory& make) {
    std::vector<any_generator> ranks;
    for (rank_type r = 0; r < size; ++r) ranks.push_back(make({r, size, 0}));
    return ranks;
}

/// How far ahead every rank sends one block in a round; nothing unless all ranks send, all equally far.
inline std::optional<rank_type> cyclic_shift(const std::vector<any_generator>& ranks, round_index i) {
    const auto messages = one_block_round(ranks, i);
    const auto size = static_cast<rank_type>(ranks.size());
    if (!messages || messages->size() != ranks.size()) return std::nullopt;
    std::set<rank_type> distances;
    for (const carried& m : *messages) distances.insert(mod(m.to - m.from, size));
    if (distances.size() != 1) return std::nullopt;
    return *distances.begin();
}

/// The same for every round, of which each has to be a cyclic shift.
inline std::vector<rank_type> cyclic_shifts(const std::vector<any_generator>& ranks) {
    std::vector<rank_type> distances;
    for (round_index i = 0; i < ranks[0].rounds(); ++i) {
        const auto distance = cyclic_shift(ranks, i);
        REQUIRE(distance);
        distances.push_back(*distance);
    }
    return distances;
}

/// Requires that in each round somebody sends, and who does sends the block of its sender or receiver, as
/// `whose` says, to the rank whose number is its own xor the round's, counted from 1.
inline void check_rank_xor_round(const generator_factory& make, rank_type carried::*whose) {
    for (const rank_type size : {5, 16, 33}) {
        const auto ranks = all_ranks(size, make);
        for (round_index i = 0; i < ranks[0].rounds(); ++i) {
            const auto messages = one_block_round(ranks, i);
            REQUIRE(messages);
            CHECK(!messages->empty());
            for (const carried& m : *messages) {
                CHECK((m.from ^ m.to) == i + 1);
                CHECK(m.block == m.*whose);
            }
        }
    }
}

/// The most different blocks that a rank sends: so many times a message is copied to the network interface,
/// if it is sent to all its receivers from there (the term with delta in Kumar and Kalé 2004).
inline std::size_t multicast_blocks(const std::vector<any_generator>& ranks) {
    std::size_t most = 0;
    for (const any_generator& g : ranks) {
        std::set<block_index> sent;
        for (round_index i = 0; i < g.rounds(); ++i)
            g.emit(i, [&](const step& s) {
                for (block_index b = 0; s.kind == step_kind::send && b < s.blocks.count; ++b)
                    sent.insert(block_at(s.blocks, b, g.blocks()));
            });
        most = sent.size() > most ? sent.size() : most;
    }
    return most;
}

} // namespace tutti::testing
