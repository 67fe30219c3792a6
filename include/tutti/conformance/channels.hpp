// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/conformance/participant.hpp>

/// Checks of the order between two ranks.
namespace tutti::conformance::checks {

/// Messages from one rank to another match receives in order, where each is waited for before the next.
inline void order_within_a_channel(const ranks& on) {
    on(2, [&](participant& me) {
        const auto count = static_cast<std::uint32_t>(on.with.repeats);
        for (std::uint32_t i = 0; i < count; ++i) { // one after the other
            const bytes content = pattern(on.with.at_most_longest(i % 300), i);
            if (me.rank() == 0) {
                me.send(1, 4, content);
                me.wait();
            } else {
                const auto& in = me.receive(0, 4, content.size());
                me.wait();
                expect(in.data == content, "message " + std::to_string(i) + " is wrong");
            }
        }
    });
}

/// The same with all of them under way at once, in both directions, and lengths from 0 to 582 bytes mixed.
inline void many_messages_outstanding(const ranks& on) {
    on(2, [&](participant& me) {
        const rank_type peer = 1 - me.rank();
        const auto count = static_cast<std::uint32_t>(on.with.repeats);
        std::vector<const bytes*> got;
        for (std::uint32_t i = 0; i < count; ++i) { // short and long ones mixed
            const std::size_t length = on.with.at_most_longest(i % 7 * 97);
            me.send(peer, 1, pattern(length, i));
            got.push_back(&me.receive(peer, 1, length).data);
        }
        me.wait();
        for (std::uint32_t i = 0; i < count; ++i)
            expect(*got[i] == pattern(got[i]->size(), i), "message " + std::to_string(i) + " is wrong");
    });
}

/// Ten messages on each of the channels 2^32 - 2 to 1, over 0, are received from the last channel on.
inline void channels_do_not_mix_and_may_wrap(const ranks& on) {
    const std::vector<channel_type> channels{0xfffffffeU, 0xffffffffU, 0U, 1U};
    for (const std::size_t whole : {std::size_t{8}, std::size_t{5000}})
        on(2, [&](participant& me) {
            const std::size_t length = on.with.at_most_longest(whole);
            if (me.rank() == 0) {
                for (const channel_type c : channels)
                    for (std::uint32_t i = 0; i < 10; ++i) me.send(1, c, pattern(length, c + i));
                me.wait();
                return;
            }
            // The last channel first, and each wait before the next receive is started.
            for (auto c = channels.rbegin(); c != channels.rend(); ++c)
                for (std::uint32_t i = 0; i < 10; ++i) {
                    const auto& in = me.receive(0, *c, length);
                    me.wait();
                    expect(in.data == pattern(length, *c + i),
                           "a message went to another channel or out of order");
                }
        });
}

/// Both ranks send something for later first, then go on: as when one is in the next collective already.
inline void unreceived_messages_block_no_other(const ranks& on) {
    constexpr std::uint32_t early = 3;
    for (const std::size_t length : {std::size_t{8}, std::size_t{5000}, on.with.very_long()})
        on(2, [&](participant& me) {
            const rank_type peer = 1 - me.rank();
            const auto count = static_cast<std::uint32_t>(on.with.repeats);
            for (std::uint32_t i = 0; i < early; ++i)
                me.send(peer, 1, pattern(on.with.at_most_longest(length), i));
            for (std::uint32_t i = 0; i < count; ++i) {
                const bytes content = pattern(on.with.at_most_longest(i % 2 == 0 ? 8 : 5000), i);
                const auto& out = me.send(peer, 2, content);
                const auto& in = me.receive(peer, 2, content.size());
                me.wait(in);
                me.wait(out);
                expect(in.data == content, "a message that passes another is wrong");
            }
            std::vector<const bytes*> got;
            for (std::uint32_t i = 0; i < early; ++i)
                got.push_back(&me.receive(peer, 1, on.with.at_most_longest(length)).data);
            me.wait();
            for (std::uint32_t i = 0; i < early; ++i)
                expect(*got[i] == pattern(got[i]->size(), i), "a message that was passed is wrong");
        });
}

} // namespace tutti::conformance::checks
