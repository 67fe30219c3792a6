// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/rounds_told.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

std::vector<std::string> told(collective what, const support::schedule& all, round_index first,
                              round_index last) {
    return detail::rounds_told(words_of_rounds(what, all), first, last).lines();
}

/// What stands below a picture, in order.
std::vector<std::string> below(const support::xml& root) {
    std::vector<std::string> words;
    for (const support::xml* group : root.of_class("sentences"))
        for (const support::xml& e : group->children) words.push_back(e.text);
    return words;
}

} // namespace

TEST_CASE("every round has its sentence, and rounds that do the same have one together", "[render]") {
    CHECK(told(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 4), 0, 3)
          == std::vector<std::string>{
              "round 0, halving: all 4 ranks send 2 blocks each, xor:1, folded; 2 so far, lower bound 6",
              "round 1, halving: all 4 ranks send 1 block each, shift:2, folded; 3 so far, lower bound 6",
              "round 2, doubling: all 4 ranks send 1 block each, shift:2; 4 so far, lower bound 6",
              "round 3, doubling: all 4 ranks send 2 blocks each, xor:1; 6 so far, lower bound 6"});
    CHECK(
        told(collective::allgather, make_schedule(collective::allgather, "ring", 9), 0, 7)
        == std::vector<std::string>{
            "rounds 0..7, round the ring: all 9 ranks send 1 block each, shift:1; 8 so far, lower bound 8"});
}

TEST_CASE("only rounds that are shown are told, and of none there is no line", "[render]") {
    const support::schedule ring = make_schedule(collective::allgather, "ring", 9);
    CHECK(
        told(collective::allgather, ring, 2, 3)
        == std::vector<std::string>{
            "rounds 2..3, round the ring: all 9 ranks send 1 block each, shift:1; 4 so far, lower bound 8"});
    const round_words none;
    const detail::rounds_told nothing(none, 0, -1);
    CHECK(nothing.lines().empty());
    CHECK(nothing.height() == 0);
}

TEST_CASE("of too many lines to be read one for each phase is left, with its first and its last",
          "[render]") {
    constexpr auto most = static_cast<rank_type>(detail::rounds_told::most_lines);
    const auto lines = [](rank_type size) {
        return told(collective::allgather, make_schedule(collective::allgather, "direct", size), 0, size - 2);
    };
    CHECK(lines(most + 1).size() == detail::rounds_told::most_lines);
    CHECK(lines(most + 2)
          == std::vector<std::string>{
              "rounds 0..48, to one rank after another: all 50 ranks send 1 block each, shift:1 … "
              "all 50 ranks send 1 block each, shift:49; 49 so far, lower bound 49"});
}

TEST_CASE("of more phases than lines the last line counts those that have none", "[render]") {
    constexpr auto most = static_cast<round_index>(detail::rounds_told::most_lines);
    const auto lines = [](round_index phases) {
        round_words words;
        for (round_index i = 0; i < phases; ++i) {
            words.rounds.push_back("said");
            words.phases.push_back({.first = i, .last = i, .words = "phase"});
        }
        return detail::rounds_told(words, 0, phases - 1).lines();
    };
    CHECK(lines(most).size() == detail::rounds_told::most_lines);
    CHECK(lines(most).back() == "round 47, phase: said");
    CHECK(lines(most + 1).back() == "rounds 47..48: 2 more phases");
    const std::vector<std::string> of_60 = lines(60);
    REQUIRE(of_60.size() == detail::rounds_told::most_lines);
    CHECK(of_60[46] == "round 46, phase: said");
    CHECK(of_60[47] == "rounds 47..59: 13 more phases");
}

TEST_CASE("pictures by rounds and as trees have the sentences below, on the sheet", "[render]") {
    const auto check = [](collective what, const support::schedule& all, schedule_picture how,
                          const schedule_window& shown, std::size_t lines) {
        const support::xml root =
            support::read_xml(schedule_svg(what, all, {.title = "title", .lines = {"below"}}, how, shown));
        CHECK(below(root).size() == lines);
        double lowest = 0;
        for (const support::xml* group : root.of_class("ranks"))
            for (const support::xml& e : group->children)
                lowest = std::max(lowest, e.has("cy") ? e.number("cy") : e.has("y") ? e.number("y") : 0);
        for (const support::xml& e : root.of_class("sentences").at(0)->children) {
            CHECK(e.number("font-size") >= 10);
            CHECK(e.number("y") > lowest);
            CHECK(e.number("y") < root.number("height"));
            CHECK(e.number("x") + 0.58 * e.number("font-size") * static_cast<double>(e.text.size())
                  <= root.number("width"));
        }
    };
    check(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 13),
          schedule_picture::rounds, {}, 9);
    check(collective::allreduce, make_schedule(collective::allreduce, "halving_doubling", 13),
          schedule_picture::rounds, {.first_round = 2, .last_round = 4}, 3);
    check(collective::bcast, make_schedule(collective::bcast, "fnomial", 8), schedule_picture::tree, {}, 3);
    check(collective::bcast, make_schedule(collective::bcast, "fnomial", 64), schedule_picture::tree, {}, 6);
}
