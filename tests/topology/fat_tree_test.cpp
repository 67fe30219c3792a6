// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/fat_tree.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::vector<fat_tree> trees_of_all_kinds() {
    return {
        fat_tree::kary(1, 1),
        fat_tree::kary(1, 3),
        fat_tree::kary(5, 1),
        fat_tree::kary(2, 4),
        fat_tree::kary(4, 3),
        fat_tree::kary(3, 3),
        fat_tree({4, 4}, {1, 2}),             // slimmed
        fat_tree({4, 3, 2}, {2, 1, 3}),       // two links per node
        fat_tree({6, 1, 2}, {1, 3, 5}),       // more parents than children
        fat_tree({2, 2, 2, 2}, {1, 1, 1, 1}), // a plain tree
    };
}

std::string refused(std::vector<std::int32_t> children, std::vector<std::int32_t> parents) {
    try {
        fat_tree(std::move(children), std::move(parents));
    } catch (const argument_error& e) {
        return e.what();
    }
    return "accepted";
}
std::string refused_kary(std::int32_t k, int n) {
    try {
        fat_tree::kary(k, n);
    } catch (const argument_error& e) {
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("a k-ary n-tree has k^n nodes, n levels of k^(n-1) switches and n k^n cables",
          "[topology][fat_tree]") {
    for (std::int32_t k = 1; k <= 6; ++k) {
        node_type nodes = 1;
        for (int n = 1; n <= 4; ++n) {
            nodes *= k;
            const fat_tree tree = fat_tree::kary(k, n);
            CAPTURE(k, n);
            CHECK(tree.nodes() == nodes);
            CHECK(tree.levels() == n);
            CHECK(tree.vertices(0) == nodes);
            for (int l = 1; l <= n; ++l) CHECK(tree.vertices(l) == nodes / k);
            CHECK(tree.links() == 2 * n * nodes);
        }
    }
}

TEST_CASE("an XGFT has m_{l+1}..m_h w_1..w_l vertices of level l", "[topology][fat_tree]") {
    const fat_tree tree({4, 3, 2}, {2, 1, 3});
    CHECK(tree.nodes() == 24);
    CHECK(tree.levels() == 3);
    CHECK(tree.vertices(0) == 24);
    CHECK(tree.vertices(1) == 3 * 2 * 2);
    CHECK(tree.vertices(2) == 2 * 2 * 1);
    CHECK(tree.vertices(3) == 2 * 1 * 3);
    CHECK(tree.links() == 2 * (24 * 2 + 12 * 1 + 4 * 3));
    CHECK(tree.children(2) == 3);
    CHECK(tree.parents(3) == 3);
    CHECK(tree.subtree_size(2) == 12);
    CHECK(tree.planes(3) == 6);
    CHECK(tree.links_above(0) == 48);
}

TEST_CASE("links are numbered from 0 without a gap, and known by their parts", "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds()) {
        std::vector<int> seen(static_cast<std::size_t>(tree.links()));
        for (int l = 0; l < tree.levels(); ++l)
            for (node_type s = 0; s < tree.subtrees(l); ++s)
                for (link_index c = 0; c < tree.planes(l + 1); ++c) {
                    const link_index up = tree.up_link(l, s, c);
                    const link_index down = tree.down_link(l, s, c);
                    REQUIRE((up >= 0 && up < tree.links() && down >= 0 && down < tree.links()));
                    ++seen[static_cast<std::size_t>(up)];
                    ++seen[static_cast<std::size_t>(down)];
                    CHECK(tree.parts(up) == fat_tree::link_parts{true, l, s, c});
                    CHECK(tree.parts(down) == fat_tree::link_parts{false, l, s, c});
                }
        CHECK(std::count(seen.begin(), seen.end(), 1) == tree.links());
    }
}

TEST_CASE("every vertex has its m_l children and w_{l+1} parents, each once", "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds())
        for (int l = 0; l < tree.levels(); ++l) {
            const auto number = [&tree](const fat_tree::vertex& v) {
                return static_cast<std::size_t>(v.subtree * tree.planes(v.level) + v.plane);
            };
            std::vector<std::set<std::size_t>> parents(static_cast<std::size_t>(tree.vertices(l)));
            std::vector<std::set<std::size_t>> children(static_cast<std::size_t>(tree.vertices(l + 1)));
            for (node_type s = 0; s < tree.subtrees(l); ++s)
                for (link_index c = 0; c < tree.planes(l + 1); ++c) {
                    const fat_tree::link_parts link{true, l, s, c};
                    const fat_tree::vertex low = tree.lower_end(link);
                    const fat_tree::vertex high = tree.upper_end(link);
                    REQUIRE((low.level == l && number(low) < parents.size()));
                    REQUIRE((high.level == l + 1 && number(high) < children.size()));
                    CHECK(parents[number(low)].insert(number(high)).second);
                    CHECK(children[number(high)].insert(number(low)).second);
                }
            for (const auto& all : parents)
                REQUIRE(all.size() == static_cast<std::size_t>(tree.parents(l + 1)));
            for (const auto& all : children)
                REQUIRE(all.size() == static_cast<std::size_t>(tree.children(l + 1)));
        }
}

TEST_CASE("the height of two nodes is that of the least subtree with both", "[topology][fat_tree]") {
    const fat_tree binary = fat_tree::kary(2, 3);
    CHECK(binary.height(4, 5) == 1);
    CHECK(binary.height(3, 4) == 3);
    CHECK(binary.height(4, 4) == 0);
    CHECK(binary.height(4, 7) == 2);
    const fat_tree mixed({4, 3, 2}, {2, 1, 3});
    CHECK(mixed.height(4, 7) == 1);
    CHECK(mixed.height(0, 11) == 2);
    CHECK(mixed.height(11, 12) == 3);
}

TEST_CASE("links of a k-ary n-tree have the names of the paper's switches", "[topology][fat_tree]") {
    const fat_tree tree = fat_tree::kary(4, 3);
    // Figure 5: the first quarter of a 4-ary 3-tree.
    CHECK(tree.name(tree.up_link(0, 37, 0)) == "up from node 37 to switch <2,1,0>");
    CHECK(tree.name(tree.down_link(0, 37, 0)) == "down from switch <2,1,0> to node 37");
    CHECK(tree.name(tree.up_link(1, 9, 3)) == "up from switch <2,1,0> to switch <2,3,1>");
    CHECK(tree.name(tree.down_link(2, 2, 7)) == "down from switch <1,3,2> to switch <2,3,1>");
    CHECK(fat_tree::kary(5, 1).name(fat_tree::vertex{1, 0, 0}) == "switch <0>");
}

TEST_CASE("no two links and no two vertices have one name", "[topology][fat_tree]") {
    for (const fat_tree& tree : trees_of_all_kinds()) {
        std::set<std::string> links;
        for (link_index link = 0; link < tree.links(); ++link) links.insert(tree.name(link));
        CHECK(links.size() == static_cast<std::size_t>(tree.links()));
        for (int l = 0; l <= tree.levels(); ++l) {
            std::set<std::string> vertices;
            for (node_type s = 0; s < tree.subtrees(l); ++s)
                for (link_index c = 0; c < tree.planes(l); ++c)
                    vertices.insert(tree.name(fat_tree::vertex{l, s, c}));
            CHECK(vertices.size() == static_cast<std::size_t>(tree.vertices(l)));
        }
    }
}

TEST_CASE("the largest trees count without overflow", "[topology][fat_tree]") {
    const fat_tree tree = fat_tree::kary(2, 30);
    CHECK(tree.nodes() == 1 << 30);
    CHECK(tree.links() == (link_index{60} << 30));
    CHECK(tree.parts(tree.links() - 1) == fat_tree::link_parts{false, 29, 1, (link_index{1} << 29) - 1});
    const fat_tree flat = fat_tree::kary(std::numeric_limits<std::int32_t>::max(), 1);
    CHECK(flat.nodes() == std::numeric_limits<node_type>::max());
}

TEST_CASE("trees that are none are refused by name, value and what is allowed", "[topology][fat_tree]") {
    CHECK(refused_kary(0, 3) == "tutti: k of the k-ary n-tree is 0; allowed: at least 1");
    CHECK(refused_kary(-4, 3) == "tutti: k of the k-ary n-tree is -4; allowed: at least 1");
    CHECK(refused_kary(4, 0) == "tutti: n of the k-ary n-tree is 0; allowed: 1..31");
    CHECK(refused_kary(1, 32) == "tutti: n of the k-ary n-tree is 32; allowed: 1..31");
    CHECK(refused_kary(4, 16)
          == "tutti: number of nodes k^n of the k-ary n-tree is 4^16; allowed: at most 2147483647");
    CHECK(refused_kary(std::numeric_limits<std::int32_t>::max(), 31).find("2147483647^31")
          != std::string::npos);
    CHECK(refused({}, {}) == "tutti: levels of the fat-tree is 0; allowed: 1..31");
    CHECK(refused({4, 4}, {1})
          == "tutti: numbers of parents (w) of the fat-tree is 1; allowed: 2, as many as numbers of children "
             "(m)");
    CHECK(refused({4, 0}, {1, 1}) == "tutti: m_2 of the fat-tree is 0; allowed: at least 1");
    CHECK(refused({4, 4}, {-1, 1}) == "tutti: w_1 of the fat-tree is -1; allowed: at least 1");
    CHECK(refused({65536, 65536}, {1, 1})
          == "tutti: number of nodes of the fat-tree is at least 4294967296; allowed: at most 2147483647");
    CHECK(
        refused({2, 2, 2}, {65536, 65536, 65536})
        == "tutti: links above level 1 of the fat-tree is more than 4294967295; allowed: at most 4294967295");
    CHECK(
        refused({65536}, {65536})
        == "tutti: links above level 0 of the fat-tree is more than 4294967295; allowed: at most 4294967295");
    CHECK(refused({65536}, {65535}) == "accepted");
    CHECK(refused({4, 4}, {1, 2}) == "accepted");
}
