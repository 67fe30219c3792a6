// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

support::xml picture(collective what, const support::schedule& all, const schedule_window& shown = {},
                     schedule_picture how = schedule_picture::rounds) {
    return support::read_xml(schedule_svg(what, all, {.title = "title", .lines = {"below"}}, how, shown));
}

std::vector<std::string> texts(const support::xml& root, const std::string& of_class) {
    std::vector<std::string> list;
    for (const support::xml* e : root.of_class(of_class)) list.push_back(e->text);
    return list;
}

/// What is said of all arrows.
std::multiset<std::string> told(const support::xml& root) {
    std::multiset<std::string> list;
    for (const std::string of_class : {"fold", "copy"})
        for (const support::xml* e : root.of_class(of_class)) list.insert(e->children.at(0).text);
    return list;
}

/// As written in the picture beside "title", the words of the maps of a column.
std::vector<std::string> maps(const support::xml& column) {
    std::vector<std::string> list;
    for (const support::xml* e : column.of_class("vector")) list.push_back(e->children.at(0).text);
    return list;
}

} // namespace

TEST_CASE("of some rounds the picture has what that of all has there", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const support::xml whole = picture(collective::allreduce, all);
    const support::xml part = picture(collective::allreduce, all, {.first_round = 3, .last_round = 5});
    REQUIRE(part.of_class("holdings").size() == 4);
    std::multiset<std::string> there;
    for (const std::string& words : told(whole))
        for (const char* round : {"round 3: ", "round 4: ", "round 5: "})
            if (words.starts_with(round)) there.insert(words);
    CHECK(told(part) == there);
    CHECK(texts(part, "outside").empty());
    // In between what has changed, in the first and the last column what every rank holds.
    CHECK(maps(*part.of_class("holdings")[1]) == maps(*whole.of_class("holdings")[4]));
    CHECK(maps(*part.of_class("holdings")[0]).size() == 13);
    CHECK(maps(*part.of_class("holdings")[3]).size() == 13);
    CHECK(maps(*part.of_class("holdings")[0])[4] == "rank 4, then: A–D of 4–7");
    // Phases and words are those of the rounds that are shown.
    CHECK(texts(part, "phase") == std::vector<std::string>{"halving", "doubling"});
    const round_words words = words_of_rounds(collective::allreduce, all);
    const auto places = part.of_class("words");
    REQUIRE(places.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(places[i]->children.at(0).text == words.rounds[i + 3]);
}

TEST_CASE("of some ranks, messages to and from others end beside them, with the other's number", "[render]") {
    const support::schedule all = make_schedule(collective::allgather, "ring", 8);
    const support::xml part = picture(collective::allgather, all,
                                      {.first_round = 2, .last_round = 2, .first_rank = 2, .last_rank = 4});
    CHECK(told(part)
          == std::multiset<std::string>{
              "round 2: rank 1 to rank 2: H, copied", "round 2: rank 2 to rank 3: A, copied",
              "round 2: rank 3 to rank 4: B, copied", "round 2: rank 4 to rank 5: C, copied"});
    CHECK(texts(part, "outside") == std::vector<std::string>{"1", "5"});
    // The one from above comes downwards to its rank, the one to below leaves downwards; both keep to their
    // side of the gap between the columns.
    std::map<std::string, const support::xml*> of;
    for (const support::xml* e : part.of_class("copy")) of[e->children.at(0).text.substr(9, 16)] = e;
    const support::xml& comes = *of.at("rank 1 to rank 2");
    const support::xml& goes = *of.at("rank 4 to rank 5");
    const support::xml& among = *of.at("rank 2 to rank 3");
    for (const support::xml* arrow : {&comes, &goes}) {
        CHECK(arrow->number("y1") < arrow->number("y2"));
        CHECK(arrow->number("x1") < arrow->number("x2"));
    }
    CHECK(comes.number("x2") == among.number("x2"));
    CHECK(goes.number("x1") == among.number("x1"));
    CHECK(goes.number("x2") < comes.number("x1"));
    const auto numbers = part.of_class("outside");
    CHECK(numbers[0]->number("x") < comes.number("x1"));
    CHECK(numbers[1]->number("x") > goes.number("x2"));
    // Ranks that are not drawn have no line.
    CHECK(part.of_class("ranks").at(0)->children.size() == 2 * 3 + 2);
    CHECK(maps(*part.of_class("holdings").front()).size() == 3);
    const auto legend = [](const support::xml& root) {
        std::set<std::string> words;
        for (const support::xml& e : root.of_class("legend").at(0)->children) words.insert(e.text);
        return words;
    };
    const std::string outside = "arrow with a number: to or from a rank that is not drawn";
    CHECK(legend(part).count(outside) == 1);
    CHECK(legend(picture(collective::allgather, all)).count(outside) == 0);
}

TEST_CASE("several messages of a rank to ranks that are not drawn are one arrow, with their count",
          "[render]") {
    const support::schedule all = make_schedule(collective::allgather, "direct", 9);
    std::map<std::string, int> counted;
    for (const std::string& words : texts(picture(collective::allgather, all, {.last_rank = 1}), "outside"))
        ++counted[words];
    const support::xml low =
        picture(collective::gather, make_schedule(collective::gather, "serial", 9), {.last_rank = 0});
    CHECK(texts(low, "outside").size() == low.of_class("copy").size());
    std::size_t others = 0;
    for (const std::string& words : texts(low, "outside"))
        others += words.ends_with(" ranks") ? std::stoul(words) : 1;
    CHECK(others == 8);
    std::size_t of_two = 0; // each of the two has seven others, both ways
    for (const auto& [words, times] : counted)
        of_two += static_cast<std::size_t>(times) * (words.ends_with(" ranks") ? std::stoul(words) : 1);
    CHECK(of_two == 28);
}

TEST_CASE("a picture of more than 131072 elements is refused, and names rounds that have fewer", "[render]") {
    const support::schedule all = make_schedule(collective::alltoall, "bruck", 181);
    const auto drawn = [&](const schedule_window& shown) {
        const std::string text = schedule_svg(collective::alltoall, all, {.title = "title", .lines = {}},
                                              schedule_picture::rounds, shown);
        return std::count(text.begin(), text.end(), '<');
    };
    CHECK_THROWS_WITH(
        drawn({}),
        Catch::Contains("elements of a picture is over 131072; allowed: at most 131072, as in rounds 0..2"));
    CHECK(drawn({.last_round = 2}) > 65536);
    CHECK_THROWS_AS(drawn({.last_round = 3}), argument_error);
    CHECK(drawn(fold_alike(all)) < 10000);
}

TEST_CASE("a part of a schedule that is too large is drawn, and what is asked for is counted", "[render]") {
    const support::schedule many = make_schedule(collective::allreduce, "ring", 300);
    CHECK_THROWS_WITH(picture(collective::allreduce, many),
                      Catch::Contains("ranks in a picture is 300") && Catch::Contains("at most 256"));
    CHECK_THROWS_WITH(picture(collective::allreduce, many, {.last_rank = 255}),
                      Catch::Contains("blocks of all ranks in a picture is 76800"));
    CHECK_THROWS_WITH(picture(collective::allreduce, many, {.last_rank = 199}),
                      Catch::Contains("messages in a picture is 120198")
                          && Catch::Contains("at most 20000, as in rounds 0..98"));
    const support::xml part =
        picture(collective::allreduce, many, {.first_round = 300, .last_round = 301, .last_rank = 15});
    CHECK(part.of_class("holdings").size() == 3);
    CHECK(part.of_class("fold").empty()); // the second half gathers
    CHECK(part.of_class("copy").size() == 2 * 17);
    CHECK_THROWS_WITH(picture(collective::bcast,
                              make_schedule(collective::bcast, "chain", 1050, 0, {{"segments", 1000}}),
                              {.last_rank = 3}),
                      Catch::Contains("blocks of all ranks of the schedule is 1050000")
                          && Catch::Contains("at most 1048576"));
}

TEST_CASE("a part is drawn round by round, never as a tree", "[render]") {
    const support::schedule all = make_schedule(collective::reduce, "fnomial", 16);
    CHECK(picture(collective::reduce, all, {}, schedule_picture::fitting).of_class("holdings").empty());
    CHECK(picture(collective::reduce, all, {.last_rank = 7}, schedule_picture::fitting)
              .of_class("holdings")
              .size()
          == 5);
    CHECK_THROWS_WITH(picture(collective::reduce, all, {.last_rank = 7}, schedule_picture::tree),
                      Catch::Contains("picture is tree of a part"));
    CHECK_THROWS_AS(picture(collective::reduce, all, {.first_rank = 16}), argument_error);
}

TEST_CASE("many rounds stand in rows below each other, each with all that ranks hold at its beginning",
          "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "ring", 16);
    const support::xml root = picture(collective::allreduce, all);
    const auto columns = root.of_class("holdings");
    REQUIRE(columns.size() == 33); // of 30 rounds in three rows
    REQUIRE(root.of_class("ranks").size() == 3);
    CHECK(root.number("width") < 2 * root.number("height"));
    const auto top = [&](std::size_t k) { return columns[k]->of_class("vector").front()->number("y"); };
    for (std::size_t k = 0; k < 33; k += 11) {
        CHECK(maps(*columns[k]).size() == 16);
        CHECK(columns[k]->of_class("vector").front()->number("x") == 64);
        CHECK(top(k) - top(0) == Approx(static_cast<double>(k) / 11 * (16 * 40 + 84)));
    }
    // A row ends as the next one begins.
    CHECK(texts(*columns[10], "label") == texts(*columns[11], "label"));
    // Every round and its messages once; a phase that goes on has a bracket in each row.
    CHECK(told(root).size() == 480);
    CHECK(root.of_class("words").size() == 30);
    CHECK(texts(root, "phase")
          == std::vector<std::string>{"round the ring, folding", "round the ring, folding", "round the ring",
                                      "round the ring"});
    // What fits a sheet has one row.
    CHECK(picture(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 256))
              .of_class("ranks")
              .size()
          == 1);
}

