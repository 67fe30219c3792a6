// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "examples/tutti/chart.hpp"
#include "support/catch2.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// Sizes 2, 4, ... and lengths 8, 16, ...; the shorter half is won by one, the longer by another.
program::chart_map two_winners(std::size_t sizes, std::size_t lengths) {
    program::chart_map m{.title = "The fastest", .sizes = {}, .bytes = {}};
    for (std::size_t k = 0; k < sizes; ++k) m.sizes.push_back(std::int64_t{2} << k);
    for (std::size_t k = 0; k < lengths; ++k) m.bytes.push_back(std::int64_t{8} << k);
    for (std::size_t k = 0; k < lengths; ++k)
        for (std::size_t i = 0; i < sizes; ++i) m.best.push_back(2 * k < lengths ? "tree" : "ring");
    return m;
}

} // namespace

TEST_CASE("a map for a terminal has a mark for every size and length, and says whose it is",
          "[examples][chart]") {
    program::chart_map m{.title = "The fastest", .sizes = {2, 1024}, .bytes = {8, 64, 1 << 20}};
    m.best = {"tree", "tree", "tree", "ring", "ring", ""};
    CHECK(program::map_text({m}, 80)
          == "The fastest: ranks downwards, bytes to the right\n\n"
             "ranks  8  64 1M\n"
             "    2  t  t  r\n"
             "   1K  t  r  -\n\n"
             "    t  tree, 3 of 6\n"
             "    r  ring, 2 of 6\n"
             "    -  no algorithm, 1 of 6\n");
}

TEST_CASE("headings of a map take turns on several lines where one would be too long", "[examples][chart]") {
    const program::chart_map m = two_winners(3, 22); // "512K" is the longest heading
    const auto printed = [&](std::size_t width) { return lines_of(program::map_text({m}, width)); };
    const std::size_t one_level = 7 + 21 * 5 + 4, two_levels = 7 + 21 * 3 + 4, three_levels = 7 + 21 * 2 + 4;
    CHECK(printed(one_level)[2].starts_with("ranks  8    16   32 "));
    CHECK(printed(one_level - 1)[2].starts_with("bytes  8     32    128"));
    CHECK(printed(one_level - 1)[3].starts_with("ranks     16    64    256"));
    CHECK(printed(two_levels)[4].starts_with("    2  t  t  t  "));
    CHECK(printed(two_levels - 1)[5].starts_with("    2  t t t t "));
    CHECK(printed(three_levels)[5].size() == 7 + 22 * 2 - 1);
}

TEST_CASE("a map that is too wide goes on below, and none of its columns is lost", "[examples][chart]") {
    const program::chart_map m = two_winners(4, 22);
    for (const std::size_t width : {std::size_t{116}, std::size_t{80}, std::size_t{53}, std::size_t{40},
                                    std::size_t{12}, std::size_t{1}}) {
        INFO(width);
        std::size_t trees = 0, rings = 0;
        for (const std::string& line : lines_of(program::map_text({m}, width))) {
            INFO(line);
            if (line.find("fastest") == std::string::npos && line.find(" of ") == std::string::npos)
                CHECK(line.size() <= std::max(width, std::size_t{11})); // one column has room everywhere
            if (line.find(" of ") != std::string::npos) continue;
            if (line.find("fastest") != std::string::npos) continue;
            if (line.find("ranks") != std::string::npos || line.find("bytes") != std::string::npos) continue;
            trees += static_cast<std::size_t>(std::count(line.begin(), line.end(), 't'));
            rings += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'r'));
        }
        CHECK(trees == 4 * 11);
        CHECK(rings == 4 * 11);
    }
}

TEST_CASE("names that win often come first, and a name has the same mark in all maps of a text",
          "[examples][chart]") {
    program::chart_map one{.title = "One", .sizes = {2, 3}, .bytes = {8}, .best = {"ring", "tree"}};
    program::chart_map other{.title = "Other", .sizes = {2, 3}, .bytes = {8}, .best = {"tree", ""}};
    CHECK(program::winning_names({one, other}) == std::vector<std::string>{"tree", "ring"});
    const std::string text = program::map_text({one, other}, 80);
    CHECK(text.find("    r  ring, 1 of 2\n") != std::string::npos);
    CHECK(text.find("ring", text.find("Other")) == std::string::npos); // does not win there
    CHECK(program::winning_names({}).empty());
}

TEST_CASE("marks are initials as far as there are any free, and never the same", "[examples][chart]") {
    CHECK(program::marks_of({"halving_doubling", "ring", "recursive_doubling", "reduce", "radix", "h h"})
          == std::vector<std::string>{"h", "r", "d", "R", "a", "H"});
    CHECK(program::marks_of({"fnomial radix=2", "fnomial radix=4"}) == std::vector<std::string>{"f", "r"});
    std::vector<std::string> many;
    for (int k = 0; k < 200; ++k) many.push_back("algorithm " + std::to_string(k));
    const std::vector<std::string> marks = program::marks_of(many);
    CHECK(std::set<std::string>(marks.begin(), marks.end()).size() == many.size());
    CHECK(marks.at(61).size() == 1);
    CHECK(marks.at(62).size() == 2);
}
