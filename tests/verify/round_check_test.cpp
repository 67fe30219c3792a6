// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/round_check.hpp>

#include <string>
#include <utility>
#include <vector>

#include "support/planted.hpp"

// Faults that lie in one round of one rank.
namespace {

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("peers that are no rank, or the rank itself, are found", "[verify]") {
    play p = chain_bcast();
    SECTION("too high") {
        p.ranks[1][1][0].peer = 3;
        check_found(tried(collective::bcast, p), 1, 1, 0, 0, 3, "the peer is no rank");
    }
    SECTION("itself") {
        p.ranks[1][1][0].peer = 1;
        check_found(tried(collective::bcast, p), 1, 1, 0, 0, 1, "a message to itself");
    }
    SECTION("none") {
        p.ranks[1][1][0].peer = no_rank;
        check_found(tried(collective::bcast, p), 1, 1, 0, 0, -1, "the peer is no rank");
    }
    SECTION("of a local step") {
        step s = step::copy(one(0), buffer_name::work, buffer_name::scratch);
        s.peer = 2;
        p.ranks[0].push_back({s});
        check_found(tried(collective::bcast, p), 0, 1, 0, 0, 2, "a local step names a peer");
    }
}

TEST_CASE("blocks that the vector does not have are found", "[verify]") {
    play p = chain_bcast();
    const block_set wrong = GENERATE(block_set{.first = 1, .count = 1}, block_set{.first = 0, .count = 2},
                                     block_set{.first = -1, .count = 1}, block_set{.first = 0, .count = -1},
                                     block_set{.first = 0, .count = 1, .run = -1, .stride = 1});
    p.ranks[1][1][0].blocks = wrong;
    const proof q = tried(collective::bcast, p);
    CHECK_FALSE(q.proved);
    REQUIRE(q.findings.size() == 1);
    CHECK(q.findings[0].rank == 1);
    CHECK(q.findings[0].round == 1);
    CHECK(q.findings[0].step == 0);
    CHECK(says(q.findings[0].what, "the vector has 1"));
}

TEST_CASE("writing the input is found", "[verify]") {
    play p = serial_reduce();
    p.ranks[0][0][1].buffer = buffer_name::input;
    check_found(tried(collective::reduce, p), 0, 0, 1, 0, 2, "writes the input");
}

TEST_CASE("a copy of a buffer onto itself is found", "[verify]") {
    play p = serial_reduce();
    p.ranks[0].push_back({step::copy(one(1), buffer_name::work, buffer_name::work)});
    check_found(tried(collective::reduce, p), 0, 1, 0, 1, -1, "the same buffer");
}

TEST_CASE("a message that goes on with another's steps is found", "[verify]") {
    play p = serial_reduce();
    SECTION("to another peer") {
        p.ranks[0][0][0] = p.ranks[0][0][0].and_next();
        check_found(tried(collective::reduce, p), 0, 0, 0, 0, 1, "another kind, peer or side");
    }
    SECTION("past the round") {
        p.ranks[2][0][0] = p.ranks[2][0][0].and_next();
        check_found(tried(collective::reduce, p), 2, 0, 0, 0, 0, "but the round ends");
    }
    SECTION("of a local step") {
        const step s = step::copy(one(1), buffer_name::work, buffer_name::scratch);
        p.ranks[1].push_back({s.and_next(), s});
        check_found(tried(collective::reduce, p), 1, 1, 0, 1, -1, "as if it were a message");
    }
}

TEST_CASE("a send after a write of the same round is a hazard", "[verify]") {
    play p = chain_bcast();
    p.ranks[1] = {{step::recv(0, one(0)), step::send(2, one(0))}};
    check_found(tried(collective::bcast, p), 1, 0, 1, 0, 2, "hazard: sends a block");
}

TEST_CASE("a second plain write in a round is a hazard, a fold on top is none", "[verify]") {
    play p = serial_reduce();
    p.blocks = 3;
    p.claims = {};
    const block_set from_1{.first = 1, .count = 3}; // 1, 2, 0
    for (rank_type r : {1, 2}) p.ranks[static_cast<std::size_t>(r)][0][0].blocks = from_1;
    p.ranks[0][0] = {step::recv(1, from_1, buffer_name::scratch),
                     step::recv(2, from_1, buffer_name::scratch)};
    check_found(tried(collective::reduce, p), 0, 0, 1, 1, 2, "hazard: overwrites a block");

    p.ranks[0][0] = {step::recv(1, from_1, buffer_name::scratch),
                     step::recv_reduce(2, from_1, right, buffer_name::scratch)};
    p.ranks[0].push_back({step::reduce(from_1, buffer_name::scratch, buffer_name::work, right)});
    p.claims = {.order_preserving = true, .scratch_blocks = 3, .reduced_blocks = 6};
    const proof q = tried(collective::reduce, p);
    INFO(listed(q.findings));
    CHECK(q.proved);
}

} // namespace
