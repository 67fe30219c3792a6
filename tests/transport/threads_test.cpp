// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <list>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/catch2.hpp"
#include "support/late_ranks.hpp"

namespace {

using tutti::rank_type;
using tutti::threads::transport;
using tutti::threads::world;
using bytes = std::vector<std::byte>;

bytes numbered(std::size_t length, unsigned seed = 0) {
    bytes result(length);
    for (std::size_t i = 0; i < length; ++i) result[i] = static_cast<std::byte>((i * 7 + seed) & 0xffU);
    return result;
}

bytes copy_of(const transport::incoming& message) { return tutti::detail::joined(message.pieces()); }

void wait_take(transport& t, rank_type peer, tutti::channel_type channel, transport::incoming& message) {
    for (std::uint32_t turns = 0; !t.take(peer, channel, message); ++turns) t.idle(turns);
}

void wait_test(transport& t, transport::handle& h) {
    for (std::uint32_t turns = 0; !t.test(h); ++turns) t.idle(turns);
}

std::string error_of(auto&& f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

/// So many that they share cores: there mailboxes are small at first, and become deeper.
rank_type crowd() { return static_cast<rank_type>(tutti::detail::usable_cores()) + 1; }

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Posts the next of 0, 1, 2, ... to rank 1, if there is room for it.
bool post_next(transport& from, std::uint32_t& next) {
    if (!from.try_post(1, 0, std::as_bytes(std::span(&next, 1)))) return false;
    ++next;
    return true;
}
bool has(const transport::incoming& message, std::uint32_t value) {
    return std::memcmp(message.pieces()[0].data(), &value, sizeof value) == 0;
}

} // namespace

TEST_CASE("a small message is complete when it is posted and lies in the mailbox", "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const bytes data = numbered(transport::eager_bytes());
    const std::span<const std::byte> piece(data);
    auto send = a.start_send(1, 3, {&piece, 1});
    CHECK(a.test(send));
    transport::incoming message;
    REQUIRE(b.take(0, 3, message));
    CHECK(copy_of(message) == data);
    CHECK(message.pieces()[0].data() != data.data());
    CHECK(reinterpret_cast<std::uintptr_t>(message.pieces()[0].data()) % 16 == 0);
    b.release(message);
}

TEST_CASE("a long message is read in the sender's memory and its send waits for the release",
          "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const bytes data = numbered(transport::copied_bytes() + 1);
    std::vector<std::span<const std::byte>> pieces{data};
    SECTION("one piece") {}
    SECTION("several pieces") { pieces = {std::span(data).first(5), std::span(data).subspan(5)}; }
    auto send = a.start_send(1, 3, pieces);
    CHECK(!a.test(send));
    transport::incoming message;
    REQUIRE(b.take(0, 3, message));
    CHECK(message.pieces().size() == pieces.size());
    CHECK(message.pieces()[0].data() == data.data());
    CHECK(copy_of(message) == data);
    CHECK(!a.test(send));
    b.release(message);
    CHECK(a.test(send));
}

TEST_CASE("a message of middling length is copied: its sender may write it again, and need not wait",
          "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    const auto take = [&] {
        transport::incoming message;
        REQUIRE(b.take(0, 3, message));
        return message;
    };
    const auto value = [](unsigned k) {
        return numbered(k % 2 == 0 ? transport::copied_bytes() : transport::eager_bytes() + 1, k);
    };
    for (unsigned round = 0; round < 5; ++round) {
        bytes data;
        const auto start = [&](unsigned k, std::vector<std::span<const std::byte>>& pieces) {
            data = value(k);
            pieces = {std::span(data).first(3), std::span(data).subspan(3)};
            return a.start_send(1, 3, pieces);
        };
        std::vector<std::span<const std::byte>> pieces;
        for (unsigned k = 0; k < tutti::detail::copies_at_once; ++k) {
            auto send = start(k, pieces);
            CHECK(a.test(send));
            std::fill(data.begin(), data.end(), std::byte{0});
        }
        auto lent = start(100, pieces);
        CHECK(!a.test(lent)); // no room for another copy
        transport::incoming oldest = take();
        for (unsigned k = 1; k < tutti::detail::copies_at_once; ++k) {
            transport::incoming message = take();
            CHECK(copy_of(message) == value(k));
            b.release(message);
        }
        transport::incoming message = take();
        CHECK(message.pieces()[0].data() == data.data());
        b.release(message);
        CHECK(a.test(lent));
        lent = start(101, pieces);
        CHECK(!a.test(lent)); // the room of the oldest one, which is still held, is not used again
        CHECK(copy_of(oldest) == value(0));
        b.release(oldest);
        message = take();
        b.release(message);
        CHECK(a.test(lent));
    }
}

