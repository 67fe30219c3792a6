// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/drawn.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

support::xml picture(collective what, const support::schedule& all,
                     schedule_picture how = schedule_picture::fitting) {
    return support::read_xml(schedule_svg(what, all, {.title = "a < b", .lines = {"below"}}, how));
}

std::vector<const support::xml*> arrows(const support::xml& root) {
    std::vector<const support::xml*> all = root.of_class("fold");
    const std::vector<const support::xml*> copies = root.of_class("copy");
    all.insert(all.end(), copies.begin(), copies.end());
    return all;
}

std::vector<std::string> texts(const support::xml& root, const std::string& of_class) {
    std::vector<std::string> list;
    for (const support::xml* e : root.of_class(of_class)) list.push_back(e->text);
    return list;
}

/// "round 2: rank 3 to rank 0: A of 3, folded" -> {3, 0}
std::pair<int, int> ends(const support::xml& arrow) {
    const std::string& words = arrow.children.at(0).text;
    const std::size_t from = words.find("rank ");
    const std::size_t to = words.find(" to rank ");
    REQUIRE(to != std::string::npos);
    return {std::stoi(words.substr(from + 5)), std::stoi(words.substr(to + 9))};
}

struct node {
    double x, y, radius;
};
std::map<int, node> nodes(const support::xml& root) {
    std::map<int, node> all;
    for (const support::xml* e : root.of_class("rank"))
        all[std::stoi(e->children.at(0).text.substr(5))] = {e->number("cx"), e->number("cy"), e->number("r")};
    return all;
}

/// The whole element lies on the sheet.
void check_inside(const support::xml& root) {
    const double width = root.number("width");
    const double height = root.number("height");
    for (const std::string of_class : {"vector", "held", "stale"})
        for (const support::xml* e : root.of_class(of_class)) {
            CHECK(e->number("x") >= 0);
            CHECK(e->number("y") >= 0);
            CHECK(e->number("x") + e->number("width") <= width);
            CHECK(e->number("y") + e->number("height") <= height);
        }
    for (const support::xml* e : arrows(root))
        for (const char* x : {"x1", "x2"}) CHECK((e->number(x) >= 0 && e->number(x) <= width));
}

} // namespace

TEST_CASE("every picture is well-formed, has every message once, and stays on its sheet", "[render]") {
    for (const catalogue_entry& e : catalogue())
        for (const rank_type size : {1, 2, 7, 20}) {
            INFO(name_of(e.what) << " " << e.name << " on " << size);
            const support::schedule all = make_schedule(e, size);
            const support::xml root = picture(e.what, all, schedule_picture::rounds);
            std::multiset<std::pair<int, int>> drawn;
            for (const support::xml* a : arrows(root)) drawn.insert(ends(*a));
            std::multiset<std::pair<int, int>> sent;
            const auto bytes = block_bytes::even(all.blocks(), all.blocks());
            for (round_index i = 0; i < all.rounds(); ++i)
                for_each_message(all, i, bytes, [&](const message& m) { sent.insert({m.from, m.to}); });
            CHECK(drawn == sent);
            check_inside(root);
        }
}

TEST_CASE("between the rounds stands what Figure 2 of Rabenseifner and Adamidis 2004 says", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const support::xml root = picture(collective::allreduce, all);
    const auto columns = root.of_class("holdings");
    REQUIRE(columns.size() == 10);
    CHECK(texts(*columns[0], "label").front() == "A–H of 0");
    // Only what has changed is drawn again: ranks 10 to 12 take no part in the first two rounds, and the
    // ranks that are removed have nothing that is needed afterwards.
    CHECK(texts(*columns[1], "label")
          == std::vector<std::string>{"A–D of 0–1", "E–H of 0–1", "A–D of 2–3", "E–H of 2–3", "A–D of 4–5",
                                      "E–H of 4–5", "A–D of 6–7", "E–H of 6–7", "A–D of 8–9", "E–H of 8–9"});
    CHECK(texts(*columns[2], "label")
          == std::vector<std::string>{"A–H of 0–1", "A–H of 2–3", "A–H of 4–5", "A–H of 6–7", "A–H of 8–9"});
    CHECK(texts(*columns[5], "label")
          == std::vector<std::string>{"A of 0–12", "E of 0–12", "C of 0–12", "G of 0–12", "B of 0–12",
                                      "F of 0–12", "D of 0–12", "H of 0–12"});
    CHECK(texts(*columns[9], "label") == std::vector<std::string>(13, "A–H of 0–12"));
    CHECK(root.of_class("fold").size() == 10 + 24);
    CHECK(root.of_class("copy").size() == 5 + 24 + 5);
}

