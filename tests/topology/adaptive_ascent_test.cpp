// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/adaptive_ascent.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <tutti/pattern/permutation.hpp>

#include "support/catch2.hpp"
#include "support/fat_tree_lemmas.hpp"
#include "support/small_fat_trees.hpp"

using namespace tutti;
using lemmas::messages_of;

TEST_CASE("the shift by 3 on the 2-ary 3-tree can meet on the way down, the shift by 2 cannot",
          "[topology][adaptive_ascent]") {
    const fat_tree tree = fat_tree::kary(2, 3);
    const certain_ascent by_3 = adaptive_certain(tree, messages_of(shift{3}, 8));
    CHECK(by_3 == certain_ascent{.ascending = 1, .descending = 2, .level = 1, .subtree = 0});
    CHECK_FALSE(by_3.free());
    const certain_ascent by_2 = adaptive_certain(tree, messages_of(shift{2}, 8));
    CHECK(by_2.ascending == 1);
    CHECK(by_2.descending == 1);
    CHECK(by_2.free());
}

TEST_CASE("no messages, or messages from nodes to themselves, load nothing", "[topology][adaptive_ascent]") {
    const fat_tree tree = fat_tree::kary(4, 2);
    CHECK(adaptive_certain(tree, {}) == certain_ascent{});
    CHECK(adaptive_certain(tree, messages_of([](rank_type r, rank_type) { return r; }, 16)).free());
    const std::vector<node_message> itself{{.from = 3, .to = 3}};
    CHECK(adaptive_certain(tree, itself) == certain_ascent{});
}

TEST_CASE("on full trees the worst descent is what trying every ascent finds",
          "[topology][adaptive_ascent]") {
    std::mt19937 random(1);
    for (const fat_tree& tree : support::small_full_trees()) {
        int worse_than_free = 0;
        for (int i = 0; i < 150; ++i) {
            const std::vector<node_message> messages = support::some_messages(tree, random);
            const support::every_ascent tried(tree, messages);
            const certain_ascent found = adaptive_certain(tree, messages);
            CAPTURE(support::name_of(tree), i);
            REQUIRE(tried.exists());
            REQUIRE(found.ascending <= 1);
            REQUIRE(found.descending == tried.worst());
            worse_than_free += found.descending > 1 ? 1 : 0;
        }
        CHECK((worse_than_free > 0) == (tree.levels() > 2 || tree.subtrees(1) > 2));
    }
}

TEST_CASE("on slimmed trees no ascent does worse, and free up links exist iff ascending is 1",
          "[topology][adaptive_ascent]") {
    std::mt19937 random(2);
    for (const fat_tree& tree : support::small_slimmed_trees()) {
        int contended = 0;
        int reached = 0;
        int ascents = 0;
        for (int i = 0; i < 150; ++i) {
            const std::vector<node_message> messages = support::some_messages(tree, random);
            const support::every_ascent tried(tree, messages);
            const certain_ascent found = adaptive_certain(tree, messages);
            CAPTURE(support::name_of(tree), i);
            REQUIRE(tried.exists() == (found.ascending <= 1));
            contended += tried.exists() ? 0 : 1;
            if (!tried.exists()) continue;
            REQUIRE(tried.worst() <= found.descending);
            ++ascents;
            reached += tried.worst() == found.descending ? 1 : 0;
        }
        CAPTURE(support::name_of(tree), contended, ascents, reached);
        CHECK(contended > 0);
        CHECK(ascents > 0);
        CHECK(10 * reached >= 9 * ascents); // the bound is rarely loose
    }
}

TEST_CASE("messages that have to share up links are counted at both ends", "[topology][adaptive_ascent]") {
    // Half as many links up from every switch as below it; all nodes send to the other switch.
    const fat_tree halved({4, 2}, {1, 2});
    const certain_ascent across = adaptive_certain(halved, messages_of(shift{4}, 8));
    CHECK(across.ascending == 2);
    CHECK(across.descending == 2);
    const fat_tree tree = fat_tree::kary(2, 2);
    const certain_ascent nothing = adaptive_certain(tree, std::vector<node_message>{});
    CHECK(nothing.ascending == 0);
    CHECK(nothing.descending == 0);
    CHECK(nothing.free());
    // Everybody to node 0.
    const certain_ascent gather =
        adaptive_certain(tree, messages_of([](rank_type, rank_type) { return 0; }, 4));
    CHECK(gather == certain_ascent{.ascending = 1, .descending = 3, .level = 0, .subtree = 0});
    // Node 0 to everybody: the only link up carries all.
    const std::vector<node_message> scatter{{.from = 0, .to = 1}, {.from = 0, .to = 2}, {.from = 0, .to = 3}};
    CHECK(adaptive_certain(tree, scatter).ascending == 3);
}

TEST_CASE("what is certain on a full tree is free under S-mod-k; for all nodes, under D-mod-k, too",
          "[topology][adaptive_ascent]") {
    lemmas::judge on({2, 3});
    std::vector<rank_type> target{0, 1, 2, 3, 4, 5, 6, 7};
    int certain = 0;
    int d_mod_k = 0;
    int s_mod_k = 0;
    do {
        const permutation_table p(target);
        const bool by_target = on.free(lemmas::ascent::d_mod_k, p);
        const bool by_source = on.free(lemmas::ascent::s_mod_k, p);
        d_mod_k += by_target ? 1 : 0;
        s_mod_k += by_source ? 1 : 0;
        std::vector<rank_type> back(target.size());
        for (std::size_t r = 0; r < target.size(); ++r)
            back[static_cast<std::size_t>(target[r])] = static_cast<rank_type>(r);
        const bool free = on.free(lemmas::ascent::certain, p);
        REQUIRE(free == on.free(lemmas::ascent::certain, permutation_table(back)));
        if (!free) continue;
        ++certain;
        REQUIRE(by_target);
        REQUIRE(by_source);
    } while (std::next_permutation(target.begin(), target.end()));
    CHECK(certain > 0);
    CHECK(certain < d_mod_k);
    CHECK(d_mod_k == s_mod_k); // a permutation is free under one iff its inverse is under the other
    CHECK(d_mod_k < 40320);

    // With nodes left out: both messages of switch 0 climb by port 0 under D-mod-k.
    lemmas::judge partial({4, 2});
    std::vector<rank_type> two(16, no_rank);
    two[0] = 4;
    two[1] = 8;
    CHECK(partial.free(lemmas::ascent::certain, permutation_table(two)));
    CHECK(partial.free(lemmas::ascent::s_mod_k, permutation_table(two)));
    CHECK_FALSE(partial.free(lemmas::ascent::d_mod_k, permutation_table(two)));
}

TEST_CASE("a message between nodes that the tree does not have is refused", "[topology][adaptive_ascent]") {
    const fat_tree tree = fat_tree::kary(2, 2);
    const auto complaint = [&](node_message m) -> std::string {
        const std::vector<node_message> messages{{.from = 0, .to = 1}, m};
        try {
            adaptive_certain(tree, messages);
        } catch (const argument_error& e) {
            return e.what();
        }
        return "none";
    };
    CHECK(complaint({.from = 4, .to = 0}) == "tutti: sender of message 1 is 4; allowed: 0..3");
    CHECK(complaint({.from = 0, .to = -1}) == "tutti: receiver of message 1 is -1; allowed: 0..3");
}
