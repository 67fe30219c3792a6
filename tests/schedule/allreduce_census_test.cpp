// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/census.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>
#include <tutti/model/candidates.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<census, collective::allreduce>();
}

TEST_CASE("allreduce census takes ceil(lg p) rounds for any size, the least there can be",
          "[schedule][allreduce][census]") {
    for (rank_type size = 1; size <= 300; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.sent_blocks == p.rounds);
        CHECK(p.same_bits == (size == 1));
    }
}

TEST_CASE("with 5 ranks rank 3 hears of 2, then 1, then 4 and 0", "[schedule][allreduce][census]") {
    constexpr block_set all{.first = 0, .count = 1};
    constexpr auto window = buffer_name::scratch;
    const schedule s(make({3, 5, 0}));
    const std::vector<step> expected{step::send(4, all),
                                     step::recv(2, all, window),
                                     step::send(4, all, window),
                                     step::recv_reduce(2, all, operand_side::left, window),
                                     step::send(0, all, window),
                                     step::recv_reduce(1, all, operand_side::left, window),
                                     step::reduce(all, window, buffer_name::work, operand_side::left)};
    CHECK(std::vector<step>(s.steps().begin(), s.steps().end()) == expected);
}

TEST_CASE("an allreduce whose ranks get other bits is no candidate", "[schedule][allreduce][census]") {
    const selection_request request{.what = collective::allreduce, .size = 6, .bytes = 8};
    CHECK(!not_covered(make({0, 6, 0}).claims(), request).empty());
}
