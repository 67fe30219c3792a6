// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tutti/conformance/participant.hpp>

/// Checks of what a transport may offer beyond the concept; empty where it does not. The engine uses what
/// there is, so these are required.
namespace tutti::conformance {

namespace detail {

/// What a message holds; fetched in two parts if it has to be.
inline bytes joined(any_transport& wires, boxed& message) {
    bytes whole;
    if (wires.is_away(message)) {
        whole.resize(wires.bytes(message));
        const std::span<std::byte> all(whole);
        const std::size_t half = whole.size() / 2;
        wires.fetch(message, half, all.subspan(half));
        wires.fetch(message, 0, all.first(half));
    }
    for (const auto& piece : wires.pieces(message)) whole.insert(whole.end(), piece.begin(), piece.end());
    return whole;
}

/// Waits for the next message, which has to be released.
inline boxed take(participant& me, rank_type from, channel_type channel) {
    boxed message;
    me.until([&] { return me.wires.take(from, channel, message); },
             "take() of a message from rank " + std::to_string(from) + " on channel "
                 + std::to_string(channel));
    return message;
}

} // namespace detail

namespace checks {

/// folding_transport: messages of several peers are held at once, read in place, and released in any order.
inline void take_and_release(const ranks& on) {
    for (const std::size_t whole : {std::size_t{0}, std::size_t{8}, std::size_t{200}, std::size_t{50000}})
        on(4, [&](participant& me) {
            if (!me.wires.offers.folding) return;
            const std::size_t length = on.with.at_most_longest(whole);
            const auto content = [&](rank_type from, std::uint32_t i) {
                return pattern(length, static_cast<std::uint32_t>(from) * 100 + i);
            };
            for (std::uint32_t i = 0; i < 30; ++i) {
                if (me.rank() != 0) {
                    me.send(0, 3, content(me.rank(), i), {length / 3});
                    continue;
                }
                std::vector<boxed> held;
                for (rank_type from = 1; from < me.size(); ++from) held.push_back(detail::take(me, from, 3));
                for (rank_type k = 1; k < me.size(); ++k) { // the first one last
                    const rank_type from = k % (me.size() - 1) + 1;
                    auto& message = held[static_cast<std::size_t>(from - 1)];
                    expect(detail::joined(me.wires, message) == content(from, i),
                           "a message that was held is wrong");
                    me.wires.release(message);
                }
            }
            me.wait();
        });
}

/// eager_transport: as many messages as promised are taken without any receive, and keep their order.
inline void eager_posts(const ranks& on) {
    on(2, [&](participant& me) {
        if (!me.wires.offers.eager) return;
        const std::size_t most = me.wires.offers.eager_bytes;
        const std::size_t depth = me.wires.offers.eager_depth;
        const auto content = [&](std::size_t i) {
            return pattern(i % 2 == 0 ? most : i % (most + 1), static_cast<std::uint32_t>(i));
        };
        for (std::size_t i = 0; me.rank() == 0 && i < depth; ++i)
            expect(me.wires.try_post(1, 0, content(i)), "try_post took fewer messages than promised");
        for (std::size_t i = 0; i < 20 * depth; ++i) {
            const bytes data = content(i);
            if (me.rank() == 1) {
                boxed message = detail::take(me, 0, 0);
                expect(detail::joined(me.wires, message) == data,
                       "eager message " + std::to_string(i) + " is wrong");
                me.wires.release(message);
            } else if (i >= depth) {
                me.until([&] { return me.wires.try_post(1, 0, data); },
                         "try_post() to rank 1 to take a message");
            }
        }
    });
}

/// labelling_transport: ranks that make different calls are told of both, one that takes no part tells why,
/// and other channels go on.
inline void calls_are_told_apart(const ranks& on) {
    on(2, [&](participant& me) {
        if (!me.wires.offers.labelling) return;
        const rank_type peer = 1 - me.rank();
        const call_label mine = me.rank() == 0 ? call_label(collective::allreduce, 800, 8, 0, 1)
                                               : call_label(collective::barrier, 0, 1, 0, 1);
        const auto goes_on = [&](channel_type channel) {
            me.send(peer, channel, pattern(on.with.at_most_longest(100), channel));
            me.receive(peer, channel, on.with.at_most_longest(100));
            me.wait();
        };
        const auto expect_told = [&](channel_type channel, const std::string& what,
                                     const std::function<bool()>& over) {
            std::string told;
            try {
                std::uint32_t looks = 0;
                const auto look = [&] {
                    me.wires.check_call(channel, mine, looks++);
                    return over();
                };
                me.until(look, "an error that tells: " + what);
            } catch (const transport_error& e) {
                told = e.what();
            }
            expect(told.find(what) != std::string::npos, "it should be told: " + what);
        };

        const std::span<const std::byte> nothing{};
        const std::span<std::byte> nowhere{};
        boxed sent = me.wires.start_send(peer, 3, {&nothing, 1}, &mine);
        boxed due = me.wires.start_recv(peer, 3, {&nowhere, 1}, &mine);
        expect_told(3, "allreduce of 100 elements of 8 bytes", [&] { return me.wires.test(due); });
        me.wires.abandon(due);
        me.wires.abandon(sent);
        goes_on(4);

        if (me.rank() == 0)
            me.wires.call_off(5, "rank 0 has better things to do");
        else
            expect_told(5, "better things to do", [] { return false; });
        goes_on(6);
    });
}

/// counting_transport: calls of many contexts are counted each by itself, where they were counted at first.
inline void calls_are_counted_by_context(const ranks& on) {
    on(2, [&](participant& me) {
        std::vector<channel_type*> counts;
        for (std::uint32_t context = 0; context < 20; ++context) {
            counts.push_back(me.wires.calls_made(context));
            if (counts.back() == nullptr) return;
            expect(*counts.back() == 0, "no calls were made in context " + std::to_string(context));
            *counts.back() = 100 + context;
        }
        for (std::uint32_t context = 0; context < 20; ++context)
            expect(me.wires.calls_made(context) == counts[context] && *counts[context] == 100 + context,
                   "what was counted in context " + std::to_string(context)
                       + " should be known, where it was");
    });
}

/// closing_transport: a channel whose messages have all been received closes without complaint.
inline void clean_channels_close(const ranks& on) {
    on(2, [&](participant& me) {
        if (!me.wires.offers.closing) return;
        const rank_type peer = 1 - me.rank();
        for (channel_type c = 0; c < 5; ++c) {
            me.send(peer, c, pattern(on.with.at_most_longest(100), c));
            me.receive(peer, c, on.with.at_most_longest(100));
            me.wait();
            me.wires.close(c);
        }
    });
}

} // namespace checks
} // namespace tutti::conformance
