// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/transport/concept.hpp>

/// What every transport must do, as a suite that any transport can be run through. It needs no test
/// framework: a failed check is an exception. To run it on a transport of your own:
///
///     #include "support/conformance.hpp"
///     static_assert(tutti::check_transport<my::transport>());
///     int main() {
///         // Runs body(transport&) once per rank, concurrently; returns when all have returned; rethrows.
///         auto run = [](tutti::rank_type size, auto&& body) { my::run(size, body); };
///         tutti::conformance::check(run);
///     }
///
/// Refinements (take and release, try_post, close) are checked where the transport has them.
namespace tutti::conformance {

struct settings {
    rank_type most_ranks = 8;                   ///< of the checks with many ranks
    std::size_t longest = std::size_t{4} << 20; ///< bytes of the longest message
    int repeats = 100;                          ///< messages of the checks that send many
};

class failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void expect(bool holds, const std::string& what) {
    if (!holds) throw failure(what);
}

using bytes = std::vector<std::byte>;
using pieces = std::vector<std::span<const std::byte>>;
using places = std::vector<std::span<std::byte>>;

/// Bytes that differ from message to message and from place to place.
inline bytes pattern(std::size_t length, std::uint32_t seed) {
    bytes result(length);
    std::uint32_t x = seed * 2654435761U + 12345U;
    for (std::byte& b : result) {
        x = x * 1664525U + 1013904223U;
        b = static_cast<std::byte>(x >> 24);
    }
    return result;
}

/// A send with everything that must outlive it.
template <class T>
struct sending {
    bytes data;
    pieces list;
    typename T::handle handle;

    // cuts: the lengths of all pieces but the last.
    sending(T& t, rank_type to, channel_type channel, bytes what, const std::vector<std::size_t>& cuts = {})
        : data(std::move(what)) {
        std::span<const std::byte> rest(data);
        for (std::size_t cut : cuts) {
            list.push_back(rest.first(cut));
            rest = rest.subspan(cut);
        }
        list.push_back(rest);
        handle = t.start_send(to, channel, list);
    }
};

template <class T>
struct receiving {
    bytes data;
    places list;
    typename T::handle handle;

    receiving(T& t, rank_type from, channel_type channel, std::size_t length,
              const std::vector<std::size_t>& cuts = {})
        : data(length, std::byte{0xEE}) {
        std::span<std::byte> rest(data);
        for (std::size_t cut : cuts) {
            list.push_back(rest.first(cut));
            rest = rest.subspan(cut);
        }
        list.push_back(rest);
        handle = t.start_recv(from, channel, list);
    }
};

template <class T>
using sends = std::vector<std::unique_ptr<sending<T>>>; // pointers: the lists must not move
template <class T>
using receives = std::vector<std::unique_ptr<receiving<T>>>;

template <class T, class... A>
void add(std::vector<std::unique_ptr<T>>& to, A&&... arguments) {
    to.push_back(std::make_unique<T>(std::forward<A>(arguments)...));
}

template <class T>
void wait(T& t, typename T::handle& h) {
    for (std::uint32_t turns = 0; !t.test(h); ++turns) t.idle(turns);
}

/// Waits for all, from the last to the first: completion must not depend on the order of testing.
template <class T>
void wait_all(T& t, sends<T>& out, receives<T>& in) {
    std::vector<typename T::handle*> open;
    for (auto& s : out) open.push_back(&s->handle);
    for (auto& r : in) open.push_back(&r->handle);
    std::reverse(open.begin(), open.end());
    std::uint32_t turns = 0;
    while (!open.empty()) {
        const std::size_t before = open.size();
        std::erase_if(open, [&](typename T::handle* h) { return t.test(*h); });
        if (open.size() == before)
            t.idle(turns++);
        else
            turns = 0;
    }
}

/// The body's type of transport.
template <class Reference>
using transport_of = std::remove_cvref_t<Reference>;

// --- the checks ---

inline constexpr auto ranks_and_size = [](const auto& run, const settings& with) {
    for (rank_type size = 1; size <= with.most_ranks; ++size) {
        std::vector<int> seen(static_cast<std::size_t>(size), 0);
        run(size, [&](auto& t) {
            expect(t.size() == size, "size() is wrong");
            ++seen[static_cast<std::size_t>(t.rank())]; // each rank its own element
        });
        for (int count : seen) expect(count == 1, "every rank must exist once");
    }
};

inline constexpr auto order_within_a_channel = [](const auto& run, const settings& with) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        const auto count = static_cast<std::uint32_t>(with.repeats);
        for (std::uint32_t i = 0; i < count; ++i) { // blocking, one after the other
            sends<T> out;
            receives<T> in;
            if (t.rank() == 0)
                add(out, t, 1, 4U, pattern(i % 300, i));
            else
                add(in, t, 0, 4U, i % 300);
            wait_all(t, out, in);
            for (auto& r : in)
                expect(r->data == pattern(i % 300, i), "message " + std::to_string(i) + " is wrong");
        }
    });
};

