// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <tutti/conformance/participant.hpp>

/// Checks of what a message carries.
namespace tutti::conformance::checks {

/// `handle{}` tests true, before it is abandoned and after.
inline void handles_not_started_are_complete(const ranks& on) {
    on(2, [&](participant& me) {
        boxed nothing;
        expect(me.wires.test(nothing), "test(handle{}) must be true");
        me.wires.abandon(nothing);
        expect(me.wires.test(nothing), "test(handle{}) must be true after abandon(), too");
    });
}

/// They are messages as any other: barriers consist of them.
inline void empty_messages(const ranks& on) {
    on(2, [&](participant& me) {
        const rank_type peer = 1 - me.rank();
        const std::size_t length = on.with.at_most_longest(3);
        me.send(peer, 0, {}); // no piece at all
        me.receive(peer, 0, 0);
        me.wait();
        me.send(peer, 0, {}, {0, 0}); // three empty pieces
        me.send(peer, 0, pattern(length, 1));
        me.send(peer, 0, {});
        me.receive(peer, 0, 0);
        const auto& between = me.receive(peer, 0, length);
        me.receive(peer, 0, 0, {0});
        me.wait();
        expect(between.data == pattern(length, 1), "an empty message took the place of another");

        if (me.rank() == 0) { // sends when it has heard from rank 1
            me.receive(1, 2, 1);
            me.wait();
            me.send(1, 1, {});
        } else {
            auto& early = me.receive(0, 1, 0);
            expect(!me.test(early), "an empty message has come before it was sent");
            me.send(0, 2, pattern(1, 1));
        }
        me.wait();
    });
}

/// Lists of one to six pieces, some empty, at either end: what is cut in one way may be received in another.
inline void pieces_may_be_cut_differently(const ranks& on) {
    const std::vector<cuts> ways{{}, {0}, {1}, {99, 1, 0, 0, 50}, {0, 100, 20}, {150}};
    for (const std::size_t length : {std::size_t{150}, std::size_t{239}, std::size_t{10000}}) {
        if (length > on.with.longest) continue;
        on(2, [&](participant& me) {
            const rank_type peer = 1 - me.rank();
            for (const cuts& from : ways)
                for (const cuts& into : ways) {
                    me.send(peer, 2, pattern(length, 7), from);
                    const auto& in = me.receive(peer, 2, length, into);
                    me.wait();
                    expect(in.data == pattern(length, 7), "the pieces came out wrong");
                    me.clear();
                }
        });
    }
}

/// Longer than what writev takes, at either end and at both, some pieces empty.
inline void lists_of_many_pieces(const ranks& on) {
    const auto pieces_of = [](std::size_t count, std::size_t bytes_each) {
        cuts at(count);
        for (std::size_t i = 0; i < count; ++i) at[i] = i % (bytes_each + 1);
        return at;
    };
    const std::vector<cuts> ways{
        {}, pieces_of(on.with.most_pieces, 2), pieces_of(on.with.most_pieces / 2, 3)};
    std::size_t length = 1;
    for (const cuts& at : ways)
        length = std::max(length, std::accumulate(at.begin(), at.end(), std::size_t{1}));
    on(2, [&](participant& me) {
        const rank_type peer = 1 - me.rank();
        for (const cuts& from : ways)
            for (const cuts& into : ways) {
                me.send(peer, 5, pattern(length, 9), from);
                const auto& in = me.receive(peer, 5, length, into);
                me.wait();
                expect(in.data == pattern(length, 9),
                       "a list of " + std::to_string(from.size() + 1) + " pieces, received into "
                           + std::to_string(into.size() + 1) + ", came out wrong");
                me.clear();
            }
    });
}

/// Every length up to 300 bytes, and those about powers of two up to settings::longest: there and back.
inline void all_lengths(const ranks& on) {
    const std::size_t longest = on.with.longest;
    std::vector<std::size_t> lengths;
    for (std::size_t n = 0; n <= on.with.at_most_longest(300); ++n) lengths.push_back(n);
    for (std::size_t n = 512; n < longest; n *= 2) lengths.insert(lengths.end(), {n - 1, n, n + 1});
    lengths.push_back(longest);
    on(2, [&](participant& me) {
        for (const std::size_t n : lengths) { // there and back
            if (me.rank() == 1) {
                const auto& in = me.receive(0, 0, n);
                me.wait();
                me.send(0, 0, in.data);
                me.wait();
            } else {
                me.send(1, 0, pattern(n, 3));
                const auto& in = me.receive(1, 0, n);
                me.wait();
                expect(in.data == pattern(n, 3), "a message of " + std::to_string(n) + " bytes is wrong");
            }
            me.clear();
        }
    });
}

} // namespace tutti::conformance::checks
