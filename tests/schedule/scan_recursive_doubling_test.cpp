// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan/recursive_doubling.hpp>

#include <type_traits>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

namespace {
const generator_factory make = testing::factory_of<recursive_doubling, collective::scan>();
}

TEST_CASE("a scan by recursive doubling is folded along the canonical tree, for any number of ranks",
          "[schedule][scan][recursive_doubling]") {
    testing::check_doubling_scan<collective::scan>(make);
}

TEST_CASE("5 ranks scan: nobody folds for a group that nobody needs",
          "[schedule][scan][recursive_doubling]") {
    CHECK(testing::schedule_text(5, 0, make)
          == "0.0: send 1 [0]; copy [0]; fold right 1 [0]\n"
             "0.1: send 2 [0]; fold right 2 [0]\n"
             "0.2: send 4 [0]\n"
             "1.0: send 0 [0]; copy [0]; recv 0 [0]; fold left [0]; fold left [0]\n"
             "1.1: send 3 [0]\n"
             "2.0: send 3 [0]; copy [0]; fold right 3 [0]\n"
             "2.1: send 0 [0]; fold left 0 [0]\n"
             "3.0: send 2 [0]; fold left 2 [0]\n"
             "3.1: fold left 1 [0]\n"
             "4.2: fold left 0 [0]\n");
}

static_assert(generator<doubling_scan<collective::scan>>);
static_assert(generate(of<collective::scan>, recursive_doubling{}, {0, 2147483647, 0}).rounds() == 31);
static_assert(generate(of<collective::scan>, recursive_doubling{}, {0, 2147483647, 0}).claims().reduced_blocks
              == 59);
static_assert(std::is_trivially_copyable_v<doubling_scan<collective::scan>>, "a generator owns no memory");
