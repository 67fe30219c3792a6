// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/ring.hpp>

#include <vector>

#include "support/extent.hpp"
#include "support/naive_run.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<ring, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter ring is proved for any size and moves and folds the least",
          "[schedule][reduce_scatter][ring]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.rounds == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.critical_messages == size - 1);
    }
}

TEST_CASE("reduce_scatter ring folds from the rank behind the owner on, the lower ranks on the left",
          "[schedule][reduce_scatter][ring]") {
    naive_run run(5, 0, make);
    for (round_index i = 0; i < run.rounds(); ++i) run.next_round();
    std::vector<rank_type> order;
    for (const auto& [rank, block] : run.at(2, 2)) order.push_back(rank);
    CHECK(order == std::vector<rank_type>{0, 3, 4, 1, 2}); // 3, 4; 0 is lower than 4; then 1 and 2
}

TEST_CASE("in reduce_scatter ring data go up only", "[schedule][reduce_scatter][ring]") {
    // Block 2 starts at rank 3 and passes 4, 0 and 1; rank 4 sends the block of rank 3 first, its own never.
    std::vector<step> steps;
    for (round_index i = 0; i < 4; ++i) make({4, 5, 0}).append(i, steps);
    std::vector<step> expected;
    for (const block_index block : {3, 2, 1, 0}) {
        expected.push_back(step::send(0, {.first = block, .count = 1}));
        expected.push_back(
            step::recv_reduce(3, {.first = block == 0 ? 4 : block - 1, .count = 1}, operand_side::left));
    }
    CHECK(steps == expected);
}