TEST_CASE("phases are brackets over their rounds, and each round says what it does", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const support::xml root = picture(collective::allreduce, all);
    CHECK(texts(root, "phase")
          == std::vector<std::string>{"fold the 5 extra ranks in", "halving", "doubling",
                                      "give back to the 5"});
    const round_words words = words_of_rounds(collective::allreduce, all);
    const auto places = root.of_class("words");
    REQUIRE(places.size() == 9);
    for (std::size_t i = 0; i < places.size(); ++i) CHECK(places[i]->children.at(0).text == words.rounds[i]);
    // Side by side, each as wide as its rounds.
    const auto names = root.of_class("phase");
    REQUIRE(root.of_class("bracket").size() == words.phases.size());
    for (std::size_t k = 0; k < words.phases.size(); ++k) {
        const auto middle = [&](round_index i) {
            const support::xml& place = *places[static_cast<std::size_t>(i)];
            return place.number("x") + place.number("width") / 2;
        };
        CHECK(names[k]->number("x")
              == Approx((middle(words.phases[k].first) + middle(words.phases[k].last)) / 2).margin(0.02));
    }
}

TEST_CASE("the filled part of a map is as wide as its blocks and as high as its ranks", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 8);
    const support::xml root = picture(collective::allreduce, all);
    const auto columns = root.of_class("holdings");
    REQUIRE(columns.size() == 7);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const support::xml& map = *columns[i]->of_class("vector").front();
        const auto held = columns[i]->of_class("held");
        const double halved = std::exp2(i < 3 ? i : 6 - i);
        CHECK(held.front()->number("width") == Approx(map.number("width") / halved).epsilon(0.01));
        CHECK(held.front()->number("height")
              == Approx(map.number("height") * (i < 3 ? std::exp2(i) / 8 : 1)).epsilon(0.02));
    }
}

TEST_CASE("a 4-nomial reduction of 16 ranks is Figure 5 of Moody et al. 2003", "[render]") {
    const support::schedule all = make_schedule(collective::reduce, "fnomial", 16, 0, {{"radix", 4}});
    const support::xml root = picture(collective::reduce, all);
    const std::map<int, node> at = nodes(root);
    REQUIRE(at.size() == 16);
    // "During the first phase, parent node 0 receives and reduces messages from nodes 1, 2, and 3; nodes 4,
    // 8, and 12 from their own three children"; in the second, node 0 from 4, 8 and 12.
    std::set<std::pair<int, int>> expected;
    for (const int parent : {0, 4, 8, 12}) {
        for (int child = parent + 1; child < parent + 4; ++child) expected.insert({child, parent});
        if (parent > 0) expected.insert({parent, 0});
    }
    std::set<std::pair<int, int>> drawn;
    for (const support::xml* a : root.of_class("fold")) {
        const auto [from, to] = ends(*a);
        drawn.insert({from, to});
        CHECK(a->number("y2") < a->number("y1")); // all messages go upward
        CHECK(at.at(from).y > at.at(to).y);
    }
    CHECK(drawn == expected);
    std::vector<std::string> rounds = texts(root, "round");
    CHECK(std::count(rounds.begin(), rounds.end(), "0") == 12);
    CHECK(std::count(rounds.begin(), rounds.end(), "1") == 3);
    CHECK(texts(root, "label") == std::vector<std::string>{"4–7", "8–11", "12–15"});
}

