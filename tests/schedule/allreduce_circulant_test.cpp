// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/circulant.hpp>

#include <random>
#include <vector>

#include "support/proving.hpp"
#include "support/skips_of_all_kinds.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<circulant, collective::allreduce>();
}

TEST_CASE("allreduce circulant is proved with messages of at most so many blocks, for the same volume",
          "[schedule][allreduce][circulant]") {
    for (const rank_type most : {1, 2, 5})
        for (rank_type size = 1; size <= 70; ++size) {
            const proof p = check_proved(collective::allreduce, size, 0,
                                         factory_of<circulant, collective::allreduce>({most}));
            CHECK(p.same_bits);
            CHECK(p.rounds == 2 * bounded_skips(size, most).count());
            CHECK(p.sent_blocks == 2 * (size - 1));
        }
}

TEST_CASE("allreduce circulant moves and folds the least, in 2 ceil(lg p) rounds, for every size",
          "[schedule][allreduce][circulant]") {
    for (rank_type size = 1; size <= 130; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.rounds == 2 * ceil_log2(size));
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.same_bits);
    }
}

TEST_CASE("allreduce circulant does not claim the order that it does not keep",
          "[schedule][allreduce][circulant]") {
    for (rank_type size = 3; size <= 20; ++size) {
        CHECK(!check_proved(collective::allreduce, size, 0, make).order_preserved);
        CHECK(!make({0, size, 0}).claims().order_preserving);
    }
}

TEST_CASE(
    "allreduce circulant is proved with skips of all kinds, in two rounds for each, for the same volume",
    "[schedule][allreduce][circulant]") {
    std::mt19937 random(4);
    for (rank_type size = 2; size <= 70; ++size)
        for_each_skips(size, random, [&](const skip_list& list, const std::vector<rank_type>& all) {
            const auto listed = factory_of<circulant, collective::allreduce>({.skips = list});
            const proof p = check_proved(collective::allreduce, size, 0, listed);
            CHECK(p.rounds == 2 * (static_cast<round_index>(all.size()) - 1));
            CHECK(p.sent_blocks == 2 * (size - 1));
            CHECK(p.reduced_blocks == size - 1);
            CHECK(weak_claims(listed({0, size, 0}).claims(), p, size).empty());
        });
}

static_assert(sizeof(allreduce_circulant) <= any_generator::inline_bytes);
