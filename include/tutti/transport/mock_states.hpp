// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace tutti::mock {

/// Keeps runs, which go depth first, from deciding again where all has been decided: state matching
/// (Holzmann, Godefroid and Pirottin 1992), with a hash in place of the state (Wolper and Leroy 1993: with n
/// states it takes two for the same with a chance of n * n / 2^65). And counts the ways through each state,
/// so that what was not run is known by number.
///
///     a rank sees x and y, or both at once, and then z. Runs: x, y, z;  then y and (known: 1 way);  then xy
///     and (known: 1 way). So there are 3 ways, as there would be runs.
///
/// A state that is met again must not be on the way of the run itself, for then its choices are not all
/// taken. It never is: with each decision the watched rank sees something completed, or passes it over.
class states {
public:
    /// Before every run, which decides at first as end_run() of the one before has said.
    void begin_run() noexcept {
        passed_ = 0;
        known_after_ = none;
        tail_ = 1;
    }

    /// The run is in `state` after so many decisions. True if all that may follow has been seen: said once in
    /// a run, which goes on as it likes.
    bool enter(std::uint64_t state, std::size_t decisions) {
        if (known_after_ != none) return false;
        if (passed_ < open_.size()) { // still decided as in the run before
            ++passed_;
            return false;
        }
        if (const auto at = ways_.find(state); at != ways_.end()) {
            known_after_ = decisions;
            tail_ = at->second;
            return true;
        }
        open_.push_back({state, decisions, 0});
        ++passed_;
        return false;
    }

    /// How many of a run's decisions were made where it was new.
    std::size_t new_ones(std::size_t decisions) const noexcept {
        return known_after_ == none ? decisions : known_after_;
    }

    /// The next run makes so many decisions as this one did, the last of them another.
    void end_run(std::size_t decisions) {
        credit(tail_);
        while (!open_.empty() && open_.back().decisions >= decisions) {
            const stop done = open_.back();
            open_.pop_back();
            ways_.emplace(done.state, done.ways);
            credit(done.ways);
        }
    }

    /// Ways through all, once there is no next run: as many runs as there would be without this.
    std::uint64_t ways() const noexcept { return all_; }
    /// How many different states there were.
    std::size_t count() const noexcept { return ways_.size(); }

private:
    struct stop {
        std::uint64_t state;
        std::size_t decisions; ///< made before it
        std::uint64_t ways;    ///< on from it, as far as they have been run
    };
    static constexpr auto none = std::numeric_limits<std::size_t>::max();

    // As many as fit: there may be more than 2^64.
    void credit(std::uint64_t ways) noexcept {
        std::uint64_t& sum = open_.empty() ? all_ : open_.back().ways;
        sum += std::min(ways, std::numeric_limits<std::uint64_t>::max() - sum);
    }

    std::unordered_map<std::uint64_t, std::uint64_t> ways_; // on from where all has been decided
    std::vector<stop> open_;                                // on the way of the run, in order
    std::size_t passed_ = 0;                                // of those
    std::size_t known_after_ = none;
    std::uint64_t tail_ = 1; // ways that the end of the run stands for
    std::uint64_t all_ = 0;
};

} // namespace tutti::mock
