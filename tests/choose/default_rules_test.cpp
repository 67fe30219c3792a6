// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/default_rules.hpp>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/schedule.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// The sizes at which a rule can apply and none before it does, and those around.
std::vector<rank_type> sizes_to_try() {
    std::vector<rank_type> all;
    for (rank_type p = 1; p <= 70; ++p) all.push_back(p);
    for (rank_type p = 128; p <= 1 << 20; p *= 2) all.insert(all.end(), {p - 1, p, p + 1});
    return all;
}

std::vector<rank_type> roots_to_try(collective what, rank_type size) {
    if (!has_root(what) || size == 1) return {0};
    return {0, 1, size / 2, size - 1};
}

} // namespace

TEST_CASE("for every request there is a rule, and its algorithm's claims cover it",
          "[choose][default_rules]") {
    const collective what = GENERATE(from_range(all_collectives.begin(), all_collectives.end()));
    INFO(name_of(what));
    const std::span<const default_rule> rules = default_rules_of(what);
    for (const cores here : {cores::own, cores::shared})
        for (const bool commutative : {true, false})
            for (const rank_type size : sizes_to_try())
                for (const std::int64_t bytes :
                     {0LL, 1LL, 8LL, 1000LL, 4096LL, 65536LL, 1LL << 20, 1LL << 24, 1LL << 40}) {
                    const request_facts facts{.at = {0, size, 0}, .bytes = bytes, .commutative = commutative};
                    const default_rule& rule = detail::first_rule(rules, facts, here);
                    CHECK(rule.is_for(facts, here));
                    for (const rank_type root : roots_to_try(what, size)) {
                        const capabilities claims = rule.to.schedule({0, size, root}).claims();
                        if (folds(what) && !commutative && !claims.order_preserving)
                            FAIL_CHECK(name_of(rule.to)
                                       << " does not keep the order of " << size << " ranks");
                        if (what != collective::alltoall && claims.moves_blocks)
                            FAIL_CHECK(name_of(rule.to) << " needs equal blocks");
                    }
                }
}

TEST_CASE("every rule names an algorithm of the catalogue, and is the same schedule",
          "[choose][default_rules]") {
    for (const collective what : all_collectives)
        for (const default_rule& rule : default_rules_of(what)) {
            const catalogue_entry* const entry = find_algorithm(what, rule.to.algorithm);
            INFO(name_of(what) << " " << name_of(rule.to));
            REQUIRE(entry != nullptr);
            CHECK(effective(*entry, rule.to.with) == rule.to.with);
            CHECK(tutti::schedule(rule.to.schedule({1, 5, 0}))
                  == tutti::schedule(entry->make({1, 5, 0}, rule.to.with)));
        }
}

TEST_CASE("no rule is hidden by those before it", "[choose][default_rules]") {
    for (const collective what : all_collectives) {
        const std::span<const default_rule> rules = default_rules_of(what);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const default_rule& mine = rules[i];
            const request_facts last{
                .at = {0, mine.ranks, 0}, .bytes = mine.bytes, .commutative = !folds(what) || !mine.in_order};
            INFO(name_of(what) << ", rule " << i + 1 << ": " << detail::explained(mine, what));
            CHECK(&detail::first_rule(rules, last, mine.on) == &mine);
        }
    }
}

TEST_CASE("where operations that commute have rules of their own, these are others",
          "[choose][default_rules]") {
    const auto rows = [](collective what, cores on, bool in_order) {
        std::vector<std::tuple<rank_type, std::int64_t, std::string>> of;
        for (const default_rule& rule : default_rules_of(what))
            if (rule.on == on && rule.in_order == in_order)
                of.emplace_back(rule.ranks, rule.bytes, name_of(rule.to));
        return of;
    };
    for (const collective what : all_collectives)
        for (const cores on : {cores::own, cores::shared}) {
            INFO(name_of(what));
            CHECK(rows(what, on, false) != rows(what, on, true));
        }
}

TEST_CASE("a rule says what it is for", "[choose][default_rules]") {
    const default_rule in_order{.on = cores::shared,
                                .in_order = true,
                                .ranks = 8,
                                .bytes = 4095,
                                .to = {.algorithm = "fnomial", .with = {{"radix", 4}}}};
    for (const collective what : all_collectives) {
        INFO(name_of(what));
        CHECK(detail::explained(in_order, what)
              == std::string("fnomial radix=4: by the table for ranks that share cores, ")
                     + (folds(what) ? "operations that need not commute, " : "")
                     + "up to 8 ranks, up to 4095 bytes\n");
    }
    CHECK(detail::explained({.to = {.algorithm = "ring"}}, collective::allreduce)
          == "ring: by the table for ranks with cores of their own\n");
}

TEST_CASE("winners are the algorithms that rules take, and no others", "[choose][default_rules]") {
    for (const collective what : all_collectives) {
        INFO(name_of(what));
        std::set<std::string_view> taken, winners;
        for (const default_rule& rule : default_rules_of(what)) taken.insert(rule.to.algorithm);
        for (const choice& winner : default_winners_of(what)) {
            CHECK(winners.insert(winner.algorithm).second);
            const catalogue_entry* const entry = find_algorithm(what, winner.algorithm);
            REQUIRE(entry != nullptr);
            CHECK(winner.with == entry->defaults);
        }
        CHECK(taken == winners);
    }
    CHECK(default_rules_of(collective::multicast).data() == default_rules_of(collective::allgather).data());
}

TEST_CASE("choices are equal if algorithm, options and maker are", "[choose][chooser]") {
    struct none final : schedule_maker {
        any_generator make(place at) const override {
            return find_algorithm(collective::barrier, "dissemination")->make(at, {});
        }
    };
    const none maker;
    const choice one{.algorithm = "kring", .with = {{"radix", 4}}};
    CHECK(one == choice{.algorithm = "kring", .with = {{"radix", 4}}});
    CHECK(!(one == choice{.algorithm = "ring", .with = {{"radix", 4}}}));
    CHECK(!(one == choice{.algorithm = "kring", .with = {{"radix", 5}}}));
    CHECK(!(one == choice{.algorithm = "kring", .with = {{"radix", 4}}, .maker = &maker}));
}
