// SPDX-License-Identifier: BSL-1.0
// labels: processes
#include <tutti/transport/processes.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tutti/conformance.hpp>
#include <tutti/transport/shared_buffer.hpp>

#include "support/catch2.hpp"
#include "support/entries.hpp"
#include "support/how_many.hpp"
#include "support/outcomes.hpp"

namespace {

namespace processes = tutti::processes;
using processes::transport;
using processes::way;
using support::contains;
using tutti::rank_type;
using bytes = std::vector<std::byte>;

bytes numbered(std::size_t length, unsigned seed = 0) {
    bytes result(length);
    for (std::size_t i = 0; i < length; ++i) result[i] = static_cast<std::byte>((i * 7 + seed) & 0xffU);
    return result;
}

/// Of a rank: what it throws comes out of the run that it is part of, which CHECK in a rank does not.
void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error(what);
}

void wait_take(transport& t, rank_type peer, transport::incoming& message) {
    for (std::uint32_t turns = 0; !t.take(peer, 3, message); ++turns) t.idle(turns);
}
void wait_test(transport& t, transport::handle& h) {
    for (std::uint32_t turns = 0; !t.test(h); ++turns) t.idle(turns);
}
bytes content(transport& t, const transport::incoming& message) {
    if (!message.is_away()) return tutti::detail::joined(message.pieces());
    bytes whole(message.bytes());
    t.fetch(message, 0, whole);
    return whole;
}

/// Rank and text of what comes out of a run; -1 and "" if nothing does.
template <class F>
std::pair<rank_type, std::string> failure_of(rank_type size, F&& f, const processes::options& how = {}) {
    try {
        processes::run_transports(size, f, how);
    } catch (const processes::rank_failed& e) {
        return {e.rank(), e.what()};
    }
    return {tutti::no_rank, ""};
}

} // namespace

TEST_CASE("the transport of processes conforms, whichever way long messages take",
          "[transport][processes][conformance]") {
    const rank_type most = GENERATE(as<rank_type>{}, 2, 9);
    const auto how = GENERATE(as<processes::options>{}, processes::options{},
                              processes::options{.long_messages = way::read_from_sender},
                              processes::options{.long_messages = way::through_segment},
                              processes::options{.shared_bytes = 0, .long_messages = way::through_segment});
    CAPTURE(most, how.shared_bytes);
    tutti::conformance::for_each_check([&](const auto& one) {
        // Those who bring something cannot run the steps of another process: a thread of it does, and the
        // checks of errands would need memory in which ranks tell each other of that.
        if (contains(std::string(one.name), "errands")) return;
        one([&](rank_type size, auto&& body) { processes::run_transports(size, body, how); },
            {.most_ranks = most});
    });
}