inline constexpr auto many_messages_outstanding = [](const auto& run, const settings& with) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        const rank_type peer = 1 - t.rank();
        const auto count = static_cast<std::uint32_t>(with.repeats);
        sends<T> out;
        receives<T> in;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t length = i % 7 * 97; // short and long ones mixed
            add(out, t, peer, 1U, pattern(length, i));
            add(in, t, peer, 1U, length);
        }
        wait_all(t, out, in);
        for (std::uint32_t i = 0; i < count; ++i)
            expect(in[i]->data == pattern(in[i]->data.size(), i),
                   "message " + std::to_string(i) + " is wrong");
    });
};

inline constexpr auto channels_do_not_mix_and_may_wrap = [](const auto& run, const settings&) {
    const std::vector<channel_type> channels{0xfffffffeU, 0xffffffffU, 0U, 1U};
    for (const std::size_t length : {std::size_t{8}, std::size_t{5000}})
        run(2, [&](auto& t) {
            using T = transport_of<decltype(t)>;
            sends<T> out;
            receives<T> in;
            if (t.rank() == 0) {
                for (channel_type c : channels)
                    for (std::uint32_t i = 0; i < 10; ++i) add(out, t, 1, c, pattern(length, c + i));
                wait_all(t, out, in);
                return;
            }
            // The last channel first, and each wait before the next receive is started.
            for (auto c = channels.rbegin(); c != channels.rend(); ++c)
                for (std::uint32_t i = 0; i < 10; ++i) {
                    receiving<T> r(t, 0, *c, length);
                    wait(t, r.handle);
                    expect(r.data == pattern(length, *c + i),
                           "a message went to another channel or out of order");
                }
        });
};

inline constexpr auto empty_messages = [](const auto& run, const settings&) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        const rank_type peer = 1 - t.rank();
        typename T::handle nothing{};
        expect(t.test(nothing), "a handle that was never started counts as complete");
        auto send = t.start_send(peer, 0, {}); // no piece at all
        auto recv = t.start_recv(peer, 0, {});
        wait(t, recv);
        wait(t, send);
        sends<T> out;
        receives<T> in;
        add(out, t, peer, 0U, bytes{}, std::vector<std::size_t>{0, 0}); // three empty pieces
        add(out, t, peer, 0U, pattern(3, 1));
        add(out, t, peer, 0U, bytes{});
        add(in, t, peer, 0U, std::size_t{0});
        add(in, t, peer, 0U, std::size_t{3});
        add(in, t, peer, 0U, std::size_t{0}, std::vector<std::size_t>{0});
        wait_all(t, out, in);
        expect(in[1]->data == pattern(3, 1), "an empty message took the place of another");
    });
};

