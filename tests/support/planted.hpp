// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include "support/proving.hpp"
#include "support/scripted.hpp"

/// Small right schedules to plant faults in, and a look at where the prover puts its finger.
namespace tutti::testing {

inline constexpr auto left = operand_side::left;
inline constexpr auto right = operand_side::right;
inline constexpr block_set all2{.first = 0, .count = 2};
constexpr block_set one(block_index b) { return {.first = b, .count = 1}; }

inline proof tried(collective what, const play& p, rank_type root = 0) {
    return prove(what, static_cast<rank_type>(p.ranks.size()), root, p);
}

inline bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Requires exactly one finding, at this place, whose sentence holds `part` and names the place.
inline void check_found(const proof& p, rank_type rank, round_index round, std::int64_t step,
                        block_index block, rank_type peer, const std::string& part) {
    INFO("findings: " << listed(p.findings));
    CHECK_FALSE(p.proved);
    REQUIRE(p.findings.size() == 1);
    const finding& f = p.findings.front();
    CHECK(f.rank == rank);
    CHECK(f.round == round);
    CHECK(f.step == step);
    CHECK(f.block == block);
    CHECK(f.peer == peer);
    CHECK(says(f.what, part));
    if (rank >= 0) CHECK(says(f.what, "rank " + std::to_string(rank)));
    if (round >= 0) CHECK(says(f.what, "round " + std::to_string(round)));
    if (step >= 0) CHECK(says(f.what, "step " + std::to_string(step)));
    if (block >= 0) CHECK(says(f.what, "block " + std::to_string(block)));
    if (peer >= 0) CHECK(says(f.what, "peer " + std::to_string(peer)));
}

/// Reduce of 3 ranks to rank 0, two blocks, in one round; right, and claiming all that is true.
inline play serial_reduce() {
    play p;
    p.blocks = 2;
    p.ranks = {{{step::recv_reduce(1, all2, right), step::recv_reduce(2, all2, right)}},
               {{step::send(0, all2)}},
               {{step::send(0, all2)}}};
    p.claims = {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = 2,
                .rounds = 1,
                .sent_blocks = 2,
                .reduced_blocks = 4};
    return p;
}

/// Broadcast along a line of 3 ranks.
inline play chain_bcast() {
    play p;
    p.ranks = {{{step::send(1, one(0))}},
               {{step::recv(0, one(0))}, {step::send(2, one(0))}},
               {{}, {step::recv(1, one(0))}}};
    return p;
}

/// Allgather of 3 ranks along a ring; rank r sends on what it got last.
inline play ring_allgather() {
    play p;
    p.blocks = 3;
    for (rank_type r = 0; r < 3; ++r) {
        const rank_type next = mod(r + 1, 3), before = mod(r - 1, 3);
        p.ranks.push_back({{step::send(next, one(r)), step::recv(before, one(before))},
                           {step::send(next, one(before)), step::recv(before, one(next))}});
    }
    return p;
}

} // namespace tutti::testing
