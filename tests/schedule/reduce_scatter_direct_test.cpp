// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/direct.hpp>

#include <vector>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<direct, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter direct is proved for any size and keeps the order",
          "[schedule][reduce_scatter][direct]") {
    for (rank_type size = 1; size <= 70; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.order_preserved);
        CHECK(p.rounds == (size == 1 ? 0 : 1));
        CHECK(p.critical_messages == size - 1);
        CHECK(p.max_outstanding == 2 * (size - 1));
    }
}

TEST_CASE("with 5 ranks rank 2 folds 1 and 0 on the left, then 3 and 4 on the right",
          "[schedule][reduce_scatter][direct]") {
    std::vector<step> steps;
    make({2, 5, 0}).append(0, steps);
    constexpr block_set own{.first = 2, .count = 1};
    REQUIRE(steps.size() == 8);
    CHECK(std::vector<step>(steps.begin() + 4, steps.end())
          == std::vector{step::recv_reduce(1, own, operand_side::left),
                         step::recv_reduce(0, own, operand_side::left),
                         step::recv_reduce(3, own, operand_side::right),
                         step::recv_reduce(4, own, operand_side::right)});
}
