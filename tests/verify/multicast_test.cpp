// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"
#include "support/planted.hpp"

/// Faults planted in multicasts, and where the prover finds them.

using namespace tutti;
using namespace tutti::testing;

namespace {

// Rank 0 sends to 1 and 2, rank 1 passes it on to 3; rank 3 sends to 0.
const relation pairs(4, {{1, 2, 3}, {}, {}, {0}});

play right_one() {
    play p;
    p.blocks = 4;
    p.ranks = {{{step::send(1, one(0)), step::recv(3, one(3))}, {step::send(2, one(0))}},
               {{step::recv(0, one(0))}, {step::send(3, one(0))}},
               {{}, {step::recv(0, one(0))}},
               {{step::send(0, one(3))}, {step::recv(1, one(0))}}};
    p.claims = {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = 2,
                .rounds = 2,
                .sent_blocks = 2,
                .reduced_blocks = 0};
    return p;
}

} // namespace

TEST_CASE("a right multicast is proved, with its figures and bounds", "[verify][multicast]") {
    const proof p = prove(pairs, right_one());
    CHECK(p.proved);
    CHECK(p.findings.empty());
    CHECK(p.sent_blocks == 2);
    CHECK(p.bounds == lower_bounds{.rounds = 2, .single_block_rounds = 2, .sent_blocks = 1});
}

TEST_CASE("a delivery that is missing is found and named", "[verify][multicast]") {
    play p = right_one();
    p.ranks[1][1].clear();
    p.ranks[3][1].clear();
    check_found(prove(pairs, p), 3, -1, -1, 0, -1, "the result is undefined; due: block 0 of rank(s) 0");
}

TEST_CASE("a message of the wrong rank is found", "[verify][multicast]") {
    play p = right_one(); // rank 1 sends its own block instead
    p.ranks[1][1] = {step::send(3, one(1))};
    p.ranks[3][1] = {step::recv(1, one(0))};
    check_found(prove(pairs, p), 3, 1, 0, 0, 1, "changes the index of a block");
    p.claims.moves_blocks = true;
    check_found(prove(pairs, p), 3, -1, -1, 0, -1, "the result is block 1 of rank(s) 1; due: block 0");
}

TEST_CASE("a rank must keep its own message even if nobody wants it", "[verify][multicast]") {
    play p = right_one();
    p.ranks[0][1].push_back(step::send(1, one(3)));
    p.ranks[1][1].push_back(step::recv(0, one(1)));
    p.claims = {.moves_blocks = true};
    check_found(prove(pairs, p), 1, -1, -1, 1, -1, "the result is block 3 of rank(s) 3; due: block 1");
}

TEST_CASE("what passes by is nobody's business, but has to be there", "[verify][multicast]") {
    play p = right_one(); // rank 2 learns block 3, too, for nothing: allowed
    p.ranks[0][1].push_back(step::send(2, one(3)));
    p.ranks[2][1].push_back(step::recv(0, one(3)));
    p.claims = {};
    CHECK(prove(pairs, p).proved);
    p.ranks[0][1].back() = step::send(2, one(2)); // which rank 0 never had
    p.ranks[2][1].back() = step::recv(0, one(2));
    check_found(prove(pairs, p), 0, 1, 1, 2, 2, "reads an undefined block");
}

TEST_CASE("false claims of a multicast are found", "[verify][multicast]") {
    play p = right_one();
    p.claims.sent_blocks = 1;
    CHECK_FALSE(prove(pairs, p).proved);
    p = right_one();
    p.claims.max_outstanding = 1;
    CHECK_FALSE(prove(pairs, p).proved);
    p = right_one();
    p.blocks = 5;
    check_found(prove(pairs, p), 0, -1, -1, -1, -1, "no multiple of the number of ranks, 4");
}

TEST_CASE("a multicast without a relation cannot be proved", "[verify][multicast]") {
    CHECK_THROWS_AS(prove(collective::multicast, 4, 0, right_one()), argument_error);
}

TEST_CASE("the bounds of a multicast are those of its busiest ranks and of its volume",
          "[verify][multicast]") {
    CHECK(bounds_of(relation::all_to_all(5), 5) == bounds_of(collective::allgather, 5, 5));
    CHECK(bounds_of(relation::all_to_all(8), 16) == bounds_of(collective::allgather, 8, 16));
    CHECK(bounds_of(relation(5, {{1, 2, 3, 4}, {}, {}, {}, {}}), 5) == lower_bounds{3, 3, 1, 0});
    CHECK(bounds_of(relation(5, {{4}, {4}, {}, {4}, {}}), 5) == lower_bounds{2, 2, 1, 0});
    CHECK(bounds_of(relation(2, {{}, {}}), 2) == lower_bounds{});
}
