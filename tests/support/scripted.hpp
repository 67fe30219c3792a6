// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/generator.hpp>

namespace tutti::testing {

/// One rank's part, written out round by round.
using script = std::vector<std::vector<step>>;

/// A generator that does what its script says, for schedules that no catalogue would have.
class scripted {
public:
    scripted(script rounds, block_index blocks, capabilities claims)
        : script_(std::move(rounds)), blocks_(blocks), claims_(claims) {}

    round_index rounds() const noexcept { return static_cast<round_index>(script_.size()); }
    block_index blocks() const noexcept { return blocks_; }
    const capabilities& claims() const noexcept { return claims_; }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        for (const step& s : script_[static_cast<std::size_t>(i)]) sink(s);
    }

private:
    script script_;
    block_index blocks_;
    capabilities claims_;
};

/// The scripts of all ranks. Shorter ones are filled up with idle rounds.
struct play {
    std::vector<script> ranks{};
    block_index blocks = 1;
    capabilities claims{};

    any_generator operator()(place at) const {
        std::size_t longest = 0;
        for (const script& s : ranks) longest = s.size() > longest ? s.size() : longest;
        script mine = ranks[static_cast<std::size_t>(at.rank)];
        mine.resize(longest);
        return scripted(std::move(mine), blocks, claims);
    }
};

} // namespace tutti::testing
