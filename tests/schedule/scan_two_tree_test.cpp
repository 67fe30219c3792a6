// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan/two_tree.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <tutti/schedule/tree_scan.hpp>

#include "support/catch2.hpp"
#include "support/scans.hpp"

using namespace tutti;

TEST_CASE("two trees scan for every size and number of segments, in order, and their claims are exact",
          "[schedule][scan][two_tree]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16);
    CAPTURE(segments);
    testing::check_tree_scan<collective::scan>(two_tree{segments});
}

TEST_CASE(
    "a scan of S segments along two trees takes 2 floor(lg(p + 1)) + S - 1 rounds; nobody sends or folds "
    "more than 2 vectors",
    "[schedule][scan][two_tree]") {
    testing::for_each_segmented<collective::scan, two_tree>(
        [](const proof& p, rank_type size, block_index segments) {
            CHECK(p.rounds == 2 * floor_log2(size + 1) + segments - 1);
            CHECK(p.sent_blocks == segments * (size < 3 ? 2 : size < 7 ? 3 : 4));
            CHECK(p.reduced_blocks == segments * (size < 4 ? 2 : size < 7 ? 3 : 4));
            CHECK(p.scratch_blocks == (size < 3 ? 0 : segments));
        });
}

namespace {

/// A tree_scan that does not say when it is busy.
struct telling_less {
    tree_scan g;

    round_index rounds() const { return g.rounds(); }
    block_index blocks() const { return g.blocks(); }
    capabilities claims() const { return g.claims(); }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        g.emit(i, sink);
    }
};

template <generator G>
std::vector<step> steps_of(const G& g) {
    std::vector<step> steps;
    for (round_index i = 0; i < g.rounds(); ++i) {
        g.emit(i, [&](const step& s) { steps.push_back(s); });
        steps.push_back({}); // between rounds
    }
    return steps;
}

} // namespace

TEST_CASE("in a tree in segments nothing is left out because a rank says when it is busy",
          "[schedule][scan][two_tree]") {
    for (rank_type size = 1; size <= 40; ++size)
        for (rank_type rank = 0; rank < size; ++rank)
            for (const scan_with whose : {scan_with::own, scan_with::others})
                for (const inorder_shape shape :
                     {inorder_shape::balanced, inorder_shape::first, inorder_shape::second}) {
                    const tree_scan g(whose, {.rank = rank, .size = size}, shape);
                    for (const block_index segments : {1, 3, 8})
                        CHECK(steps_of(pipelined(g, segments))
                              == steps_of(pipelined(telling_less{g}, segments)));
                }
    const tree_scan leaf(scan_with::own, {.rank = 2, .size = 31});
    CHECK(leaf.busy() == std::array<std::int8_t, 4>{-1, 0, 7, -1});
}

TEST_CASE("5 ranks of two trees: the first half by the odd ranks, the second by the even ones",
          "[schedule][scan][two_tree]") {
    CHECK(testing::schedule_text(5, 0, testing::factory_of<two_tree, collective::scan>({1}))
          == "0.0: send 1 [0]; copy [1]; fold right 1 [1]\n"
             "0.1: send 2 [1]\n"
             "0.3: send 1 [1]\n"
             "1.0: fold left 0 [0]; copy [0]; fold right 2 [0]; send 0 [1]\n"
             "1.1: send 3 [0]\n"
             "1.3: send 2 [0]; fold left 0 [1]\n"
             "2.0: send 1 [0]\n"
             "2.1: fold left 0 [1]\n"
             "2.2: send 4 [1]\n"
             "2.3: fold left 1 [0]\n"
             "3.0: send 4 [1]\n"
             "3.1: fold left 1 [0]\n"
             "3.2: send 4 [0]\n"
             "3.3: fold left 4 [1]\n"
             "4.0: fold left 3 [1]\n"
             "4.2: fold left 3 [0]; recv 2 [1]; fold left [1]\n"
             "4.3: send 3 [1]\n");
}

TEST_CASE("two trees scan with as many segments per half as are asked for, at least one",
          "[schedule][scan][two_tree]") {
    CHECK(generate(of<collective::scan>, two_tree{}, place{3, 20, 0}).blocks() == 8);
    CHECK(generate(of<collective::scan>, two_tree{9}, place{3, 1000, 0}).rounds() == 26);
    CHECK(generate(of<collective::scan>, two_tree{1}, place{0, 2147483647, 0}).rounds() == 62);
    CHECK_THROWS_AS(generate(of<collective::scan>, two_tree{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::scan>, two_tree{1}, place{2, 2, 0}), argument_error);
}

static_assert(generator<two_tree_scan>);
static_assert(std::is_trivially_copyable_v<two_tree_scan>, "a generator owns no memory");
