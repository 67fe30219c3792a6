// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/core/generator.hpp>

namespace tutti {

/// A generator's steps written out: one rank's whole part as data, to keep, inspect, compare or export.
/// It is a generator itself.
class schedule {
public:
    /// All steps of `g`, which is not needed any more then.
    template <class G>
        requires(!std::same_as<G, schedule>) && generator<G>
    explicit schedule(const G& g) : blocks_(g.blocks()), claims_(g.claims()) {
        const round_index rounds = g.rounds();
        ends_.reserve(static_cast<std::size_t>(rounds));
        for (round_index i = 0; i < rounds; ++i) {
            g.emit(i, [this](const step& s) { steps_.push_back(s); });
            ends_.push_back(steps_.size());
        }
    }

    /// Without rounds yet.
    schedule(block_index blocks, const capabilities& claims) : blocks_(blocks), claims_(claims) {}

    /// Goes on with a round of these steps.
    void add_round(std::span<const step> steps) {
        for (const step& s : steps) steps_.push_back(s);
        ends_.push_back(steps_.size());
    }

    round_index rounds() const noexcept { return static_cast<round_index>(ends_.size()); }
    block_index blocks() const noexcept { return blocks_; }
    /// What the generator claims.
    const capabilities& claims() const noexcept { return claims_; }

    /// The steps of round i, 0 <= i < rounds().
    std::span<const step> round(round_index i) const noexcept {
        const auto at = static_cast<std::size_t>(i);
        const std::size_t begin = at == 0 ? 0 : ends_[at - 1];
        return {steps_.data() + begin, ends_[at] - begin};
    }

    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        for (const step& s : round(i)) sink(s);
    }

    /// All steps, round after round.
    std::span<const step> steps() const noexcept { return {steps_.data(), steps_.size()}; }

    friend bool operator==(const schedule&, const schedule&) = default;

private:
    std::vector<step> steps_;
    std::vector<std::size_t> ends_; // ends_[i]: one past the last step of round i
    block_index blocks_;
    capabilities claims_;
};

} // namespace tutti
