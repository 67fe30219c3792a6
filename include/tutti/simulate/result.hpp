// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/topology/network.hpp>

namespace tutti {

/// What a rank, or a message on its way, did in a simulation.
struct activity {
    /// What it was.
    enum class kind : std::uint8_t {
        skew,   ///< not yet in the call
        start,  ///< hands the collective to the network interface (progress_by::nic)
        send,   ///< CPU time of sending
        recv,   ///< CPU time of receiving, whether or not the receive had begun
        signal, ///< CPU time of being interrupted (progress_by::bypass)
        fold,   ///< of what came in, or of a local operand
        copy,   ///< local
        noise,  ///< something else has the CPU
        flight, ///< the message, from when its first byte leaves until that arrives; waits for links, too
        gap,    ///< the network interface is not ready for the next message; in the path only
    };

    kind what = kind::send;   ///< what it was
    rank_type rank = 0;       ///< flight: the sender
    rank_type peer = no_rank; ///< of send, recv, flight
    round_index round = 0;    ///< flight, recv: of the sender
    std::int64_t bytes = 0;   ///< of the message, or of what was folded or copied
    ticks begin = 0;          ///< from when on
    ticks end = 0;            ///< until when
    std::int64_t message =
        -1; ///< number of the message, by the order of sending: send, flight and recv of one share it
    ticks overhead = 0;   ///< send, recv: of it, o, whatever the length; flight: L
    ticks held = 0;       ///< flight: of it, waiting for links
    link_index link = -1; ///< flight: the one that it waits for longest; -1: for none

    friend bool operator==(const activity&, const activity&) = default;
};

/// What came out of a simulation.
struct simulation_result {
    std::vector<ticks> finish{}; ///< of each rank: when its part is done and its CPU free
    std::vector<ticks> cpu{};    ///< of each rank: how long the collective kept its CPU
    std::int64_t messages = 0;   ///< of all ranks together
    std::int64_t events = 0;     ///< that the simulator has dealt with
    std::vector<activity>
        path{}; ///< what the last rank to finish waited for, first things first; by keep_path
    std::vector<activity> timeline{}; ///< everything, by begin; by keep_timeline

    /// The rank that finishes last; the first of them.
    rank_type last() const {
        return static_cast<rank_type>(std::max_element(finish.begin(), finish.end()) - finish.begin());
    }
    /// When all have finished, in microseconds.
    double completion_us() const {
        return static_cast<double>(finish[static_cast<std::size_t>(last())]) / ticks_per_us;
    }
};

} // namespace tutti
