// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/pattern/permutation.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/fat_tree_lemmas.hpp"

// Lemmas 1-6 of Kumar and Kalé 2004, section 4.1, on every k-ary n-tree of up to 1024 nodes: where they hold
// under each routing, where they hold more widely, and where they fail. docs/lemmas.md says it in words.

using namespace tutti;
using lemmas::all_ascents;
using lemmas::all_trees;
using lemmas::ascent;
using lemmas::family;
using lemmas::free_share;
using lemmas::judge;
using lemmas::permutations;
using lemmas::tree_shape;

namespace {

constexpr rank_type most_nodes = 1024;

/// Trees with a choice of routes.
std::vector<tree_shape> trees() { return all_trees(support::up_to(most_nodes, 256), 2); }

constexpr ascent not_possible[] = {ascent::d_mod_k, ascent::s_mod_k, ascent::certain};

void check_holds_everywhere(family f) {
    for (const tree_shape& shape : trees()) {
        judge on(shape);
        const std::vector<permutation_table> all = permutations(f, shape);
        for (const ascent how : all_ascents) {
            CAPTURE(shape.name(), name_of(how));
            CHECK(free_share(on, how, all).text() == "all");
        }
    }
}

/// Which of the permutations 1, 2, .. are free; the first one has number `first`.
std::set<rank_type> free_ones(judge& on, ascent how, const std::vector<permutation_table>& all,
                              rank_type first) {
    std::set<rank_type> result;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (on.free(how, all[i])) result.insert(first + static_cast<rank_type>(i));
    return result;
}

std::set<rank_type> range(rank_type first, rank_type last) {
    std::set<rank_type> result;
    for (rank_type i = first; i <= last; ++i) result.insert(i);
    return result;
}

bool contains(const std::set<rank_type>& all, const std::set<rank_type>& some) {
    for (const rank_type x : some)
        if (all.count(x) == 0) return false;
    return true;
}

/// Largest power of two that divides k.
rank_type two_part(rank_type k) { return k & -k; }

} // namespace

TEST_CASE("there are 53 k-ary n-trees with k and n from 2 on and at most 1024 nodes", "[topology][lemmas]") {
    CHECK(all_trees(most_nodes, 2).size() == 53);
    CHECK(all_trees(most_nodes, 1).size() == 53 + 1023);
}

TEST_CASE("one level of switches: every permutation is free, whatever the routing", "[topology][lemmas]") {
    // No message climbs beyond the only switch: two take one link only if they have an end in common.
    std::mt19937 random(6);
    for (const tree_shape& shape : all_trees(most_nodes, 1)) {
        if (shape.n > 1 || (shape.k > 40 && shape.k % 97 != 0)) continue;
        judge on(shape);
        for (const ascent how : all_ascents) {
            CHECK(on.free(how, permutation_table(lemmas::random_order(shape.k, random))));
            CHECK(on.free(how, exclusive_or{static_cast<rank_type>(random() % 64)})); // "iff" of Lemma 5
        }
    }
}

TEST_CASE("Lemma 1: the shift by 1 is free on every tree under every routing", "[topology][lemmas]") {
    check_holds_everywhere(family::shift_by_1);
}

TEST_CASE("Lemma 2: permuting the k top subtrees in order is free on every tree under every routing",
          "[topology][lemmas]") {
    check_holds_everywhere(family::quarters);
}

TEST_CASE("Lemma 1 with nodes missing: the shift by 1 of compact ranks stays free", "[topology][lemmas]") {
    // From a subtree leaves the message of its last rank only, and into it comes the one for its first rank.
    std::mt19937 random(8);
    for (const tree_shape& shape : all_trees(256, 2)) {
        judge on(shape);
        for (int i = 0; i < 8; ++i) {
            std::vector<rank_type> present;
            for (node_type v = 0; v < shape.nodes(); ++v)
                if (random() % 4 != 0) present.push_back(v);
            std::vector<rank_type> target(static_cast<std::size_t>(shape.nodes()), no_rank);
            for (std::size_t r = 0; r < present.size(); ++r)
                target[static_cast<std::size_t>(present[r])] = present[(r + 1) % present.size()];
            const permutation_table by_1(target);
            for (const ascent how : all_ascents) {
                CAPTURE(shape.name(), name_of(how), i);
                CHECK(on.free(how, by_1));
            }
        }
    }
}

