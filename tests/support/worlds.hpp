// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/threads.hpp>

#include "support/by_hand.hpp"
#include "support/elements.hpp"
#include "support/plain_transport.hpp"

/// Worlds whose endpoints one thread drives.
namespace support {

struct over_mock {
    using transport = tutti::mock::transport;
    explicit over_mock(tutti::rank_type size, tutti::mock::options how = {.rendezvous = true})
        : group(size, how) {
        for (tutti::rank_type r = 0; r < size; ++r) wires.push_back(group.transport(r));
    }
    bool operator()() { return group.deliver_one(); }
    template <class Parts>
    static void give_up(Parts& all) {
        all.clear();
    }
    tutti::mock::world group;
    std::deque<transport> wires;
};

struct over_buffered_mock : over_mock {
    explicit over_buffered_mock(tutti::rank_type size) : over_mock(size, {.rendezvous = false}) {}
};

struct over_threads {
    using transport = tutti::threads::transport;
    explicit over_threads(tutti::rank_type size) : group(size) {
        for (tutti::rank_type r = 0; r < size; ++r) wires.push_back(group.transport(r));
    }
    bool operator()() { return false; }
    // Each rank by a thread of its own: one that is being read by another waits for it.
    template <class Parts>
    static void give_up(Parts& all) {
        std::vector<std::thread> ranks;
        for (auto& p : all) ranks.emplace_back([&p] { p.reset(); });
        for (std::thread& t : ranks) t.join();
    }
    tutti::threads::world group;
    std::deque<transport> wires;
};

struct over_plain {
    using transport = support::plain::transport;
    explicit over_plain(tutti::rank_type size) : group{.size = size} {
        for (tutti::rank_type r = 0; r < size; ++r) wires.emplace_back(group, r);
    }
    bool operator()() { return false; }
    support::plain::network group;
    std::deque<transport> wires;
};

template <class World, class T, class Op>
using parts_of = parts<part<typename World::transport, T, Op>>;

/// All ranks' parts of one collective.
template <class T, class World, class Op, class Make>
void add_parts(parts_of<World, T, Op>& to, World& world, tutti::channel_type channel, const Make& make,
               std::int64_t count, Op op, bool in_place) {
    const auto size = static_cast<tutti::rank_type>(world.wires.size());
    for (tutti::rank_type r = 0; r < size; ++r)
        to.push_back(std::make_unique<part<typename World::transport, T, Op>>(
            world.wires[static_cast<std::size_t>(r)], channel, make(tutti::place{r, size, 0}),
            samples<T>(r, count), op, in_place));
}

} // namespace support
