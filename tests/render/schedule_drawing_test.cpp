// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/schedule_drawing.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/page_style.hpp>
#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/contrast.hpp"
#include "support/drawn.hpp"
#include "support/looks.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

support::xml picture(collective what, const support::schedule& all,
                     schedule_picture how = schedule_picture::rounds) {
    return support::read_xml(schedule_svg(what, all, {.title = "title", .lines = {"below"}}, how));
}

/// What the mouse is told, in order.
std::vector<std::string> told_by(const support::xml& root, const std::string& of_class) {
    std::vector<std::string> list;
    for (const support::xml* e : root.of_class(of_class)) list.push_back(e->children.at(0).text);
    return list;
}

std::set<std::string> colours_of_words(const support::xml& of) {
    std::set<std::string> all;
    if (of.name == "text" && of.has("fill")) all.insert(of["fill"]);
    for (const support::xml& child : of.children) all.merge(colours_of_words(child));
    return all;
}

/// From the right of each column of maps to the left of the next.
std::vector<double> gaps(const support::xml& root) {
    std::vector<double> list;
    double right = 0;
    for (const support::xml* column : root.of_class("holdings")) {
        const support::xml& map = *column->of_class("vector").front();
        if (right > 0) list.push_back(map.number("x") - right);
        right = map.number("x") + map.number("width");
    }
    return list;
}

void check_near(const std::vector<double>& found, const std::vector<double>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == Approx(expected[k]).margin(0.03));
}

} // namespace

TEST_CASE("every colour of a picture has one for dark rooms, and is told from the sheet in both",
          "[render]") {
    const auto dark = [](std::string_view light) {
        for (const room_colour& c : detail::colours::in_rooms)
            if (c.light == light) return c.dark;
        return std::string_view("none");
    };
    const std::string_view light_sheet = detail::colours::sheet, dark_sheet = dark(light_sheet);
    std::set<std::string_view> lights;
    for (const room_colour& c : detail::colours::in_rooms) {
        INFO(c.light << " " << c.dark);
        CHECK(lights.insert(c.light).second); // or one rule would take it from another
        if (c.light == light_sheet || c.light == detail::colours::paper) continue; // what is drawn on
        CHECK(support::contrast(c.light, light_sheet) >= 3);
        CHECK(support::contrast(c.dark, dark_sheet) >= 3);
    }
    for (const std::string_view in_maps : {detail::colours::line, detail::colours::held}) {
        CHECK(support::contrast(in_maps, detail::colours::paper) >= 3);
        CHECK(support::contrast(dark(in_maps), dark(detail::colours::paper)) >= 3);
    }
    for (const schedule_picture how : {schedule_picture::rounds, schedule_picture::tree})
        for (const rank_type size : {5, 70})                                      // 70: from left to right
            for (const collective what : {collective::bcast, collective::reduce}) // copied, folded
                for (const std::string_view words :
                     colours_of_words(picture(what, make_schedule(what, "fnomial", size), how))) {
                    if (words == light_sheet) continue; // on ink
                    INFO(words);
                    CHECK(support::contrast(words, light_sheet) >= 4.5);
                    CHECK(support::contrast(dark(words), dark_sheet) >= 4.5);
                }
    CHECK(support::contrast(detail::colours::ink, light_sheet) >= 4.5);
    CHECK(support::contrast(dark(detail::colours::ink), dark_sheet) >= 4.5);
    for (std::size_t load = 0; load < load_classes; ++load) CHECK(dark(stroke_of(load).colour) != "none");
    for (const schedule_picture how : {schedule_picture::rounds, schedule_picture::tree}) {
        const support::xml root =
            picture(collective::bcast, make_schedule(collective::bcast, "fnomial", 5), how);
        std::string rules;
        for (const support::xml& e : root.children)
            if (e.name == "style") rules += e.text;
        CHECK(rules.find("@media screen and (prefers-color-scheme: dark) {") != std::string::npos);
        CHECK(rules.find("[fill='#1f2933'] { fill: #e8edf2; }") != std::string::npos);
        CHECK(rules.find("[stroke='#0072b2'] { stroke: #4ba3dc; }") != std::string::npos);
    }
}

