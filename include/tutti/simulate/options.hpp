// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/model/loggops.hpp>

namespace tutti {

/// Time in a simulation: picoseconds, so that costs per byte are exact.
using ticks = std::int64_t;

inline constexpr ticks ticks_per_us = 1'000'000;

/// When ranks begin, after time 0.
struct start_skew {
    enum class shape : std::uint8_t { none, uniform, exponential, one_late };

    shape how = shape::none;
    double us = 0;           ///< uniform: the most; exponential: the mean; one_late: of that rank
    rank_type late_rank = 0; ///< one_late
    std::uint64_t seed = 1;
};

/// When something else takes the CPU, and how long.
struct noise_event {
    ticks begin = 0;
    ticks duration = 0;
};

/// What keeps the CPUs of ranks from their work.
struct os_noise {
    enum class shape : std::uint8_t { none, periodic, random, trace };

    shape how = shape::none;
    double period_us = 0;            ///< periodic: from one begin to the next; random: the mean of that
    double duration_us = 0;          ///< periodic: of each; random: the mean
    std::vector<noise_event> events; ///< trace: ascending, repeated from the start after the last one's begin
    bool together = false;           ///< all ranks are hit at the same times
    std::uint64_t seed = 1;
};

/// Who makes the collective go on.
enum class progress : std::uint8_t {
    host, ///< the rank itself, which waits in the call: waiting takes its CPU, and noise and skew hold it up
    bypass, ///< a handler that interrupts whatever the CPU does when a message arrives: waiting is free, an
            ///< interrupt costs signal_us, noise holds it up
    nic,    ///< the network interface: neither waiting, noise nor work take the CPU
};

struct simulation_options {
    loggops machine{};
    start_skew skew{};
    os_noise noise{};
    progress by = progress::host;
    double signal_us = 0;   ///< bypass: of the CPU for each message that comes after the call has returned
    bool keep_path = false; ///< find the critical path; takes memory for every message
    bool keep_timeline = false; ///< keep what every rank did when; takes memory for every step
};

} // namespace tutti
