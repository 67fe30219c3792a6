// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/bine_tree.hpp>

#include <vector>

#include "support/exchange_text.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bine_tree, collective::reduce>();
}

TEST_CASE("reduce bine_tree is proved for any size and root, in the fewest rounds",
          "[schedule][reduce][bine_tree]") {
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const proof p = check_proved(collective::reduce, size, root, make);
            CHECK(p.rounds == p.bounds.rounds);
            CHECK(p.sent_blocks == (size == 1 ? 0 : 1));
            const bool of_a_pair = root < 2 * (size - floor_pow2(size));
            CHECK(p.reduced_blocks == floor_log2(size) + (of_a_pair ? 1 : 0));
            CHECK(p.order_preserved == bcast_bine_tree({0, size, root}).keeps_order());
        }
}

TEST_CASE("reduce bine_tree keeps the order for a few roots", "[schedule][reduce][bine_tree]") {
    const auto roots = [](rank_type size) {
        std::vector<rank_type> all;
        for (rank_type root = 0; root < size; ++root)
            if (make({0, size, root}).claims().order_preserving) all.push_back(root);
        return all;
    };
    CHECK(roots(4) == std::vector<rank_type>{0, 2});
    CHECK(roots(5) == std::vector<rank_type>{0, 1, 3});
    CHECK(roots(32) == std::vector<rank_type>{10, 26});
    CHECK(roots(43) == std::vector<rank_type>{20, 21, 37});
}

TEST_CASE("the example of reduce bine_tree", "[schedule][reduce][bine_tree]") {
    CHECK(exchange_text(5, 0, make)
          == "0: recv 1 [0]\n"
             "1: recv 2 [0]\n"
             "2: recv 4 [0]");
    CHECK(exchange_text(5, 4, make)
          == "1: recv 3 [0]\n"
             "2: send 0 [0]");
}