TEST_CASE("pictures and pages have the colours of the table and no others", "[render]") {
    std::set<std::string> known{"none", "url(#stale)"};
    for (const room_colour& c : detail::colours::in_rooms) known.insert(std::string(c.light));
    std::set<std::string> unknown;
    const auto look_at = [&](const auto& self, const support::xml& e) -> void {
        for (const char* what : {"fill", "stroke"})
            if (e.has(what) && !known.contains(e[what])) unknown.insert(e.name + " " + e[what]);
        for (const support::xml& child : e.children) self(self, child);
    };
    look_at(look_at,
            picture(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 5)));
    look_at(look_at, picture(collective::exscan, make_schedule(collective::exscan, "census", 5)));
    look_at(look_at, picture(collective::bcast, make_schedule(collective::bcast, "fnomial", 5),
                             schedule_picture::tree));
    CHECK(unknown == std::set<std::string>{});
    const std::string_view style = detail::page_style;
    for (std::size_t at = style.find('#'); at != style.npos; at = style.find('#', at + 1))
        CHECK_FALSE(std::all_of(style.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                style.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                                [](unsigned char c) { return std::isxdigit(c) != 0; }));
}

TEST_CASE("personal blocks are outlined, and those needed no more are thin bars at the bottom", "[render]") {
    const support::xml root =
        picture(collective::alltoall, make_schedule(collective::alltoall, "pairwise", 4));
    std::size_t thin = 0;
    for (const support::xml* column : root.of_class("holdings")) {
        const support::xml* map = nullptr;
        for (const support::xml& e : column->children) {
            if (e.name != "rect") continue;
            if (e["class"] == "vector") {
                map = &e;
                continue;
            }
            CHECK(e["stroke"] == detail::colours::quiet);
            CHECK(e.number("y") + e.number("height")
                  == Approx(map->number("y") + map->number("height")).margin(0.02));
            const double part = e.number("height") / map->number("height");
            CHECK(part == Approx(e["class"] == "held" ? 1 : 0.3).margin(0.01));
            thin += e["class"] == "stale";
        }
    }
    CHECK(thin > 0);
}

TEST_CASE("a schedule by rounds has these colours, thicknesses and arrows", "[render]") {
    CHECK(support::looks(
              picture(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 3)))
              .text()
          == R"(line stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line stroke=#848e98 stroke-width=0.6
line stroke=#bd5300 stroke-width=1.9 marker-end=url(#fold)
line.copy stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line.fold stroke=#bd5300 stroke-width=1.9 marker-end=url(#fold)
marker id=copy viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=fold viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
path d=M0,1 L10,5 L0,9 z fill=#bd5300
path d=M1,1 L9,5 L1,9 fill=none stroke=#0072b2 stroke-width=1.6
path.bracket fill=none stroke=#52606d
pattern id=stale patternUnits=userSpaceOnUse patternTransform=rotate(45)
rect fill=#0072b2
rect fill=#848e98
rect fill=#ffffff
rect.held fill=#0072b2
rect.stale fill=url(#stale)
rect.vector fill=#f5f7fa stroke=#848e98
rect.words fill=none pointer-events=all
text font-weight=bold fill=#1f2933
text font-weight=normal fill=#1f2933
text font-weight=normal fill=#52606d
)");
}

TEST_CASE("a schedule as a tree has these colours, thicknesses and arrows", "[render]") {
    CHECK(support::looks(picture(collective::allreduce, make_schedule(collective::allreduce, "fnomial", 4),
                                 schedule_picture::tree))
              .text()
          == R"(circle.rank fill=#1f2933 stroke=#1f2933 stroke-width=1.2
circle.rank fill=#ffffff stroke=#1f2933 stroke-width=1.2
line stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line stroke=#bd5300 stroke-width=1.9 marker-end=url(#fold)
line.copy stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line.fold stroke=#bd5300 stroke-width=1.9 marker-end=url(#fold)
marker id=copy viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=fold viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
path d=M0,1 L10,5 L0,9 z fill=#bd5300
path d=M1,1 L9,5 L1,9 fill=none stroke=#0072b2 stroke-width=1.6
rect fill=#ffffff
text font-weight=bold fill=#1f2933
text font-weight=normal fill=#1f2933
text font-weight=normal fill=#52606d
text font-weight=normal fill=#ffffff
text.label fill=#52606d
text.round fill=#0072b2
text.round fill=#bd5300
)");
}

