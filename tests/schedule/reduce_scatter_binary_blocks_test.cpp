// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/binary_blocks.hpp>

#include <type_traits>

#include <tutti/core/schedule.hpp>
#include <tutti/schedule/reduce_scatter/distance_doubling.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

namespace {
const generator_factory make = testing::factory_of<binary_blocks, collective::reduce_scatter>();
}

TEST_CASE("a reduce_scatter in binary blocks is folded along the canonical tree, for any number of ranks",
          "[schedule][reduce_scatter][binary_blocks]") {
    for (rank_type size = 1; size <= 260; ++size) {
        const proof p = testing::check_proved(collective::reduce_scatter, size, 0, make);
        const capabilities claims = make({0, size, 0}).claims();
        const bool even = floor_pow2(size) == size;
        CAPTURE(size);
        CHECK(p.order_preserved);
        CHECK(p.same_bits);
        CHECK(p.canonical_tree);
        CHECK_FALSE(p.moves_blocks);
        CHECK(p.scratch_blocks == 0);
        CHECK(p.rounds == floor_log2(size) + (even ? 0 : 2));
        CHECK(p.sent_blocks == (even ? size - 1 : size));
        CHECK(p.reduced_blocks == claims.reduced_blocks);
        CHECK(p.reduced_blocks <= size + floor_log2(size));
        CHECK(p.max_outstanding == claims.max_outstanding);
    }
}

TEST_CASE("of a power of two it is distance_doubling, step by step",
          "[schedule][reduce_scatter][binary_blocks]") {
    for (rank_type size = 1; size <= 32; size *= 2)
        for (rank_type r = 0; r < size; ++r)
            CHECK(schedule(make({r, size, 0}))
                  == schedule(generate(of<collective::reduce_scatter>, distance_doubling{}, {r, size, 0})));
}

TEST_CASE("5 ranks: four reduce a part each, fold what the fifth has and hand its block out",
          "[schedule][reduce_scatter][binary_blocks]") {
    CHECK(testing::schedule_text(5, 0, make)
          == "0.0: send 1 [1..2]; fold right 1 [0..2]\n"
             "0.1: send 2 [2]; fold right 2 [0..1]\n"
             "0.2: fold right 4 [0..1]\n"
             "0.3: send 4 [4]\n"
             "1.0: send 0 [0..2]; fold left 0 [1..2]\n"
             "1.1: send 3 [3]; fold right 3 [1]\n"
             "1.2: fold right 4 [1]\n"
             "2.0: send 3 [1..2]; fold right 3 [0..2]\n"
             "2.1: send 0 [0..1]; fold left 0 [2]\n"
             "2.2: fold right 4 [2]\n"
             "3.0: send 2 [0..2]; fold left 2 [1..2]\n"
             "3.1: send 1 [1]; fold left 1 [3]\n"
             "3.2: fold right 4 [3]\n"
             "4.2: send 0 [0..1]; send 1 [1]; send 2 [2]; send 3 [3]\n"
             "4.3: recv 0 [4]\n");
}

static_assert(generator<reduce_scatter_binary_blocks>);
static_assert(reduce_scatter_binary_blocks({0, 2147483647, 0}).rounds() == 32);
static_assert(std::is_trivially_copyable_v<reduce_scatter_binary_blocks>, "a generator owns no memory");
