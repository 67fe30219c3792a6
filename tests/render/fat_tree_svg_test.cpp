// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/fat_tree_layout.hpp>
#include <tutti/render/fat_tree_svg.hpp>
#include <tutti/render/load_scale.hpp>
#include <tutti/render/message_way.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/link_loads.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
#include "support/link_ends.hpp"
#include "support/looks.hpp"
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

TEST_CASE("a switch has the colour of the busiest of its links", "[render][fat_tree]") {
    for (const sample& s : samples()) {
        const fat_tree& tree = s.on.tree();
        std::map<std::string, std::int64_t> most; // of each switch, by the names of the links
        for (link_index l = 0; l < tree.links(); ++l) {
            const auto [from, to] = support::ends_of_link(tree.name(l));
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

TEST_CASE("samples stand by their words, in the middle of the line, on sheets of any width",
          "[render][fat_tree]") {
    for (const fat_tree& tree : {fat_tree({2, 2}, {1, 2}), fat_tree({16, 16}, {1, 16})}) {
        const support::xml root = sample(tree, {1}, 1).picture({});
        const auto& legend = root.of_class("legend").at(0)->children;
        const double scale = legend.at(0).number("font-size") / 12;
        const double y = legend.at(0).number("y");
        const auto near = [&](double found, double expected) {
            CHECK(found == Approx(expected * scale).margin(0.03));
        };
        near(legend.at(1).number("stroke-width"), 1.5); // that of quiet links, thicker than they are
        for (std::size_t k = 1; k + 1 < legend.size(); k += 2) {
            const support::xml& drawing = legend[k];
            const support::xml& words = legend[k + 1];
            CHECK(words.number("y") == y);
            if (drawing.name == "line") {
                near(drawing.number("x2") - drawing.number("x1"), 26);
                near(words.number("x") - drawing.number("x2"), 6);
                for (const char* end : {"y1", "y2"}) near(y - drawing.number(end), 4);
            } else {
                CHECK(words.text == "node without a rank");
                near(words.number("x") - drawing.number("cx"), 12);
                near(y - drawing.number("cy"), 4);
            }
        }
    }
}

TEST_CASE("busy links, their arrows and switches are as much thicker as catches the eye on a wide sheet",
          "[render][fat_tree]") {
    for (const fat_tree& tree : {fat_tree({2, 2}, {1, 2}), fat_tree({280}, {1}), fat_tree({350}, {1})}) {
        const double emphasis = tutti::detail::fat_tree_layout(tree, 0).emphasis();
        const support::xml root = support::read_xml(tutti::fat_tree_svg(
            tree, placement::compact(tree.nodes()), [](link_index l) { return l == 0 ? 2 : l % 2; }, {}));
        const auto width = [](const support::xml& e) { return e.number("stroke-width"); };
        CHECK(width(*root.of_class("link").front()) == 0.8); // quiet ones are thin on any sheet
        CHECK(width(*root.of_class("link").back()) == Approx(2.8 * emphasis));
        CHECK(width(root.of_class("switches").back()->children.front()) == Approx(2.4 * emphasis));
        for (const support::xml& e : root.children)
            if (e.name == "defs")
                for (const support::xml& arrow : e.children)
                    for (const char* side : {"markerWidth", "markerHeight"})
                        CHECK(arrow.number(side) == Approx(9 * emphasis));
    }
}

TEST_CASE("a tree has these colours, thicknesses and arrows", "[render][fat_tree]") {
    // Loads of all classes, and of 5 and 8, which are in one.
    const fat_tree tree({2, 2}, {1, 2});
    const auto load = [](link_index l) { return l < 5 ? l : l == 5 ? 9 : l == 6 ? 17 : l == 7 ? 5 : 8; };
    const placement at = placement::compact(4, {3});
    CHECK(support::looks(support::read_xml(tutti::fat_tree_svg(tree, at, load, {}))).text()
          == R"(circle.hole fill=#ffffff stroke=#52606d stroke-width=1.5 stroke-dasharray=2.5 2
circle.node fill=#3e4c59 stroke=#3e4c59 stroke-width=1 stroke-dasharray=none
circle.sample fill=#ffffff stroke=#52606d stroke-width=1.5 stroke-dasharray=2.5 2
g.links stroke-linecap=round
line stroke=#26083f stroke-width=6 stroke-dasharray=none
line stroke=#4a8fd0 stroke-width=1.5 stroke-dasharray=none
line stroke=#5c0760 stroke-width=5.2 stroke-dasharray=none
line stroke=#8a949e stroke-width=1.5 stroke-dasharray=2 4
line stroke=#900a4a stroke-width=4.6 stroke-dasharray=none
line stroke=#c01515 stroke-width=4 stroke-dasharray=none
line stroke=#c87400 stroke-width=2.8 stroke-dasharray=none
line stroke=#d83c08 stroke-width=3.4 stroke-dasharray=none
line.link stroke=#26083f stroke-width=6 stroke-dasharray=none marker-end=url(#arrow-7)
line.link stroke=#4a8fd0 stroke-width=1.3 stroke-dasharray=none marker-end=none
line.link stroke=#5c0760 stroke-width=5.2 stroke-dasharray=none marker-end=url(#arrow-6)
line.link stroke=#8a949e stroke-width=0.8 stroke-dasharray=2 4 marker-end=none
line.link stroke=#900a4a stroke-width=4.6 stroke-dasharray=none marker-end=url(#arrow-5)
line.link stroke=#c01515 stroke-width=4 stroke-dasharray=none marker-end=url(#arrow-4)
line.link stroke=#c87400 stroke-width=2.8 stroke-dasharray=none marker-end=url(#arrow-2)
line.link stroke=#d83c08 stroke-width=3.4 stroke-dasharray=none marker-end=url(#arrow-3)
marker id=arrow-2 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=arrow-3 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=arrow-4 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=arrow-5 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=arrow-6 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=arrow-7 viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
path d=M0,0 L10,5 L0,10 z fill=#26083f
path d=M0,0 L10,5 L0,10 z fill=#5c0760
path d=M0,0 L10,5 L0,10 z fill=#900a4a
path d=M0,0 L10,5 L0,10 z fill=#c01515
path d=M0,0 L10,5 L0,10 z fill=#c87400
path d=M0,0 L10,5 L0,10 z fill=#d83c08
rect fill=#ffffff
rect rx=3 fill=#f5f7fa stroke=#26083f stroke-width=2.4
rect rx=3 fill=#f5f7fa stroke=#5c0760 stroke-width=2.4
text font-weight=bold fill=#1f2933
text font-weight=normal fill=#1f2933
text font-weight=normal fill=#52606d
)");
}

TEST_CASE("left of each level stands the largest load of its links, up and down", "[render][fat_tree]") {
    for (const sample& s : samples()) {
        const fat_tree& tree = s.on.tree();
        // Every link has a load of its own, the largest ones here and there.
        const auto load = [&](link_index l) { return 1 + l * 7 % 997; };
        std::vector<std::string> expected;
        for (int level = 0; level < tree.levels(); ++level)
            for (const bool up : {true, false}) {
                std::int64_t most = 0;
                for (link_index l = 0; l < tree.links(); ++l)
                    if (const fat_tree::link_parts p = tree.parts(l); p.level == level && p.up == up)
                        most = std::max(most, load(l));
                expected.push_back((up ? "up " : "down ") + std::to_string(most));
            }
        const support::xml root = support::read_xml(tutti::fat_tree_svg(tree, s.at, load, {}));
        std::vector<std::string> found;
        for (const support::xml& e : root.children)
            if (e.text.starts_with("up ") || e.text.starts_with("down ")) {
                found.push_back(e.text);
                CHECK(e["font-weight"] == (e.text.ends_with(" 1") ? "normal" : "bold"));
            }
        CHECK(found == expected);
    }
}

TEST_CASE("as many nodes have their number as there is room for", "[render][fat_tree]") {
    const auto numbered = [](const fat_tree& tree, const std::vector<tutti::node_type>& missing) {
        const support::xml root = sample(tree, missing, 0).picture();
        std::string words;
        int shown = 0;
        double before = -1000;
        double line = -1; // of the nodes: numbers of ranks stand below
        for (const support::xml& e : root.children) {
            if (e.name != "text" || e["text-anchor"] != "middle") continue;
            if (line < 0) line = e.number("y");
            if (e.number("y") != line) continue;
            const double width = 0.58 * e.number("font-size") * static_cast<double>(e.text.size());
            CHECK(e.number("x") - width / 2 > before);
            before = e.number("x") + width / 2;
            if (++shown <= 3) words += e.text + " ";
        }
        return words + "of " + std::to_string(shown);
    };
    CHECK(numbered({{2, 2, 2}, {1, 1, 1}}, {}) == "0 1 2 of 8");
    CHECK(numbered({{2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1}}, {}) == "0 4 8 of 32");
    CHECK(numbered({{2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1}}, {4}) == "0 4 8 of 32");
    // Two digits find room between nodes that lie 20 pixels apart, three do not.
    CHECK(numbered({{2, 50}, {2, 1}}, {}) == "0 1 2 of 100");
    CHECK(numbered({{2, 51}, {2, 1}}, {}) == "0 2 4 of 51");
}

TEST_CASE("nodes without a rank are drawn large enough to be seen", "[render][fat_tree]") {
    const auto radii = [](const fat_tree& tree) {
        const support::xml root = sample(tree, {1}, 1).picture();
        return std::pair(root.of_class("hole").at(0)->number("r"), root.of_class("node").at(0)->number("r"));
    };
    CHECK(radii({{2, 2}, {1, 2}}) == std::pair(8.0, 8.0));
    CHECK(radii({{16, 16}, {1, 1}}) == std::pair(5.0, 3.42));
}

TEST_CASE("long titles and lines are written smaller, so that they end before the border",
          "[render][fat_tree]") {
    const sample small({{2, 2}, {1, 2}}, {}, 1);
    const std::string words(199, 'n');
    const support::xml root = small.picture({.title = words, .lines = {words}});
    int found = 0;
    for (const support::xml& e : root.children)
        if (e.name == "text" && e.text == words) {
            ++found;
            CHECK(e.number("font-size") == Approx((root.number("width") - 48) / (0.7 * 200)).margin(0.01));
        }
    CHECK(found == 2);
}

TEST_CASE("labels of switches stand upright where there is no room, in the middle of their boxes",
          "[render][fat_tree]") {
    for (const fat_tree& tree : {fat_tree::kary(4, 2), fat_tree::kary(2, 6)}) {
        const tutti::detail::fat_tree_layout layout(tree, 0);
        const support::xml root = sample(tree, {}, 1).picture({});
        const auto groups = root.of_class("switches");
        REQUIRE(groups.size() == static_cast<std::size_t>(tree.levels()));
        int level = tree.levels();
        for (const support::xml* group : groups) {
            INFO("level " << level);
            const double size = group->number("font-size");
            CHECK(size == Approx(layout.font(level)).margin(0.01));
            const support::xml& box = group->children.at(0);
            const support::xml& label = group->children.at(1);
            const double x = box.number("x") + box.number("width") / 2;
            const double y = box.number("y") + box.number("height") / 2;
            CHECK(label.number("x") == Approx(x).margin(0.02));
            CHECK(label.number("y") == Approx(y + 0.36 * size).margin(0.02));
            const bool turned = label["transform"].starts_with("rotate(-90 " + label["x"] + " ");
            CHECK(turned == layout.upright(level));
            CHECK((turned || label["transform"] == "rotate(0)"));
            if (turned)
                CHECK(std::stod(label["transform"].substr(label["transform"].rfind(' ')))
                      == Approx(y).margin(0.02));
            --level;
        }
    }
}

TEST_CASE("ways that are drawn on a fat-tree have a line of the heading to themselves", "[render]") {
    const sample s(fat_tree::kary(2, 3), {}, 4);
    const auto load = [&](link_index l) { return s.loads.load(l); };
    const std::vector<tutti::message_way> ways{tutti::way_of(s.on, s.at, 0, 4)};
    const support::xml without = s.picture();
    const support::xml with =
        support::read_xml(tutti::fat_tree_svg(s.on.tree(), s.at, load, {.title = "a tree"}, ways));
    CHECK(without.of_class("way").empty());
    REQUIRE(with.of_class("way").size() == 1);
    CHECK(with.number("height") == without.number("height") + 20);
    const auto first_link = [](const support::xml& root) {
        return root.of_class("link").at(0)->number("y1");
    };
    CHECK(first_link(with) == first_link(without) + 20);
}

TEST_CASE("a placement on another number of nodes is refused", "[render][fat_tree]") {
    const fat_tree tree = fat_tree::kary(2, 2);
    CHECK_THROWS_AS(tutti::fat_tree_svg(tree, placement::compact(5), [](link_index) { return 0; }, {}),
                    tutti::argument_error);
}
