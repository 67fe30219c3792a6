// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/bidirectional_ring.hpp>

#include <vector>

#include "support/extent.hpp"
#include "support/naive_run.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bidirectional_ring, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter bidirectional_ring is proved for any size and moves and folds the least",
          "[schedule][reduce_scatter][bidirectional_ring]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.rounds == size / 2);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("reduce_scatter bidirectional_ring folds what comes from below and from above",
          "[schedule][reduce_scatter][bidirectional_ring]") {
    naive_run run(5, 0, make);
    run.next_round(); // from the two ranks opposite to the ranks next to the owner
    const auto ranks_of = [&](rank_type rank, block_index block) {
        std::vector<rank_type> order;
        for (const auto& [from, b] : run.at(rank, block)) order.push_back(from);
        return order;
    };
    CHECK(ranks_of(1, 2) == std::vector<rank_type>{0, 1});
    CHECK(ranks_of(3, 2) == std::vector<rank_type>{3, 4});
    run.next_round();
    CHECK(ranks_of(2, 2) == std::vector<rank_type>{0, 1, 2, 3, 4});
}