TEST_CASE("the farther messages go, the more room they have, within bounds", "[render]") {
    // 44 and 0.19 of the height they cross; at least 52, at most 150. Ranks of 16 are 40 apart, those of
    // 64 19.
    check_near(gaps(picture(collective::bcast, make_schedule(collective::bcast, "fnomial", 16))),
               {104.8, 74.4, 59.2, 52});
    check_near(gaps(picture(collective::bcast, make_schedule(collective::bcast, "fnomial", 64))),
               {150, 101.76, 72.88, 58.44, 52, 52});
}

TEST_CASE("numbers of ranks find room between each other", "[render]") {
    const auto size_of_numbers = [](rank_type size) {
        const support::xml root =
            picture(collective::bcast, make_schedule(collective::bcast, "fnomial", size));
        for (const support::xml& e : root.of_class("ranks").at(0)->children)
            if (e.text == "0") return e.number("font-size");
        return 0.0;
    };
    CHECK(size_of_numbers(16) == 13);
    CHECK(size_of_numbers(64) == 13);
    CHECK(size_of_numbers(65) == 10);
    CHECK(size_of_numbers(256) == 9);
}

TEST_CASE("maps grow with their words, up to 216 pixels; what is longer is written smaller", "[render]") {
    const support::xml root =
        picture(collective::allreduce, make_schedule(collective::allreduce, "circulant", 13));
    const double width = root.of_class("vector").front()->number("width");
    CHECK(width == 216);
    double least = 10;
    for (const support::xml* e : root.of_class("label")) {
        std::size_t letters = 0;
        for (const char c : e->text) letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        CHECK(0.58 * e->number("font-size") * static_cast<double>(letters) <= width + 0.3);
        least = std::min(least, e->number("font-size"));
    }
    CHECK(least < 10);
    CHECK(least > 9);
}

TEST_CASE("maps and arrows say what they show", "[render]") {
    const support::xml root = picture(collective::reduce, make_schedule(collective::reduce, "serial", 2));
    CHECK(told_by(root, "vector")
          == std::vector<std::string>{"rank 0, first: A of 0", "rank 1, first: A of 1",
                                      "rank 0, then: A of 0–1", "rank 1, then: nothing that is needed"});
    CHECK(told_by(root, "fold") == std::vector<std::string>{"round 0: rank 1 to rank 0: A of 1, folded"});
}

TEST_CASE("what is filled lies in its map, and can be seen, however many ranks there are", "[render]") {
    const auto check = [](collective what, const char* name, rank_type size) {
        INFO(name << " on " << size);
        const support::xml root = picture(what, make_schedule(what, name, size));
        for (const support::xml* column : root.of_class("holdings")) {
            const support::xml* map = nullptr;
            bool inside = true;
            for (const support::xml& e : column->children) {
                if (e.name != "rect") continue;
                if (e["class"] == "vector") {
                    map = &e;
                    continue;
                }
                REQUIRE(map != nullptr);
                const auto within = [&](const char* at, const char* length) {
                    return e.number(at) >= map->number(at) - 0.02
                           && e.number(at) + e.number(length) <= map->number(at) + map->number(length) + 0.02;
                };
                inside = inside && within("x", "width") && within("y", "height") && e.number("height") >= 1.2;
            }
            CHECK(inside);
        }
    };
    check(collective::allreduce, "halving_doubling", 7);
    check(collective::exscan, "census", 12);
    check(collective::barrier, "dissemination", 70);
    check(collective::allgather, "bruck", 9);
}

TEST_CASE("of a vector that is gathered the blocks are filled that are there", "[render]") {
    const support::xml root = picture(collective::allgather, make_schedule(collective::allgather, "ring", 4));
    const support::xml& first = *root.of_class("holdings").front();
    const auto maps = first.of_class("vector");
    const auto held = first.of_class("held");
    REQUIRE(held.size() == 4);
    for (std::size_t r = 0; r < 4; ++r) {
        const double width = maps[r]->number("width") / 4;
        CHECK(held[r]->number("width") == Approx(width).margin(0.01));
        CHECK(held[r]->number("x")
              == Approx(maps[r]->number("x") + static_cast<double>(r) * width).margin(0.01));
        CHECK(held[r]->number("height") == maps[r]->number("height"));
    }
}

