// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/pairwise_ring.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<pairwise_ring, collective::allreduce>();
}

TEST_CASE("allreduce pairwise_ring is proved for any size and moves and folds the least",
          "[schedule][allreduce][pairwise_ring]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.same_bits);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.rounds == 2 * (size - 1));
    }
}

TEST_CASE("allreduce pairwise_ring is the pairwise reduce-scatter followed by the ring allgather",
          "[schedule][allreduce][pairwise_ring]") {
    for (rank_type r = 0; r < 7; ++r) {
        const place at{r, 7, 0};
        const schedule whole(make(at));
        const schedule first(generate(of<collective::reduce_scatter>, pairwise{}, at));
        const schedule second(generate(of<collective::allgather>, ring{}, at));
        std::vector<step> parts(first.steps().begin(), first.steps().end());
        parts.insert(parts.end(), second.steps().begin(), second.steps().end());
        CHECK(std::vector<step>(whole.steps().begin(), whole.steps().end()) == parts);
    }
}