TEST_CASE("nodes of a tree lie apart, children in the order of their rounds", "[render]") {
    for (const auto& [what, name] :
         std::vector<std::pair<collective, std::string>>{{collective::reduce, "fnomial"},
                                                         {collective::bcast, "fnomial"},
                                                         {collective::reduce, "kary"},
                                                         {collective::bcast, "binary_tree"},
                                                         {collective::allreduce, "fnomial"},
                                                         {collective::bcast, "serial"},
                                                         {collective::allreduce, "binary_tree"}})
        for (const rank_type size : {3, 12, 48}) {
            INFO(name_of(what) << " " << name << " on " << size);
            const support::xml root = picture(what, make_schedule(what, name, size, has_root(what) ? 2 : 0));
            const std::map<int, node> at = nodes(root);
            REQUIRE(at.size() == static_cast<std::size_t>(size));
            for (const auto& [r, a] : at) {
                CHECK((a.x >= a.radius && a.x + a.radius <= root.number("width")));
                CHECK(a.y + a.radius <= root.number("height"));
                for (const auto& [other, b] : at)
                    if (other > r && a.y == b.y) CHECK(std::abs(a.x - b.x) >= 2 * a.radius);
            }
            const std::size_t ways = what == collective::allreduce ? 2 : 1;
            CHECK(arrows(root).size() == ways * static_cast<std::size_t>(size - 1));
        }
}

TEST_CASE("what is no tree, or a line, is drawn round by round", "[render]") {
    const auto is_tree = [](const support::xml& root) { return root.of_class("holdings").empty(); };
    const support::schedule ring = make_schedule(collective::allgather, "ring", 5);
    CHECK_FALSE(is_tree(picture(collective::allgather, ring)));
    CHECK_THROWS_AS(picture(collective::allgather, ring, schedule_picture::tree), argument_error);
    const support::schedule chain = make_schedule(collective::bcast, "chain", 20);
    CHECK_FALSE(is_tree(picture(collective::bcast, chain)));
    CHECK(is_tree(picture(collective::bcast, chain, schedule_picture::tree)));
    CHECK(is_tree(picture(collective::bcast, make_schedule(collective::bcast, "kary", 20))));
    CHECK_FALSE(is_tree(picture(collective::bcast, make_schedule(collective::bcast, "two_tree", 20))));
    CHECK_FALSE(is_tree(picture(collective::bcast, make_schedule(collective::bcast, "kary", 1))));
}

TEST_CASE("the legend has what occurs, each next to its words", "[render]") {
    // What is drawn before the words: the head of an arrow, or the colour of a box.
    const auto legend = [](collective what, const std::string& name) {
        std::map<std::string, std::string> list;
        std::string sample;
        const support::xml root = picture(what, make_schedule(what, name, 8), schedule_picture::rounds);
        for (const support::xml& e : root.of_class("legend").at(0)->children)
            if (e.name == "text")
                list[e.text] = sample;
            else
                sample = e.name == "line" ? e["marker-end"] + " " + e["stroke"] : e["fill"];
        return list;
    };
    using list = std::map<std::string, std::string>;
    const std::string fold = "url(#fold) " + std::string(detail::colours::folded);
    const std::string copy = "url(#copy) " + std::string(detail::colours::copied);
    const std::string held(detail::colours::held);
    const std::string stale(detail::colours::hatched);
    const std::string wider = "held: wider, more blocks; higher, more ranks' parts";
    CHECK(legend(collective::reduce, "fnomial")
          == list{{"folded on arrival", fold},
                  {"held: the higher, the more ranks' parts", held},
                  {"needed no more", stale}});
    CHECK(legend(collective::reduce_scatter, "pairwise")
          == list{{"folded on arrival", fold}, {wider, held}, {"needed no more", stale}});
    CHECK(legend(collective::allreduce, "halving_doubling")
          == list{{"folded on arrival", fold}, {"copied", copy}, {wider, held}, {"needed no more", stale}});
    CHECK(legend(collective::allgather, "ring") == list{{"copied", copy}, {"held", held}});
}