inline constexpr auto pieces_may_be_cut_differently = [](const auto& run, const settings&) {
    using cuts = std::vector<std::size_t>;
    const std::vector<cuts> ways{{}, {0}, {1}, {99, 1, 0, 0, 50}, {0, 100, 20}, {150}};
    for (const std::size_t length : {std::size_t{150}, std::size_t{239}, std::size_t{10000}})
        run(2, [&](auto& t) {
            using T = transport_of<decltype(t)>;
            const rank_type peer = 1 - t.rank();
            for (const cuts& from : ways)
                for (const cuts& into : ways) {
                    sends<T> out;
                    receives<T> in;
                    add(out, t, peer, 2U, pattern(length, 7), from);
                    add(in, t, peer, 2U, length, into);
                    wait_all(t, out, in);
                    expect(in[0]->data == pattern(length, 7), "the pieces came out wrong");
                }
        });
};

inline constexpr auto all_lengths = [](const auto& run, const settings& with) {
    std::vector<std::size_t> lengths;
    for (std::size_t n = 0; n <= 300; ++n) lengths.push_back(n);
    for (std::size_t n = 512; n <= with.longest; n *= 2) lengths.insert(lengths.end(), {n - 1, n, n + 1});
    lengths.push_back(with.longest);
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        for (std::size_t n : lengths) { // there and back
            sends<T> out;
            receives<T> in;
            if (t.rank() == 1) {
                add(in, t, 0, 0U, n);
                wait_all(t, out, in);
                add(out, t, 0, 0U, in[0]->data);
                in.clear();
                wait_all(t, out, in);
            } else {
                add(out, t, 1, 0U, pattern(n, 3));
                add(in, t, 1, 0U, n);
                wait_all(t, out, in);
                expect(in[0]->data == pattern(n, 3), "a message of " + std::to_string(n) + " bytes is wrong");
            }
        }
    });
};

inline constexpr auto exchange_at_once = [](const auto& run, const settings& with) {
    for (rank_type size = 2; size <= with.most_ranks; size += 3)
        run(size, [&](auto& t) {
            using T = transport_of<decltype(t)>;
            // A ring: everybody sends to the right before anybody receives.
            const rank_type right = (t.rank() + 1) % size;
            const rank_type left = (t.rank() + size - 1) % size;
            for (std::uint32_t i = 0; i < 10; ++i) {
                sends<T> out;
                receives<T> in;
                add(out, t, right, i, pattern(100000, static_cast<std::uint32_t>(t.rank()) + i));
                add(in, t, left, i, std::size_t{100000});
                wait_all(t, out, in);
                expect(in[0]->data == pattern(100000, static_cast<std::uint32_t>(left) + i), "wrong data");
            }
        });
};

inline constexpr auto all_to_all_storm = [](const auto& run, const settings& with) {
    run(with.most_ranks, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        const auto content = [](rank_type from, rank_type to, std::uint32_t i) {
            const auto seed = static_cast<std::uint32_t>(from * 1000 + to * 10) + i * 100003U;
            return pattern(seed * 2654435761U % 700, seed);
        };
        for (std::uint32_t wave = 0; wave < 3; ++wave) {
            sends<T> out;
            receives<T> in;
            std::vector<bytes> expected;
            for (std::uint32_t i = 0; i < 8; ++i)
                for (rank_type peer = 0; peer < t.size(); ++peer) {
                    if (peer == t.rank()) continue;
                    add(out, t, peer, wave + i % 2, content(t.rank(), peer, i));
                    expected.push_back(content(peer, t.rank(), i));
                    add(in, t, peer, wave + i % 2, expected.back().size());
                }
            wait_all(t, out, in);
            for (std::size_t i = 0; i < in.size(); ++i) expect(in[i]->data == expected[i], "wrong data");
        }
    });
};

