// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/concept.hpp>

#include <cstring>
#include <vector>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/pieces.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::channel_type;
using tutti::gather_list;
using tutti::rank_type;
using tutti::scatter_list;

/// All that a transport needs; it connects one rank to itself.
struct smallest {
    struct handle {};
    rank_type rank() const { return 0; }
    rank_type size() const { return 1; }
    handle start_send(rank_type, channel_type, gather_list) { return {}; }
    handle start_recv(rank_type, channel_type, scatter_list) { return {}; }
    bool test(handle&) { return true; }
    void idle(std::uint32_t) {}
    void abandon(handle&) {}
};

struct without_abandon {
    struct handle {};
    rank_type rank() const { return 0; }
    rank_type size() const { return 1; }
    handle start_send(rank_type, channel_type, gather_list) { return {}; }
    handle start_recv(rank_type, channel_type, scatter_list) { return {}; }
    bool test(handle&) { return true; }
    void idle(std::uint32_t) {}
};

struct with_void_test : smallest {
    void test(handle&) {}
};

struct with_take : smallest {
    struct incoming {
        gather_list pieces() const { return {}; }
    };
    bool take(rank_type, channel_type, incoming&) { return false; }
    void release(incoming&) {}
};

struct with_close : smallest {
    void close(channel_type) {}
};

std::vector<std::byte> numbers(std::size_t count) {
    std::vector<std::byte> result(count);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<std::byte>(i + 1);
    return result;
}

} // namespace

TEST_CASE("eight members make a transport, and a missing one is noticed", "[transport][concept]") {
    CHECK(tutti::check_transport<smallest>());
    CHECK(tutti::transport<smallest>);
    CHECK(!tutti::transport<without_abandon>);
    CHECK(!tutti::transport<with_void_test>);
    CHECK(!tutti::transport<int>);
}

TEST_CASE("refinements are detected and never required", "[transport][concept]") {
    CHECK(!tutti::folding_transport<smallest>);
    CHECK(tutti::folding_transport<with_take>);
    CHECK(!tutti::eager_transport<with_take>);
    CHECK(tutti::closing_transport<with_close>);
    CHECK(!tutti::closing_transport<smallest>);
}

TEST_CASE("the transports of the library offer what they promise", "[transport][concept]") {
    CHECK(tutti::check_transport<tutti::threads::transport>());
    CHECK(tutti::eager_transport<tutti::threads::transport>);
    CHECK(!tutti::closing_transport<tutti::threads::transport>);
    CHECK(tutti::check_transport<tutti::mock::transport>());
    CHECK(tutti::closing_transport<tutti::mock::transport>);
    CHECK(!tutti::folding_transport<tutti::mock::transport>);
}

TEST_CASE("pieces are counted, joined and cut anew", "[transport][pieces]") {
    const auto data = numbers(10);
    const std::span<const std::byte> all(data);
    const std::vector<std::span<const std::byte>> from{all.first(3), {}, all.subspan(3, 4), all.subspan(7)};
    CHECK(tutti::detail::total_bytes(gather_list(from)) == 10);
    CHECK(tutti::detail::joined(from) == data);
    CHECK(tutti::detail::joined({}).empty());

    for (std::size_t cut = 0; cut <= 10; ++cut) {
        std::vector<std::byte> got(10);
        const std::span<std::byte> room(got);
        const std::vector<std::span<std::byte>> to{room.first(cut), {}, room.subspan(cut)};
        tutti::detail::copy_pieces(from, to);
        CHECK(got == data);
    }
}

TEST_CASE("a wrong length is described by both ranks and both lengths", "[transport][pieces]") {
    CHECK(tutti::detail::length_mismatch(2, 5, 7, 8)
          == "a message from rank 2 to rank 5 has 7 bytes, but its receive expects 8");
}
