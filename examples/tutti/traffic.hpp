// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/topology/placement.hpp>

#include "selection.hpp"

/// Who sends to whom, round by round: what networks are to carry.
namespace program {

struct rank_message {
    tutti::rank_type from;
    tutti::rank_type to;
    std::int64_t bytes; ///< 0 where nobody asked for bytes
};

/// Messages that are under way at once.
struct round_traffic {
    std::string permutation;              ///< "shift:8", "xor:3"; "" if it is none of those that have a name
    std::vector<rank_message> messages{}; ///< not those from a rank to itself
};

/// Rounds of messages: some permutations, or the schedule of an algorithm.
struct traffic {
    std::optional<candidate> schedule{}; ///< none: permutations
    tutti::round_index rounds = 0;
    std::function<round_traffic(tutti::round_index)> round{};
};

/// Where the ranks of a permutation or of an algorithm are.
struct embedding {
    tutti::placement at;
    bool slots = false; ///< it is one of nodes, holes are skipped; else of ranks

    /// How many a permutation permutes.
    tutti::rank_type size() const { return slots ? at.nodes() : at.ranks(); }
};

/// As in --permutation: "shift:1..8", "xor:all", "quarter:2,3,0,1", one round each. Every message has
/// `bytes`.
traffic permutations(std::string_view text, const embedding& where, std::int64_t bytes);

/// The rounds of an algorithm, of a multicast over its relation, each block of `bytes` bytes.
traffic schedule_of(const candidate& what, const embedding& where, tutti::rank_type root, std::int64_t bytes);

} // namespace program
