// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/circulant.hpp>

#include <random>
#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"
#include "support/skips_of_all_kinds.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<circulant, collective::allgather>();
}

TEST_CASE("allgather circulant is proved with messages of at most so many blocks, for the same volume",
          "[schedule][allgather][circulant]") {
    for (const rank_type most : {1, 2, 5})
        for (rank_type size = 1; size <= 70; ++size) {
            const proof p = check_proved(collective::allgather, size, 0,
                                         factory_of<circulant, collective::allgather>({most}));
            CHECK(p.rounds == bounded_skips(size, most).count());
            CHECK(p.sent_blocks == size - 1);
        }
}

TEST_CASE("allgather circulant reaches the lower bounds of rounds and volume for every size",
          "[schedule][allgather][circulant]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::allgather, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == 0);
        CHECK(p.scratch_blocks == 0);
    }
}

TEST_CASE("with 5 ranks rank 4 collects 0, then 1, then 2 and 3", "[schedule][allgather][circulant]") {
    const schedule four(make({4, 5, 0}));
    CHECK(std::vector<step>(four.steps().begin(), four.steps().end())
          == std::vector{step::send(3, {.first = 4, .count = 1}), step::recv(0, {.first = 0, .count = 1}),
                         step::send(2, {.first = 4, .count = 1}), step::recv(1, {.first = 1, .count = 1}),
                         step::send(1, {.first = 4, .count = 2}), step::recv(2, {.first = 2, .count = 2})});
}

TEST_CASE("allgather circulant is proved with skips of all kinds, in a round for each, for the same volume",
          "[schedule][allgather][circulant]") {
    std::mt19937 random(3);
    for (rank_type size = 2; size <= 70; ++size)
        for_each_skips(size, random, [&](const skip_list& list, const std::vector<rank_type>& all) {
            const auto listed = factory_of<circulant, collective::allgather>({.skips = list});
            const proof p = check_proved(collective::allgather, size, 0, listed);
            CHECK(p.rounds == static_cast<round_index>(all.size()) - 1);
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.scratch_blocks == 0);
            CHECK(weak_claims(listed({0, size, 0}).claims(), p, size).empty());
        });
}

TEST_CASE("allgather circulant with skips that fall by one is one peer per round, near ones first",
          "[schedule][allgather][circulant]") {
    const schedule two(factory_of<circulant, collective::allgather>({.skips = {5, 4, 3, 2, 1}})({2, 5, 0}));
    CHECK(std::vector<step>(two.steps().begin(), two.steps().end())
          == std::vector{step::send(1, {.first = 2, .count = 1}), step::recv(3, {.first = 3, .count = 1}),
                         step::send(0, {.first = 2, .count = 1}), step::recv(4, {.first = 4, .count = 1}),
                         step::send(4, {.first = 2, .count = 1}), step::recv(0, {.first = 0, .count = 1}),
                         step::send(3, {.first = 2, .count = 1}), step::recv(1, {.first = 1, .count = 1})});
}

static_assert(sizeof(allgather_circulant) <= any_generator::inline_bytes);
