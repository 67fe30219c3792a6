// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/canonical_doubling.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<canonical_doubling, collective::reduce>();
} // namespace

TEST_CASE("reduce canonical_doubling is proved for any size and root, in the fewest rounds, along one tree",
          "[schedule][reduce][canonical_doubling]") {
    for (rank_type size = 1; size <= support::up_to(130, 40); ++size)
        for (rank_type root = 0; root < size; ++root) {
            if (!support::searches_root(root, size)) continue;
            const proof p = check_proved(collective::reduce, size, root, make);
            CHECK(p.rounds == p.bounds.rounds);
            CHECK(p.canonical_tree);
            CHECK(p.order_preserved);
            CHECK(p.sent_blocks == (size == 1 ? 0 : 1));
            CHECK(p.reduced_blocks <= ceil_log2(size));
        }
}

TEST_CASE("with 5 ranks and root 1 two pairs fold, then these two, then rank 4 sends what it has",
          "[schedule][reduce][canonical_doubling]") {
    constexpr block_set all{.first = 0, .count = 1};
    const auto steps_of = [](rank_type rank) {
        const schedule whole(make({rank, 5, 1}));
        return std::vector<step>(whole.steps().begin(), whole.steps().end());
    };
    CHECK(steps_of(0) == std::vector{step::send(1, all)});
    CHECK(steps_of(1)
          == std::vector{step::recv_reduce(0, all, operand_side::left),
                         step::recv_reduce(3, all, operand_side::right),
                         step::recv_reduce(4, all, operand_side::right)});
    CHECK(steps_of(2) == std::vector{step::send(3, all)});
    CHECK(steps_of(3) == std::vector{step::recv_reduce(2, all, operand_side::left), step::send(1, all)});
    CHECK(steps_of(4) == std::vector{step::send(1, all)});
}
