// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/mock_states.hpp>

#include "support/catch2.hpp"

// The tree of the doc comment, walked by hand: x, y, z or y, x, z or xy, z.
TEST_CASE("a state is gone through once, and the ways through it count as often as it is met",
          "[transport][mock][explore]") {
    enum : std::uint64_t { nothing = 10, x, y, both };
    tutti::mock::states known;
    known.begin_run(); // decisions 0
    CHECK_FALSE(known.enter(nothing, 0));
    CHECK_FALSE(known.enter(x, 1));
    CHECK_FALSE(known.enter(both, 1));
    CHECK(known.new_ones(1) == 1);
    known.end_run(1);
    CHECK(known.count() == 2); // x and both: all is decided there
    known.begin_run();         // decisions 1
    CHECK_FALSE(known.enter(nothing, 0));
    CHECK_FALSE(known.enter(y, 1));
    CHECK(known.enter(both, 1));
    CHECK_FALSE(known.enter(both, 4)); // goes on as it likes
    CHECK(known.new_ones(5) == 1);
    known.end_run(1);
    known.begin_run(); // decisions 2
    CHECK_FALSE(known.enter(nothing, 0));
    CHECK(known.enter(both, 1));
    known.end_run(0);
    CHECK(known.ways() == 3);
    CHECK(known.count() == 4);
}
