// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/render/message_tree.hpp>
#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

support::xml picture(collective what, const support::schedule& all) {
    return support::read_xml(
        schedule_svg(what, all, {.title = "title", .lines = {"below"}}, schedule_picture::tree));
}

} // namespace

TEST_CASE("a reduction in two pieces by a tree of six ranks, whole", "[render]") {
    const support::xml root =
        picture(collective::reduce, make_schedule(collective::reduce, "kary", 6, 0, {{"segments", 2}}));
    CHECK(support::drawn(root).text() == R"(0,0 737.04x418
24,34 18 start 'title'
24,52 12 start 'below'
24,65 to 52,65
59,69 11 start 'folded on arrival'
24,86 11 start 'Edges bear the rounds of their messages; beside a node, whose parts it has folded when it passes them on.'
messages:
  348.37,200.19 to 375.67,135.81 fold
  347.64,172.54 19.4x13
  357.34,182.54 10 middle '1–2' round
  414.67,200.19 to 387.37,135.81 fold
  396,172.54 19.4x13
  405.7,182.54 10 middle '1–2' round
  320.6,291.57 to 338.44,228.43 fold
  316.7,264.54 19.4x13
  326.4,274.54 10 middle '0–1' round
  364.44,291.57 to 346.6,228.43 fold
  348.94,264.54 19.4x13
  358.64,274.54 10 middle '0–1' round
  420.52,291 to 420.52,229 fold
  410.82,264.54 19.4x13
  420.52,274.54 10 middle '0–1' round
ranks:
  circle 381.52,122 14 rank
  381.52,126.32 12 middle '0'
  circle 342.52,214 14 rank
  342.52,218.32 12 middle '1'
  358.52,207.5 29.55x13
  359.52,217.5 9.5 '1,3–4' label
  circle 420.52,214 14 rank
  420.52,218.32 12 middle '2'
  436.52,207.5 18.53x13
  437.52,217.5 9.5 '2,5' label
  circle 316.52,306 14 rank
  316.52,310.32 12 middle '3'
  circle 368.52,306 14 rank
  368.52,310.32 12 middle '4'
  circle 420.52,306 14 rank
  420.52,310.32 12 middle '5'
)");
    std::vector<std::string> words;
    for (const char* of_class : {"fold", "rank"})
        for (const support::xml* e : root.of_class(of_class)) words.push_back(e->children.at(0).text);
    CHECK(words
          == std::vector<std::string>{"rounds 1–2, the last: rank 1 to rank 0: B of 1,3–4, folded",
                                      "rounds 1–2, the last: rank 2 to rank 0: B of 2,5, folded",
                                      "rounds 0–1, the last: rank 3 to rank 1: B of 3, folded",
                                      "rounds 0–1, the last: rank 4 to rank 1: B of 4, folded",
                                      "rounds 0–1, the last: rank 5 to rank 2: B of 5, folded",
                                      "rank 0, the root", "rank 1", "rank 2", "rank 3", "rank 4", "rank 5"});
}

TEST_CASE("parents stand over the middle of their children, leaves side by side, levels below each other",
          "[render]") {
    for (const auto& [size, arity] :
         std::vector<std::pair<rank_type, int>>{{6, 2}, {33, 2}, {63, 2}, {63, 60}}) {
        INFO(size << ", " << arity);
        const support::schedule all = make_schedule(collective::bcast, "kary", size, 1, {{"arity", arity}});
        const support::xml root = picture(collective::bcast, all);
        const symbolic_run run(collective::bcast, all);
        const detail::message_tree tree = detail::tree_of(run);
        std::vector<std::pair<double, double>> at(static_cast<std::size_t>(size));
        for (const support::xml* e : root.of_class("rank"))
            at[std::stoul(e->children.at(0).text.substr(5))] = {e->number("cx"), e->number("cy")};
        const auto place = [&](rank_type r) { return at[static_cast<std::size_t>(r)]; };
        std::map<double, rank_type> leaves; // from left to right
        for (rank_type r = 0; r < size; ++r) {
            CHECK(place(r).second - place(tree.root()).second == Approx(92 * tree[r].depth).margin(0.02));
            const std::vector<rank_type>& children = tree[r].children;
            if (children.empty())
                leaves[place(r).first] = r;
            else
                CHECK(place(r).first
                      == Approx((place(children.front()).first + place(children.back()).first) / 2)
                             .margin(0.02));
        }
        // As far apart as 1500 pixels allow, from 26 to 52; the whole in the middle of the sheet.
        const double pitch = std::clamp(1500.0 / static_cast<double>(leaves.size()), 26.0, 52.0);
        double before = leaves.begin()->first - pitch;
        for (const auto& [x, r] : leaves) {
            CHECK(x - before == Approx(pitch).margin(0.02));
            before = x;
        }
        CHECK(leaves.begin()->first + leaves.rbegin()->first == Approx(root.number("width")).margin(0.03));
    }
}

TEST_CASE("the number of a rank fits into its circle", "[render]") {
    for (const rank_type size : {6, 130}) {
        INFO(size);
        const support::xml root = picture(collective::bcast, make_schedule(collective::bcast, "kary", size));
        const double radius = root.of_class("rank").front()->number("r");
        std::map<std::size_t, double> sizes; // by digits
        for (const support::xml& e : root.of_class("ranks").at(0)->children)
            if (e.name == "text") sizes[e.text.size()] = e.number("font-size");
        // Of one or two digits alike, no larger than 12 pixels; of three as wide as two.
        CHECK(sizes.at(1) == Approx(std::min(12.0, 1.7 * radius / 1.6)).margin(0.02));
        if (size < 100) continue;
        CHECK(sizes.at(2) == sizes.at(1));
        CHECK(sizes.at(3) == Approx(1.7 * radius / 1.86).margin(0.02));
    }
}

TEST_CASE("whose parts a node passes on is not written behind the next node", "[render]") {
    for (const rank_type size : {13, 31, 63}) {
        const support::xml root =
            picture(collective::reduce, make_schedule(collective::reduce, "fnomial", size));
        const auto labels = root.of_class("label");
        CHECK(labels.size() > 3);
        for (const support::xml* label : labels) {
            const double left = label->number("x");
            const double right =
                left + 5 * static_cast<double>(label->text.size() - 2); // "–" has three bytes
            for (const support::xml* node : root.of_class("rank"))
                if (std::abs(node->number("cy") - label->number("y")) < 5)
                    CHECK((node->number("cx") + node->number("r") < left
                           || node->number("cx") - node->number("r") > right));
            CHECK(right < root.number("width"));
        }
    }
}
