// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/decision_table.hpp>

#include <string>
#include <vector>

#include <tutti/model/default_machine.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/model/tabulate.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

using sizes = closed_range<rank_type>;
using lengths = closed_range<std::int64_t>;

decision_rule allreduce(sizes s, lengths b, const char* name) {
    return {.what = collective::allreduce,
            .sizes = s,
            .bytes = b,
            .choice = {find_algorithm(collective::allreduce, name), {}}};
}

std::string refusal(std::vector<decision_rule> rules) {
    try {
        decision_table("m", std::move(rules));
    } catch (const argument_error& e) {
        return e.what();
    }
    return "";
}

std::string found(const decision_table& t, rank_type size, std::int64_t bytes) {
    const candidate* c = t.find({.what = collective::allreduce, .size = size, .bytes = bytes});
    return c == nullptr ? "" : std::string(c->entry->name);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a table finds the rule whose ranges hold size and bytes, borders included",
          "[model][decision_table]") {
    const decision_table t("m", {allreduce({2, 7}, {0, 99}, "recursive_doubling"),
                                 allreduce({2, 3}, {100}, "serial"), allreduce({4, 7}, {100, 200}, "fnomial"),
                                 allreduce({4, 7}, {201}, "halving_doubling"),
                                 allreduce({8}, {0}, "binary_blocks")});
    CHECK(found(t, 1, 0) == "");
    CHECK(found(t, 2, 0) == "recursive_doubling");
    CHECK(found(t, 7, 99) == "recursive_doubling");
    CHECK(found(t, 2, 100) == "serial");
    CHECK(found(t, 3, std::int64_t{1} << 60) == "serial");
    CHECK(found(t, 4, 100) == "fnomial");
    CHECK(found(t, 7, 200) == "fnomial");
    CHECK(found(t, 7, 201) == "halving_doubling");
    CHECK(found(t, 8, 0) == "binary_blocks");
    CHECK(found(t, 1 << 30, 5) == "binary_blocks");
    CHECK(t.find({.what = collective::bcast, .size = 4}) == nullptr);
    CHECK(decision_table().find({.what = collective::bcast, .size = 4}) == nullptr);
}

TEST_CASE("a table says which rule is for a request, or what none is for", "[model][decision_table]") {
    decision_rule commuting = allreduce({2, 4}, {0, 15}, "recursive_doubling"), rest = commuting;
    commuting.ordered = rest.ordered = false;
    rest.bytes = {16};
    decision_rule equal{.what = collective::allgather,
                        .unequal_blocks = false,
                        .choice = {find_algorithm(collective::allgather, "ring"), {}}};
    const decision_table t("m", {commuting, rest, equal});
    REQUIRE(t.rule_for({.what = collective::allreduce, .size = 3, .bytes = 16}) != nullptr);
    CHECK(t.rule_for({.what = collective::allreduce, .size = 3, .bytes = 16})->where == "rule 2");
    CHECK(t.lacks({.what = collective::allreduce, .size = 3, .bytes = 16}).empty());
    for (const selection_request& r : {selection_request{.what = collective::allreduce, .size = 5},
                                       selection_request{.what = collective::bcast, .size = 3}}) {
        CHECK(t.rule_for(r) == nullptr);
        CHECK(t.find(r) == nullptr);
    }
    CHECK(t.lacks({.what = collective::allreduce, .size = 5}) == "allreduce of 5 ranks (but for 2..4)");
    CHECK(t.lacks({.what = collective::allreduce, .size = 3, .commutative = false})
          == "allreduce, operations that need not commute");
    CHECK(t.lacks({.what = collective::allgather, .size = 3, .equal_blocks = false})
          == "allgather, blocks of any lengths");
    CHECK(t.lacks({.what = collective::bcast, .size = 3}) == "bcast");
    CHECK(decision_table().lacks({.what = collective::bcast, .size = 3}) == "bcast");
}

TEST_CASE("rules for operations that commute are not for others", "[model][decision_table]") {
    decision_rule ring = allreduce({2}, {0}, "ring");
    ring.ordered = false;
    const decision_table t("m", {ring});
    CHECK(t.find({.what = collective::allreduce, .size = 4}) != nullptr);
    CHECK(t.find({.what = collective::allreduce, .size = 4, .commutative = false}) == nullptr);
}

TEST_CASE("overlaps and gaps are refused, naming the rules", "[model][decision_table]") {
    CHECK(contains(refusal({allreduce({4, 8}, {0, 100}, "serial"), allreduce({4}, {90}, "fnomial")}),
                   "rule 2: bytes is 90.. (4..8 ranks); allowed: a range from 101 on: rule 1 has 0..100"));
    CHECK(
        contains(refusal({allreduce({2}, {0}, "serial"), allreduce({2}, {90}, "serial")}), "rule 2: bytes"));
    CHECK(contains(refusal({allreduce({2}, {0, 100}, "serial"), allreduce({2}, {102}, "serial")}),
                   "rule 2: bytes is 102.. (2.. ranks); allowed: a range from 101 on: no rule has 101"));
    CHECK(contains(refusal({allreduce({2}, {5}, "serial")}), "allowed: a range from 0 on: no rule has 0..4"));
    CHECK(contains(refusal({allreduce({2}, {0, 100}, "serial")}), "no rule has those from 101 on"));
    CHECK(contains(refusal({allreduce({2, 4}, {0}, "serial"), allreduce({7}, {0}, "serial")}),
                   "rule 2: size is 7..; allowed: a range from 5 on: no rule has 5..6"));
    CHECK(contains(refusal({allreduce({4, 3}, {0}, "serial")}), "rule 1: size"));
    CHECK(contains(refusal({allreduce({0, 3}, {0}, "serial")}), "rule 1: size"));
    CHECK(contains(refusal({allreduce({2, 3}, {7, 6}, "serial")}), "rule 1: bytes"));
    CHECK(contains(
        refusal({{.what = collective::bcast, .choice = {find_algorithm(collective::reduce, "serial"), {}}}}),
        "rule 1: algorithm"));
}

