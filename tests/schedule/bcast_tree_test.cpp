// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast_tree.hpp>

#include <tutti/pattern/chain.hpp>
#include <tutti/pattern/fnomial.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

static_assert(generator<bcast_tree<chain_tree>>);
static_assert(bcast_tree(chain_tree({0, 5, 3})).rounds() == 4);

TEST_CASE("a broadcast over a tree receives from the parent, then sends to the children",
          "[schedule][bcast][tree]") {
    CHECK(testing::schedule_text(5, 3, [](place at) { return bcast_tree(chain_tree(at)); })
          == "0.1: recv 4 [0]\n"
             "0.2: send 1 [0]\n"
             "1.2: recv 0 [0]\n"
             "1.3: send 2 [0]\n"
             "2.3: recv 1 [0]\n"
             "3.0: send 4 [0]\n"
             "4.0: recv 3 [0]\n"
             "4.1: send 0 [0]\n");
}

TEST_CASE("a broadcast over a tree may carry several blocks as one message", "[schedule][bcast][tree]") {
    const auto make = [](place at) { return any_generator(bcast_tree(fnomial_tree(at, 3), 4)); };
    CHECK(testing::schedule_text(2, 0, make)
          == "0.0: send 1 [0..3]\n"
             "1.0: recv 0 [0..3]\n");
    for (rank_type size = 1; size <= 20; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const proof p = testing::check_proved(collective::bcast, size, root, make);
            REQUIRE(p.sent_blocks == make({0, size, root}).claims().sent_blocks);
        }
}

TEST_CASE("segments follow each other by one round", "[schedule][bcast][tree]") {
    CHECK(testing::schedule_text(3, 0, [](place at) { return bcast_over(chain_tree(at), 2); })
          == "0.0: send 1 [0]\n"
             "0.1: send 1 [1]\n"
             "1.0: recv 0 [0]\n"
             "1.1: send 2 [0]; recv 0 [1]\n"
             "1.2: send 2 [1]\n"
             "2.1: recv 1 [0]\n"
             "2.2: recv 1 [1]\n");
}
