// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/node_sizes.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("sizes of nodes are a list, and nodes that are alike are counted", "[core][nodes]") {
    using sizes = std::vector<rank_type>;
    CHECK(node_sizes_from("3,5", 8) == sizes{3, 5});
    CHECK(node_sizes_from("5", 100) == sizes{5});
    CHECK(node_sizes_from("3x2", 6) == sizes{2, 2, 2});
    CHECK(node_sizes_from("1,2x3,1x4", 11) == sizes{1, 3, 3, 4});
    CHECK(node_sizes_from("2147483647", 2147483647) == sizes{2147483647});
}

TEST_CASE("what is no list of sizes, or has more ranks than there may be, names no nodes", "[core][nodes]") {
    for (const char* wrong :
         {"",    ",",    "4,",   ",4",        "4 ",    " 4",  "+4",          "0,4",
          "4,0", "-1,5", "four", "2,2,2,2,1", "9",     "2x5", "5x2",         "1,4x2",
          "0x4", "4x0",  "2x",   "x2",        "2x2x2", "2X4", "99999999999", "2147483647x2147483647",
          "4;4"})
        CHECK(node_sizes_from(wrong, 8).empty());
}
