// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti::detail {

enum class event_kind : std::uint8_t {
    send,  ///< `host` begins to send to `peer`
    recv,  ///< `host` finds that the message it wants to receive is already there; see host_work.hpp
    calc,  ///< `host` folds, copies, or is late; `load` is how long
    fresh, ///< a message from `peer` comes to `host`
    again, ///< the same, which had to wait for the host
    head,  ///< receiving_rule::overlapped: its first byte comes; `fresh` once the CPU is needed
};

/// Something that happens to a host. Events are taken by time, and by order where times are equal. The order
/// is given when an event is first inserted, counts up, and is kept when the event is put back: it decides
/// which of two that become possible at once goes first.
struct event {
    ticks time = 0;
    std::uint64_t order_and_kind = 0;
    rank_type host = 0;
    rank_type peer = no_rank;
    std::int64_t load = 0; ///< see event_kind; of messages see activity_log.hpp

    static constexpr std::uint64_t ordered(std::uint64_t order, event_kind kind) noexcept {
        return order << 3 | static_cast<std::uint64_t>(kind);
    }
    constexpr std::uint64_t order() const noexcept { return order_and_kind >> 3; }
    constexpr event_kind kind() const noexcept { return static_cast<event_kind>(order_and_kind & 7); }
};

static_assert(sizeof(event) == 32, "two to a cache line");
static_assert(std::is_trivially_copyable_v<event>);

} // namespace tutti::detail