TEST_CASE("Lemma 2 holds for any number of parts that divides k", "[topology][lemmas]") {
    for (const tree_shape& shape : trees()) {
        judge on(shape);
        for (rank_type parts = 2; parts < shape.k; ++parts) {
            if (shape.k % parts != 0) continue;
            for (const std::vector<rank_type>& to : lemmas::orders(parts))
                for (const ascent how : all_ascents) {
                    CAPTURE(shape.name(), name_of(how), parts);
                    CHECK(on.free(how, quarter_permutation(to)));
                }
        }
    }
}

TEST_CASE("Lemma 2 does not extend to k * k parts unless k = 2", "[topology][lemmas]") {
    for (const tree_shape& shape : trees()) {
        judge on(shape);
        const std::vector<permutation_table> all = permutations(family::finer_parts, shape);
        CAPTURE(shape.name());
        for (const ascent how : not_possible) {
            CAPTURE(name_of(how));
            CHECK((free_share(on, how, all).text() == "all") == (shape.k == 2));
        }
        CHECK(free_share(on, ascent::possible, all).text() == "all");
    }
}

TEST_CASE("Lemma 3: what maps the tree into itself is free on every tree under every routing",
          "[topology][lemmas]") {
    check_holds_everywhere(family::automorphisms);
}

TEST_CASE("Lemma 3's permutations do keep siblings siblings, and cousins cousins", "[topology][lemmas]") {
    for (const tree_shape& shape : {tree_shape{2, 5}, tree_shape{3, 3}, tree_shape{5, 2}}) {
        judge on(shape);
        for (const permutation_table& p : permutations(family::automorphisms, shape))
            for (node_type a = 0; a < shape.nodes(); ++a)
                for (node_type b = 0; b < shape.nodes(); ++b)
                    REQUIRE(on.tree().height(a, b)
                            == on.tree().height(p(a, shape.nodes()), p(b, shape.nodes())));
    }
}

TEST_CASE("Lemma 4: hypercube exchanges are free where k is a power of two", "[topology][lemmas]") {
    for (const tree_shape& shape : trees()) {
        if (!shape.power_of_two()) continue;
        judge on(shape);
        for (const ascent how : all_ascents) {
            CAPTURE(shape.name(), name_of(how));
            CHECK(free_share(on, how, permutations(family::exchanges, shape)).text() == "all");
        }
    }
}

TEST_CASE("Lemma 4 where k is no power of two: D-mod-k and S-mod-k free short dimensions and the last one",
          "[topology][lemmas]") {
    std::vector<std::string> last_certain;
    for (const tree_shape& shape : all_trees(most_nodes, 2)) {
        if (shape.power_of_two()) continue;
        judge on(shape);
        const std::vector<permutation_table> all = permutations(family::exchanges, shape);
        const auto last = static_cast<rank_type>(all.size() - 1);
        CAPTURE(shape.name());

        std::set<rank_type> expected = range(0, floor_log2(shape.k) - 1); // 2 * 2^d <= k
        expected.insert(last);
        CHECK(free_ones(on, ascent::d_mod_k, all, 0) == expected);
        CHECK(free_ones(on, ascent::s_mod_k, all, 0) == expected);

        expected = range(0, floor_log2(two_part(shape.k))); // 2^d divides k
        std::set<rank_type> certain = free_ones(on, ascent::certain, all, 0);
        if (certain.erase(last) > 0) last_certain.push_back(shape.name());
        CHECK(certain == expected);

        CHECK(free_share(on, ascent::possible, all).text() == "all");
    }
    CHECK(last_certain == std::vector<std::string>{"3-ary 2", "6-ary 2", "23-ary 2"});
}

