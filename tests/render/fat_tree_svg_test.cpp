// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/fat_tree_svg.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/link_loads.hpp>

#include "support/catch2.hpp"
#include "support/xml.hpp"

namespace {

using tutti::fat_tree;
using tutti::link_index;
using tutti::placement;
using tutti::rank_type;
using tutti::routed_fat_tree;

struct sample {
    routed_fat_tree on;
    placement at;
    tutti::link_loads<routed_fat_tree> loads{on};

    /// Every rank sends to the one `k` further on.
    sample(const fat_tree& tree, const std::vector<tutti::node_type>& missing, rank_type k)
        : on(tree), at(placement::compact(tree.nodes(), missing)) {
        for (rank_type r = 0; r < at.ranks(); ++r) loads.add(at.node_of(r), at.node_of((r + k) % at.ranks()));
    }
    support::xml picture(const tutti::picture_heading& heading = {.title = "a tree"}) const {
        return support::read_xml(tutti::fat_tree_svg(
            on.tree(), at, [&](link_index l) { return loads.load(l); }, heading));
    }
};

std::vector<sample> samples() {
    return {{fat_tree::kary(4, 3), {5, 9}, 8}, {fat_tree::kary(4, 2), {}, 3}, {fat_tree::kary(2, 5), {0}, 7},
            {{{4, 4, 4}, {1, 4, 2}}, {}, 16},  {fat_tree::kary(1, 1), {}, 0}, {{{3, 4}, {2, 2}}, {11}, 5}};
}

/// All words of the elements of that class.
std::vector<std::string> words(const support::xml& root, const std::string& of_class) {
    std::vector<std::string> list;
    for (const support::xml* e : root.of_class(of_class)) list.push_back(e->text);
    return list;
}

} // namespace

TEST_CASE("a picture has every link once, with its name and load", "[render][fat_tree]") {
    for (const sample& s : samples()) {
        const support::xml root = s.picture();
        std::multiset<std::string> drawn;
        for (const support::xml* e : root.of_class("link")) drawn.insert(e->children.at(0).text);
        std::multiset<std::string> there;
        for (link_index l = 0; l < s.on.links(); ++l)
            there.insert(s.on.name(l) + ": load " + std::to_string(s.loads.load(l)));
        CHECK(drawn == there);
    }
}

TEST_CASE("a picture has every switch once and every node once", "[render][fat_tree]") {
    for (const sample& s : samples()) {
        const fat_tree& tree = s.on.tree();
        const support::xml root = s.picture();
        std::vector<std::string> labels = words(root, "switch");
        std::sort(labels.begin(), labels.end());
        std::vector<std::string> there;
        for (int l = 1; l <= tree.levels(); ++l)
            for (tutti::node_type t = 0; t < tree.subtrees(l); ++t)
                for (link_index c = 0; c < tree.planes(l); ++c)
                    there.push_back(
                        tree.name(fat_tree::vertex{.level = l, .subtree = t, .plane = c}).substr(7));
        std::sort(there.begin(), there.end());
        CHECK(labels == there);
        CHECK(root.of_class("hole").size() == static_cast<std::size_t>(s.at.nodes() - s.at.ranks()));
        CHECK(root.of_class("node").size() == static_cast<std::size_t>(s.at.ranks()));
        CHECK(root.of_class("sample").size() == (s.at.ranks() < s.at.nodes() ? 1 : 0)); // in the legend
    }
}

TEST_CASE("links that carry more are drawn over the others, thicker, with an arrow", "[render][fat_tree]") {
    const sample s(fat_tree::kary(4, 3), {5, 9}, 8);
    REQUIRE(s.loads.max() == 2);
    const support::xml root = s.picture();
    double thickest = 0;
    std::map<std::string, int> arrows;
    for (const support::xml* e : root.of_class("link")) {
        CHECK(e->number("stroke-width") >= thickest);
        thickest = e->number("stroke-width");
        const std::string& words = e->children.at(0).text;
        ++arrows[words.substr(words.rfind(' ') + 1) + " " + (*e)["marker-end"]];
    }
    CHECK(arrows == std::map<std::string, int>{{"0 none", 73}, {"1 none", 310}, {"2 url(#arrow-2)", 1}});
}

TEST_CASE("a picture has its title, the lines below it, and a legend that counts", "[render][fat_tree]") {
    const sample s(fat_tree::kary(4, 3), {5, 9}, 8);
    const support::xml root = s.picture({.title = "4-ary 3-tree & more", .lines = {"first", "second"}});
    CHECK(root.children.at(0).text == "4-ary 3-tree & more");
    std::set<std::string> texts;
    for (const support::xml& e : root.children)
        if (e.name == "text") texts.insert(e.text);
    for (const std::string words : {"4-ary 3-tree & more", "first", "second", "up 2", "node", "rank"})
        CHECK(texts.count(words) == 1);
    std::vector<std::string> legend;
    for (const support::xml& e : root.of_class("legend").at(0)->children)
        if (e.name == "text") legend.push_back(e.text);
    CHECK(legend
          == std::vector<std::string>{"links by load:", "0: 73", "1: 310", "2: 1", "node without a rank"});
}

TEST_CASE("ranks are written below the nodes where they are not the nodes' numbers", "[render][fat_tree]") {
    const auto margin = [](const sample& s) {
        std::string words;
        const support::xml root = s.picture();
        for (const support::xml& e : root.children)
            if (e.name == "text" && (e.text == "node" || e.text == "rank")) words += e.text + " ";
        return words;
    };
    const fat_tree tree = fat_tree::kary(4, 2);
    CHECK(margin({tree, {}, 3}) == "node ");
    CHECK(margin({tree, {15}, 3}) == "node "); // none lies behind the hole
    CHECK(margin({tree, {14}, 3}) == "node rank ");
    CHECK(margin({tree, {0}, 3}) == "node rank ");
    CHECK(margin({fat_tree::kary(2, 1), {0}, 0}) == "node rank "); // the only rank
}

TEST_CASE("a placement on another number of nodes is refused", "[render][fat_tree]") {
    const fat_tree tree = fat_tree::kary(2, 2);
    CHECK_THROWS_AS(tutti::fat_tree_svg(tree, placement::compact(5), [](link_index) { return 0; }, {}),
                    tutti::argument_error);
}
