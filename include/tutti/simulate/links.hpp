// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/model/loggops.hpp>
#include <tutti/simulate/check_options.hpp>
#include <tutti/simulate/ticks.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/placement.hpp>

namespace tutti {

/// How fast the links of a network are.
struct link_options {
    static constexpr double as_machine = -1; ///< for us_per_byte: the machine says it

    double us_per_byte = as_machine; ///< of one link; as_machine: G, as fast as the network interfaces
    double gap_us = 0;               ///< least time between two messages on a link, besides their bytes
    double hop_us = 0;               ///< for every link on the way, besides L

    friend bool operator==(const link_options&, const link_options&) = default;
};

namespace detail {

/// How long a message waits for links, and for which one longest.
struct link_wait {
    ticks in_all = 0;
    ticks longest = 0;
    link_index link = -1;
};

/// A network without any limit: what LogGOPS supposes.
struct no_links {
    ticks delay(rank_type, rank_type, std::int64_t, ticks, link_wait&) const noexcept { return 0; }
};

/// The links of a network, each of which carries one message at a time: messages in the way of each other
/// queue up (per-link serialisation) and go on as soon as their first byte is through (virtual cut-through).
/// A message that waits holds no link behind it: switches have room for it.
///
/// A message of n bytes keeps each link of its route for gap + (n - 1) * us_per_byte from when its first byte
/// enters; the next one enters after that. It reserves its links when it leaves its sender, in the order of
/// the route; where two meet, the one that left first goes first, even if the other has the shorter way.
/// Alone it takes L plus hop_us for every link, plus, if links are slower than G, what its last byte is late.
///
/// Why not fluid flows that share a link: then every message that begins or ends changes the time of all
/// others on its links, which costs far more than the message itself. Times stay whole numbers and
/// independent of rounding. Messages that share one link, and no other with anybody, keep it busy equally
/// long either way: the last is done at the same time, those before it earlier here. Of more than one link
/// that is not so, for a message that waits for one does not use the next: of messages of 1 us each, 0 -> 2,
/// 1 -> 3 and 2 -> 3 on a ring of 8 end after 1, 2 and 3 us, in fair shares all after 2.
template <network N>
class link_clocks {
public:
    link_clocks(const N& on, placement where, const link_options& options, const loggops& machine)
        : on_(on), where_(std::move(where)), free_(static_cast<std::size_t>(on.links()), 0) {
        if (where_.nodes() != on.nodes())
            throw_argument("nodes of the placement", where_.nodes(),
                           std::to_string(on.nodes()) + ", the nodes of the network");
        check_time("links.gap_us", options.gap_us);
        check_time("links.hop_us", options.hop_us);
        const bool own_speed = options.us_per_byte != link_options::as_machine;
        if (own_speed) check_time("links.us_per_byte", options.us_per_byte);
        gap_ = to_ticks(options.gap_us);
        hop_ = to_ticks(options.hop_us);
        byte_ = ticks_per_byte(own_speed ? options.us_per_byte : machine.G);
        interface_byte_ = ticks_per_byte(machine.G);
    }

    rank_type ranks() const noexcept { return where_.ranks(); }

    /// How much later than L after `leaves` a message arrives: its first byte, or if the links are slower
    /// than the receiver, so much that the last one is not taken before it is there. `waits` begins as it is.
    ticks delay(rank_type from, rank_type to, std::int64_t bytes, ticks leaves, link_wait& waits) {
        const ticks length = byte_(bytes - 1);
        ticks head = leaves;
        on_.route(where_.node_of(from), where_.node_of(to), [&](link_index link) {
            ticks& free = free_[static_cast<std::size_t>(link)];
            if (const ticks wait = free - head; wait > 0) {
                waits.in_all += wait;
                if (wait > waits.longest) waits.longest = wait, waits.link = link;
                head = free;
            }
            free = head + gap_ + length;
            head += hop_;
        });
        return head - leaves + std::max<ticks>(length - interface_byte_(bytes - 1), 0);
    }

private:
    N on_;
    placement where_;
    std::vector<ticks> free_; // of each link: from when on the next message may enter
    ticks gap_ = 0;
    ticks hop_ = 0;
    ticks_per_byte byte_{};
    ticks_per_byte interface_byte_{};
};

} // namespace detail
} // namespace tutti
