// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/fnomial.hpp>

#include <iterator>
#include <vector>

#include <tutti/pattern/flat.hpp>

#include "support/catch2.hpp"
#include "support/tree_properties.hpp"

using namespace tutti;

static_assert(fnomial_tree({3, 5, 0}, 2).parent() == 2);
static_assert(fnomial_tree({0, 5, 0}, 2).rounds() == 3);
static_assert(fnomial_tree({0, 5, 0}, 3).most_children() == 3);
static_assert(fnomial_tree({(1 << 20) - 1, 1 << 20, 0}, 2).parent() == (1 << 20) - 2);
static_assert(fnomial_tree({2147483646, 2147483647, 0}, 2147483647).parent() == 0,
              "no overflow in the strides");

namespace {
/// Appendix A's array_receives[phase].
std::int64_t children_in_phase(const tree& shape, std::int64_t phase) {
    return std::ssize(testing::children_of(shape, shape.rounds() - 1 - phase));
}

/// Appendix A's num_child: where this rank's message lies among its parent's receive buffers, which are
/// filled phase by phase; -1 at the root.
std::int64_t child_number(rank_type size, rank_type radix, const tree& shape) {
    if (shape.parent() == no_rank) return -1;
    const tree above = fnomial_tree({shape.parent(), size, 0}, radix);
    std::int64_t number = 0;
    for (round_index i = above.rounds() - 1; i > shape.parent_round(); --i)
        number += std::ssize(testing::children_of(above, i));
    for (const rank_type sibling : testing::children_of(above, shape.parent_round()))
        if (sibling < shape.at().rank) ++number;
    return number;
}
} // namespace

TEST_CASE("f-nomial trees are trees for any radix, size and root", "[pattern][tree][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9, 70, 2147483647);
    CAPTURE(radix);
    testing::check_trees(70, [radix](place at) { return fnomial_tree(at, radix); });
}

TEST_CASE("Moody's figure 5: the 4-nomial tree of 16 nodes", "[pattern][tree][fnomial]") {
    CHECK(testing::tree_text(16, 0, [](place at) { return fnomial_tree(at, 4); })
          == "0: round 0: 12 8 4; round 1: 3 2 1\n"
             "1: parent 0 in round 1\n"
             "2: parent 0 in round 1\n"
             "3: parent 0 in round 1\n"
             "4: parent 0 in round 0; round 1: 7 6 5\n"
             "5: parent 4 in round 1\n"
             "6: parent 4 in round 1\n"
             "7: parent 4 in round 1\n"
             "8: parent 0 in round 0; round 1: 11 10 9\n"
             "9: parent 8 in round 1\n"
             "10: parent 8 in round 1\n"
             "11: parent 8 in round 1\n"
             "12: parent 0 in round 0; round 1: 15 14 13\n"
             "13: parent 12 in round 1\n"
             "14: parent 12 in round 1\n"
             "15: parent 12 in round 1\n");
}

TEST_CASE("Moody's figure 8: the root of the 16-node 3-nomial tree has 2, 2 and 1 children",
          "[pattern][tree][fnomial]") {
    const tree root = fnomial_tree({0, 16, 0}, 3);
    CHECK(root.rounds() == 3);
    CHECK(children_in_phase(root, 0) == 2);
    CHECK(children_in_phase(root, 1) == 2);
    CHECK(children_in_phase(root, 2) == 1);
    CHECK(root.most_children() == 5);
    CHECK(children_in_phase(fnomial_tree({12, 16, 0}, 4), 0) == 3);
}

namespace {

/// Appendix A of the paper as printed: init_fnomial_tree.
struct printed_tree {
    std::vector<std::int64_t> array_receives{};
    std::int64_t id_parent;
    std::int64_t num_child = -1;

    printed_tree(std::int64_t degree, std::int64_t id_count, std::int64_t id_local) : id_parent(id_local) {
        std::int64_t phase = 0;
        for (std::int64_t stride = 1; stride < id_count; stride *= degree, ++phase) {
            array_receives.push_back(0);
            if (id_local / stride % degree == 0) {
                for (std::int64_t index = 0; index < degree - 1; ++index)
                    if (id_local + (index + 1) * stride < id_count) ++array_receives.back();
            } else {
                id_parent = id_local / (stride * degree) * (stride * degree);
                num_child = phase * (degree - 1) + id_local / stride % degree - 1;
                break;
            }
        }
    }
};

} // namespace

TEST_CASE("f-nomial trees agree with the listing in Moody's appendix A", "[pattern][tree][fnomial]") {
    const rank_type radix = GENERATE(2, 3, 4, 5, 6, 7, 8, 9);
    for (rank_type size = 1; size <= 70; ++size)
        for (rank_type rank = 0; rank < size; ++rank) {
            CAPTURE(radix, size, rank);
            const tree own = fnomial_tree({rank, size, 0}, radix);
            const printed_tree printed(radix, size, rank);
            REQUIRE((own.parent() == no_rank ? rank : own.parent()) == printed.id_parent);
            REQUIRE(child_number(size, radix, own) == printed.num_child);
            for (std::size_t phase = 0; phase < printed.array_receives.size(); ++phase)
                REQUIRE(children_in_phase(own, static_cast<std::int64_t>(phase))
                        == printed.array_receives[phase]);
        }
}

TEST_CASE("a tree with more phases than it needs idles in its first rounds", "[pattern][tree][fnomial]") {
    const auto taller = [](place at) { return fnomial_tree(at, 2, 5); };
    CHECK(taller({0, 3, 0}).rounds() == 5);
    CHECK(testing::tree_text(3, 0, taller)
          == "0: round 3: 2; round 4: 1\n"
             "1: parent 0 in round 4\n"
             "2: parent 0 in round 3\n");
    CHECK(taller({0, 3, 0}).most_messages(1) == fnomial_tree({0, 3, 0}, 2).most_messages(1));
    CHECK(taller({0, 3, 0}).most_children() == 2);
}

TEST_CASE("an f-nomial tree of radix p is flat", "[pattern][tree][fnomial]") {
    CHECK(testing::tree_text(6, 0, [](place at) { return fnomial_tree(at, 6); })
          == testing::tree_text(6, 0, [](place at) { return flat_tree(at); }));
}

TEST_CASE("a radix below 2 is refused", "[pattern][tree][fnomial]") {
    CHECK_THROWS_AS(fnomial_tree({0, 5, 0}, 1), argument_error);
    CHECK_THROWS_AS(fnomial_tree({0, 5, 0}, 0), argument_error);
}
