// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/render/fat_tree_layout.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::fat_tree;
using tutti::detail::fat_tree_layout;
using box = fat_tree_layout::box;

std::vector<fat_tree> trees() {
    return {fat_tree::kary(4, 2),   fat_tree::kary(4, 3), fat_tree::kary(4, 4),
            fat_tree::kary(1, 1),   fat_tree::kary(2, 5), fat_tree::kary(16, 1),
            {{4, 4, 4}, {1, 4, 2}}, {{4, 4}, {2, 2}},     {{2, 3, 2}, {1, 5, 4}}};
}

bool apart(const box& a, const box& b) {
    return std::abs(a.x - b.x) >= (a.width + b.width) / 2 || std::abs(a.y - b.y) >= (a.height + b.height) / 2;
}

} // namespace

TEST_CASE("nodes and switches lie on the sheet and do not overlap", "[render][fat_tree]") {
    for (const fat_tree& tree : trees()) {
        const fat_tree_layout layout(tree, 2);
        std::vector<box> before; // neighbours come one after the other
        for (int l = 0; l <= tree.levels(); ++l)
            for (tutti::node_type s = 0; s < tree.subtrees(l); ++s)
                for (tutti::link_index c = 0; c < tree.planes(l); ++c) {
                    const box b = layout.box_of({.level = l, .subtree = s, .plane = c});
                    CHECK(b.x - b.width / 2 >= layout.left());
                    CHECK(b.x + b.width / 2 <= layout.width());
                    CHECK(b.y - b.height / 2 >= layout.top() - 1e-6);
                    CHECK(b.y + b.height / 2 <= layout.bottom() + 1e-6);
                    if (!before.empty()) CHECK(apart(before.back(), b));
                    before.push_back(b);
                }
        CHECK(layout.bottom() < layout.height());
    }
}

TEST_CASE("links run between the borders of what they connect, no two in one line", "[render][fat_tree]") {
    for (const fat_tree& tree : trees()) {
        const fat_tree_layout layout(tree, 0);
        for (tutti::link_index l = 0; l < tree.links(); ++l) {
            const fat_tree::link_parts p = tree.parts(l);
            const box low = layout.box_of(tree.lower_end(p));
            const box high = layout.box_of(tree.upper_end(p));
            fat_tree_layout::ends e = layout.ends_of(p);
            if (!p.up) e = {e.x2, e.y2, e.x1, e.y1};
            CHECK(std::abs(e.x1 - low.x) <= low.width / 2);
            CHECK(std::abs(e.x2 - high.x) <= high.width / 2);
            CHECK(std::abs(e.y1 - (low.y - low.height / 2)) < 1e-6);
            CHECK(std::abs(e.y2 - (high.y + high.height / 2)) < 1e-6);
            CHECK(e.y2 < e.y1); // the root is above

            const tutti::link_index back = p.up ? tree.down_link(p.level, p.subtree, p.plane)
                                                : tree.up_link(p.level, p.subtree, p.plane);
            const fat_tree_layout::ends other = layout.ends_of(tree.parts(back));
            CHECK(std::abs(other.x2 - (p.up ? e.x1 : e.x2)) + std::abs(other.x1 - (p.up ? e.x2 : e.x1))
                  > 0.1);
        }
    }
}

TEST_CASE("the box of a switch has its label inside, upright or not", "[render][fat_tree]") {
    const auto look = [](const fat_tree& tree, int level) {
        const box b = fat_tree_layout(tree, 0).box_of({.level = level, .subtree = 0, .plane = 0});
        return std::to_string(std::lround(b.width)) + "x" + std::to_string(std::lround(b.height));
    };
    CHECK(look({{4, 4}, {1, 4}}, 1) == "105x22");
    // Upright, the longer side is the higher one.
    CHECK(look(fat_tree::kary(4, 4), 1) == "26x78");
    CHECK(look(fat_tree::kary(2, 6), 3) == "32x103");
}

TEST_CASE("on a wide sheet what must catch the eye is larger, but no more than twice as large",
          "[render][fat_tree]") {
    const auto look = [](std::int32_t nodes) {
        const fat_tree_layout layout(fat_tree({nodes}, {1}), 0);
        return std::pair(layout.scale(), layout.emphasis());
    };
    CHECK(look(100) == std::pair(1.0, 1.0));
    CHECK(look(280) == std::pair(1.8, 1.8));
    CHECK(look(350) == std::pair(2.25, 2.0));
}

TEST_CASE("labels stand upright only where there is no room", "[render][fat_tree]") {
    const fat_tree small = fat_tree::kary(4, 3);
    const fat_tree large = fat_tree::kary(4, 4);
    for (int l = 1; l <= 3; ++l) CHECK_FALSE(fat_tree_layout(small, 1).upright(l));
    for (int l = 1; l <= 4; ++l) {
        CHECK(fat_tree_layout(large, 1).upright(l));
        CHECK(fat_tree_layout(large, 1).font(l) >= 10); // still to be read
    }
}