TEST_CASE("a picture is no wider than is asked for, its letters as large, and has the same in it",
          "[render]") {
    for (const char* algorithm : {"halving_doubling", "ring", "circulant"}) {
        const support::schedule all = make_schedule(collective::allreduce, algorithm, 13);
        const support::xml free = picture(collective::allreduce, all);
        for (const double width : {640.0, 900.0, 5000.0}) {
            INFO(algorithm << ", " << width);
            const support::xml root = picture(collective::allreduce, all, {.most_width = width});
            CHECK(root.number("width") <= width);
            CHECK(told(root) == told(free));
            CHECK(root.of_class("words").size() == free.of_class("words").size());
            // As many rows as it takes: in each the next round had no room.
            if (width < free.number("width"))
                CHECK(root.of_class("ranks").size() > free.of_class("ranks").size());
            for (const support::xml* e : root.of_class("label")) CHECK(e->number("font-size") >= 8.5);
            std::string words, long_lines; // of all rounds, however they are broken
            for (const support::xml& e : root.of_class("sentences").at(0)->children) words += e.text + " ";
            for (const support::xml& e : free.of_class("sentences").at(0)->children)
                long_lines += e.text + " ";
            CHECK(words == long_lines);
        }
    }
}

TEST_CASE("of many ranks the picture is as high as of 80, and arrows are paler the more they would cover",
          "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "recursive_doubling", 256);
    const support::xml root = picture(collective::allreduce, all);
    CHECK(root.number("height") < 1450);
    std::vector<double> opacity; // of rounds whose messages go 1, 2, 4 .. 128 far
    for (const support::xml* e : root.of_class("messages"))
        opacity.push_back(e->has("stroke-opacity") ? e->number("stroke-opacity") : 1);
    REQUIRE(opacity.size() == 8);
    CHECK(opacity.front() == 1);
    CHECK(std::is_sorted(opacity.rbegin(), opacity.rend()));
    CHECK(opacity.back() < 0.5);
    CHECK(root.of_class("fold").front()->number("stroke-width") < 1);
    const support::xml of_16 =
        picture(collective::allreduce, make_schedule(collective::allreduce, "recursive_doubling", 16));
    for (const support::xml* e : of_16.of_class("messages")) CHECK_FALSE(e->has("stroke-opacity"));
    // Numbers of ranks do not touch.
    double last = -100;
    std::size_t numbers = 0;
    for (const support::xml& e : root.of_class("ranks").at(0)->children) {
        if (e.name != "text" || e["font-size"] != "9") continue;
        CHECK(e.number("y") - last > 9);
        last = e.number("y");
        ++numbers;
    }
    CHECK(numbers == 64);
}