TEST_CASE("ranks with cores of their own that exchange messages copy shorter ones alone",
          "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    // Whether it was copied.
    const auto sent = [](transport& from, transport& to, std::size_t length) {
        const bytes data = numbered(length);
        const std::span<const std::byte> piece(data);
        auto send = from.start_send(to.rank(), 3, {&piece, 1});
        const bool copied = from.test(send);
        transport::incoming message;
        REQUIRE(to.take(from.rank(), 3, message));
        CHECK(copy_of(message) == data);
        to.release(message);
        CHECK(from.test(send));
        return copied;
    };
    const std::size_t most = transport::copied_bytes();
    for (int again = 0; again < 3; ++again) {
        CHECK(sent(b, a, 8));
        CHECK(sent(a, b, most) == group.shares_cores()); // an answer
        CHECK(sent(a, b, most));                         // one more is none
        CHECK(sent(b, a, most) == group.shares_cores());
        CHECK(sent(a, b, most / 2));
        CHECK(sent(b, a, most / 2 + 1) == group.shares_cores());
    }
}

TEST_CASE("a mailbox takes as many eager messages as promised and then says that it is full",
          "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    for (int round = 0; round < 5; ++round) {
        std::uint32_t posted = 0;
        while (a.try_post(1, 0, std::as_bytes(std::span(&posted, 1)))) ++posted;
        CHECK(posted == a.depth());
        for (std::uint32_t i = 0; i < posted; ++i) {
            transport::incoming message;
            REQUIRE(b.take(0, 0, message));
            std::uint32_t value = 99;
            std::memcpy(&value, message.pieces()[0].data(), sizeof value);
            CHECK(value == i);
            b.release(message);
        }
    }
}

TEST_CASE("replies tell the sender which of its messages are consumed", "[transport][threads]") {
    // Longer than the ring, and neither side ever sees it full.
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    for (std::uint64_t i = 0; i < 100; ++i) {
        transport::incoming message;
        REQUIRE(a.try_post(1, 0, std::as_bytes(std::span(&i, 1))));
        REQUIRE(b.take(0, 0, message));
        b.release(message);
        REQUIRE(b.try_post(0, 0, std::as_bytes(std::span(&i, 1))));
        REQUIRE(a.take(1, 0, message));
        CHECK(message.pieces()[0].size() == sizeof i);
        a.release(message);
    }
}

TEST_CASE("sends beyond the ring keep their order whichever of them is tested", "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    std::vector<std::uint32_t> values(70);
    std::vector<std::span<const std::byte>> pieces(values.size());
    std::vector<transport::handle> sends;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        values[i] = i;
        pieces[i] = std::as_bytes(std::span(&values[i], 1));
        sends.push_back(a.start_send(1, 0, {&pieces[i], 1}));
    }
    CHECK(!a.test(sends.back()));
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        for (auto h = sends.rbegin(); h != sends.rend(); ++h) a.test(*h); // the last one first
        transport::incoming message;
        REQUIRE(b.take(0, 0, message));
        CHECK(has(message, i));
        b.release(message);
    }
    for (auto& h : sends) CHECK(a.test(h));
}

