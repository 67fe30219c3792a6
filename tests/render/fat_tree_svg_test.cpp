// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/fat_tree_svg.hpp>
#include <tutti/render/load_scale.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/link_loads.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
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

/// "up from node 0 to switch <0,0>" -> "node 0" and "switch <0,0>"
std::pair<std::string, std::string> ends_of(const std::string& link) {
    const std::size_t from = link.find(" from ");
    const std::size_t to = link.find(" to ");
    return {link.substr(from + 6, to - from - 6), link.substr(to + 4)};
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

TEST_CASE("a switch has the colour of the busiest of its links", "[render][fat_tree]") {
    for (const sample& s : samples()) {
        const fat_tree& tree = s.on.tree();
        std::map<std::string, std::int64_t> most; // of each switch, by the names of the links
        for (link_index l = 0; l < tree.links(); ++l) {
            const auto [from, to] = ends_of(tree.name(l));
            for (const std::string& end : {from, to}) most[end] = std::max(most[end], s.loads.load(l));
        }
        const support::xml root = s.picture();
        for (const support::xml* group : root.of_class("switches"))
            for (std::size_t i = 0; i + 1 < group->children.size(); i += 2) {
                const std::int64_t load = most.at("switch " + group->children[i + 1].text);
                CHECK(group->children[i]["stroke"]
                      == (load < 2 ? "#7b8794" : tutti::stroke_of(tutti::load_class_of(load)).colour));
            }
    }
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

TEST_CASE("what is written on a wide sheet is larger by as much as the sheet is wider",
          "[render][fat_tree]") {
    struct written {
        double x, y, size;
    };
    const auto texts = [](const fat_tree& tree) {
        std::map<std::string, written> list;
        const support::xml root = sample(tree, {}, 1).picture({.title = "a tree", .lines = {"below"}});
        const auto add = [&](const support::xml& e) {
            if (e.name == "text" && e.has("font-size"))
                list.insert({e.text, {e.number("x"), e.number("y"), e.number("font-size")}});
        };
        for (const support::xml& e : root.children) add(e);
        for (const support::xml& e : root.of_class("legend").at(0)->children) add(e);
        return list;
    };
    const auto small = texts({{2, 2}, {1, 2}});
    const auto wide = texts({{16, 16}, {1, 16}});
    const double scale = wide.at("links by load:").size / 12;
    REQUIRE(scale > 1.5);
    for (const std::string words : {"a tree", "below", "links by load:"}) {
        CAPTURE(words);
        CHECK(wide.at(words).x == Approx(scale * small.at(words).x).epsilon(1e-3));
        CHECK(wide.at(words).y == Approx(scale * small.at(words).y).epsilon(1e-3));
        CHECK(wide.at(words).size == Approx(scale * small.at(words).size).epsilon(1e-3));
    }
    for (const std::string words : {"up 1", "down 1", "node"}) {
        CAPTURE(words);
        if (words != "node") CHECK(wide.at(words).x == Approx(scale * small.at(words).x).epsilon(1e-3));
        CHECK(wide.at(words).size == Approx(scale * small.at(words).size).epsilon(1e-3));
    }
}

TEST_CASE("the legend's sample of a node without a rank is as much larger as its words",
          "[render][fat_tree]") {
    const auto legend = [](const fat_tree& tree) {
        double radius = 0, size = 0;
        const support::xml root = sample(tree, {1}, 1).picture({});
        for (const support::xml& e : root.of_class("legend").at(0)->children) {
            if (e.name == "circle") radius = e.number("r");
            if (e.text == "node without a rank") size = e.number("font-size");
        }
        return std::pair(radius, size);
    };
    const auto [radius, size] = legend({{2, 2}, {1, 2}});
    CHECK(radius == Approx(6));
    const auto [wide_radius, wide_size] = legend({{16, 16}, {1, 16}});
    REQUIRE(wide_size > 1.5 * size);
    CHECK(wide_radius / radius == Approx(wide_size / size).epsilon(1e-2));
}

TEST_CASE("a small tree with its loads, whole", "[render][fat_tree]") {
    const sample small{{{2, 2}, {1, 2}}, {1}, 1};
    CHECK(support::drawn(small.picture({.title = "a tree", .lines = {"below"}})).text() == R"(0,0 960x583.4
24,34 19 start 'a tree'
24,54 13 start 'below'
legend:
  24,86 12 start 'links by load:'
  122,82 to 148,82
  154,86 12 start '0: 6'
  197.6,82 to 223.6,82
  229.6,86 12 start '1: 10'
  circle 288.6,82 6 sample
  300.6,86 12 start 'node without a rank'
links:
  408.8,507.4 to 356.3,371.6 link
  356.3,349.6 to 671.3,134 link
  776.3,349.6 to 776.3,134 link
  360.7,371.6 to 413.2,507.4 link
  675.7,134 to 360.7,349.6 link
  780.7,134 to 780.7,349.6 link
  198.8,507.4 to 251.3,371.6 link
  618.8,507.4 to 671.3,371.6 link
  828.8,507.4 to 776.3,371.6 link
  251.3,349.6 to 251.3,134 link
  671.3,349.6 to 356.3,134 link
  255.7,371.6 to 203.2,507.4 link
  675.7,371.6 to 623.2,507.4 link
  780.7,371.6 to 833.2,507.4 link
  255.7,134 to 255.7,349.6 link
  360.7,134 to 675.7,349.6 link
switches:
  201,112 210x22
  306,127.32 '<0,1>' switch
  621,112 210x22
  726,127.32 '<1,1>' switch
switches:
  201,349.6 210x22
  306,364.92 '<0,0>' switch
  621,349.6 210x22
  726,364.92 '<1,0>' switch
circle 201,515.4 8 node
201,539.4 11 middle '0'
201,557.4 11 middle '0'
circle 411,515.4 8 hole
411,539.4 11 middle '1'
circle 621,515.4 8 node
621,539.4 11 middle '2'
621,557.4 11 middle '1'
circle 831,515.4 8 node
831,539.4 11 middle '3'
831,557.4 11 middle '2'
86,539.4 11 end 'node'
86,557.4 11 end 'rank'
24,434.5 13 start 'up 1'
24,452.5 13 start 'down 1'
24,236.8 13 start 'up 1'
24,254.8 13 start 'down 1'
)");
}

TEST_CASE("a placement on another number of nodes is refused", "[render][fat_tree]") {
    const fat_tree tree = fat_tree::kary(2, 2);
    CHECK_THROWS_AS(tutti::fat_tree_svg(tree, placement::compact(5), [](link_index) { return 0; }, {}),
                    tutti::argument_error);
}
