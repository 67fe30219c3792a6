// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/mock_options.hpp>

namespace tutti::mock {

// splitmix64 (Steele, Lea, Flood 2014): the same on every machine, unlike the standard distributions.
constexpr std::uint64_t scrambled(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// Chooses, and remembers what it chose. A run is determined by its decisions.
class decision_maker {
public:
    explicit decision_maker(const options& how)
        : state_(how.seed), first_choice_(how.first_choice), replay_(how.replay) {}

    /// One of 0 .. count-1. A choice among one is none, and not recorded.
    std::size_t choose(std::size_t count) {
        if (count == 1) return 0;
        const std::size_t position = made_.size();
        std::size_t choice = 0;
        if (position < replay_.size()) {
            choice = replay_[position];
            if (choice >= count) {
                replay_.clear(); // the ranks that are still running must be brought to an end somehow
                throw argument_error(
                    detail::sentence({"replay[", position, "]"}), detail::sentence({choice}),
                    detail::sentence(
                        {"0..", count - 1, " at this point: the decisions are of another program"}));
            }
        } else if (!first_choice_) {
            choice = static_cast<std::size_t>(random() % count);
        }
        made_.push_back(static_cast<std::uint32_t>(choice));
        counts_.push_back(static_cast<std::uint32_t>(count));
        return choice;
    }

    /// What is decided from now on is decided at random, by the seed and `salt`.
    void wander(std::uint64_t salt) noexcept {
        state_ ^= salt;
        first_choice_ = false;
    }

    /// All choices that are recorded, in order: options::replay of the same run.
    const std::vector<std::uint32_t>& made() const noexcept { return made_; }
    /// Among how many each was chosen.
    const std::vector<std::uint32_t>& counts() const noexcept { return counts_; }

private:
    std::uint64_t random() noexcept { return scrambled(state_ += 0x9e3779b97f4a7c15ULL); }

    std::uint64_t state_;
    bool first_choice_;
    std::vector<std::uint32_t> replay_;
    std::vector<std::uint32_t> made_;
    std::vector<std::uint32_t> counts_;
};

} // namespace tutti::mock
