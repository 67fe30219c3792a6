// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "examples/tutti/chart.hpp"
#include "examples/tutti/chart_parts.hpp"
#include "support/catch2.hpp"
#include "support/contrast.hpp"
#include "support/document.hpp"
#include "support/xml.hpp"

namespace {

using support::contrast;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// All words of a picture but those that the mouse is told.
std::vector<const support::xml*> texts_of(const support::xml& picture) {
    std::vector<const support::xml*> all;
    for (const support::xml& e : picture.children) {
        if (e.name == "text") all.push_back(&e);
        for (const support::xml* below : texts_of(e)) all.push_back(below);
    }
    return all;
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

TEST_CASE("every colour of a chart stands out from its sheet, in light rooms and in dark ones",
          "[examples][chart]") {
    namespace tint = program::tint;
    CHECK(contrast("#000000", "#ffffff") == Approx(21));
    CHECK(contrast("#777777", "#ffffff") == Approx(4.48).margin(0.01)); // WCAG's own example
    const auto dark = [](std::string_view light) {
        for (const tutti::room_colour& c : program::tints)
            if (c.light == light) return c.dark;
        FAIL("no dark tint for " << light);
        return std::string_view();
    };
    std::set<std::string_view> light_ones, dark_ones;
    for (const tutti::room_colour& c : program::chart_colours) { // of names, too, and under them
        INFO(c.light << " " << c.dark);
        CHECK(contrast(c.light, tint::sheet) >= 4.5);
        CHECK(contrast(c.dark, dark(tint::sheet)) >= 4.5);
        light_ones.insert(c.light);
        dark_ones.insert(c.dark);
    }
    // One colour for each, and none that the rules for dark rooms take for another.
    CHECK(light_ones.size() == program::chart_colours.size());
    CHECK(dark_ones.size() == program::chart_colours.size());
    for (const tutti::room_colour& c : program::tints) {
        CHECK(light_ones.count(c.light) == 0);
        if (c.light == tint::sheet) continue;
        INFO(c.light << " " << c.dark);
        const double least = c.light == tint::grid ? 3 : 4.5; // words are read in the others
        CHECK(contrast(c.light, tint::sheet) >= least);
        CHECK(contrast(c.dark, dark(tint::sheet)) >= least);
    }
    CHECK(program::chart_colour_of(0) == program::chart_colours[0].light);
    CHECK(program::chart_colour_of(program::chart_colours.size() + 2) == program::chart_colours[2].light);
}

TEST_CASE("every colour that a chart uses has one for dark rooms", "[examples][chart]") {
    program::chart c{.title = "all", .least_wins = true};
    for (int k = 0; k < 12; ++k) // each the lowest somewhere, or nowhere
        c.lines.push_back({std::to_string(k), {{1.0 + k, 1.0}, {2.0 + k, 2.0 + k}}});
    program::chart_map m{.title = "map", .sizes = {2}, .bytes = {8}, .best = {"one"}, .notes = {"two"}};
    for (const std::string& text : {program::chart_svg("title", {c}), program::map_svg("", {m})}) {
        const std::size_t end_of_rules = text.find("</style>");
        REQUIRE(end_of_rules != std::string::npos);
        for (const std::string kind : {"fill", "stroke"})
            for (std::size_t at = text.find(" " + kind + "=\"#", end_of_rules); at != std::string::npos;
                 at = text.find(" " + kind + "=\"#", at + 1)) {
                const std::string colour = text.substr(at + kind.size() + 3, 7);
                INFO(colour);
                CHECK(text.find("[" + kind + "='" + colour + "']") < end_of_rules);
            }
    }
}

TEST_CASE("letters of charts and maps have 10 pixels at least where they are shown 600 wide",
          "[examples][chart]") {
    const auto least_letters = [](const std::string& svg) {
        const support::xml picture = support::read_xml(svg);
        double least = 1000;
        for (const support::xml* text : texts_of(picture)) least = std::min(least, text->number("font-size"));
        return least * std::min(1.0, 600 / picture.number("width"));
    };
    const std::string long_title(150, 'm');
    for (const std::size_t length : {1U, 12U, 24U, 40U, 60U}) {
        INFO("names of " << length << " letters");
        const program::chart c{.title = "a chart",
                               .lines = {{std::string(length, 'n'), {{8, 1}, {1 << 20, 1000}}},
                                         {std::string(length, 'm'), {{8, 2}, {1 << 20, 500}}}},
                               .least_wins = true};
        CHECK(least_letters(program::chart_svg(long_title, {c, c})) >= 10);
        for (const std::size_t sizes : {1U, 5U, 20U, 40U}) {
            program::chart_map m = two_winners(std::min<std::size_t>(sizes, 40), 6);
            for (std::string& name : m.best) name.resize(length, 'n');
            m.notes = m.best;
            CHECK(least_letters(program::map_svg(long_title, {m})) >= 10);
        }
    }
    for (const char* shown : {"prices_13", "fastest_allreduce", "ends_13", "peers"}) {
        INFO(shown);
        CHECK(least_letters(support::text_of("docs/" + std::string(shown) + ".svg")) >= 10);
    }
}

TEST_CASE("no two words of a chart or a map lie on each other", "[examples][chart]") {
    for (const char* shown : {"prices_13", "fastest_allreduce", "ends_13", "peers"}) {
        const support::xml picture =
            support::read_xml(support::text_of("docs/" + std::string(shown) + ".svg"));
        struct box {
            double left, top, right, bottom;
            const std::string* words;
        };
        std::vector<box> all;
        for (const support::xml* text : texts_of(picture)) {
            const double size = text->number("font-size"), x = text->number("x"), y = text->number("y");
            const double wide = 0.6 * size * static_cast<double>(text->text.size());
            const std::string& anchor = (*text)["text-anchor"];
            const double left = anchor == "start" ? x : anchor == "end" ? x - wide : x - wide / 2;
            all.push_back({left, y - 0.7 * size, left + wide, y, &text->text});
        }
        REQUIRE(all.size() > 10);
        for (const box& one : all) {
            INFO(shown << ": " << *one.words);
            CHECK(one.left >= 0);
            CHECK(one.right <= picture.number("width"));
            CHECK(one.bottom <= picture.number("height"));
            for (const box& other : all) {
                if (&one == &other) continue;
                INFO(*other.words);
                CHECK((one.right <= other.left || other.right <= one.left || one.bottom <= other.top
                       || other.bottom <= one.top));
            }
        }
    }
}

TEST_CASE("the measured chart of the documents is what its own words make, by today's program",
          "[examples][chart]") {
    const std::string text = support::text_of("docs/peers.svg");
    const support::xml picture = support::read_xml(text);
    const std::string title = picture.children.at(0).text;
    program::chart c{.title = "2 ranks", .unit = " x", .base = 2};
    const auto bytes_of = [](const std::string& words) {
        double bytes = std::stod(words);
        for (const char* unit : {" Ki", " Mi", " Gi"}) {
            bytes *= 1024;
            if (words.ends_with(unit)) return bytes;
        }
        return std::stod(words);
    };
    for (const support::xml* line : picture.of_class("line")) {
        c.lines.push_back({line->children.at(0).text});
        for (const support::xml& e : line->children) {
            if (e.name != "circle") continue;
            const std::string words = e.children.at(0).text.substr(c.lines.back().name.size() + 2);
            const std::size_t cut = words.find(": ");
            c.lines.back().points.emplace_back(bytes_of(words.substr(0, cut)),
                                               std::stod(words.substr(cut + 2)));
        }
    }
    REQUIRE(c.lines.size() > 2);
    CHECK(program::chart_svg(title, {c}) == text);
}

TEST_CASE("names that are spread keep their order, their distance and the middle of those that push",
          "[examples][chart]") {
    using places = std::vector<double>;
    CHECK(program::spread({}, 0, 100, 10).empty());
    CHECK(program::spread({5, 40, 80}, 0, 100, 10) == places{5, 40, 80}); // with room nothing moves
    CHECK(program::spread({0, 1, 50}, -100, 100, 10) == places{-4.5, 5.5, 50});
    CHECK(program::spread({50, 50, 50}, 0, 100, 10) == places{40, 50, 60});
    CHECK(program::spread({2, 3}, 0, 100, 10) == places{0, 10}); // not beyond the end
    CHECK(program::spread({97, 98}, 0, 100, 10) == places{90, 100});
    // Two heaps that have grown into each other are one.
    CHECK(program::spread({20, 21, 29, 30}, 0, 100, 10) == places{10, 20, 30, 40});
    // Without room: below each other from the low end on.
    CHECK(program::spread({1, 2, 3}, 0, 10, 10) == places{0, 10, 20});
    std::uint32_t state = 1;
    const auto random = [&](std::uint32_t below) {
        state = state * 1664525 + 1013904223;
        return (state >> 8) % below;
    };
    for (int run = 0; run < 500; ++run) {
        places wanted(1 + random(20));
        for (double& at : wanted) at = random(400);
        std::sort(wanted.begin(), wanted.end());
        const places found = program::spread(wanted, 0, 400, 13);
        REQUIRE(found.size() == wanted.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            CHECK(found[k] >= -1e-9);
            CHECK(found[k] <= 400 + 1e-9);
            if (k > 0) CHECK(found[k] - found[k - 1] >= 13 - 1e-9);
        }
        CHECK(program::spread(found, 0, 400, 13).front() == Approx(found.front()).margin(1e-6)); // settled
    }
}

TEST_CASE("the winners of a chart are who is lowest, from crossing to crossing", "[examples][chart]") {
    program::chart c{.title = "", .lines = {}};
    CHECK(program::winners(c).empty());
    c.lines.push_back({"flat", {{1, 10}, {4, 10}, {16, 10}, {64, 10}}});
    const std::vector<program::winning_range> alone = program::winners(c);
    REQUIRE(alone.size() == 1);
    CHECK(alone[0].first == 1);
    CHECK(alone[0].last == 64);
    CHECK(alone[0].line == 0);
    // Meets the flat one at 8: halfway from 4 to 16 in logarithms.
    c.lines.push_back({"falling", {{1, 80}, {4, 20}, {16, 5}, {64, 1.25}}});
    const std::vector<program::winning_range> two = program::winners(c);
    REQUIRE(two.size() == 2);
    CHECK(two[0].line == 0);
    CHECK(two[1].line == 1);
    CHECK(two[0].last == Approx(8));
    CHECK(two[1].first == two[0].last);
    CHECK(two[1].last == 64);
    // Who is only as low does not take over; nor does the first of two who begin alike have to be the first.
    c.lines.push_back({"as low", {{1, 10}, {4, 10}, {16, 5}, {64, 1.25}}});
    const std::vector<program::winning_range> alike = program::winners(c);
    REQUIRE(alike.size() == 2);
    CHECK(alike[0].line == 0);
    CHECK(alike[0].last <= 16);
    // Where a line ends, the best of the others is next, halfway.
    c.lines = {{"short", {{1, 1}, {4, 1}}}, {"long", {{1, 2}, {4, 2}, {16, 2}}}};
    const std::vector<program::winning_range> ended = program::winners(c);
    REQUIRE(ended.size() == 2);
    CHECK(ended[1].line == 1);
    CHECK(ended[1].first == Approx(8));
    CHECK(ended[1].last == 16);
}

TEST_CASE("bytes and values are said in the units that suit", "[examples][chart]") {
    CHECK(program::bytes_text(8) == "8");
    CHECK(program::bytes_text(1023) == "1023");
    CHECK(program::bytes_text(1024) == "1 Ki");
    CHECK(program::bytes_text(1536) == "1.5 Ki");
    CHECK(program::bytes_text(65536) == "64 Ki");
    CHECK(program::bytes_text(3.0 * (1 << 20)) == "3 Mi");
    CHECK(program::bytes_text(std::pow(2.0, 43)) == "8192 Gi");
    CHECK(program::value_text(0.2205, " us") == "0.2205 us");
    CHECK(program::value_text(999.96, " us") == "1000 us");
    CHECK(program::value_text(1234.5, " us") == "1.234 ms");
    CHECK(program::value_text(2.5e6, " us") == "2.5 s");
    CHECK(program::value_text(1234.5, " x") == "1234 x");
    CHECK(program::value_text(0.5, " x") == "0.5 x");
}

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