TEST_CASE("a map is drawn again where something is needed no more", "[render]") {
    const support::xml root =
        picture(collective::reduce, make_schedule(collective::reduce, "chain", 3, 0, {{"segments", 2}}));
    std::vector<std::string> words; // of rank 2, who gives away A, then B
    for (const std::string& title : told_by(root, "vector"))
        if (title.starts_with("rank 2")) words.push_back(title);
    CHECK(words
          == std::vector<std::string>{"rank 2, first: A–B of 2", "rank 2, then: B of 2",
                                      "rank 2, then: nothing that is needed"});
}

TEST_CASE("an exclusive prefix of three ranks, whole", "[render]") {
    CHECK(support::drawn(picture(collective::exscan, make_schedule(collective::exscan, "census", 3))).text()
          == R"(0,0 654.1x366.6
24,34 18 start 'title'
24,52 12 start 'below'
legend:
  24,76 to 52,76
  59,80 11 start 'folded on arrival'
  189.46,76 to 217.46,76
  224.46,80 11 start 'copied'
  284.74,70 14x12
  304.74,80 11 start 'held: the higher, the more ranks' parts'
  24,98 11 start 'of each rank, from the top: input, what becomes the result'
ranks:
  64,185.1 to 343.56,185.1
  50,189.78 13 end '0'
  64,231.3 to 343.56,231.3
  50,235.98 13 end '1'
  64,277.5 to 343.56,277.5
  50,282.18 13 end '2'
  50,156 11 end 'rank'
  159.99,156 11 middle 'round 0'
  282.37,156 11 middle 'round 1'
phases:
  path M133.99,142 V136 H185.99 V142 bracket
  159.99,130 11 middle 'along the chain' phase
  path M256.37,142 V136 H308.37 V142 bracket
  282.37,130 10.48 middle 'one message, folding' phase
  133.99,144 52x16 words
  256.37,144 52x16 words
holdings:
  64,171.5 69.6x12.6 vector
  64,171.5 69.6x4.2 held
  64,186.1 69.6x12.6 vector
  98.8,208.7 10 middle 'input A of 0' label
  64,217.7 69.6x12.6 vector
  64,221.9 69.6x4.2 held
  64,232.3 69.6x12.6 vector
  98.8,254.9 10 middle 'input A of 1' label
  64,263.9 69.6x12.6 vector
  64,272.3 69.6x4.2 stale
  64,278.5 69.6x12.6 vector
holdings:
  186.38,217.7 69.6x12.6 vector
  186.38,221.9 69.6x4.2 stale
  186.38,232.3 69.6x12.6 vector
  186.38,232.3 69.6x4.2 held
  221.18,254.9 10 middle 'A of 0' label
  186.38,263.9 69.6x12.6 vector
  186.38,272.3 69.6x4.2 stale
  186.38,278.5 69.6x12.6 vector
  186.38,282.7 69.6x4.2 held
  221.18,301.1 10 middle 'A of 1' label
messages:
  136.6,189.1 to 183.38,227.3 copy
  136.6,235.3 to 183.38,273.5 copy
holdings:
  308.76,171.5 69.6x12.6 vector
  308.76,171.5 69.6x4.2 stale
  308.76,186.1 69.6x12.6 vector
  308.76,217.7 69.6x12.6 vector
  308.76,221.9 69.6x4.2 stale
  308.76,232.3 69.6x12.6 vector
  308.76,232.3 69.6x4.2 held
  343.56,254.9 10 middle 'A of 0' label
  308.76,263.9 69.6x12.6 vector
  308.76,272.3 69.6x4.2 stale
  308.76,278.5 69.6x12.6 vector
  308.76,278.5 69.6x8.4 held
  343.56,301.1 10 middle 'A of 0–1' label
messages:
  258.98,235.3 to 305.76,273.5 fold
)");
}

TEST_CASE("up to 256 ranks, 20000 messages and 65536 blocks are drawn, no more", "[render]") {
    const auto chain = [](rank_type size, int segments) {
        return make_schedule(collective::bcast, "chain", size, 0, {{"segments", segments}});
    };
    CHECK_NOTHROW(detail::check_drawable(chain(256, 1)));
    CHECK_THROWS_AS(detail::check_drawable(chain(257, 1)), argument_error);
    CHECK_NOTHROW(detail::check_drawable(chain(11, 2000)));
    CHECK_THROWS_AS(detail::check_drawable(chain(11, 2001)), argument_error);
    CHECK_NOTHROW(detail::check_drawable(chain(1, 65536)));
    CHECK_THROWS_AS(detail::check_drawable(chain(1, 65537)), argument_error);
}
