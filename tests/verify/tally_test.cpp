// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/tally.hpp>

#include <string>
#include <utility>
#include <vector>

#include "support/planted.hpp"

// A claim that is false is a fault like any other.
namespace {

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a false figure in the claims is found, with what was counted", "[verify]") {
    play p = serial_reduce();
    std::string sentence;
    SECTION("rounds") {
        p.claims.rounds = 2;
        sentence = "rounds is stated as 2, counted 1";
    }
    SECTION("sent blocks") {
        p.claims.sent_blocks = 3;
        sentence = "sent_blocks is stated as 3, counted 2";
    }
    SECTION("reduced blocks") {
        p.claims.reduced_blocks = 2;
        sentence = "reduced_blocks is stated as 2, counted 4";
    }
    SECTION("scratch blocks") {
        p.claims.scratch_blocks = 1;
        sentence = "scratch_blocks is stated as 1, counted 0";
    }
    SECTION("outstanding messages") {
        p.claims.max_outstanding = 1;
        sentence = "max_outstanding is stated as 1, counted 2";
    }
    check_found(tried(collective::reduce, p), -1, -1, -1, -1, -1, "false claim: " + sentence);
}

TEST_CASE("every false figure is reported, not only the first", "[verify]") {
    play p = serial_reduce();
    p.claims.rounds = 7;
    p.claims.sent_blocks = 7;
    CHECK(tried(collective::reduce, p).findings.size() == 2);
}

TEST_CASE("a figure that is not stated is not compared", "[verify]") {
    play p = serial_reduce();
    p.claims = {.scratch_blocks = unstated};
    CHECK(tried(collective::reduce, p).proved);
}

TEST_CASE("scratch counts the blocks that were defined, in all planes, on the busiest rank", "[verify]") {
    play p = serial_reduce();
    p.ranks[1].push_back({step::copy(all2, buffer_name::work, buffer_name::scratch),
                          step::copy(one(1), buffer_name::work, buffer_name::scratch_1)});
    p.ranks[1].push_back({step::copy(one(1), buffer_name::work, buffer_name::scratch)});
    p.ranks[2].push_back({step::copy(one(0), buffer_name::work, buffer_name::scratch)});
    p.claims.rounds = 3;
    p.claims.scratch_blocks = 3;
    const proof q = tried(collective::reduce, p);
    CHECK(q.proved);
    CHECK(q.scratch_blocks == 3);
}

TEST_CASE("a false claim of order is found at the fold that breaks it", "[verify]") {
    play p = serial_reduce();
    SECTION("ranks folded in another order") { std::swap(p.ranks[0][0][0], p.ranks[0][0][1]); }
    SECTION("a lower rank on the right") {
        p.ranks[0][0][0] = step::recv_reduce(1, all2, left);
        const proof q = tried(collective::reduce, p);
        check_found(q, 0, 0, 0, 0, 1, "false claim: order_preserving");
    }
    const proof q = tried(collective::reduce, p);
    CHECK_FALSE(q.order_preserved);
    REQUIRE(q.findings.size() == 1);
    CHECK(q.findings[0].rank == 0);
    CHECK(q.findings[0].round == 0);
    CHECK(q.findings[0].step == 0);
    CHECK(q.findings[0].block == 0);

    p.claims.order_preserving = false;
    const proof honest = tried(collective::reduce, p);
    CHECK(honest.proved);
    CHECK_FALSE(honest.order_preserved);
}

TEST_CASE("the fold that is blamed for the order is in the result", "[verify]") {
    play p = serial_reduce();
    // Rank 2 first makes nonsense in scratch that nobody uses; then rank 0 folds rank 2 before rank 1.
    p.ranks[2].insert(p.ranks[2].begin(), {step::copy(all2, buffer_name::input, buffer_name::scratch),
                                           step::recv_reduce(1, all2, right, buffer_name::scratch)});
    p.ranks[1].insert(p.ranks[1].begin(), {step::send(2, all2)});
    p.ranks[0].insert(p.ranks[0].begin(), std::vector<step>{});
    std::swap(p.ranks[0][1][0], p.ranks[0][1][1]);
    p.claims = {.order_preserving = true, .scratch_blocks = unstated};
    check_found(tried(collective::reduce, p), 0, 1, 0, 0, 2, "in the result of rank 0");
}

TEST_CASE("a false claim of the same bits is found at the block that differs", "[verify]") {
    // Two ranks swap two blocks in two messages; rank 1 folds block 1 as 1 op 0 if told `right`.
    const auto swapping = [](operand_side of_block_1) {
        play p;
        p.blocks = 2;
        p.ranks = {{{step::send(1, one(0)), step::send(1, one(1)), step::recv_reduce(1, one(0), right),
                     step::recv_reduce(1, one(1), right)}},
                   {{step::send(0, one(0)), step::send(0, one(1)), step::recv_reduce(0, one(0), left),
                     step::recv_reduce(0, one(1), of_block_1)}}};
        p.claims.same_bits_on_all_ranks = true;
        return p;
    };
    CHECK(tried(collective::allreduce, swapping(left)).same_bits);
    play p = swapping(right);
    check_found(tried(collective::allreduce, p), 1, -1, -1, 1, 0, "false claim: same_bits_on_all_ranks");
    p.claims = {};
    const proof honest = tried(collective::allreduce, p);
    CHECK(honest.proved);
    CHECK_FALSE(honest.same_bits);
}

TEST_CASE("association counts for the same bits, not only order", "[verify]") {
    // Rank 2 gets 0 op (1 op 2), the others (0 op 1) op 2; all keep the order.
    const auto in = buffer_name::input;
    play p;
    p.ranks = {{{step::send(2, one(0), in), step::recv_reduce(1, one(0), right),
                 step::recv_reduce(2, one(0), right)},
                {step::send(1, one(0))}},
               {{step::send(2, one(0), in), step::send(0, one(0), in)}, {step::recv(0, one(0))}},
               {{step::send(0, one(0), in), step::recv_reduce(1, one(0), left),
                 step::recv_reduce(0, one(0), left)}}};
    p.claims = {.order_preserving = true};
    const proof q = tried(collective::allreduce, p);
    INFO(listed(q.findings));
    CHECK(q.proved);
    CHECK(q.order_preserved);
    CHECK_FALSE(q.same_bits);
}

TEST_CASE("reading the input late needs a claim", "[verify]") {
    play p;
    p.blocks = 2;
    const auto in = buffer_name::input;
    SECTION("in a later round") {
        p.ranks = {{{step::recv(1, one(1))},
                    {step::send(1, one(1), in)},
                    {step::copy(one(0), in, buffer_name::work)}},
                   {{step::send(0, one(0), in)},
                    {step::recv(0, one(0))},
                    {step::copy(one(1), in, buffer_name::work)}}};
        p.claims.moves_blocks = true;
        check_found(tried(collective::alltoall, p), 0, 1, 0, 1, 1, "reads_input is not claimed");
    }
    SECTION("in a send after the write of the same round") {
        p.ranks = {
            {{step::recv(1, one(1)), step::send(1, one(1), in)}, {step::copy(one(0), in, buffer_name::work)}},
            {{step::send(0, one(0), in), step::recv(0, one(0))},
             {step::copy(one(1), in, buffer_name::work)}}};
        p.claims.moves_blocks = true;
        check_found(tried(collective::alltoall, p), 0, 0, 1, 1, 1, "reads_input is not claimed");
    }
    p.claims.reads_input = true;
    const proof q = tried(collective::alltoall, p);
    CHECK(q.proved);
    CHECK(q.reads_input);
}

} // namespace
