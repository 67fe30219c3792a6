// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <tutti/core/ensemble.hpp>

namespace support {

/// Steps told by hand: of one rank, round by round.
using told = std::vector<std::vector<tutti::step>>;

/// A schedule told by hand, rank by rank; ranks that are told fewer rounds are idle in the others. The vector
/// has 64 blocks, so that a message of n blocks from the first on has n bytes where a block has one.
class told_schedule {
public:
    static constexpr tutti::block_index blocks = 64;

    explicit told_schedule(std::vector<told> ranks)
        : ranks_(std::make_shared<std::vector<told>>(std::move(ranks))) {
        for (const told& each : *ranks_) rounds_ = std::max(rounds_, each.size());
    }

    struct generator {
        std::shared_ptr<const std::vector<told>> ranks;
        std::size_t rank;
        tutti::round_index count;

        tutti::round_index rounds() const noexcept { return count; }
        tutti::block_index blocks() const noexcept { return told_schedule::blocks; }
        tutti::capabilities claims() const noexcept { return {}; }
        template <class Sink>
        void emit(tutti::round_index i, Sink&& sink) const {
            const told& mine = (*ranks)[rank];
            if (static_cast<std::size_t>(i) >= mine.size()) return;
            for (const tutti::step& s : mine[static_cast<std::size_t>(i)]) sink(s);
        }
    };

    tutti::ensemble<tutti::any_generator> all(tutti::rank_type root = 0) const {
        return tutti::ensemble(
            [this](tutti::place at) {
                return tutti::any_generator(generator{ranks_, static_cast<std::size_t>(at.rank),
                                                      static_cast<tutti::round_index>(rounds_)});
            },
            static_cast<tutti::rank_type>(ranks_->size()), root);
    }

private:
    std::shared_ptr<const std::vector<told>> ranks_;
    std::size_t rounds_ = 0;
};

} // namespace support