TEST_CASE("personal blocks have the colours of their ranks, in the input and in the result", "[render]") {
    // Of each rank that is drawn in a column: the colours of its buffers, from left to right.
    struct painted {
        double y;
        std::vector<std::string> colours;
    };
    const auto maps = [](const support::xml& column) {
        std::vector<painted> list;
        for (const support::xml& e : column.children) {
            if (e.has("class") && e["class"] == "vector") list.push_back({e.number("y"), {}});
            if (e.has("class") && (e["class"] == "held" || e["class"] == "stale"))
                list.back().colours.push_back(e["fill"]);
        }
        return list;
    };
    for (const rank_type size : {4, 16, 32}) {
        INFO(size);
        const support::xml root =
            picture(collective::alltoall, make_schedule(collective::alltoall, "pairwise", size));
        const auto columns = root.of_class("holdings");
        std::vector<std::string> all;
        for (rank_type r = 0; r < size; ++r) all.push_back(detail::colours::of_rank(r, size));
        CHECK(std::set<std::string>(all.begin(), all.end()).size() == static_cast<std::size_t>(size));
        const std::vector<painted> first = maps(*columns.front());
        const std::vector<painted> last = maps(*columns.back());
        REQUIRE(first.size() == 2 * static_cast<std::size_t>(size));
        REQUIRE(last.size() == first.size());
        for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r) {
            CHECK(first[2 * r].colours == std::vector{all[r]}); // all of its input is its own
            CHECK(first[2 * r + 1].colours.empty());
            CHECK(first[2 * r].y < first[2 * r + 1].y);
            CHECK(last[2 * r].colours == std::vector{all[r]}); // sent, and needed no more
            CHECK(last[2 * r + 1].colours == all);             // one of each
        }
        const auto legend = root.of_class("legend").at(0);
        std::vector<std::string> words;
        for (const support::xml& e : legend->children)
            if (e.name == "text") words.push_back(e.text);
        CHECK(words
              == std::vector<std::string>{"copied", "blocks, by the rank they come from:", "0",
                                          std::to_string(size - 1), "needed no more",
                                          "of each rank, from the top: input, what becomes the result"});
    }
    // A gather ends with one of each at the root, a scatter with its own at each.
    const auto at_end = [&](collective what) {
        const support::xml root =
            picture(what, make_schedule(what, "fnomial", 9, 2), schedule_picture::rounds);
        return maps(*root.of_class("holdings").back());
    };
    CHECK(at_end(collective::gather).at(2).colours.size() == 9);
    for (rank_type r = 0; r < 9; ++r) {
        const std::vector<std::string> held =
            at_end(collective::scatter).at(static_cast<std::size_t>(r)).colours;
        CHECK(std::count(held.begin(), held.end(), detail::colours::of_rank(r, 9)) == 1);
    }
}

TEST_CASE("of many ranks, blocks that lie in order are one piece with all colours", "[render]") {
    const support::xml root =
        picture(collective::alltoall, make_schedule(collective::alltoall, "pairwise", 33));
    const auto columns = root.of_class("holdings");
    REQUIRE(columns.size() == 35); // of 32 rounds in three rows: the block that stays is copied in the first
    const auto held = columns.back()->of_class("held");
    REQUIRE(held.size() == 33); // of each rank its result, and nothing of its input
    for (const support::xml* e : held) CHECK((*e)["fill"] == "url(#ranks-34)");
    CHECK(columns.front()->of_class("held").front()->operator[]("fill") == detail::colours::of_rank(0, 33));
    // A colour where its rank's block is.
    for (const support::xml& defs : root.children)
        for (const support::xml& e : defs.children) {
            if (!e.has("id") || e["id"] != "ranks-34") continue;
            REQUIRE(e.children.size() == 33);
            const support::xml& map = *columns.back()->of_class("vector").front();
            CHECK(e.number("x1") == map.number("x"));
            CHECK(e.number("x2") == Approx(map.number("x") + map.number("width")));
            CHECK(e.children[16]["stop-color"] == detail::colours::of_rank(16, 33));
            CHECK(e.children[16].number("offset") == 0.5);
            return;
        }
    FAIL("no colours of the ranks in the last column");
}

TEST_CASE("the labels of a column are as large as each other", "[render]") {
    const support::xml root = picture(collective::exscan, make_schedule(collective::exscan, "census", 13),
                                      schedule_picture::rounds);
    std::set<std::string> sizes;
    for (const support::xml* column : root.of_class("holdings")) {
        std::set<std::string> here;
        for (const support::xml* e : column->of_class("label")) here.insert((*e)["font-size"]);
        CHECK(here.size() <= 1);
        sizes.insert(here.begin(), here.end());
    }
    CHECK(!sizes.empty());
}

