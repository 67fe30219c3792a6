// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/capabilities.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("a generator that states nothing claims any size and nothing else", "[core][capabilities]") {
    constexpr capabilities none{};
    CHECK(none.any_size);
    CHECK_FALSE(none.order_preserving);
    CHECK_FALSE(none.same_bits_on_all_ranks);
    CHECK_FALSE(none.moves_blocks);
    CHECK_FALSE(none.reads_input);
    CHECK(none.scratch_blocks == 0);
    CHECK(none.max_outstanding == unstated);
    CHECK(none.rounds == unstated);
    CHECK(none.sent_blocks == unstated);
    CHECK(none.reduced_blocks == unstated);
    CHECK(none.uniform_rounds == 0);
}

TEST_CASE("claims differ if any one of them does", "[core][capabilities]") {
    CHECK(capabilities{.rounds = 3} == capabilities{.rounds = 3});
    CHECK(capabilities{.rounds = 3} != capabilities{.rounds = 4});
    CHECK(capabilities{.moves_blocks = true} != capabilities{});
}
