// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace tutti::pmpi {

/// Who runs the calls of one kind and about one length on a communicator. At first tutti and MPI do in turn;
/// when both have been timed, the ranks agree on who was faster, and it stays with that one: soon where there
/// is no doubt, after a few more calls elsewhere.
class trial {
public:
    // Pairs of calls. The first one makes schedules and memory, and does not count.
    static constexpr int first_look = 3, last_look = 8;

    bool is_over() const noexcept { return calls_ == over; }
    /// Who runs the next call. Of tutti, MPI, MPI, tutti, ... each has both kinds of calls where a program
    /// makes two in turn.
    bool is_ours() const noexcept { return is_over() ? ours_ : (calls_ + 1) / 2 % 2 == 0; }

    /// That call took so long. True where all ranks are to agree on the longest of their times(), and to
    /// decide() by them.
    bool add(double seconds) noexcept {
        double& best = least_[is_ours() ? 0 : 1];
        if (calls_ >= 2) best = std::min(best, seconds);
        ++calls_;
        return calls_ == 2 * first_look || calls_ == 2 * last_look;
    }
    /// The least of tutti's, and of MPI's.
    const std::array<double, 2>& times() const noexcept { return least_; }
    /// MPI has to be clearly faster: a call that goes to and fro costs more than it brings.
    void decide(const std::array<double, 2>& longest) noexcept {
        const auto [ours, theirs] = longest;
        constexpr double no_doubt = 1.5;
        ours_ = theirs > 0.95 * ours;
        if (calls_ == 2 * last_look || ours > no_doubt * theirs || theirs > no_doubt * ours) calls_ = over;
    }

private:
    static constexpr std::uint8_t over = 255;

    std::array<double, 2> least_{std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};
    std::uint8_t calls_ = 0;
    bool ours_ = true;
};

} // namespace tutti::pmpi