TEST_CASE("several messages of one peer may be held and released in any order", "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    for (std::uint32_t i = 0; i < 3; ++i) REQUIRE(a.try_post(1, i, std::as_bytes(std::span(&i, 1))));
    std::vector<transport::incoming> held(3);
    for (std::uint32_t i : {2U, 0U, 1U}) REQUIRE(b.take(0, i, held[i])); // 0 and 1 are moved out of the way
    for (std::uint32_t i : {0U, 2U, 1U}) {
        CHECK(has(held[i], i));
        b.release(held[i]);
    }
    std::uint32_t more = 0;
    while (a.try_post(1, 9, std::as_bytes(std::span(&more, 1)))) ++more;
    CHECK(more == a.depth());
}

TEST_CASE("a long message on another channel is put aside without being copied, and can be taken back",
          "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const std::vector<std::byte> large(10000, std::byte{7});
    const std::span<const std::byte> piece(large);
    const std::uint32_t small = 5;
    auto first = a.start_send(1, 1, {&piece, 1});
    auto second = a.start_send(1, 2, {&piece, 1});
    REQUIRE(a.try_post(1, 3, std::as_bytes(std::span(&small, 1))));
    transport::incoming message;
    REQUIRE(b.take(0, 3, message)); // both long ones are in the way
    b.release(message);
    CHECK(!a.test(first));
    a.abandon(first);
    CHECK_THROWS_AS(b.take(0, 1, message), tutti::transport_error);
    REQUIRE(b.take(0, 2, message));
    CHECK(message.pieces()[0].data() == large.data()); // where it was
    CHECK(!a.test(second));
    b.release(message);
    CHECK(a.test(second));
}

TEST_CASE("who awaits a message that was taken back because its call was called off is told why",
          "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const std::vector<std::byte> large(10000, std::byte{7});
    const std::span<const std::byte> piece(large);
    auto send = a.start_send(1, 1, {&piece, 1});
    transport::incoming message;
    CHECK(!b.take(0, 2, message)); // puts the other one aside
    a.call_off(1, "the reason");
    a.abandon(send);
    CHECK(contains(error_of([&] { b.take(0, 1, message); }), "the reason"));
}

TEST_CASE("a long message that was taken ends its send, though an older one is put aside",
          "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const std::vector<std::byte> large(transport::copied_bytes() + 1, std::byte{7});
    const std::span<const std::byte> piece(large);
    const std::uint32_t one = 1;
    const int shift = GENERATE(0, 1); // so that either message of a pair may have any slot
    transport::incoming small;
    if (shift == 1 && a.try_post(1, 0, std::as_bytes(std::span(&one, 1))) && b.take(0, 0, small))
        b.release(small);
    for (int again = 0; again < 70; ++again) { // the ring wraps
        auto first = a.start_send(1, 1, {&piece, 1});
        auto second = a.start_send(1, 2, {&piece, 1});
        transport::incoming message;
        REQUIRE(b.take(0, 2, message));
        CHECK(!a.test(second));
        b.release(message);
        CHECK(a.test(second));
        CHECK(!a.test(first));
        REQUIRE(b.take(0, 1, message));
        CHECK(!a.test(first));
        b.release(message);
        CHECK(a.test(first));
    }
}

TEST_CASE("what was released before an older message is not taken for released when its slot comes round",
          "[transport][threads]") {
    const std::vector<std::byte> large(transport::copied_bytes() + 1, std::byte{7});
    const std::span<const std::byte> piece(large);
    const std::uint32_t value = 1;
    const int before = GENERATE(0, 63); // the ring may be anywhere
    for (int between = 0; between < 130; ++between) {
        world group(2);
        auto a = group.transport(0);
        auto b = group.transport(1);
        transport::incoming older, newer, message;
        const auto pass = [&](int many) {
            for (int k = 0; k < many; ++k) {
                REQUIRE(a.try_post(1, 0, std::as_bytes(std::span(&value, 1))));
                REQUIRE(b.take(0, 0, message));
                b.release(message);
            }
        };
        pass(before);
        auto first = a.start_send(1, 0, {&piece, 1});
        auto second = a.start_send(1, 0, {&piece, 1});
        REQUIRE(b.take(0, 0, older));
        REQUIRE(b.take(0, 0, newer));
        b.release(newer);
        CHECK(a.test(second));
        CHECK(!a.test(first));
        b.release(older);
        CHECK(a.test(first));
        pass(between);
        auto third = a.start_send(1, 0, {&piece, 1});
        CHECK(!a.test(third));
        REQUIRE(b.take(0, 0, message));
        CHECK(!a.test(third));
        b.release(message);
        CHECK(a.test(third));
    }
}