TEST_CASE("title and lines are written as they are", "[render]") {
    const support::xml root =
        picture(collective::barrier, make_schedule(collective::barrier, "dissemination", 4));
    CHECK(root.children.at(0).text == "a < b");
    std::set<std::string> words;
    for (const support::xml& e : root.children) words.insert(e.text);
    CHECK(words.count("a < b") == 1);
    CHECK(words.count("below") == 1);
}

TEST_CASE("two small pictures of schedules, whole", "[render]") {
    const support::schedule halving = make_schedule(collective::allreduce, "halving_doubling", 2);
    CHECK(support::drawn(picture(collective::allreduce, halving)).text() == R"(0,0 679.62x290
24,34 18 start 'a < b'
24,52 12 start 'below'
legend:
  24,76 to 52,76
  59,80 11 start 'folded on arrival'
  189.46,76 to 217.46,76
  224.46,80 11 start 'copied'
  284.74,70 14x12
  304.74,80 11 start 'held: wider, more blocks; higher, more ranks' parts'
ranks:
  64,164 to 313,164
  50,168.68 13 end '0'
  64,204 to 313,204
  50,208.68 13 end '1'
  50,138 11 end 'rank'
  148,138 11 middle 'round 0'
  258,138 11 middle 'round 1'
phases:
  path M122,124 V118 H174 V124 bracket
  148,112 11 middle 'in pairs, folding' phase
  path M232,124 V118 H284 V124 bracket
  258,112 11 middle 'in pairs' phase
  122,126 52x16 words
  232,126 52x16 words
holdings:
  64,153.5 58x21 vector
  64,153.5 58x10.5 held
  93,184.5 10 middle 'A–B of 0' label
  64,193.5 58x21 vector
  64,204 58x10.5 held
  93,224.5 10 middle 'A–B of 1' label
holdings:
  174,153.5 58x21 vector
  203,153.5 29x10.5 stale
  174,153.5 29x21 held
  203,184.5 10 middle 'A of 0–1' label
  174,193.5 58x21 vector
  174,204 29x10.5 stale
  203,193.5 29x21 held
  203,224.5 10 middle 'B of 0–1' label
messages:
  125,200 to 171,168 fold
  125,168 to 171,200 fold
holdings:
  284,153.5 58x21 vector
  284,153.5 58x21 held
  313,184.5 10 middle 'A–B of 0–1' label
  284,193.5 58x21 vector
  284,193.5 58x21 held
  313,224.5 10 middle 'A–B of 0–1' label
messages:
  235,200 to 281,168 copy
  235,168 to 281,200 copy
)");
    const support::schedule tree = make_schedule(collective::allreduce, "fnomial", 4);
    CHECK(support::drawn(picture(collective::allreduce, tree, schedule_picture::tree)).text()
          == R"(0,0 640x434
24,34 18 start 'a < b'
24,52 12 start 'below'
24,65 to 52,65
59,69 11 start 'folded on arrival'
189.46,65 to 217.46,65
224.46,69 11 start 'copied'
24,86 11 start 'Edges bear the rounds of their messages; beside a node, whose parts it has folded when it passes them on.'
messages:
  294.71,198.61 to 312.55,135.48 fold
  292.57,171.59 7.8x13
  296.47,181.59 10 middle '0' round
  319.29,137.39 to 301.45,200.52 copy
  307.39,173.49 7.8x13
  311.29,183.49 10 middle '3' round
  338.55,200.52 to 320.71,137.39 fold
  324.81,173.49 7.8x13
  328.71,183.49 10 middle '1' round
  327.45,135.48 to 345.29,198.61 copy
  339.63,171.59 7.8x13
  343.53,181.59 10 middle '2' round
  342.5,291 to 342.5,229 fold
  334.4,264.54 7.8x13
  338.3,274.54 10 middle '0' round
  349.5,229 to 349.5,291 copy
  349.8,264.54 7.8x13
  353.7,274.54 10 middle '3' round
ranks:
  circle 320,122 14 rank
  320,126.32 12 middle '0'
  circle 294,214 14 rank
  294,218.32 12 middle '1'
  circle 346,214 14 rank
  346,218.32 12 middle '2'
  362,207.5 18.53x13
  363,217.5 9.5 '2–3' label
  circle 346,306 14 rank
  346,310.32 12 middle '3'
)");
}