inline constexpr auto wrong_length_is_an_error = [](const auto& run, const settings&) {
    for (const std::size_t sent : {std::size_t{0}, std::size_t{8}, std::size_t{1000}})
        for (const std::size_t expected : {std::size_t{1}, std::size_t{9}, std::size_t{999}})
            run(2, [&](auto& t) {
                using T = transport_of<decltype(t)>;
                if (t.rank() == 0) {
                    sending<T> s(t, 1, 0, pattern(sent, 1));
                    try { // the sender may hear of it or not
                        wait(t, s.handle);
                    } catch (const transport_error&) {
                        t.abandon(s.handle);
                    }
                    return;
                }
                receiving<T> r(t, 0, 0, expected);
                std::string what;
                try {
                    wait(t, r.handle);
                } catch (const transport_error& e) {
                    what = e.what();
                }
                expect(what.find(std::to_string(sent)) != std::string::npos
                           && what.find(std::to_string(expected)) != std::string::npos,
                       "a wrong length must give an error that names both lengths, not '" + what + "'");
                expect(std::all_of(r.data.begin(), r.data.end(),
                                   [](std::byte b) { return b == std::byte{0xEE}; }),
                       "a message of the wrong length must not be delivered");
            });
};

inline constexpr auto abandoned_memory_is_left_alone = [](const auto& run, const settings&) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        const rank_type peer = 1 - t.rank();
        typename T::handle nothing{};
        t.abandon(nothing);
        receiving<T> kept(t, peer, 6, 1000); // nobody ever sends to it
        t.abandon(kept.handle);
        expect(t.test(kept.handle), "an abandoned handle counts as complete");
        if (t.rank() == 0) {
            sending<T> never(t, 1, 7, pattern(100000, 1));
            const bool buffered =
                t.test(never.handle); // then it is too late, and the message has to be received
            t.abandon(never.handle);
            sending<T> news(t, 1, 9, bytes(1, std::byte{buffered}));
            wait(t, news.handle);
        } else {
            receiving<T> news(t, 0, 9, 1);
            wait(t, news.handle);
            if (news.data[0] == std::byte{1}) {
                receiving<T> late(t, 0, 7, 100000);
                wait(t, late.handle);
                expect(late.data == pattern(100000, 1), "a send was complete, but its data is lost");
            }
        }
        for (std::uint32_t i = 0; i < 40; ++i) { // other channels go on
            sends<T> out;
            receives<T> in;
            add(out, t, peer, 8U, pattern(1000, i));
            add(in, t, peer, 8U, std::size_t{1000});
            wait_all(t, out, in);
            expect(in[0]->data == pattern(1000, i), "wrong data after abandoning");
        }
        expect(
            std::all_of(kept.data.begin(), kept.data.end(), [](std::byte b) { return b == std::byte{0xEE}; }),
            "an abandoned receive was written to");
    });
};

inline constexpr auto bad_peers_are_refused = [](const auto& run, const settings&) {
    run(2, [&](auto& t) {
        for (const rank_type peer : {-1, 2}) {
            int refused = 0;
            try {
                t.start_send(peer, 0, {});
            } catch (const error&) {
                ++refused;
            }
            try {
                t.start_recv(peer, 0, {});
            } catch (const error&) {
                ++refused;
            }
            expect(refused == 2, "a peer outside 0..size-1 must be refused");
        }
    });
};

/// folding_transport: messages of several peers are held at once, read in place, and released in any order.
inline constexpr auto take_and_release = [](const auto& run, const settings&) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{8}, std::size_t{200}, std::size_t{50000}})
        run(4, [&](auto& t) {
            using T = transport_of<decltype(t)>;
            if constexpr (folding_transport<T>) {
                sends<T> out;
                receives<T> in;
                for (std::uint32_t i = 0; i < 30; ++i) {
                    if (t.rank() != 0) {
                        const auto seed = static_cast<std::uint32_t>(t.rank()) * 100 + i;
                        add(out, t, 0, 3U, pattern(length, seed), std::vector<std::size_t>{length / 3});
                        continue;
                    }
                    std::vector<typename T::incoming> held(3);
                    for (rank_type from = 1; from <= 3; ++from) {
                        auto& message = held[static_cast<std::size_t>(from - 1)];
                        for (std::uint32_t turns = 0; !t.take(from, 3, message); ++turns) t.idle(turns);
                    }
                    for (std::uint32_t k : {1U, 2U, 0U}) {
                        bytes whole;
                        for (const auto& piece : gather_list(held[k].pieces()))
                            whole.insert(whole.end(), piece.begin(), piece.end());
                        expect(whole == pattern(length, (k + 1) * 100 + i),
                               "a message that was held is wrong");
                        t.release(held[k]);
                    }
                }
                wait_all(t, out, in);
            }
        });
};

