// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/core/step.hpp>
#include <tutti/verify/report.hpp>

namespace tutti::detail {

/// Counts what ranks do, rank by rank and round by round.
class tally {
public:
    tally(rank_type size, round_index rounds)
        : ranks_(static_cast<std::size_t>(size)), rounds_(static_cast<std::size_t>(rounds)) {}

    void count(rank_type rank, round_index round, std::span<const step> steps) {
        figures here;
        for (const step& s : steps) {
            const std::int64_t message =
                s.is_message() && !s.continues() ? 1 : 0; // counted at its last piece
            if (s.kind == step_kind::send) {
                here.sent += s.blocks.count;
                here.sent_messages += message;
            } else if (s.is_message()) {
                here.received += s.blocks.count;
                here.received_messages += message;
            }
            if (s.folds()) here.reduced += s.blocks.count;
        }
        figures& all = ranks_[static_cast<std::size_t>(rank)];
        all.sent += here.sent;
        all.received += here.received;
        all.reduced += here.reduced;
        all.sent_messages += here.sent_messages;
        all.received_messages += here.received_messages;
        peak& busiest = rounds_[static_cast<std::size_t>(round)];
        busiest.sent = std::max(busiest.sent, here.sent);
        busiest.reduced = std::max(busiest.reduced, here.reduced);
        busiest.messages = std::max({busiest.messages, here.sent_messages, here.received_messages});
        outstanding_ = std::max(outstanding_, here.sent_messages + here.received_messages);
    }

    void write_to(proof& p) const {
        for (const figures& f : ranks_) {
            p.sent_blocks = std::max(p.sent_blocks, f.sent);
            p.received_blocks = std::max(p.received_blocks, f.received);
            p.reduced_blocks = std::max(p.reduced_blocks, f.reduced);
            p.sent_messages = std::max(p.sent_messages, f.sent_messages);
            p.received_messages = std::max(p.received_messages, f.received_messages);
        }
        for (const peak& r : rounds_) {
            p.critical_sent += r.sent;
            p.critical_reduced += r.reduced;
            p.critical_messages += r.messages;
        }
        p.max_outstanding = outstanding_;
    }

private:
    struct figures {
        block_index sent = 0;
        block_index received = 0;
        block_index reduced = 0;
        std::int64_t sent_messages = 0;
        std::int64_t received_messages = 0;
    };
    struct peak {
        block_index sent = 0;
        block_index reduced = 0;
        std::int64_t messages = 0;
    };

    std::vector<figures> ranks_;
    std::vector<peak> rounds_;
    std::int64_t outstanding_ = 0;
};

/// Adds a finding for every stated figure that is not what was counted.
inline void compare_claims(const capabilities& claims, proof& p) {
    const auto compare = [&p](const char* name, std::int64_t claimed, std::int64_t counted) {
        if (claimed == unstated || claimed == counted) return;
        p.findings.push_back(find({}, std::string("false claim: ") + name + " is stated as "
                                          + std::to_string(claimed) + ", counted "
                                          + std::to_string(counted)));
    };
    compare("rounds", claims.rounds, p.rounds);
    compare("sent_blocks", claims.sent_blocks, p.sent_blocks);
    compare("reduced_blocks", claims.reduced_blocks, p.reduced_blocks);
    compare("scratch_blocks", claims.scratch_blocks, p.scratch_blocks);
    compare("max_outstanding", claims.max_outstanding, p.max_outstanding);
}

} // namespace tutti::detail
