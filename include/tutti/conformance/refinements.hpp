// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/conformance/participant.hpp>

/// Checks of what a transport may offer beyond the concept; empty where it does not. The engine uses what
/// there is, so these are required.
namespace tutti::conformance {

namespace detail {

/// What a message holds; fetched in two parts if it has to be.
template <class Participant, class Incoming>
bytes joined(Participant& me, const Incoming& message) {
    bytes whole;
    if constexpr (fetching_transport<transport_of<Participant>>)
        if (message.is_away()) {
            whole.resize(message.bytes());
            const std::span<std::byte> all(whole);
            const std::size_t half = whole.size() / 2;
            me.call("fetch", [&](auto& t) { t.fetch(message, half, all.subspan(half)); });
            me.call("fetch", [&](auto& t) { t.fetch(message, 0, all.first(half)); });
        }
    for (const auto& piece : gather_list(message.pieces()))
        whole.insert(whole.end(), piece.begin(), piece.end());
    return whole;
}

template <class Participant, class Incoming>
void take(Participant& me, rank_type from, channel_type channel, Incoming& message) {
    const auto look = [&] {
        const bool taken = me.call("take", [&](auto& t) { return t.take(from, channel, message); });
        return std::size_t{taken ? 0U : 1U};
    };
    me.until_none(look, [&] {
        return "take() of a message from rank " + std::to_string(from) + " on channel "
               + std::to_string(channel);
    });
}

template <class Participant>
bool try_post(Participant& me, rank_type to, channel_type channel, const bytes& data) {
    return me.call("try_post", [&](auto& t) { return t.try_post(to, channel, data); });
}

} // namespace detail

namespace checks {

/// folding_transport: messages of several peers are held at once, read in place, and released in any order.
inline constexpr auto take_and_release = [](const auto& on) {
    for (const std::size_t whole : {std::size_t{0}, std::size_t{8}, std::size_t{200}, std::size_t{50000}})
        on(4, [&](auto& me) {
            using T = detail::transport_of<decltype(me)>;
            if constexpr (folding_transport<T>) {
                const std::size_t length = on.with.at_most_longest(whole);
                const auto content = [&](rank_type from, std::uint32_t i) {
                    return pattern(length, static_cast<std::uint32_t>(from) * 100 + i);
                };
                for (std::uint32_t i = 0; i < 30; ++i) {
                    if (me.rank() != 0) {
                        me.send(0, 3, content(me.rank(), i), {length / 3});
                        continue;
                    }
                    std::vector<typename T::incoming> held(static_cast<std::size_t>(me.size() - 1));
                    for (rank_type from = 1; from < me.size(); ++from)
                        detail::take(me, from, 3, held[static_cast<std::size_t>(from - 1)]);
                    for (rank_type k = 1; k < me.size(); ++k) { // the first one last
                        const rank_type from = k % (me.size() - 1) + 1;
                        auto& message = held[static_cast<std::size_t>(from - 1)];
                        expect(detail::joined(me, message) == content(from, i),
                               "a message that was held is wrong");
                        me.call("release", [&](auto& t) { t.release(message); });
                    }
                }
                me.wait();
            }
        });
};

/// eager_transport: as many messages as promised are taken without any receive, and keep their order.
inline constexpr auto eager_posts = [](const auto& on) {
    on(2, [&](auto& me) {
        using T = detail::transport_of<decltype(me)>;
        if constexpr (eager_transport<T>) {
            const std::size_t most = T::eager_bytes();
            const std::size_t depth = T::eager_depth();
            const auto content = [&](std::size_t i) {
                return pattern(i % 2 == 0 ? most : i % (most + 1), static_cast<std::uint32_t>(i));
            };
            for (std::size_t i = 0; me.rank() == 0 && i < depth; ++i)
                expect(detail::try_post(me, 1, 0, content(i)), "try_post took fewer messages than promised");
            for (std::size_t i = 0; i < 20 * depth; ++i) {
                const bytes data = content(i);
                if (me.rank() == 1) {
                    typename T::incoming message;
                    detail::take(me, 0, 0, message);
                    expect(detail::joined(me, message) == data,
                           "eager message " + std::to_string(i) + " is wrong");
                    me.call("release", [&](auto& t) { t.release(message); });
                } else if (i >= depth) {
                    me.until_none([&] { return std::size_t{detail::try_post(me, 1, 0, data) ? 0U : 1U}; },
                                  [] { return "try_post() to rank 1 to take a message"; });
                }
            }
        }
    });
};

/// labelling_transport: ranks that make different calls are told of both, one that takes no part tells why,
/// and other channels go on.
inline constexpr auto calls_are_told_apart = [](const auto& on) {
    on(2, [&](auto& me) {
        using T = detail::transport_of<decltype(me)>;
        if constexpr (labelling_transport<T>) {
            const rank_type peer = 1 - me.rank();
            const call_label mine = me.rank() == 0 ? call_label(collective::allreduce, 800, 8, 0, 1)
                                                   : call_label(collective::barrier, 0, 1, 0, 1);
            const auto goes_on = [&](channel_type channel) {
                me.send(peer, channel, pattern(on.with.at_most_longest(100), channel));
                me.receive(peer, channel, on.with.at_most_longest(100));
                me.wait();
            };
            const auto expect_told = [&](channel_type channel, const std::string& what, const auto& open) {
                std::string told;
                try {
                    std::uint32_t looks = 0;
                    const auto look = [&] {
                        me.call("check_call", [&](auto& t) { t.check_call(channel, mine, looks++); });
                        return std::size_t{open() ? 1U : 0U};
                    };
                    me.until_none(look, [&] { return "an error that tells: " + what; });
                } catch (const transport_error& e) {
                    told = e.what();
                }
                expect(told.find(what) != std::string::npos, "it should be told: " + what);
            };

            const std::span<const std::byte> nothing{};
            const std::span<std::byte> nowhere{};
            auto sent = me.call("start_send", [&](auto& t) {
                return t.start_send(peer, 3, {&nothing, 1}, mine);
            });
            auto due = me.call("start_recv", [&](auto& t) {
                return t.start_recv(peer, 3, {&nowhere, 1}, mine);
            });
            expect_told(3, "allreduce of 100 elements of 8 bytes", [&] { return !me.test(due); });
            me.call("abandon", [&](auto& t) { t.abandon(due); });
            me.call("abandon", [&](auto& t) { t.abandon(sent); });
            goes_on(4);

            if (me.rank() == 0)
                me.call("call_off", [&](auto& t) { t.call_off(5, "rank 0 has better things to do"); });
            else
                expect_told(5, "better things to do", [] { return true; });
            goes_on(6);
        }
    });
};

/// closing_transport: a channel whose messages have all been received closes without complaint.
inline constexpr auto clean_channels_close = [](const auto& on) {
    on(2, [&](auto& me) {
        using T = detail::transport_of<decltype(me)>;
        if constexpr (closing_transport<T>) {
            const rank_type peer = 1 - me.rank();
            for (channel_type c = 0; c < 5; ++c) {
                me.send(peer, c, pattern(on.with.at_most_longest(100), c));
                me.receive(peer, c, on.with.at_most_longest(100));
                me.wait();
                me.call("close", [&](auto& t) { t.close(c); });
            }
        }
    });
};

} // namespace checks
} // namespace tutti::conformance
