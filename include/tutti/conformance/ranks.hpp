// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include <tutti/conformance/participant.hpp>

/// Checks of all ranks together.
namespace tutti::conformance::checks {

/// Not of the transport but of `run`: if it keeps what a rank throws to itself, all other checks pass.
inline void failure_of_a_rank_comes_out_of_run(const ranks& on) {
    const std::string cause = "thrown by the last rank on purpose";
    std::string heard = "nothing";
    try {
        on(2, [&](participant& me) {
            if (me.rank() == me.size() - 1) throw failure(cause);
        });
    } catch (const std::exception& e) {
        heard = e.what();
    }
    expect(heard.find(cause) != std::string::npos,
           "run() must throw an exception with the text of a rank's: '" + cause + "', not '" + heard + "'");
}

/// Everybody tells rank 0 who they are, and is answered: who exists twice waits in vain for a second answer.
inline void ranks_and_size(const ranks& on) {
    for (rank_type size = 1; size <= on.with.most_ranks; ++size)
        on(size, [&](participant& me) {
            expect(me.size() == size,
                   "size() is " + std::to_string(me.size()) + " of " + std::to_string(size));
            expect(me.rank() >= 0 && me.rank() < size, "rank() is " + std::to_string(me.rank()));
            bytes name(sizeof(rank_type));
            const rank_type rank = me.rank();
            std::memcpy(name.data(), &rank, sizeof rank);
            if (rank > 0) {
                me.send(0, 0, name);
                const auto& answer = me.receive(0, 0, name.size());
                me.wait();
                expect(answer.data == name, "rank 0 answers somebody else");
                return;
            }
            for (rank_type peer = 1; peer < size; ++peer) {
                const auto& told = me.receive(peer, 0, name.size());
                me.wait();
                rank_type who = no_rank;
                std::memcpy(&who, told.data.data(), sizeof who);
                expect(who == peer, "rank " + std::to_string(peer) + " calls itself " + std::to_string(who));
                me.send(peer, 0, told.data);
            }
            me.wait();
        });
}

/// A ring: everybody sends to the right before anybody receives.
inline void exchange_at_once(const ranks& on) {
    const std::size_t length = on.with.at_most_longest(100000);
    for (const rank_type size : std::set<rank_type>{2, 3, on.with.most_ranks})
        on(size, [&](participant& me) {
            const rank_type right = (me.rank() + 1) % me.size();
            const rank_type left = (me.rank() + me.size() - 1) % me.size();
            for (std::uint32_t i = 0; i < 10; ++i) {
                me.send(right, i, pattern(length, static_cast<std::uint32_t>(me.rank()) + i));
                const auto& in = me.receive(left, i, length);
                me.wait();
                expect(in.data == pattern(length, static_cast<std::uint32_t>(left) + i),
                       "the message from the left is wrong");
                me.clear();
            }
        });
}

/// Messages of many lengths between all pairs at once, on two channels.
inline void all_to_all_storm(const ranks& on) {
    const auto content = [&](rank_type from, rank_type to, std::uint32_t i) {
        const auto seed = static_cast<std::uint32_t>(from * 1000 + to * 10) + i * 100003U;
        return pattern(on.with.at_most_longest(seed * 2654435761U % 700), seed);
    };
    on(on.with.most_ranks, [&](participant& me) {
        for (std::uint32_t wave = 0; wave < 3; ++wave) {
            std::vector<const bytes*> got;
            std::vector<bytes> expected;
            for (std::uint32_t i = 0; i < 8; ++i)
                for (rank_type peer = 0; peer < me.size(); ++peer) {
                    if (peer == me.rank()) continue;
                    const channel_type channel = wave + i % 2;
                    me.send(peer, channel, content(me.rank(), peer, i));
                    expected.push_back(content(peer, me.rank(), i));
                    got.push_back(&me.receive(peer, channel, expected.back().size()).data);
                }
            me.wait();
            for (std::size_t i = 0; i < got.size(); ++i)
                expect(*got[i] == expected[i], "a message of the storm is wrong");
            me.clear();
        }
    });
}

} // namespace tutti::conformance::checks
