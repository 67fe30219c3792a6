// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/schedule_drawing.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
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

TEST_CASE("a schedule by rounds has these colours, thicknesses and arrows", "[render]") {
    CHECK(support::looks(
              picture(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 3)))
              .text()
          == R"(line stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line stroke=#cbd2d9
line stroke=#d55e00 stroke-width=1.9 marker-end=url(#fold)
line.copy stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line.fold stroke=#d55e00 stroke-width=1.9 marker-end=url(#fold)
marker id=copy viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=fold viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
path d=M0,1 L10,5 L0,9 z fill=#d55e00
path d=M1,1 L9,5 L1,9 fill=none stroke=#0072b2 stroke-width=1.6
path.bracket fill=none stroke=#52606d
rect fill=#0072b2
rect fill=#ffffff
rect.held fill=#0072b2
rect.stale fill=#c3ccd5
rect.vector fill=#f5f7fa stroke=#cbd2d9
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
line.copy stroke=#0072b2 stroke-width=1.2 marker-end=url(#copy)
line.fold stroke=#d55e00 stroke-width=1.9 marker-end=url(#fold)
marker id=copy viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
marker id=fold viewBox=0 0 10 10 refX=9 refY=5 markerWidth=9 markerHeight=9 markerUnits=userSpaceOnUse orient=auto
path d=M0,1 L10,5 L0,9 z fill=#d55e00
path d=M1,1 L9,5 L1,9 fill=none stroke=#0072b2 stroke-width=1.6
rect fill=#ffffff
text font-weight=bold fill=#1f2933
text font-weight=normal fill=#1f2933
text font-weight=normal fill=#52606d
text font-weight=normal fill=#ffffff
text.label fill=#52606d
text.round fill=#0072b2
text.round fill=#d55e00
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
}

TEST_CASE("maps grow with their words, up to 150 pixels; what is longer is written smaller", "[render]") {
    const support::xml root = picture(collective::exscan, make_schedule(collective::exscan, "census", 14));
    const double width = root.of_class("vector").front()->number("width");
    CHECK(width == 150);
    double least = 10;
    for (const support::xml* e : root.of_class("label")) {
        std::size_t letters = 0;
        for (const char c : e->text) letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        CHECK(0.58 * e->number("font-size") * static_cast<double>(letters) <= width + 0.3);
        least = std::min(least, e->number("font-size"));
    }
    CHECK(least < 10);
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
          == R"(0,0 640x286
24,34 18 start 'title'
24,52 12 start 'below'
legend:
  24,76 to 52,76
  59,80 11 start 'folded on arrival'
  189.46,76 to 217.46,76
  224.46,80 11 start 'copied'
  284.74,70 14x12
  304.74,80 11 start 'held: the higher, the more ranks' parts'
ranks:
  64,164 to 284,164
  50,168.68 13 end '0'
  64,204 to 284,204
  50,208.68 13 end '1'
  64,244 to 284,244
  50,248.68 13 end '2'
  50,138 11 end 'rank'
  136.4,138 11 middle 'round 0'
  234.8,138 11 middle 'round 1'
phases:
  path M110.4,124 V118 H162.4 V124 bracket
  136.4,112 11 middle 'along the chain' phase
  path M208.8,124 V118 H260.8 V124 bracket
  234.8,112 8.08 middle 'one exchange, folding' phase
  110.4,126 52x16 words
  208.8,126 52x16 words
holdings:
  64,153.5 46.4x21 vector
  64,153.5 46.4x7 held
  64,193.5 46.4x21 vector
  64,200.5 46.4x7 held
  64,233.5 46.4x21 vector
  64,247.5 46.4x7 stale
holdings:
  162.4,193.5 46.4x21 vector
  162.4,193.5 46.4x7 held
  185.6,224.5 10 middle 'A of 0' label
  162.4,233.5 46.4x21 vector
  162.4,240.5 46.4x7 held
  185.6,264.5 10 middle 'A of 1' label
messages:
  113.4,168 to 159.4,200 copy
  113.4,208 to 159.4,240 copy
holdings:
  260.8,153.5 46.4x21 vector
  260.8,153.5 46.4x7 stale
  260.8,193.5 46.4x21 vector
  260.8,193.5 46.4x7 held
  284,224.5 10 middle 'A of 0' label
  260.8,233.5 46.4x21 vector
  260.8,233.5 46.4x14 held
  284,264.5 10 middle 'A of 0–1' label
messages:
  211.8,208 to 257.8,240 fold
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