TEST_CASE("long messages that are put aside let any number of others pass", "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    const std::vector<std::byte> large(transport::copied_bytes() + 1, std::byte{7});
    const std::span<const std::byte> piece(large);
    std::vector<transport::handle> sends;
    for (tutti::channel_type c = 1; c <= 3; ++c) sends.push_back(a.start_send(1, c, {&piece, 1}));
    transport::incoming message;
    for (std::uint32_t i = 0; i < 5 * a.depth(); ++i) {
        REQUIRE(a.try_post(1, 9, std::as_bytes(std::span(&i, 1))));
        REQUIRE(b.take(0, 9, message));
        CHECK(has(message, i));
        b.release(message);
    }
    for (tutti::channel_type c = 1; c <= 3; ++c) {
        CHECK(a.test(sends[c - 1]));
        REQUIRE(b.take(0, c, message));
        CHECK(copy_of(message) == large);
        b.release(message);
    }
    for (tutti::channel_type c = 1; c <= 3; ++c) CHECK(!b.take(0, c, message));
}

TEST_CASE("the slot of a released message stays taken while an older one is held", "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    std::uint32_t next = 0;
    const auto post = [&] { return post_next(a, next); };
    const auto posted = [&] {
        std::size_t count = 0;
        while (post()) ++count;
        return count;
    };
    const std::size_t depth = a.depth();
    const auto before = GENERATE(as<std::uint32_t>{}, 0, 1, 13); // the ring may be anywhere
    transport::incoming message;
    for (std::uint32_t i = 0; i < before; ++i) {
        REQUIRE(post());
        REQUIRE(b.take(0, 0, message));
        b.release(message);
    }
    for (int i = 0; i < 3; ++i) REQUIRE(post());
    std::vector<transport::incoming> held(3);
    for (transport::incoming& m : held) REQUIRE(b.take(0, 0, m));
    b.release(held[1]);
    CHECK(posted() == depth - 3); // the oldest is held, so none of the three slots is free
    CHECK(has(held[0], before));
    CHECK(has(held[2], before + 2));
    b.release(held[0]); // frees its own and that of the one released before
    CHECK(posted() == 2);
    CHECK(has(held[2], before + 2));
    b.release(held[2]);
    CHECK(posted() == 1);
    for (std::uint32_t i = before + 3; i < next; ++i) {
        REQUIRE(b.take(0, 0, message));
        CHECK(has(message, i));
        b.release(message);
    }
    CHECK(!b.take(0, 0, message));
}