/// eager_transport: as many messages as promised are taken without any receive, and keep their order with
/// sends.
inline constexpr auto eager_posts = [](const auto& run, const settings&) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        if constexpr (eager_transport<T>) {
            const std::size_t most = T::eager_bytes();
            const auto content = [&](std::size_t i) {
                return pattern(i % 2 == 0 ? most : i % (most + 1), static_cast<std::uint32_t>(i));
            };
            const std::size_t depth = T::eager_depth();
            if (t.rank() == 0)
                for (std::size_t i = 0; i < depth; ++i)
                    expect(t.try_post(1, 0, content(i)), "try_post took fewer messages than promised");
            for (std::size_t i = 0; i < 20 * depth; ++i) {
                if (t.rank() == 0) {
                    if (i < depth) continue;
                    const bytes data = content(i);
                    for (std::uint32_t turns = 0; !t.try_post(1, 0, data); ++turns) t.idle(turns);
                } else {
                    typename T::incoming message;
                    for (std::uint32_t turns = 0; !t.take(0, 0, message); ++turns) t.idle(turns);
                    bytes whole;
                    for (const auto& piece : gather_list(message.pieces()))
                        whole.insert(whole.end(), piece.begin(), piece.end());
                    expect(whole == content(i), "eager message " + std::to_string(i) + " is wrong");
                    t.release(message);
                }
            }
        }
    });
};

/// closing_transport: a channel whose messages have all been received closes without complaint.
inline constexpr auto clean_channels_close = [](const auto& run, const settings&) {
    run(2, [&](auto& t) {
        using T = transport_of<decltype(t)>;
        if constexpr (closing_transport<T>) {
            for (channel_type c = 0; c < 5; ++c) {
                sends<T> out;
                receives<T> in;
                add(out, t, 1 - t.rank(), c, pattern(100, c));
                add(in, t, 1 - t.rank(), c, std::size_t{100});
                wait_all(t, out, in);
                t.close(c);
            }
        }
    });
};

/// Calls f(name, check) for every check.
template <class F>
void for_each_check(F&& f) {
    f("ranks and size", ranks_and_size);
    f("order within a channel", order_within_a_channel);
    f("many messages outstanding", many_messages_outstanding);
    f("channels do not mix and may wrap", channels_do_not_mix_and_may_wrap);
    f("empty messages", empty_messages);
    f("pieces may be cut differently", pieces_may_be_cut_differently);
    f("all lengths", all_lengths);
    f("exchange at once", exchange_at_once);
    f("all-to-all storm", all_to_all_storm);
    f("wrong length is an error", wrong_length_is_an_error);
    f("abandoned memory is left alone", abandoned_memory_is_left_alone);
    f("bad peers are refused", bad_peers_are_refused);
    f("take and release", take_and_release);
    f("eager posts", eager_posts);
    f("clean channels close", clean_channels_close);
}

/// Runs all checks. Throws conformance::failure that names the first that failed.
template <class Run>
void check(const Run& run, const settings& with = {}) {
    for_each_check([&](const char* name, const auto& one) {
        try {
            one(run, with);
        } catch (const std::exception& e) {
            throw failure(std::string(name) + ": " + e.what());
        }
    });
}

} // namespace tutti::conformance
