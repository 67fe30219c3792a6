// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/relation.hpp>
#include <tutti/schedule/multicast.hpp>

#include "support/proving.hpp"

/// Many-to-many multicasts seen from outside: proofs, and what all ranks' messages carry.
namespace tutti::testing {

template <class Strategy>
generator_factory multicast_of(const Strategy& how, const relation& who) {
    return [how, who](place at) { return any_generator(generate(of<collective::multicast>, how, who, at)); };
}

/// The same for all who ask again: pruning to a relation asks every rank of a schedule about all others.
inline generator_factory made_once(const generator_factory& make, rank_type size) {
    std::vector<any_generator> ranks;
    for (rank_type r = 0; r < size; ++r) ranks.push_back(make({.rank = r, .size = size}));
    return [ranks = std::move(ranks)](place at) { return ranks[static_cast<std::size_t>(at.rank)]; };
}

/// Requires that the schedule is proved for the relation.
inline proof check_proved(const relation& who, const generator_factory& make) {
    const proof p = prove(who, make);
    INFO("size " << who.size() << ", " << who.pairs() << " pairs; findings: " << listed(p.findings));
    REQUIRE(p.proved);
    return p;
}

/// What the messages of all ranks carry.
struct traffic {
    std::int64_t messages = 0; ///< with blocks in them
    std::int64_t blocks = 0;   ///< sent, each as often as it is
    std::string useless{};     ///< a block received for nothing, "" if there is none
};

/// `who` says who wants which block; a block is useful, too, if it is sent on in a later round, to somebody
/// for whom the same holds.
inline traffic traffic_of(rank_type size, const relation& who, const generator_factory& make) {
    traffic seen;
    const auto p = static_cast<std::size_t>(size);
    // Of each rank and block: the last round in which it was sent, and whether it has come.
    std::vector<any_generator> ranks;
    for (rank_type r = 0; r < size; ++r) ranks.push_back(make({.rank = r, .size = size}));
    const auto blocks = static_cast<std::size_t>(ranks.front().blocks());
    const block_index each = ranks.front().blocks() / size; // of one rank
    std::vector<round_index> last_sent(p * blocks, -1);
    std::vector<step> steps;
    for (round_index i = ranks.front().rounds(); i-- > 0;)
        for (const step_kind kind : {step_kind::recv, step_kind::send})
            for (rank_type r = 0; r < size; ++r) {
                steps.clear();
                ranks[static_cast<std::size_t>(r)].append(i, steps);
                for (const step& s : steps) {
                    if (s.kind != kind) continue;
                    if (kind == step_kind::send && !s.continues() && s.blocks.count > 0) ++seen.messages;
                    for (block_index k = 0; k < s.blocks.count; ++k) {
                        const block_index b = block_at(s.blocks, k, ranks.front().blocks());
                        round_index& sent =
                            last_sent[static_cast<std::size_t>(r) * blocks + static_cast<std::size_t>(b)];
                        if (kind == step_kind::send) {
                            ++seen.blocks;
                            sent = i;
                        } else {
                            const bool is_useful = sent > i || who.wants(r, static_cast<rank_type>(b / each));
                            if (!is_useful || sent == -2)
                                seen.useless = "rank " + std::to_string(r) + " in round " + std::to_string(i)
                                               + " gets block " + std::to_string(b)
                                               + (is_useful ? ", which comes again" : " for nothing");
                            if (sent == -1) sent = -2; // it has come, and is never sent on
                        }
                    }
                }
            }
    return seen;
}

} // namespace tutti::testing