TEST_CASE(
    "messages keep their order and their contents in whatever order they are held, released and taken back",
    "[transport][threads]") {
    const auto seed = GENERATE(range(1U, 60U));
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
    world group(seed % 3 == 0 ? 2 : crowd());
    auto a = group.transport(0);
    auto b = group.transport(1);
    struct sent {
        bytes data{};
        std::span<const std::byte> piece{};
        transport::handle send{};
        bool withdrawn = false;
    };
    std::list<sent> all;   // a handle looks at the piece
    auto next = all.end(); // to be taken
    std::vector<std::pair<transport::incoming, sent*>> held;
    unsigned number = 0;
    for (int i = 0; i < 3000; ++i) {
        const unsigned what = draw(8);
        if (what < 3) { // short ones or long ones, mostly in bursts
            for (unsigned k = draw(seed % 2 == 0 ? 3 : 40) + 1; k > 0; --k) {
                const std::size_t longer =
                    (draw(2) == 0 ? transport::eager_bytes() : transport::copied_bytes()) + 9;
                sent one{.data = numbered(draw(4) != 0 ? 8 : longer, number++)};
                const bool is_short = one.data.size() == 8;
                if (is_short && !a.try_post(1, 0, one.data)) break;
                all.push_back(std::move(one));
                sent& s = all.back();
                s.piece = s.data;
                if (!is_short) s.send = a.start_send(1, 0, {&s.piece, 1});
                if (next == all.end()) --next;
                if (!is_short && !a.test(s.send) && draw(9) == 0 && held.empty()) {
                    // Only one that has its slot: one that has none breaks the pair for ever.
                    std::size_t open = 0;
                    for (auto o = next; o != all.end(); ++o) ++open;
                    if (open > tutti::detail::least_depth) continue;
                    a.abandon(s.send);
                    s.withdrawn = true;
                }
            }
        } else if (what < 6 && next != all.end()) {
            for (sent& s : all) a.test(s.send); // so that it goes out if it has found no slot
            transport::incoming message;
            if (next->withdrawn) {
                CHECK_THROWS_AS(b.take(0, 0, message), tutti::transport_error);
                ++next;
            } else if (!b.take(0, 0, message)) {
                REQUIRE(!held.empty()); // the oldest has its slot
            } else {
                CHECK(copy_of(message) == next->data);
                held.emplace_back(message, &*next++);
            }
        } else if (!held.empty()) {
            const auto which =
                held.begin() + static_cast<std::ptrdiff_t>(draw(static_cast<unsigned>(held.size())));
            CHECK(copy_of(which->first) == which->second->data);
            b.release(which->first);
            held.erase(which);
        }
    }
    for (auto& [message, from] : held) {
        CHECK(copy_of(message) == from->data);
        b.release(message);
    }
    for (; next != all.end(); ++next) {
        for (sent& s : all) a.test(s.send);
        transport::incoming message;
        if (next->withdrawn) {
            CHECK_THROWS_AS(b.take(0, 0, message), tutti::transport_error);
        } else {
            REQUIRE(b.take(0, 0, message));
            CHECK(copy_of(message) == next->data);
            b.release(message);
        }
    }
}

TEST_CASE("a scattered message is put together whatever its pieces and those of its receive",
          "[transport][threads]") {
    const std::size_t size =
        GENERATE(as<std::size_t>{}, 60, 4 * transport::eager_bytes() + 5, transport::copied_bytes() + 1);
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    const bytes data = numbered(size, 3);
    // Each piece in memory of its own, so that whoever goes on behind the end of one does not find the next.
    const auto cut = [&](const std::vector<std::size_t>& ends) {
        std::vector<bytes> pieces;
        auto begin = data.begin();
        for (const std::size_t end : ends) {
            const auto stop = data.begin() + static_cast<std::ptrdiff_t>(end);
            pieces.emplace_back(begin, stop);
            begin = stop;
        }
        pieces.emplace_back(begin, data.end());
        return pieces;
    };
    const std::vector<std::vector<std::size_t>> ways{{},      {1},        {0, 10},      {10, 10, 10, 20},
                                                     {7, 20}, {30, size}, {1, 2, 3, 59}};
    for (const auto& sent : ways)
        for (const auto& received : ways) {
            const std::vector<bytes> source = cut(sent);
            std::vector<bytes> target = cut(received);
            for (bytes& piece : target) piece.assign(piece.size(), std::byte{0});
            const std::vector<std::span<const std::byte>> from(source.begin(), source.end());
            const std::vector<std::span<std::byte>> to(target.begin(), target.end());
            auto receive = b.start_recv(0, 5, to);
            auto send = a.start_send(1, 5, from);
            CHECK(b.test(receive));
            CHECK(a.test(send));
            CHECK(target == cut(received));
            // Taken instead of received, and moved out of the way of another.
            send = a.start_send(1, 5, from);
            auto other = a.start_send(1, 6, from);
            transport::incoming message;
            REQUIRE(b.take(0, 6, message));
            CHECK(copy_of(message) == data);
            b.release(message);
            REQUIRE(b.take(0, 5, message));
            CHECK(copy_of(message) == data);
            b.release(message);
            CHECK(a.test(send));
            CHECK(a.test(other));
        }
}

