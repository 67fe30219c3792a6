// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <thread>

#include <tutti/transport/cores.hpp>
#include <tutti/transport/doorbell.hpp>

/// How a thread waits for another: spin, then yield, then park.
namespace tutti::detail {

/// How long a rank spins when it waits. If another program has the core that its peer should have, both are
/// on one: then spinning only keeps the peer from running, at every hand-over. A rank whose last waits were
/// all longer hardly spins any more, and tries again now and then.
class spinning {
public:
    static constexpr std::uint32_t most = 512; // some 20 microseconds
    static constexpr std::uint32_t few = 16;
    static constexpr std::uint32_t between_trials = 64; // waits
    static constexpr std::uint32_t longer_waits = 4;    // in a row, that show it to be vain

    /// After so many looks in vain, which count from 0 in every wait: how many of them may be spinning.
    std::uint32_t looks(std::uint32_t turns) noexcept {
        if (turns == 0) begin();
        last_ = turns;
        return looks_;
    }

private:
    void begin() noexcept {
        if (looks_ == most) outlasted_ = last_ < most ? 0 : outlasted_ + 1;
        const bool vain = outlasted_ >= longer_waits && ++waits_ % between_trials != 0;
        looks_ = vain ? few : most;
    }

    std::uint32_t looks_ = most; // of the wait
    std::uint32_t last_ = 0;     // look in it
    std::uint32_t outlasted_ = 0;
    std::uint32_t waits_ = 0;
};

/// The ladder of one wait, by the number of fruitless looks so far.
class waiting_ladder {
public:
    /// Spinning only helps when the awaited thread has a core of its own.
    explicit waiting_ladder(std::int32_t ranks, std::uint32_t cores = usable_cores()) noexcept
        : shares_cores_(static_cast<std::uint32_t>(ranks) > cores) {}

    bool shares_cores() const noexcept { return shares_cores_; }

    void wait(std::uint32_t turns, doorbell& bell, std::uint32_t spins = spinning::most) const {
        const std::uint32_t awake = (shares_cores_ ? 0 : spins) + yields;
        if (turns < awake) {
            wait_awake(turns, spins);
        } else if ((turns - awake) % 2 == 0) {
            bell.announce();
        } else {
            bell.park();
        }
    }

    /// The same, but never parked.
    void wait_awake(std::uint32_t turns, std::uint32_t spins = spinning::most) const {
        // The first looks follow each other at full speed: most hand-overs end here, and a pause instruction
        // takes as long as a cache line needs to cross over.
        if (shares_cores_ || turns >= spins)
            std::this_thread::yield();
        else if (turns >= eager_looks)
            relax();
    }

    /// From time to time in a wait that is long already: every 30 ms or so.
    static bool is_late(std::uint32_t turns) noexcept {
        return turns > spinning::most + yields && turns % 64 == 0;
    }

private:
    static constexpr std::uint32_t eager_looks = 64;
    static constexpr std::uint32_t yields = 8192; // some milliseconds: parking is for those really late

    bool shares_cores_;
};

} // namespace tutti::detail
