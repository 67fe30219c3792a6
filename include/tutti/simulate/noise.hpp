// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/random_numbers.hpp>

namespace tutti {

/// When something else takes the CPU, and how long.
struct noise_event {
    ticks begin = 0;    ///< from the begin of the trace
    ticks duration = 0; ///< of which it has the CPU

    friend constexpr bool operator==(const noise_event&, const noise_event&) = default;
};

/// What keeps the CPUs of ranks from their work. Every rank begins at a random point of it, or all at the
/// same one.
struct os_noise {
    /// When noise comes.
    enum class shape : std::uint8_t { none, periodic, random, trace };

    /// What noise does to who works.
    enum class rule : std::uint8_t {
        /// That of LogGOPSim (Hoefler, Schneider and Lumsdaine 2010, "Characterizing the influence of system
        /// noise on large-scale applications by simulation"): an operation of the CPU is longer by all of
        /// every
        /// event that begins in it, and by the rest of the last event before it if that is still going on. Of
        /// a message the o counts, not what its bytes take; a message that is sent leaves as if there were no
        /// noise. What begins while the operation is held up already does not hold it up more. Unlike there,
        /// the first event of a trace counts as the others do, and a trace is always as long as it is:
        /// LogGOPSim shortens it by the length of the operation.
        loggopsim,

        /// The CPU stops: noise has it from when it comes, or from the end of the noise before, for all its
        /// duration. Whatever the CPU does, messages with all their bytes, folds and copies, goes on only
        /// in between, and a message leaves when the o of its sender is over.
        stops,
    };

    shape how = shape::none; ///< when it comes
    double period_us = 0;    ///< periodic: from one begin to the next, > 0; random: the mean of that
    double duration_us = 0;  ///< periodic: of each; random: the mean (both exponential)
    std::vector<noise_event> events{}; ///< trace: ascending; begins anew with the begin of the last one,
                                       ///< which only says how long the trace is; see noise_trace.hpp
    bool together = false;             ///< all ranks are hit at the same times
    std::uint64_t seed = 1;            ///< the same seed, the same noise, on every machine
    rule counts = rule::loggopsim;     ///< what it does to who works
};

namespace detail {

/// The noise of one rank, asked for by one operation after the other. Time spent waiting costs nothing.
class noise_of_rank {
public:
    noise_of_rank() = default;
    noise_of_rank(const os_noise& noise, rank_type r)
        : random_(noise.seed, noise.together ? 0 : static_cast<std::uint64_t>(r) + 1) {
        switch (noise.how) {
        case os_noise::shape::none: break;
        case os_noise::shape::periodic: {
            // One event before time 0 may reach beyond it.
            const ticks period = to_ticks(noise.period_us);
            next_ = {.begin = random_.below(period) - period, .duration = to_ticks(noise.duration_us)};
            break;
        }
        case os_noise::shape::random:
            // As if it had gone on for ever: the last event before time 0 may reach beyond it.
            last_ = {.begin = -1 - random_.exponential(to_ticks(noise.period_us)),
                     .duration = random_.exponential(to_ticks(noise.duration_us))};
            taken_until_ = last_.begin + last_.duration;
            next_ = {.begin = random_.exponential(to_ticks(noise.period_us)),
                     .duration = random_.exponential(to_ticks(noise.duration_us))};
            break;
        case os_noise::shape::trace:
            begin_ = -random_.below(noise.events.back().begin);
            next_ = noise.events.front();
            next_.begin += begin_;
            break;
        }
    }

    /// What is stolen from an operation in [begin, begin + length), which begins when the one before it and
    /// what that lost are over, or later.
    ticks stolen(const os_noise& noise, ticks begin, ticks length) {
        if (noise.counts == os_noise::rule::stops) return stopped(noise, begin, length);
        while (next_.begin <= begin) step(noise);
        ticks sum = std::max<ticks>(last_.begin + last_.duration - begin, 0);
        while (next_.begin < begin + length) {
            sum += next_.duration;
            step(noise);
        }
        return sum;
    }

private:
    /// Example: noise [3, 5) and, asked for at 4, [5, 7); an operation of length 4 that begins at 1 works
    /// in [1, 3) and [7, 9) and loses 4.
    ticks stopped(const os_noise& noise, ticks begin, ticks length) {
        for (ticks now = begin, left = length;;) {
            now = std::max(now, taken_until_);
            if (next_.begin <= now) {
                taken_until_ = std::max(taken_until_, next_.begin) + next_.duration;
                step(noise);
                continue;
            }
            if (next_.begin - now >= left) return now + left - begin - length;
            left -= next_.begin - now;
            now = next_.begin;
        }
    }

    void step(const os_noise& noise) {
        last_ = next_;
        switch (noise.how) {
        case os_noise::shape::none: break;
        case os_noise::shape::periodic: next_.begin += to_ticks(noise.period_us); break;
        case os_noise::shape::random:
            next_ = {.begin = last_.begin + 1 + random_.exponential(to_ticks(noise.period_us)),
                     .duration = random_.exponential(to_ticks(noise.duration_us))};
            break;
        case os_noise::shape::trace:
            if (++number_ + 1 == noise.events.size()) {
                number_ = 0;
                begin_ += noise.events.back().begin;
            }
            next_ = noise.events[number_];
            next_.begin += begin_;
            break;
        }
    }

    random_numbers random_{};
    noise_event last_{}; // the latest that has begun
    noise_event next_{};
    ticks taken_until_ = std::numeric_limits<ticks>::min(); // rule::stops: by all that has begun
    std::size_t number_ = 0;                                // trace: of next_
    ticks begin_ = 0;                                       // trace: when this run through it began
};

} // namespace detail
} // namespace tutti