TEST_CASE("an abandoned long send is never read", "[transport][threads]") {
    world group(2);
    auto a = group.transport(0);
    auto b = group.transport(1);
    {
        const bytes data = numbered(100000);
        const std::span<const std::byte> piece(data);
        auto send = a.start_send(1, 0, {&piece, 1});
        a.abandon(send);
        CHECK(a.test(send));
    }
    const std::uint32_t after = 5;
    REQUIRE(a.try_post(1, 0, std::as_bytes(std::span(&after, 1))));
    transport::incoming message;
    CHECK(contains(error_of([&] { b.take(0, 0, message); }), "message 0 from rank 0 was abandoned"));
    REQUIRE(b.take(0, 0, message)); // what comes later is not lost
    CHECK(message.pieces()[0].size() == sizeof after);
}

TEST_CASE("a send abandoned before it found a slot breaks the pair with an error", "[transport][threads]") {
    world group(GENERATE(2, crowd()));
    auto a = group.transport(0);
    auto b = group.transport(1);
    const std::uint32_t value = 1;
    while (a.try_post(1, 0, std::as_bytes(std::span(&value, 1)))) {
    }
    const std::span<const std::byte> piece = std::as_bytes(std::span(&value, 1));
    auto send = a.start_send(1, 0, {&piece, 1});
    a.abandon(send);
    transport::incoming message;
    for (std::size_t i = 0; i < a.depth(); ++i) {
        REQUIRE(b.take(0, 0, message));
        b.release(message);
    }
    CHECK_THROWS_AS(b.take(0, 0, message), tutti::transport_error);
    CHECK_THROWS_AS(b.take(0, 0, message), tutti::transport_error);
}

