// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_tree.hpp>

#include <tutti/pattern/chain.hpp>
#include <tutti/pattern/flat.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a reduction over a tree is the broadcast backwards, lower ranks folded on the left",
          "[schedule][reduce][tree]") {
    CHECK(testing::schedule_text(3, 2, [](place at) { return reduce_over(chain_tree(at), 2, at.rank); })
          == "0.0: fold right 1 [0]\n"
             "0.1: send 2 [0]; fold right 1 [1]\n"
             "0.2: send 2 [1]\n"
             "1.0: send 0 [0]\n"
             "1.1: send 0 [1]\n"
             "2.1: fold left 0 [0]\n"
             "2.2: fold left 0 [1]\n");
}

TEST_CASE("children are folded nearest first", "[schedule][reduce][tree]") {
    CHECK(testing::schedule_text(5, 2, [](place at) { return reduce_over(flat_tree(at), 1, at.rank); })
          == "0.0: send 2 [0]\n"
             "1.0: send 2 [0]\n"
             "2.0: fold left 1 [0]; fold left 0 [0]; fold right 3 [0]; fold right 4 [0]\n"
             "3.0: send 2 [0]\n"
             "4.0: send 2 [0]\n");
}

TEST_CASE("a root with very many children folds each of them once", "[schedule][reduce][tree]") {
    // More steps in a round than `reversed` keeps at a time.
    rank_type expected = 0;
    reduce_over(flat_tree({0, 1000, 0}), 1, 0).emit(0, [&](const step& s) {
        ++expected;
        REQUIRE(s == step::recv_reduce(expected, {.first = 0, .count = 1}, operand_side::right));
    });
    CHECK(expected == 999);
}
