// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti::detail {

/// A rank in a simulation: when its CPU and the two directions of its network interface are free again, and
/// where in the schedule it is. One cache line: a million of them are looked at in turn.
struct alignas(64) host_state {
    static constexpr std::uint32_t no_work = ~std::uint32_t{0};
    static constexpr ticks no_fold = -1;

    ticks cpu = 0;
    ticks nic_send = 0;
    ticks nic_recv = 0;

    /// The receives of a round are looked at by events of this time and of orders from this one on. A message
    /// that is taken before that does not find them.
    ticks opened = 0;
    std::uint64_t opened_order = 0;

    std::uint32_t next_round = 0;
    std::uint32_t work =
        no_work; ///< number of its round_work, if the round is not simple; else the rest here

    ticks fold = no_fold;          ///< after the one receive
    rank_type open_peer = no_rank; ///< whose message the one receive waits for
    std::int32_t pending = 0;

    ticks can_send() const noexcept { return std::max(cpu, nic_send); }
    ticks can_receive() const noexcept { return std::max(cpu, nic_recv); }
};

static_assert(sizeof(host_state) == 64);

} // namespace tutti::detail