TEST_CASE("sends of a call that was called off before they found slots stand in nobody's way",
          "[transport][threads]") {
    std::array<std::size_t, 3> order{0, 1, 2};
    do { // in whatever order they are abandoned
        world group(2);
        auto a = group.transport(0);
        auto b = group.transport(1);
        std::uint32_t next = 0;
        const auto post = [&] { return post_next(a, next); };
        const auto check_next = [&](std::uint32_t value) {
            transport::incoming message;
            REQUIRE(b.take(0, 0, message));
            CHECK(has(message, value));
            b.release(message);
        };
        while (post()) {
        }
        const std::uint32_t depth = next, nothing = 0, last = 77;
        const std::span<const std::byte> piece = std::as_bytes(std::span(&nothing, 1));
        const std::span<const std::byte> last_piece = std::as_bytes(std::span(&last, 1));
        const auto call_off = [&](tutti::channel_type channel, auto& sends) {
            a.call_off(channel, "no more of it");
            for (const std::size_t i : order) a.abandon(sends[i]);
        };
        const auto start = [&](tutti::channel_type channel) {
            return std::array{a.start_send(1, channel, {&piece, 1}), a.start_send(1, channel, {&piece, 1}),
                              a.start_send(1, channel, {&piece, 1})};
        };

        auto sends = start(1);
        call_off(1, sends);
        check_next(0);
        CHECK(post()); // into the slot that is free now
        CHECK(!post());

        sends = start(2);
        auto behind = a.start_send(1, 0, {&last_piece, 1}); // keeps them from being given back
        call_off(2, sends);
        for (std::uint32_t i = 1; i <= depth; ++i) {
            CHECK(a.test(behind) == (i >= 5)); // its slot was that of message 4
            check_next(i);
        }
        check_next(last);
        transport::incoming message;
        CHECK(!b.take(0, 0, message));
        CHECK(post());
        check_next(depth + 1);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("abandoning waits for a receiver that is reading", "[transport][threads]") {
    world group(2);
    std::atomic<bool> reading{false};
    std::atomic<bool> released{false};
    tutti::threads::for_each_rank(group, [&](transport& t) {
        if (t.rank() == 0) {
            bytes data = numbered(1 << 16);
            const std::span<const std::byte> piece(data);
            auto send = t.start_send(1, 0, {&piece, 1});
            support::wait_for(reading);
            t.abandon(send);
            if (!released) throw tutti::error("the memory was given back too early");
            data.assign(data.size(), std::byte{0});
        } else {
            transport::incoming message;
            wait_take(t, 0, 0, message);
            reading = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            if (copy_of(message) != numbered(1 << 16)) throw tutti::error("the memory changed");
            released = true;
            t.release(message);
        }
    });
    CHECK(released);
}

TEST_CASE("a rank that throws ends the wait of all others, and its exception is the one reported",
          "[transport][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 8);
    world group(size);
    std::atomic<int> struck{0};
    const std::string what = error_of([&] {
        tutti::threads::for_each_rank(group, [&](transport& t) {
            if (t.rank() == size - 1) throw std::runtime_error("out of luck");
            transport::incoming message;
            try {
                wait_take(t, (t.rank() + 1) % size, 0, message);
            } catch (const tutti::transport_error& e) {
                if (e.lost() // and not only one call of its
                    && contains(e.what(),
                                "rank " + std::to_string(size - 1) + " left with an exception: out of luck"))
                    ++struck;
                throw;
            }
        });
    });
    CHECK(what == "out of luck");
    CHECK(struck == size - 1);
}

TEST_CASE("a revoked message is reported as the sender's failure, not as the receiver's",
          "[transport][threads]") {
    world group(2);
    std::atomic<bool> abandoned{false};
    std::atomic<bool> seen{false};
    const std::string what = error_of([&] {
        tutti::threads::for_each_rank(group, [&](transport& t) {
            if (t.rank() == 0) {
                const bytes data = numbered(100000);
                const std::span<const std::byte> piece(data);
                auto send = t.start_send(1, 0, {&piece, 1});
                t.abandon(send);
                abandoned = true;
                support::wait_for(seen); // the consequence comes first in time
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                throw std::runtime_error("the cause");
            }
            transport::incoming message;
            support::wait_for(abandoned); // or else this rank may read the message in time
            try {
                wait_take(t, 0, 0, message);
            } catch (...) {
                seen = true;
                throw;
            }
        });
    });
    CHECK(what == "the cause");
}

TEST_CASE("waiting for a rank that has returned is an error and not a hang", "[transport][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 4);
    const std::string what = error_of([&] {
        tutti::threads::run_transports(size, [&](transport& t) {
            if (t.rank() != 1) return;
            transport::incoming message;
            wait_take(t, 0, 0, message);
        });
    });
    CHECK(contains(what, "rank 1 waits for rank 0, which has returned"));
}

TEST_CASE("of receives that wait for a rank that has returned each is an error, whichever is asked first",
          "[transport][threads]") {
    const auto first = GENERATE(as<std::size_t>{}, 0, 1);
    std::array<std::string, 2> told;
    error_of([&] {
        tutti::threads::run_transports(2, [&](transport& t) {
            if (t.rank() != 0) return;
            std::array<std::uint32_t, 2> values{};
            std::array<transport::handle, 2> receives;
            std::array<std::span<std::byte>, 2> places;
            for (const std::size_t i : {0U, 1U}) {
                places[i] = std::as_writable_bytes(std::span(&values[i], 1));
                receives[i] = t.start_recv(1, 0, {&places[i], 1});
            }
            for (const std::size_t i : {first, 1 - first}) {
                told[i] = error_of([&] { wait_test(t, receives[i]); });
                CHECK(t.test(receives[i])); // it is over
            }
        });
    });
    for (const std::string& text : told) CHECK(contains(text, "rank 0 waits for rank 1, which has returned"));
}

TEST_CASE("a send that finds no room any more at a rank that has returned is an error and not a hang",
          "[transport][threads]") {
    const std::string what = error_of([&] {
        tutti::threads::run_transports(2, [&](transport& t) {
            if (t.rank() != 0) return;
            const std::uint32_t value = 1;
            const std::span<const std::byte> piece = std::as_bytes(std::span(&value, 1));
            while (t.try_post(1, 0, piece)) {
            }
            auto send = t.start_send(1, 0, {&piece, 1});
            wait_test(t, send);
        });
    });
    CHECK(contains(what, "rank 0 waits for rank 1, which has returned"));
}

TEST_CASE("one rank that returns early fails those who wait for it, though others are still there",
          "[transport][threads]") {
    const std::size_t bytes = GENERATE(as<std::size_t>{}, 8, 100000);
    const std::string what = error_of([&] {
        tutti::threads::run_transports(3, [&](transport& t) {
            if (t.rank() == 0) return;
            const std::vector<std::byte> data(bytes);
            const std::span<const std::byte> piece(data);
            transport::incoming message;
            if (t.rank() == 1) wait_take(t, 0, 0, message);
            // Rank 2 sends to the one that left more than fits, and waits for it to be read.
            for (int k = 0; k < 40; ++k) {
                auto send = t.start_send(0, 0, {&piece, 1});
                for (std::uint32_t turns = 0; !t.test(send);) t.idle(turns++);
            }
        });
    });
    CHECK(contains(what, "waits for rank 0, which has returned"));
}

TEST_CASE("a last message before returning is still found", "[transport][threads]") {
    for (int repeat = 0; repeat < 50; ++repeat)
        tutti::threads::run_transports(2, [](transport& t) {
            std::uint32_t value = 0;
            const std::span<const std::byte> piece = std::as_bytes(std::span(&value, 1));
            transport::incoming message;
            if (t.rank() == 0) {
                auto send = t.start_send(1, 0, {&piece, 1});
                wait_test(t, send);
            } else {
                wait_take(t, 0, 0, message);
                t.release(message);
            }
        });
    CHECK(true); // a wait for nothing would have thrown
}

TEST_CASE("a world keeps its traffic between two runs", "[transport][threads]") {
    world group(3);
    for (std::uint32_t run = 0; run < 40; ++run)
        tutti::threads::for_each_rank(group, [&](transport& t) {
            transport::incoming message;
            const rank_type to = (t.rank() + 1) % 3;
            const rank_type from = (t.rank() + 2) % 3;
            if (!t.try_post(to, run, std::as_bytes(std::span(&run, 1)))) throw tutti::error("full");
            wait_take(t, from, run, message);
            if (!has(message, run)) throw tutti::error("wrong message");
            t.release(message);
        });
    CHECK(!group.failed());
}

TEST_CASE("a parked rank wakes up", "[transport][threads]") {
    tutti::threads::run_transports(2, [](transport& t) {
        for (std::uint32_t i = 0; i < 5; ++i) {
            if (t.rank() == 0) {
                std::this_thread::sleep_for(
                    std::chrono::milliseconds(20)); // long enough for the other to park
                if (!t.try_post(1, 0, std::as_bytes(std::span(&i, 1)))) throw tutti::error("full");
            } else {
                transport::incoming message;
                // Starts far up the ladder, so that it parks at once.
                for (std::uint32_t turns = 100000; !t.take(0, 0, message); ++turns) t.idle(turns);
                t.release(message);
            }
        }
    });
    CHECK(true);
}

TEST_CASE("sizes and ranks that are none are refused", "[transport][threads]") {
    CHECK_THROWS_AS(world(0), tutti::argument_error);
    world group(2);
    CHECK_THROWS_AS(group.transport(2), tutti::argument_error);
    auto t = group.transport(0);
    CHECK_THROWS_AS(t.start_send(2, 0, {}), tutti::argument_error);
    CHECK_THROWS_AS(t.start_recv(-1, 0, {}), tutti::argument_error);
}
