// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <tutti/conformance/participant.hpp>

/// Checks of handles that are given up before they have completed: what the engine does with all that are
/// open when a collective fails. Their memory may be gone the moment after.
namespace tutti::conformance {

namespace detail {

// Channels of these checks.
inline constexpr channel_type given_up = 6;
inline constexpr channel_type others = 8;
inline constexpr channel_type news = 9;

/// The transport works as if nothing had happened.
inline void goes_on(participant& me, const settings& with) {
    const rank_type peer = 1 - me.rank();
    const std::size_t length = with.at_most_longest(1000);
    for (std::uint32_t i = 0; i < 40; ++i) {
        me.send(peer, others, pattern(length, i));
        const auto& in = me.receive(peer, others, length);
        me.wait();
        expect(in.data == pattern(length, i), "wrong data after abandoning");
    }
}

} // namespace detail

namespace checks {

/// A receive to which nothing was sent is given up: its memory is as it was, and other channels go on.
inline void goes_on_after_an_abandoned_receive(const ranks& on) {
    on(2, [&](participant& me) {
        const std::size_t length = on.with.at_most_longest(1000);
        auto& vain = me.receive(1 - me.rank(), detail::given_up, length); // nobody ever sends to it
        me.test(vain);
        me.abandon(vain);
        detail::goes_on(me, on.with);
        expect(vain.data == bytes(length, untouched), "an abandoned receive was written to");
    });
}

/// Rank 1 gives up a receive before its message was sent or while it is on its way. That message may be lost
/// or go to the next receive, of which errors may come: but not to the memory of the one that was given up.
inline void abandoned_receives_are_not_written_to(const ranks& on) {
    const auto check = [&](std::size_t length, bool on_its_way, int looks) {
        const bytes first = pattern(length, 1);
        const bytes second = pattern(length, 2);
        on(2, [&](participant& me) {
            const auto send_both = [&] {
                if (!on_its_way) me.wait(me.receive(1, detail::news, 0));
                auto& lost = me.send(1, detail::given_up, first);
                if (on_its_way) me.wait(me.receive(1, detail::news, 0));
                me.wait(me.send(1, detail::given_up, second));
                if (!me.test(lost)) me.abandon(lost);
            };
            if (me.rank() == 0) {
                try {
                    send_both();
                } catch (const transport_error&) {
                }
                return;
            }
            auto& in = me.receive(0, detail::given_up, length);
            bool received = false;
            for (int i = 0; i < looks && !received; ++i) {
                me.wires.idle(0);
                received = me.test(in);
            }
            if (!received) me.abandon(in);
            const bytes before = in.data;
            try {
                me.send(0, detail::news, {});
                const auto& next = me.receive(0, detail::given_up, length);
                me.wait();
                const bool is_first = !received && next.data == first;
                const auto& last = is_first ? me.receive(0, detail::given_up, length) : next;
                me.wait();
                expect(last.data == second, "the receive after an abandoned one has wrong data");
            } catch (const transport_error&) {
            }
            expect(in.data == before, "an abandoned receive was written to");
        });
    };
    for (const std::size_t length : {std::size_t{8}, on.with.very_long()}) {
        check(length, false, 0);
        for (const int looks : {0, 1, 4}) check(length, true, looks);
    }
}

/// Rank 0 gives up a send, changes the memory and sends something else after it. Rank 1 gets what was sent at
/// first, or what was sent next, or errors: but never what was written later.
inline void abandoned_sends_are_not_read(const ranks& on) {
    for (const std::size_t length : {std::size_t{8}, on.with.very_long()}) {
        const bytes first = pattern(length, 1);
        const bytes second = pattern(length, 2);
        on(2, [&](participant& me) {
            bool complete = false; // then the message has to be received
            try {
                if (me.rank() == 0) {
                    auto& lost = me.send(1, detail::given_up, first);
                    complete = me.test(lost);
                    if (!complete) me.abandon(lost);
                    std::fill(lost.data.begin(), lost.data.end(), untouched);
                    me.send(1, detail::news, bytes(1, std::byte{complete}));
                    me.send(1, detail::given_up, second);
                    me.wait();
                    return;
                }
                const auto& told = me.receive(0, detail::news, 1);
                me.wait();
                complete = told.data[0] != std::byte{0};
                const auto& next = me.receive(0, detail::given_up, length);
                me.wait();
                const bool is_first = next.data == first;
                expect(is_first || !complete, "a send was complete, but its data is lost");
                const auto& last = is_first ? me.receive(0, detail::given_up, length) : next;
                me.wait();
                expect(last.data == second, "an abandoned send was read after it had been abandoned");
            } catch (const transport_error&) { // the transport is spent
                if (complete) throw;
            }
        });
    }
}

/// Strict: a send is given up, and the transport is not spent. If the send was complete, its message arrives.
inline void goes_on_after_an_abandoned_send(const ranks& on) {
    const std::size_t length = on.with.at_most_longest(100000);
    on(2, [&](participant& me) {
        if (me.rank() == 0) {
            auto& vain = me.send(1, detail::given_up, pattern(length, 1));
            const bool complete = me.test(vain); // then it is too late, and the message has to be received
            if (!complete) me.abandon(vain);
            me.send(1, detail::news, bytes(1, std::byte{complete}));
            me.wait();
        } else {
            const auto& told = me.receive(0, detail::news, 1);
            me.wait();
            if (told.data[0] != std::byte{0}) {
                const auto& late = me.receive(0, detail::given_up, length);
                me.wait();
                expect(late.data == pattern(length, 1), "a send was complete, but its data is lost");
            }
        }
        detail::goes_on(me, on.with);
    });
}

} // namespace checks
} // namespace tutti::conformance