TEST_CASE("a long message is read out of the memory of its sender, which waits for that",
          "[transport][processes]") {
    const bool in_pieces = GENERATE(false, true);
    const auto what = failure_of(
        2,
        [&](transport& t) {
            const bytes data = numbered(100'000);
            std::vector<std::span<const std::byte>> pieces{data};
            if (in_pieces) { // so many that they are looked up in two parts
                pieces.clear();
                for (std::size_t at = 0; at < data.size(); at += 1000)
                    pieces.push_back(std::span(data).subspan(at, 1000));
            }
            if (t.rank() == 0) {
                auto send = t.start_send(1, 3, pieces);
                require(!t.test(send), "the send was over before anybody received");
                wait_test(t, send);
            } else {
                transport::incoming message;
                wait_take(t, 0, message);
                require(message.is_away() && message.pieces().empty() && message.bytes() == data.size(),
                        "it is not in the sender's memory");
                require(content(t, message) == data, "wrong content");
                bytes part(1777);
                t.fetch(message, 65'500, part);
                require(std::memcmp(part.data(), data.data() + 65'500, part.size()) == 0, "wrong part");
                t.release(message);
            }
        },
        {.long_messages = way::read_from_sender});
    CHECK(what.second == "");
}

TEST_CASE("what has up to 4 MiB, or 32 KiB, is copied to common memory, as long as there is room",
          "[transport][processes]") {
    const way long_messages = GENERATE(way::by_length, way::read_from_sender);
    const std::size_t most = long_messages == way::by_length ? 4 << 20 : 32 << 10;
    struct expected {
        std::size_t shared_bytes, bytes, copied; // so many of three that are under way at once
    };
    const auto one = std::array{expected{4 * most, most, 3}, expected{4 * most, most + 1, 0},
                                expected{3 * most, most, 3}, expected{2 * most, most, 2},
                                expected{4096, most, 0},     expected{0, most, 0}}[GENERATE(range(0U, 6U))];
    CAPTURE(one.shared_bytes, one.bytes);
    const auto what = failure_of(2,
                                 [&](transport& t) {
                                     const bytes data = numbered(one.bytes + 2); // each from elsewhere
                                     std::array<std::span<const std::byte>, 3> pieces;
                                     for (std::size_t k = 0; k < 3; ++k)
                                         pieces[k] = std::span(data).subspan(k, one.bytes);
                                     for (int again = 0; again < 3; ++again) { // what was copied makes room
                                         if (t.rank() == 0) {
                                             std::vector<transport::handle> sends;
                                             for (const auto& piece : pieces)
                                                 sends.push_back(t.start_send(1, 3, {&piece, 1}));
                                             for (auto& send : sends) wait_test(t, send);
                                         } else {
                                             for (std::size_t k = 0; k < 3; ++k) {
                                                 transport::incoming message;
                                                 wait_take(t, 0, message);
                                                 require(message.is_away() == (k >= one.copied),
                                                         "copied, or not, against expectation");
                                                 require(std::ranges::equal(content(t, message), pieces[k]),
                                                         "wrong content");
                                                 t.release(message);
                                             }
                                         }
                                     }
                                 },
                                 {.shared_bytes = one.shared_bytes, .long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("what goes to several ranks out of the same memory is copied once, and again when it has changed",
          "[transport][processes]") {
    constexpr std::size_t most = 32'768; // and room for one copy
    const bool gives_up = GENERATE(false, true);
    const auto what =
        failure_of(4,
                   [&](transport& t) {
                       for (std::uint8_t turn = 0; turn < 3; ++turn) {
                           if (t.rank() == 0) {
                               bytes data(most, std::byte{turn});
                               const std::span<const std::byte> piece(data);
                               std::vector<transport::handle> sends;
                               for (tutti::rank_type r = 1; r < 4; ++r)
                                   sends.push_back(t.start_send(r, 3, {&piece, 1}));
                               for (auto& send : sends) wait_test(t, send);
                               if (!gives_up) continue;
                               auto send = t.start_send(1, 4, {&piece, 1}); // nobody takes this one
                               t.abandon(send);
                           } else {
                               transport::incoming message;
                               wait_take(t, 0, message);
                               require(!message.is_away(), "it has not been copied");
                               require(content(t, message) == bytes(most, std::byte{turn}), "wrong content");
                               t.release(message);
                           }
                       }
                   },
                   {.shared_bytes = most});
    CHECK(what.second == "");
}

TEST_CASE("a copy that is read behind its sender's back is not sent again", "[transport][processes]") {
    constexpr std::size_t most = 32'768;
    const auto what =
        failure_of(3,
                   [&](transport& t) {
                       const bytes one(1);
                       const std::span<const std::byte> word(one);
                       const auto tell = [&](tutti::rank_type peer) {
                           auto send = t.start_send(peer, 3, {&word, 1});
                           wait_test(t, send);
                       };
                       const auto hear = [&](tutti::rank_type peer) {
                           transport::incoming message;
                           wait_take(t, peer, message);
                           t.release(message);
                       };
                       transport::incoming message;
                       if (t.rank() == 0) {
                           bytes data(most, std::byte{1});
                           const std::span<const std::byte> piece(data);
                           auto first = t.start_send(1, 3, {&piece, 1});
                           hear(1);
                           t.abandon(first);
                           std::ranges::fill(data, std::byte{2});
                           auto second = t.start_send(2, 3, {&piece, 1});
                           wait_test(t, second);
                       } else if (t.rank() == 1) {
                           wait_take(t, 0, message);
                           tell(0);
                           hear(2);
                           require(content(t, message) == bytes(most, std::byte{1}), "it has changed");
                           t.release(message);
                       } else {
                           wait_take(t, 0, message);
                           require(content(t, message) == bytes(most, std::byte{2}), "an old copy");
                           t.release(message);
                           tell(1);
                       }
                   },
                   {.shared_bytes = 2 * most});
    CHECK(what.second == "");
}

TEST_CASE("a message out of a shared_buffer is read where it lies", "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    const auto what =
        failure_of(2,
                   [](transport& t) {
                       tutti::shared_buffer<std::uint64_t> mine(t, 10'000);
                       if (t.rank() == 0) {
                           mine[9'999] = 5;
                           const auto data = std::as_bytes(std::span(mine.data(), mine.size()));
                           auto send = t.start_send(1, 3, {&data, 1});
                           wait_test(t, send);
                           require(mine[9'999] == 6, "the receiver has read a copy");
                       } else {
                           transport::incoming message;
                           wait_take(t, 0, message);
                           require(!message.is_away() && message.bytes() == 80'000, "it is away");
                           auto* const there = reinterpret_cast<std::uint64_t*>(
                               const_cast<std::byte*>(message.pieces().front().data()));
                           require(there[9'999] == 5, "wrong content");
                           there[9'999] = 6;
                           t.release(message);
                       }
                   },
                   {.long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("a message of several pieces of a shared_buffer is read where they lie", "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    const std::size_t many = GENERATE(as<std::size_t>{}, 3, 13, 14, 100);
    const auto what = failure_of(
        2,
        [&](transport& t) {
            tutti::shared_buffer<std::uint64_t> mine(t, 400 * many);
            if (t.rank() == 0) {
                std::byte* const gap =
                    t.allocate(64); // too small for a list of more pieces than a slot holds
                const tutti::shared_buffer<std::uint64_t> behind(t, 200);
                t.deallocate(gap);
                for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = k;
                const auto all = std::as_bytes(std::span(mine.data(), mine.size()));
                for (int round = 0; round < 2; ++round) {
                    std::vector<std::span<const std::byte>> pieces;
                    for (std::size_t k = many;
                         k-- > 0;) { // the last comes first, and empty ones do not count
                        pieces.push_back(all.subspan(3200 * k, 1600));
                        pieces.push_back(all.first(0));
                    }
                    auto dropped = t.start_send(1, 4, pieces);
                    auto send = t.start_send(1, 3, pieces);
                    t.abandon(dropped);
                    wait_test(t, send);
                }
                require(mine[7] == 6, "the receiver has read a copy");
                require(std::count(behind.begin(), behind.end(), 0U) == 200,
                        "a list is longer than its place");
            } else {
                for (int round = 0; round < 2; ++round) {
                    transport::incoming message;
                    wait_take(t, 0, message);
                    require(!message.is_away() && message.bytes() == 1600 * many, "it is away");
                    require(message.pieces().size() == many, "it has other pieces");
                    for (std::size_t k = 0; k < many; ++k) {
                        const auto piece = message.pieces()[k];
                        auto* const there =
                            reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(piece.data()));
                        require(piece.size() == 1600, "a piece has another length");
                        for (std::size_t i = 0; i < 200; ++i)
                            require(there[i] == 400 * (many - 1 - k) + i || k + 1 == many, "wrong content");
                        if (k + 1 == many) there[7] = 6;
                    }
                    t.release(message);
                }
            }
        },
        {.long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("a long message is received into several pieces, whichever way it comes",
          "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    const auto what = failure_of(2,
                                 [&](transport& t) {
                                     const bytes data = numbered(200'000);
                                     const std::span<const std::byte> sent(data);
                                     const std::array out{sent.first(70'000), sent.subspan(70'000)};
                                     if (t.rank() == 0) {
                                         auto send = t.start_send(1, 3, out);
                                         wait_test(t, send);
                                     } else {
                                         bytes got(data.size());
                                         const std::span<std::byte> all(got);
                                         const std::array into{all.first(7), all.subspan(7, 0),
                                                               all.subspan(7, 120'000), all.subspan(120'007)};
                                         auto receive = t.start_recv(0, 3, into);
                                         wait_test(t, receive);
                                         require(got == data, "wrong content");
                                     }
                                 },
                                 {.long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("where there is no room for a list of pieces, or for a copy, what they hold comes all the same",
          "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    constexpr std::size_t all_there_is = 1 << 16;
    const auto what = failure_of(
        2,
        [&](transport& t) {
            const bytes data = numbered(all_there_is);
            if (t.rank() == 0) {
                tutti::shared_buffer<std::byte> mine(t, all_there_is);
                std::copy(data.begin(), data.end(), mine.begin());
                std::vector<std::span<const std::byte>> pieces;
                for (std::size_t at = 0; at < 20'000; at += 1000)
                    pieces.emplace_back(mine.begin() + at, 1000);
                auto send = t.start_send(1, 3, pieces);
                wait_test(t, send);
            } else {
                transport::incoming message;
                wait_take(t, 0, message);
                require(content(t, message) == bytes(data.begin(), data.begin() + 20'000), "wrong content");
                t.release(message);
            }
        },
        {.shared_bytes = all_there_is, .long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("the shortest messages that no slot holds come by every way that there is",
          "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    constexpr std::size_t length = transport::eager_bytes() + 1;
    constexpr std::size_t some = tutti::detail::copies_at_once; // so many have a place in the mailbox
    const auto what = failure_of(
        2,
        [&](transport& t) {
            const bytes data = numbered(length);
            if (t.rank() == 0) {
                tutti::shared_buffer<std::byte> mine(t, length);
                std::copy(data.begin(), data.end(), mine.begin());
                const std::span<const std::byte> ordinary(data), shared(mine.begin(), length);
                const std::array swapped{shared.subspan(length - 9), shared.first(length - 9)};
                std::vector<transport::handle> sends;
                for (std::size_t k = 0; k < some + 1; ++k)
                    sends.push_back(t.start_send(1, 3, {&ordinary, 1}));
                sends.push_back(t.start_send(1, 3, {&shared, 1}));
                sends.push_back(t.start_send(1, 3, swapped));
                for (auto& send : sends) wait_test(t, send);
            } else {
                std::vector<transport::incoming> messages(some + 3); // held, so that no place becomes free
                for (transport::incoming& message : messages) wait_take(t, 0, message);
                for (std::size_t k = 0; k < messages.size(); ++k) {
                    bytes expected = data;
                    if (k + 1 == messages.size())
                        std::rotate(expected.begin(), expected.end() - 9, expected.end());
                    require(content(t, messages[k]) == expected, "wrong content");
                    t.release(messages[k]);
                }
            }
        },
        {.long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("through the segment, messages of any length come, however little room there is",
          "[transport][processes]") {
    const std::size_t shared = GENERATE(as<std::size_t>{}, 0, 128'000, std::size_t{1} << 20);
    const std::size_t length = GENERATE(as<std::size_t>{}, 60'000, 262'145, 5'000'000);
    const auto what =
        failure_of(2,
                   [&](transport& t) {
                       const rank_type peer = 1 - t.rank();
                       const bytes data = numbered(length);
                       std::vector<std::span<const std::byte>> pieces;
                       for (std::size_t at = 0, n = 0; at < length; at += n, n = n * 3 % 70'001 + 1) {
                           n = std::min(n, length - at);
                           pieces.push_back(std::span(data).subspan(at, n));
                       }
                       for (int round = 0; round < 10; ++round) {
                           // Both at once, and in another order than they are received in.
                           std::vector<transport::handle> sends;
                           for (const tutti::channel_type channel : {3U, 4U, 5U, 6U, 3U})
                               sends.push_back(t.start_send(peer, channel, pieces));
                           const auto go_on = [&](std::uint32_t turns) {
                               for (auto& one : sends) t.test(one);
                               t.idle(turns);
                           };
                           t.abandon(sends[3]);
                           for (const tutti::channel_type channel : {5U, 3U, 4U, 3U}) {
                               transport::incoming message;
                               for (std::uint32_t turns = 0; !t.take(peer, channel, message); ++turns)
                                   go_on(turns);
                               require(content(t, message) == data, "wrong content");
                               t.release(message);
                           }
                           for (auto& one : sends) wait_test(t, one);
                       }
                   },
                   {.shared_bytes = shared, .long_messages = way::through_segment});
    CHECK(what.second == "");
}

TEST_CASE("a long message goes on through the segment while its sender waits for something else",
          "[transport][processes]") {
    const auto what =
        failure_of(2,
                   [&](transport& t) {
                       const bytes data = numbered(3'000'000);
                       const std::span<const std::byte> piece(data);
                       transport::incoming message;
                       if (t.rank() == 0) {
                           auto send = t.start_send(1, 3, {&piece, 1});
                           wait_take(t, 1, message); // which comes when it has arrived
                           t.release(message);
                           wait_test(t, send);
                       } else {
                           wait_take(t, 0, message);
                           require(content(t, message) == data, "wrong content");
                           t.release(message);
                           require(t.try_post(0, 3, std::span(data).first(8)), "the mailbox is full");
                       }
                   },
                   {.shared_bytes = 0, .long_messages = way::through_segment});
    CHECK(what.second == "");
}

TEST_CASE("a long message that is given up on its way spoils none that follow", "[transport][processes]") {
    const auto what =
        failure_of(2,
                   [&](transport& t) {
                       const bytes first = numbered(3'000'000), second = numbered(1'000'000, 5);
                       transport::incoming message;
                       if (t.rank() == 0) {
                           for (int round = 0; round < 20; ++round) {
                               const std::span<const std::byte> one(first), other(second);
                               auto dropped = t.start_send(1, 3, {&one, 1});
                               for (int k = 0; k < 10 * round; ++k) t.test(dropped);
                               t.abandon(dropped);
                               auto send = t.start_send(1, 4, {&other, 1});
                               wait_test(t, send);
                           }
                       } else {
                           for (int round = 0; round < 20; ++round) {
                               for (std::uint32_t turns = 0; !t.take(0, 4, message); ++turns) t.idle(turns);
                               require(content(t, message) == second, "wrong content");
                               t.release(message);
                               std::string why;
                               try {
                                   if (t.take(0, 3, message)) t.release(message);
                               } catch (const tutti::transport_error& e) {
                                   why = e.what();
                               }
                               require(contains(why, "was abandoned by its sender"), "it came: " + why);
                           }
                       }
                   },
                   {.shared_bytes = 0, .long_messages = way::through_segment});
    CHECK(what.second == "");
}

TEST_CASE("a rank that dies, or has left, while a long message is on its way is named",
          "[transport][processes]") {
    const rank_type dies = GENERATE(as<rank_type>{}, 0, 1);
    const bool killed = GENERATE(true, false);
    const auto what =
        failure_of(2,
                   [&](transport& t) {
                       const bytes data = numbered(3'000'000);
                       const std::span<const std::byte> piece(data);
                       transport::incoming message;
                       auto send = t.rank() == 0 ? t.start_send(1, 3, {&piece, 1}) : transport::handle{};
                       // Some of it has been read, and no more is written, when one of them goes.
                       const auto meet = [&] {
                           require(t.try_post(1 - t.rank(), 4, {}), "no room");
                           transport::incoming said;
                           while (!t.take(1 - t.rank(), 4, said)) std::this_thread::yield();
                           t.release(said);
                       };
                       meet();
                       if (t.rank() == 1) require(!t.take(0, 3, message), "all of it has come");
                       meet();
                       if (t.rank() == dies) {
                           if (killed) ::raise(SIGKILL);
                           return;
                       }
                       if (t.rank() == 0)
                           wait_test(t, send);
                       else
                           wait_take(t, 0, message);
                   },
                   {.shared_bytes = 0, .long_messages = way::through_segment});
    CHECK(what.first == (killed ? dies : 1 - dies));
    CHECK(contains(what.second, killed ? "killed by signal 9" : "which has returned"));
}

TEST_CASE("processes need no memory to share, and cannot have more than there is", "[transport][processes]") {
    const way long_messages = way::read_from_sender;
    const auto nothing =
        failure_of(2,
                   [](transport& t) {
                       const bytes data = numbered(50'000, static_cast<unsigned>(t.rank()));
                       const std::span<const std::byte> piece(data);
                       auto send = t.start_send(1 - t.rank(), 3, {&piece, 1});
                       transport::incoming message;
                       wait_take(t, 1 - t.rank(), message);
                       require(content(t, message) == numbered(50'000, static_cast<unsigned>(1 - t.rank())),
                               "wrong content");
                       t.release(message);
                       wait_test(t, send);
                   },
                   {.shared_bytes = 0, .long_messages = long_messages});
    CHECK(nothing.second == "");
    for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{0} / 4, std::size_t{1} << 62})
        CHECK_THROWS_AS(processes::world(4, {.shared_bytes = bytes}), tutti::error);
    processes::world group(2, {.shared_bytes = 4096});
    CHECK_THROWS_AS(group.transport(1), tutti::error); // this process has not joined
}

TEST_CASE("the deaths of ranks are told where the system reaps their processes", "[transport][processes]") {
    struct sigaction ignored {
    }, before{};
    ignored.sa_handler = SIG_IGN;
    ::sigaction(SIGCHLD, &ignored, &before);
    const auto what = failure_of(3, [](transport& t) {
        if (t.rank() == 1) ::raise(SIGKILL);
        transport::incoming message;
        wait_take(t, 1, message);
    });
    ::sigaction(SIGCHLD, &before, nullptr);
    CHECK(what.first == 1);
    CHECK(contains(what.second, "its process has ended"));
}

TEST_CASE("a sender that gives up does not wait for a process that is stopped while it reads",
          "[transport][processes]") {
    const way long_messages = GENERATE(way::read_from_sender, way::through_segment);
    const auto what = failure_of(
        2,
        [](transport& t) {
            bytes data = numbered(100'000);
            const std::span<const std::byte> piece(data);
            if (t.rank() == 0) {
                transport::incoming told;
                auto send = t.start_send(1, 3, {&piece, 1});
                wait_take(t, 1, told); // it holds the message now
                const auto length = told.pieces().front().size();
                t.release(told);
                require(length == 8, "no greeting");
                t.abandon(send);
                std::fill(data.begin(), data.end(), std::byte{0});
                require(t.try_post(1, 4, std::span(data).first(8)), "the mailbox is full");
                for (std::uint32_t turns = 0; !t.take(1, 5, told); ++turns) t.idle(turns);
                t.release(told);
            } else {
                transport::incoming message, go_on;
                wait_take(t, 0, message);
                require(t.try_post(0, 3, std::span(data).first(8)), "the mailbox is full");
                for (std::uint32_t turns = 0; !t.take(0, 4, go_on); ++turns) t.idle(turns);
                t.release(go_on);
                std::string why;
                bytes got;
                try {
                    got = content(t, message);
                } catch (const tutti::transport_error& e) {
                    why = e.what();
                }
                // Either the message as it was, or an error; never what was written there afterwards.
                require(got == data || contains(why, "was abandoned by its sender"), "wrong content " + why);
                t.release(message);
                require(t.try_post(0, 5, std::span(data).first(8)), "the mailbox is full");
            }
        },
        {.long_messages = long_messages});
    CHECK(what.second == "");
}

TEST_CASE("more shared memory than there is is refused", "[transport][processes]") {
    constexpr std::size_t most = PTRDIFF_MAX / sizeof(double); // that an array can have
    for (const std::size_t length : {std::size_t{1000}, most}) {
        const auto what = failure_of(1, [&](transport& t) { tutti::shared_buffer<double> x(t, length); },
                                     {.shared_bytes = 4096});
        CHECK(what.first == 0);
        CHECK(contains(what.second,
                       "no " + std::to_string(8 * length) + " bytes of shared memory are left on rank 0"));
    }
    for (const std::size_t bytes : {std::size_t{PTRDIFF_MAX} / 2, std::size_t{PTRDIFF_MAX}})
        CHECK(contains(support::error_of([&] { processes::world(1, {.shared_bytes = bytes}); }),
                       "more shared memory for processes than can be addressed"));
}

TEST_CASE("processes share cores if there are more of them than cores, as this process has them or all say",
          "[transport][processes]") {
    CHECK(processes::world(2).shares_cores() == (tutti::detail::usable_cores() < 2));
    CHECK(processes::world(2, {.cores = 1}).shares_cores());
    CHECK(!processes::world(2, {.cores = 2}).shares_cores());
}

TEST_CASE("the first rank that fails is named, and the others are told why", "[transport][processes]") {
    const auto what = failure_of(4, [](transport& t) {
        if (t.rank() == 2) throw std::runtime_error("its disk is full");
        transport::incoming message;
        try {
            wait_take(t, 3 - t.rank(), message);
        } catch (const tutti::transport_error& e) {
            require(e.lost() && e.peer() == 2 && contains(e.what(), "its disk is full"), e.what());
            throw; // a consequence, which is not reported
        }
    });
    CHECK(what.first == 2);
    CHECK(contains(what.second, "rank 2, a process, failed: its disk is full"));
}

TEST_CASE("a rank that dies, however it does, is named to all others", "[transport][processes]") {
    const int how = GENERATE(0, 1, 2, 3);
    const auto before = support::open_descriptors();
    const auto what = failure_of(3,
                                 [&](transport& t) {
                                     if (t.rank() == 1) {
                                         if (how == 0) ::raise(SIGKILL);
                                         if (how == 1) ::_exit(0);
                                         if (how == 2) ::_exit(7);
                                         const bytes data =
                                             numbered(100'000); // while the others read it, or are about to
                                         const std::span<const std::byte> piece(data);
                                         for (const rank_type peer : {0, 2})
                                             static_cast<void>(t.start_send(peer, 3, {&piece, 1}));
                                         ::raise(SIGKILL);
                                     }
                                     std::string why;
                                     try {
                                         for (;;) {
                                             transport::incoming message;
                                             wait_take(t, 1, message);
                                             require(how == 3, "a message from a dead rank");
                                             const bytes got = content(t, message);
                                             require(got == numbered(100'000), "wrong content");
                                             t.release(message);
                                         }
                                     } catch (const tutti::transport_error& e) {
                                         why = e.what();
                                         require(e.peer() == 1, why);
                                     }
                                     require(contains(why, "rank 1 is lost") || contains(why, "it has ended")
                                                 || contains(why, "cannot be read"),
                                             why);
                                 },
                                 {.long_messages = way::read_from_sender});
    CHECK(what.first == 1);
    CHECK(contains(what.second, how == 1   ? "ended without returning, with status 0"
                                : how == 2 ? "ended without returning, with status 7"
                                           : "killed by signal 9"));
    CHECK(support::open_descriptors() == before);
    CHECK((::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD)); // no zombie
}

TEST_CASE("who reads from a rank that has left because another one died names the one that died",
          "[transport][processes]") {
    auto* const named = static_cast<std::atomic<rank_type>*>(
        ::mmap(nullptr, sizeof(rank_type), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    named->store(tutti::no_rank);
    const auto what =
        failure_of(3,
                   [&](transport& t) {
                       transport::incoming message;
                       if (t.rank() == 2) {
                           wait_take(t, 0, message);
                           ::_exit(9);
                       }
                       const bytes data = numbered(100'000);
                       const std::span<const std::byte> piece(data);
                       try {
                           if (t.rank() == 1) {
                               auto send = t.start_send(0, 3, {&piece, 1});
                               wait_test(t, send);
                           } else {
                               wait_take(t, 1, message);
                               t.try_post(2, 3, {});
                               for (;;) static_cast<void>(content(t, message)); // until rank 1 is no more
                           }
                       } catch (const tutti::transport_error& e) {
                           if (t.rank() == 0) named->store(e.peer());
                       }
                   },
                   {.long_messages = way::read_from_sender});
    CHECK(what.first == 2);
    CHECK(named->load() == 2);
    ::munmap(named, sizeof(rank_type));
}

TEST_CASE("a rank that waits for one that has returned is told so", "[transport][processes]") {
    const auto what = failure_of(2, [](transport& t) {
        transport::incoming message;
        if (t.rank() == 0) wait_take(t, 1, message);
    });
    CHECK(what.first == 0);
    CHECK(contains(what.second, "rank 0 waits for rank 1, which has returned"));
}

TEST_CASE("what a rank writes to its memory no other one sees, and a world serves one run",
          "[transport][processes]") {
    int mine = 0;
    processes::run_transports(3, [&](transport& t) { mine = 1 + t.rank(); });
    CHECK(mine == 0);
}

TEST_CASE("garbage that a rank writes over all that is shared crashes no other one",
          "[transport][processes]") {
    const unsigned seed = GENERATE(range(0U, static_cast<unsigned>(support::how_many("TUTTI_GARBAGE", 16))));
    const way long_messages = seed % 16 < 8 ? way::read_from_sender : way::through_segment;
    constexpr std::size_t each = std::size_t{1} << 18; // less than the longest message
    const auto what = failure_of(
        3,
        [&](transport& t) {
            if (t.rank() == 2) {
                // All before the memory that is rank 0's to hand out, but for a page or two at the
                // beginning; half of it to what lies before the long messages.
                const std::size_t pipes = 9 * sizeof(tutti::detail::pipeline);
                const std::size_t news = sizeof(tutti::detail::shared_news) + 3 * 4096
                                         + 9 * sizeof(tutti::detail::mailbox) + pipes;
                std::byte* const begin = t.allocate(64) - 2 * each - news;
                std::uint32_t x = seed * 747796405U + 1;
                for (int k = 0; k < 2'000'000; ++k) {
                    x = x * 1664525U + 1013904223U;
                    const std::size_t at = x % (k % 2 == 0 ? news : news - pipes);
                    x = x * 1664525U + 1013904223U;
                    begin[at] = static_cast<std::byte>(x >> (seed % 2 == 0 ? 24 : 30));
                }
                ::_exit(9);
            }
            const rank_type peer = 1 - t.rank();
            const bytes data = numbered(std::array<std::size_t, 4>{8, 3000, 20'000, 400'000}[seed % 4]);
            const std::span<const std::byte> piece(data);
            try {
                for (;;) {
                    for (const rank_type to : {peer, rank_type{2}}) {
                        auto send = t.start_send(to, 3, {&piece, 1});
                        transport::incoming message;
                        for (std::uint32_t turns = 0; !t.take(to, 3, message); ++turns) {
                            t.check_call(3, {}, turns);
                            t.test(send);
                            t.idle(turns);
                        }
                        if (message.bytes() <= 1 << 20) static_cast<void>(content(t, message));
                        t.release(message);
                        if (!t.test(send)) t.abandon(send);
                    }
                }
            } catch (const tutti::transport_error&) { // any will do
            }
        },
        {.shared_bytes = each, .long_messages = long_messages});
    CAPTURE(what.second);
    CHECK(!contains(what.second, "killed"));
}
