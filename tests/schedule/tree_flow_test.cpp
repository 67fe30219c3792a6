// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/tree_flow.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

#include <tutti/pattern/flat.hpp>
#include <tutti/pattern/fnomial.hpp>
#include <tutti/pattern/inorder_binary.hpp>
#include <tutti/pattern/kary.hpp>
#include <tutti/pattern/two_tree.hpp>
#include <tutti/schedule/combinators.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

static_assert(tree_flow(tree_way::down, 1, chain_tree({0, 5, 3})).rounds() == 4);
static_assert(std::is_trivially_copyable_v<tree_flow>, "a generator owns no memory");
static_assert(sizeof(tree_flow) <= any_generator::inline_bytes);

namespace {

/// The whole vector down a tree, as the tree says it.
struct once_down {
    tree shape;

    round_index rounds() const { return shape.rounds(); }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {}; }
    round_range active() const {
        return {std::max(shape.parent_round(), round_index{0}), shape.last_round() + 1};
    }
    template <class Sink>
    void emit(round_index i, Sink&& sink) const {
        const block_set all{.first = 0, .count = 1};
        if (i == shape.parent_round()) sink(step::recv(shape.parent(), all));
        shape.children(i, [&](rank_type child) { sink(step::send(child, all)); });
    }
};

auto down(const tree& shape, block_index segments) { return pipelined(once_down{shape}, segments); }
auto up(const tree& shape, block_index segments) {
    return pipelined(reversed(once_down{shape}, reversal::folds, shape.at().rank), segments);
}

template <generator G>
std::vector<step> steps_of(const G& g, round_index i) {
    std::vector<step> steps;
    g.emit(i, [&](const step& s) { steps.push_back(s); });
    return steps;
}

template <generator Composed>
void require_same(const tree_flow& flow, const Composed& composed) {
    REQUIRE(flow.rounds() == composed.rounds());
    REQUIRE(flow.blocks() == composed.blocks());
    const round_range active = flow.active();
    REQUIRE((active == composed.active() || (active.empty() && composed.active().empty())));
    for (round_index i = 0; i < flow.rounds(); ++i) {
        const std::vector<step> steps = steps_of(flow, i);
        REQUIRE(steps == steps_of(composed, i));
        REQUIRE((steps.empty() || active.contains(i)));
    }
}

template <class Check>
void for_all_places(const Check& check) {
    for (rank_type size = 1; size <= 24; ++size)
        for (const rank_type root : {0, 1, size / 2, size - 1}) {
            if (root >= size) continue;
            for (rank_type rank = 0; rank < size; ++rank) {
                CAPTURE(size, root, rank);
                check(place{rank, size, root});
            }
        }
}

template <class Make>
void check_composition(const Make& make) {
    for (const block_index segments : {1, 2, 5})
        for_all_places([&](place at) {
            const tree shape = make(at);
            require_same({tree_way::down, segments, shape}, down(shape, segments));
            require_same({tree_way::up, segments, shape}, up(shape, segments));
            require_same({tree_way::up_and_down, segments, shape},
                         sequence(up(shape, segments), down(shape, segments)));
        });
}

} // namespace

TEST_CASE("a broadcast over a tree receives from the parent, then sends to the children",
          "[schedule][bcast][tree]") {
    CHECK(testing::schedule_text(5, 3, [](place at) { return tree_flow(tree_way::down, 1, chain_tree(at)); })
          == "0.1: recv 4 [0]\n"
             "0.2: send 1 [0]\n"
             "1.2: recv 0 [0]\n"
             "1.3: send 2 [0]\n"
             "2.3: recv 1 [0]\n"
             "3.0: send 4 [0]\n"
             "4.0: recv 3 [0]\n"
             "4.1: send 0 [0]\n");
}

TEST_CASE("segments follow each other by one round", "[schedule][bcast][tree]") {
    CHECK(testing::schedule_text(3, 0, [](place at) { return tree_flow(tree_way::down, 2, chain_tree(at)); })
          == "0.0: send 1 [0]\n"
             "0.1: send 1 [1]\n"
             "1.0: recv 0 [0]\n"
             "1.1: send 2 [0]; recv 0 [1]\n"
             "1.2: send 2 [1]\n"
             "2.1: recv 1 [0]\n"
             "2.2: recv 1 [1]\n");
}

TEST_CASE("a reduction over a tree is the broadcast backwards, lower ranks folded on the left",
          "[schedule][reduce][tree]") {
    CHECK(testing::schedule_text(3, 2, [](place at) { return tree_flow(tree_way::up, 2, chain_tree(at)); })
          == "0.0: fold right 1 [0]\n"
             "0.1: send 2 [0]; fold right 1 [1]\n"
             "0.2: send 2 [1]\n"
             "1.0: send 0 [0]\n"
             "1.1: send 0 [1]\n"
             "2.1: fold left 0 [0]\n"
             "2.2: fold left 0 [1]\n");
}

TEST_CASE("children are folded nearest first", "[schedule][reduce][tree]") {
    CHECK(testing::schedule_text(5, 2, [](place at) { return tree_flow(tree_way::up, 1, flat_tree(at)); })
          == "0.0: send 2 [0]\n"
             "1.0: send 2 [0]\n"
             "2.0: fold left 1 [0]; fold left 0 [0]; fold right 3 [0]; fold right 4 [0]\n"
             "3.0: send 2 [0]\n"
             "4.0: send 2 [0]\n");
}

TEST_CASE("a root with very many children folds each of them once", "[schedule][reduce][tree]") {
    rank_type expected = 0;
    tree_flow(tree_way::up, 1, flat_tree({0, 1000, 0})).emit(0, [&](const step& s) {
        ++expected;
        REQUIRE(s == step::recv_reduce(expected, {.first = 0, .count = 1}, operand_side::right));
    });
    CHECK(expected == 999);
}

TEST_CASE("a flow through a tree is what the combinators make of it", "[schedule][tree]") {
    SECTION("flat") { check_composition(flat_tree); }
    SECTION("chain") { check_composition(chain_tree); }
    SECTION("k-ary") {
        const rank_type arity = GENERATE(2, 3, 40);
        check_composition([arity](place at) { return kary_tree(at, arity); });
    }
    SECTION("f-nomial") {
        const rank_type radix = GENERATE(2, 3, 5);
        check_composition([radix](place at) { return fnomial_tree(at, radix); });
    }
    SECTION("f-nomial with idle rounds") {
        check_composition([](place at) { return fnomial_tree(at, 2, 7); });
    }
    SECTION("in-order binary") { check_composition(inorder_binary_tree); }
    SECTION("half of a two-tree") {
        const tree_half which = GENERATE(tree_half::first, tree_half::second);
        check_composition([which](place at) { return two_tree_half(at, which); });
    }
}

TEST_CASE("a flow through two trees is what the combinators make of it", "[schedule][tree][two_tree]") {
    for (const block_index segments : {1, 2, 5})
        for_all_places([&](place at) {
            const tree a = two_tree_half(at, tree_half::first);
            const tree b = two_tree_half(at, tree_half::second);
            const side_by_side both_down(down(a, segments), down(b, segments));
            const side_by_side both_up(up(a, segments), up(b, segments));
            require_same({tree_way::down, segments, a, b}, both_down);
            require_same({tree_way::up, segments, a, b}, both_up);
            require_same({tree_way::up_and_down, segments, a, b}, sequence(both_up, both_down));
        });
}