TEST_CASE("Lemma 5: all xors are free iff P is a power of two; possible they are always",
          "[topology][lemmas]") {
    for (const tree_shape& shape : trees()) {
        judge on(shape);
        const std::vector<permutation_table> all = permutations(family::xors, shape);
        CAPTURE(shape.name());
        for (const ascent how : not_possible) {
            CAPTURE(name_of(how));
            CHECK((free_share(on, how, all).text() == "all") == shape.power_of_two());
        }
        CHECK(free_share(on, ascent::possible, all).text() == "all");

        // What is left of it otherwise: pairs inside blocks of two_part(k) nodes, each within a switch,
        // change sides.
        const std::set<rank_type> inside = range(1, 2 * two_part(shape.k) - 1);
        for (const ascent how : not_possible) {
            CAPTURE(name_of(how));
            if (!shape.power_of_two()) CHECK(contains(free_ones(on, how, all, 1), inside));
        }
    }
}

TEST_CASE("Lemma 6: certain are exactly the shifts by a * k^j, 0 < a < k, forwards or backwards; D-mod-k and "
          "S-mod-k "
          "free all",
          "[topology][lemmas]") {
    for (const tree_shape& shape : trees()) {
        judge on(shape);
        const std::vector<permutation_table> all = permutations(family::shifts, shape);
        CAPTURE(shape.name());

        std::set<rank_type> named;
        for (int j = 0; j < shape.n; ++j)
            for (std::int32_t a = 1; a < shape.k; ++a) {
                const auto by = static_cast<rank_type>(a * power(shape.k, j));
                named.insert({by, shape.nodes() - by});
            }
        CHECK(free_ones(on, ascent::certain, all, 1) == named);
        CHECK(named.size() == static_cast<std::size_t>((2 * shape.n - 1) * (shape.k - 1)));
        std::int64_t most = 0;
        for (const permutation_table& p : all) {
            const certain_ascent worst = adaptive_certain(on.tree(), lemmas::messages_of(p, shape.nodes()));
            most = std::max(most, worst.descending);
        }
        CHECK(most == (shape.nodes() == 4 ? 1 : 2)); // no shift brings more than two together

        for (const ascent how : {ascent::d_mod_k, ascent::s_mod_k, ascent::possible}) {
            CAPTURE(name_of(how));
            CHECK(free_share(on, how, all).text() == "all");
        }
    }
}

TEST_CASE("Lemma 6 read forwards only fails: on 64 nodes the shift by 60 is certain, and 60 is no a * 4^j",
          "[topology][lemmas]") {
    judge on({4, 3});
    const std::vector<permutation_table> all = permutations(family::shifts, {4, 3});
    CHECK(free_ones(on, ascent::certain, all, 1)
          == std::set<rank_type>{1, 2, 3, 4, 8, 12, 16, 32, 48, 52, 56, 60, 61, 62, 63});
}

TEST_CASE("Lemma 6 in a part of the tree: enough that the job's first node and size are multiples of the "
          "shift if a "
          "divides k, not otherwise",
          "[topology][lemmas]") {
    const auto within = [](rank_type first, rank_type size, rank_type by) {
        return [=](rank_type r, rank_type) {
            return r < first || r >= first + size ? no_rank : first + (r - first + by) % size;
        };
    };
    for (const tree_shape& shape : all_trees(81, 2)) {
        judge on(shape);
        for (int j = 0; j < shape.n; ++j)
            for (std::int32_t a = 1; a < shape.k; ++a) {
                const auto by = static_cast<rank_type>(a * power(shape.k, j));
                bool certain = true;
                bool d_mod_k = true;
                for (rank_type first = 0; first < shape.nodes(); first += by)
                    for (rank_type size = by; first + size <= shape.nodes(); size += by) {
                        certain = certain && on.free(ascent::certain, within(first, size, by));
                        d_mod_k = d_mod_k && on.free(ascent::d_mod_k, within(first, size, by));
                    }
                CAPTURE(shape.name(), by, a);
                if (shape.k % a == 0) {
                    CHECK(certain);
                    CHECK(d_mod_k);
                } else if (j == 0 && shape.n > 2) {
                    CHECK_FALSE(certain);
                    CHECK_FALSE(d_mod_k);
                }
            }
    }
    judge on({4, 2}); // 9 nodes from node 0 on, shift by 3
    CHECK_FALSE(on.free(ascent::certain, within(0, 9, 3)));
}