TEST_CASE("many ranks are drawn closer together, and without words where there is no room", "[render]") {
    const auto look = [](rank_type size) {
        const support::xml root =
            picture(collective::barrier, make_schedule(collective::barrier, "dissemination", size),
                    schedule_picture::rounds);
        const auto maps = root.of_class("holdings").front()->of_class("vector");
        const double pitch = maps.at(1)->number("y") - maps.at(0)->number("y");
        const bool words = !root.of_class("label").empty();
        // Arrows that come lie apart from those that go.
        const double line = maps.at(0)->number("y") + maps.at(0)->number("height") / 2;
        double apart = pitch;
        for (const support::xml* a : arrows(root))
            if (ends(*a).first == 0) apart = std::min(apart, std::abs(a->number("y1") - line));
        return std::tuple(pitch, maps.at(0)->number("height"), std::round(100 * apart), words);
    };
    CHECK(look(16) == std::tuple(40.0, 21.0, 400.0, true));
    CHECK(look(17) == std::tuple(32.0, 13.0, 400.0, true));
    CHECK(look(32) == std::tuple(32.0, 13.0, 400.0, true));
    CHECK(look(33) == std::tuple(19.0, 14.0, 317.0, false));
    CHECK(look(64) == std::tuple(19.0, 14.0, 317.0, false));
    CHECK(look(65) == std::tuple(14.0, 9.0, 233.0, false));
    CHECK(look(80) == std::tuple(14.0, 9.0, 233.0, false));
    CHECK(look(160) == std::tuple(7.0, 4.48, 117.0, false)); // as high as 80 are
}

TEST_CASE("a map is as wide as its words, and without words as it has blocks", "[render]") {
    const auto labels = picture(collective::gather, make_schedule(collective::gather, "serial", 16),
                                schedule_picture::rounds);
    REQUIRE(labels.of_class("label").size() > 16);
    for (const support::xml* e : labels.of_class("label")) CHECK(e->number("font-size") == 10);
    const auto width = [](block_index segments) {
        const support::xml root = picture(
            collective::bcast,
            make_schedule(collective::bcast, "chain", 33, 0, {{"segments", static_cast<int>(segments)}}),
            schedule_picture::rounds);
        return root.of_class("vector").front()->number("width");
    };
    CHECK(width(1) == 26);
    CHECK(width(5) == 45);
    CHECK(width(9) == 76);
}

TEST_CASE("the heading makes room for all of its lines, and long ones are written smaller", "[render]") {
    const support::schedule all = make_schedule(collective::barrier, "dissemination", 4);
    const auto with = [&](const std::vector<std::string>& lines) {
        return support::read_xml(schedule_svg(collective::barrier, all, {.title = "t", .lines = lines}));
    };
    const auto top = [](const support::xml& root) { return root.of_class("vector").front()->number("y"); };
    const auto size_of = [](const support::xml& root, const std::string& words) {
        for (const support::xml& e : root.children)
            if (e.text == words) return e.number("font-size");
        return 0.0;
    };
    CHECK(top(with({"a", "b", "c"})) == top(with({"a"})) + 36);
    CHECK(top(with({})) == top(with({"a"})) - 18);
    const std::string words(500, 'n');
    const support::xml root = with({words});
    CHECK(size_of(root, words) * 0.58 * 500 == Approx(root.number("width") - 48).epsilon(0.01));
    CHECK(size_of(with({"short"}), "short") == 12);
}

TEST_CASE("what nobody could look at is refused", "[render]") {
    CHECK_THROWS_WITH(picture(collective::bcast, make_schedule(collective::bcast, "kary", 257)),
                      Catch::Contains("ranks in a picture is 257") && Catch::Contains("at most 256"));
    CHECK_THROWS_WITH(picture(collective::allreduce, make_schedule(collective::allreduce, "ring", 200)),
                      Catch::Contains("messages in a picture is 79600") && Catch::Contains("at most 20000"));
    CHECK_THROWS_WITH(
        picture(collective::bcast, make_schedule(collective::bcast, "chain", 100, 0, {{"segments", 1000}})),
        Catch::Contains("blocks of all ranks in a picture is 100000"));
}
