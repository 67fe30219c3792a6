// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/lower_bounds.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// A fault of a schedule. Figures that do not apply are -1.
struct finding {
    std::string what;         ///< a sentence that names rank, round, step, block and peer
    rank_type rank = no_rank; ///< where it shows
    round_index round = -1;   ///< round of the schedule, from 0
    std::int64_t step = -1;   ///< step within the round, from 0
    block_index block = -1;   ///< block of the vector
    rank_type peer = no_rank; ///< the other rank of that step
};

/// What the prover found out about a schedule. Figures are those of the busiest rank; after a fault they
/// count what had been executed until then.
struct proof {
    bool proved = false;           ///< nothing is wrong with it
    std::vector<finding> findings; ///< the first fault of the execution, or every false claim

    round_index rounds = 0;             ///< of the whole schedule
    block_index blocks = 0;             ///< of the whole vector
    block_index sent_blocks = 0;        ///< by the busiest rank, as all below
    block_index received_blocks = 0;    ///< of them all
    block_index reduced_blocks = 0;     ///< folded into others
    std::int64_t sent_messages = 0;     ///< each of any number of blocks
    std::int64_t received_messages = 0; ///< likewise

    // Sums over the rounds of the largest figure of any one rank in that round: the critical path if every
    // round waited for its slowest rank.
    block_index critical_sent = 0;      ///< blocks
    block_index critical_reduced = 0;   ///< blocks
    std::int64_t critical_messages = 0; ///< of sent and of received messages the larger

    std::int64_t max_outstanding = 0; ///< most messages of one rank in one round, both directions
    block_index scratch_blocks = 0;   ///< most scratch blocks that one rank defines

    round_index uniform_rounds = 0; ///< the first so many are alike on all ranks

    bool order_preserved = false; ///< every result folds lower ranks on the left, contiguously
    bool same_bits = false;       ///< ranks that get the same result get it by the same tree of folds
    bool canonical_tree = false;  ///< every result is folded along the tree of capabilities::canonical_tree
    bool moves_blocks = false;    ///< some message changes the index of a block
    bool reads_input = false;     ///< some input block is read after its place in the result was written

    lower_bounds bounds{}; ///< what no algorithm can beat; compare with the figures above
};

namespace detail {

/// A place in a schedule, as a finding names it.
struct location {
    rank_type rank = no_rank;
    round_index round = -1;
    std::int64_t step = -1;
    block_index block = -1;
    rank_type peer = no_rank;
};

/// "rank 3, round 1, step 0, block 2, peer 4"; what is -1 is left out.
std::string to_string(const location& at);

finding find(const location& at, const std::string& why);

} // namespace detail

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string to_string(const location& at) {
    std::string text;
    const auto add = [&text](const char* name, std::int64_t value) {
        if (value < 0) return;
        if (!text.empty()) text += ", ";
        text += name + std::to_string(value);
    };
    add("rank ", at.rank);
    add("round ", at.round);
    add("step ", at.step);
    add("block ", at.block);
    add("peer ", at.peer);
    return text;
}

TUTTI_BODY finding find(const location& at, const std::string& why) {
    const std::string where = to_string(at);
    return {.what = where.empty() ? why : where + ": " + why,
            .rank = at.rank,
            .round = at.round,
            .step = at.step,
            .block = at.block,
            .peer = at.peer};
}
} // namespace detail
#endif

} // namespace tutti
