// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/step.hpp>
#include <tutti/verify/report.hpp>

/// What generators say of all ranks' rounds: which are alike, and outside which a rank is idle.
namespace tutti::detail {

/// What ranks that do the same have in common: kinds of steps and numbers of blocks; a message is one however
/// many sets of blocks it is made of.
class round_shape {
public:
    void look_at(const any_generator& g, round_index i) {
        steps_.clear();
        parts_.clear();
        g.append(i, steps_);
        bool goes_on = false;
        for (const step& s : steps_) {
            if (goes_on)
                parts_.back().second += s.blocks.count;
            else
                parts_.emplace_back(s.kind, s.blocks.count);
            goes_on = s.continues();
        }
    }

    bool empty() const noexcept { return parts_.empty(); }

    /// Whether `most` does all of it, in this order, and perhaps more.
    bool within(const round_shape& most) const noexcept {
        std::size_t k = 0;
        for (const auto& [kind, count] : most.parts_)
            if (k < parts_.size() && parts_[k].first == kind && parts_[k].second <= count) ++k;
        return k == parts_.size();
    }

    /// "sends 3 blocks, receives 3 blocks"; "is idle".
    std::string text() const {
        constexpr const char* verbs[]{"sends", "receives", "receives and folds", "copies", "folds"};
        std::string all;
        for (const auto& [kind, count] : parts_) {
            if (!all.empty()) all += ", ";
            all.append(verbs[static_cast<std::size_t>(kind)]).append(" ").append(std::to_string(count));
        }
        return all.empty() ? "is idle" : all.append(parts_.back().second == 1 ? " block" : " blocks");
    }

    friend bool operator==(const round_shape& a, const round_shape& b) { return a.parts_ == b.parts_; }

private:
    step_list steps_;
    std::vector<std::pair<step_kind, block_index>> parts_;
};

struct uniformity {
    round_index rounds = 0; ///< the first so many are alike on all ranks
    finding differs{};      ///< what the next one is like on two of them
};

inline uniformity uniform_rounds(const std::vector<any_generator>& generators) {
    round_shape zero;
    round_shape other;
    for (round_index i = 0; i < generators.front().rounds(); ++i) {
        zero.look_at(generators.front(), i);
        for (std::size_t r = 1; r < generators.size(); ++r) {
            other.look_at(generators[r], i);
            if (other == zero) continue;
            return {i, find({.rank = static_cast<rank_type>(r), .round = i},
                            "false claim: uniform_rounds is stated as "
                                + std::to_string(generators.front().claims().uniform_rounds) + ", but it "
                                + other.text() + " where rank 0 " + zero.text())};
        }
    }
    return {generators.front().rounds(),
            find({}, "false claim: uniform_rounds is stated as "
                         + std::to_string(generators.front().claims().uniform_rounds) + ", but there are "
                         + std::to_string(generators.front().rounds()) + " rounds")};
}

/// A rank that does more than the busiest one of a round, if bounded_from is claimed.
inline std::optional<finding> beyond_busiest(const std::vector<any_generator>& generators) {
    const any_generator& zero = generators.front();
    const round_index from = zero.claims().bounded_from;
    if (from == unstated) return std::nullopt;
    const std::string claim = "false claim: bounded_from is stated as " + std::to_string(from) + ", but ";
    if (from < 0 || from > zero.rounds())
        return find({}, claim + "there are " + std::to_string(zero.rounds()) + " rounds");
    round_shape most;
    round_shape other;
    for (round_index i = from; i < zero.rounds(); ++i) {
        const rank_type busiest = zero.busiest(i);
        if (busiest < 0 || static_cast<std::size_t>(busiest) >= generators.size())
            return find({.round = i}, claim + "rank " + std::to_string(busiest) + " is to be the busiest");
        most.look_at(generators[static_cast<std::size_t>(busiest)], i);
        for (std::size_t r = 0; r < generators.size(); ++r) {
            other.look_at(generators[r], i);
            if (other.within(most)) continue;
            return find({.rank = static_cast<rank_type>(r), .round = i},
                        claim + "it " + other.text() + " where rank " + std::to_string(busiest)
                            + ", the busiest, " + most.text());
        }
    }
    return std::nullopt;
}

/// The first step of a rank in a round outside those in which it says to be active.
inline std::optional<finding> outside_active_rounds(const std::vector<any_generator>& generators) {
    step_list steps;
    for (std::size_t r = 0; r < generators.size(); ++r) {
        const any_generator& g = generators[r];
        const round_range active = g.active();
        for (round_index i = 0; i < g.rounds(); ++i) {
            if (active.contains(i)) continue;
            steps.clear();
            g.append(i, steps);
            if (steps.empty()) continue;
            return find({.rank = static_cast<rank_type>(r), .round = i, .step = 0},
                        "a step outside the rounds of active(), which begin with "
                            + std::to_string(active.begin) + " and end before " + std::to_string(active.end));
        }
    }
    return std::nullopt;
}

} // namespace tutti::detail