TEST_CASE("an algorithm whose claims do not cover a case of its rule is refused", "[model][decision_table]") {
    CHECK(contains(refusal({allreduce({2}, {0}, "circulant")}), "operations that are not commutative"));
    decision_rule to_any_root{
        .what = collective::reduce,
        .sizes = {3, 3},
        .choice = {find_algorithm(collective::reduce, "fnomial"), {{"radix", 2}, {"segments", 1}}}};
    CHECK(contains(refusal({to_any_root}), "with 3 ranks and root "));
    to_any_root.ordered = false;
    CHECK(refusal({to_any_root}) == "");
    to_any_root.choice.with.set("radix", 1);
    CHECK(contains(refusal({to_any_root}), "rule 1: radix is 1"));
}

TEST_CASE("a schedule that only a maker can make is in no table", "[model][decision_table]") {
    struct by_ring final : schedule_maker {
        any_generator make(place at) const override {
            return find_algorithm(collective::allreduce, "ring")->make(at, {});
        }
    };
    const by_ring maker;
    decision_rule rule = allreduce({2}, {0}, "serial");
    CHECK(refusal({rule}) == "");
    rule.choice.maker = &maker;
    CHECK(
        contains(refusal({rule}), "rule 1: algorithm is serial by a maker of its own; allowed: one without"));
}

TEST_CASE("a table made for a machine chooses as the machine's ranking does", "[model][decision_table]") {
    const tabulation what{.collectives = {collective::reduce, collective::allgather, collective::barrier},
                          .sizes = {2, 3, 5},
                          .most_bytes = 1 << 16};
    const decision_table t = tabulate(default_machine(), what);
    CHECK(t.machine_name() == default_machine().name);
    for (const collective c : what.collectives)
        for (const request_case one : cases_of(c))
            for (const rank_type size : what.sizes)
                for (std::int64_t bytes = 8; bytes <= what.most_bytes; bytes *= 2) {
                    selection_request r{.what = c,
                                        .size = size,
                                        .bytes = c == collective::barrier ? 0 : bytes,
                                        .commutative = one.commutative,
                                        .equal_blocks = one.equal_blocks,
                                        .every_root = true};
                    const ranking best = rank_algorithms(default_machine(), r);
                    const candidate* listed = t.find(r);
                    REQUIRE(listed != nullptr);
                    INFO(name_of(c) << " " << size << " " << bytes);
                    CHECK(name_of(*listed) == name_of(best.best().what));
                }
    // Sizes between two that were asked for have the rules of the smaller one.
    CHECK(t.find({.what = collective::reduce, .size = 4, .bytes = 8}) != nullptr);
    CHECK(t.find({.what = collective::reduce, .size = 6, .bytes = 8}) == nullptr);
}

TEST_CASE("whoever watches the making of a table is told after each size of each case",
          "[model][decision_table]") {
    std::vector<double> told;
    const auto f = [&](double done) { told.push_back(done); };
    tabulate(default_machine(),
             {.collectives = {collective::barrier, collective::bcast}, .sizes = {2, 3}, .watch = watcher(f)});
    REQUIRE(told.size() == 2 * (cases_of(collective::barrier).size() + cases_of(collective::bcast).size()));
    CHECK(told.back() == 1);
    for (std::size_t i = 1; i < told.size(); ++i) CHECK(told[i] > told[i - 1]);
}

TEST_CASE("sizes that choose alike share their rules, those of the first collective, too",
          "[model][decision_table]") {
    const auto rules = [](const std::vector<rank_type>& sizes) {
        return tabulate(default_machine(), {.collectives = {collective::barrier}, .sizes = sizes}).rules();
    };
    int alike = 0;
    for (const rank_type size : {2, 3, 4, 7, 16, 31}) {
        const bool same = rules({size}).front().choice.with == rules({size + 1}).front().choice.with;
        CHECK(rules({size, size + 1}).size() == (same ? 1 : 2));
        alike += same;
    }
    CHECK(alike > 0);
}

TEST_CASE("what cannot be tabulated is refused", "[model][decision_table]") {
    CHECK_THROWS_AS(tabulate(default_machine(), {.sizes = {4, 4}}), argument_error);
    CHECK_THROWS_AS(tabulate(default_machine(), {.sizes = {0}}), argument_error);
    CHECK_THROWS_AS(tabulate(default_machine(), {.most_bytes = 7}), argument_error);
    CHECK_THROWS_WITH(tabulate(default_machine(), {.element_bytes = 0}),
                      "tutti: element_bytes is 0; allowed: at least 1");
    CHECK_THROWS_WITH(tabulate(default_machine(), {.most_bytes = 7}),
                      "tutti: most_bytes is 7; allowed: at least one element, 8");
}
