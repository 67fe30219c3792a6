// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/multicast/catalogue.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/multicasts.hpp"
#include "support/relations.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

const relation some = support::random_relation(13, 30, false, 7);

/// All steps of all ranks, round by round.
std::vector<std::vector<step>> steps_of(const generator_factory& make, rank_type size) {
    std::vector<std::vector<step>> all;
    for (rank_type r = 0; r < size; ++r) {
        const any_generator g = make({.rank = r, .size = size});
        for (round_index i = 0; i < g.rounds(); ++i) g.append(i, all.emplace_back());
    }
    return all;
}

/// That the name makes the schedule that the type makes, claims included.
template <class Strategy>
void check_same(std::string_view name, const Strategy& how, const parameters& with = {}) {
    INFO(name);
    const generator_factory by_type = multicast_of(how, some);
    const generator_factory by_name = multicast_of(named{name, with}, some);
    CHECK(steps_of(by_name, 13) == steps_of(by_type, 13));
    CHECK(by_name({.rank = 3, .size = 13}).claims() == by_type({.rank = 3, .size = 13}).claims());
}

} // namespace

TEST_CASE("the multicasts are the allgathers and one of its own, each by one name", "[schedule][multicast]") {
    const std::vector<catalogue_entry> all = multicasts_of(catalogue());
    std::set<std::string_view> names;
    for (const catalogue_entry& e : all) {
        CHECK(e.what == collective::multicast);
        CHECK(names.insert(e.name).second);
    }
    for (const catalogue_entry& e : catalogue_of<collective::allgather>()) CHECK(names.contains(e.name));
    CHECK(names.contains("serial"));
    CHECK(all.size() == catalogue_of<collective::allgather>().size() + 1);
    CHECK(multicasts_of(catalogue_of<collective::bcast>()).empty());
}

TEST_CASE("a multicast by name is the one by type", "[schedule][multicast]") {
    check_same("serial", serial{});
    check_same("ring", ring{});
    check_same("circulant", circulant{});
    check_same("direct", direct{});
    check_same("prefix_send", prefix_send{});
    check_same("kshift", kshift{.k = 3}, {{"k", 3}});
    check_same("kprefix", flow_controlled<kprefix>{{.k = 4}, 2, 4},
               {{"k", 4}, {"outstanding", 2}, {"pace", 4}});
}

TEST_CASE("what an entry makes without a relation is the multicast of everybody", "[schedule][multicast]") {
    for (const catalogue_entry& e : multicasts_of(catalogue()))
        for (const rank_type size : {1, 2, 5, 8, 13}) {
            INFO(e.name << ", size " << size);
            const relation all = relation::all_to_all(size);
            const generator_factory plain = [&](place at) { return e.make(at, {}); };
            const generator_factory pruned = [&](place at) { return make_multicast(e, all, at, {}); };
            check_proved(all, plain);
            check_proved(all, pruned);
            CHECK(traffic_of(size, all, plain).messages == traffic_of(size, all, pruned).messages);
        }
}

TEST_CASE("where everybody sends to all, a multicast claims what the allgather does",
          "[schedule][multicast]") {
    std::set<std::string_view> uniform;
    for (const catalogue_entry& e : multicasts_of(catalogue()))
        for (const rank_type size : {8, 13}) {
            INFO(e.name << ", size " << size);
            const relation all = relation::all_to_all(size);
            const place at{.rank = 3, .size = size};
            const capabilities plain = e.make(at, {}).claims();
            if (!e.sends_only_own_block && plain.sent_blocks > size - 1) continue; // some of it is in vain
            CHECK(make_multicast(e, all, at, {}).claims() == plain);
            CHECK(make_multicasts(e, all, {})[3].claims() == plain);
            if (plain.uniform_rounds > 0) uniform.insert(e.name);
        }
    for (const char* name :
         {"serial", "direct", "kshift", "prefix_send", "kprefix", "ring", "circulant", "kring"})
        CHECK(uniform.contains(name));
}

TEST_CASE("every multicast of the catalogue is proved over random relations", "[schedule][multicast]") {
    for (const catalogue_entry& e : multicasts_of(catalogue()))
        for (const rank_type size : {1, 2, 3, 7, 16, 33, 70}) {
            INFO(e.name << ", size " << size);
            const relation who = support::random_relation(size, 20, false, 41);
            const std::vector<any_generator> ranks = make_multicasts(e, who, {});
            const proof p =
                check_proved(who, [&](place at) { return ranks[static_cast<std::size_t>(at.rank)]; });
            CHECK(p.sent_blocks
                  <= prove(relation::all_to_all(size), [&](place at) { return e.make(at, {}); }).sent_blocks);
        }
}

TEST_CASE("multicasts made for all ranks are those made for each", "[schedule][multicast]") {
    for (const catalogue_entry& e : multicasts_of(catalogue()))
        for (const rank_type size : {1, 2, 5, 13}) {
            INFO(e.name << ", size " << size);
            const relation who = support::random_relation(size, 30, false, 7);
            const std::vector<any_generator> ranks = make_multicasts(e, who, {});
            REQUIRE(ranks.size() == static_cast<std::size_t>(size));
            for (rank_type r = 0; r < size; ++r)
                CHECK(schedule(ranks[static_cast<std::size_t>(r)])
                      == schedule(make_multicast(e, who, {.rank = r, .size = size}, {})));
        }
}

TEST_CASE("who watches multicasts being made is told of 0 to 1, and of more each time",
          "[schedule][multicast]") {
    for (const catalogue_entry& e : multicasts_of(catalogue())) {
        INFO(e.name);
        std::vector<double> told;
        const auto tell = [&](double done) { told.push_back(done); };
        make_multicasts(e, some, {}, watcher(tell));
        REQUIRE_FALSE(told.empty());
        CHECK(told.front() >= 0);
        CHECK(told.back() <= 1);
        CHECK(std::adjacent_find(told.begin(), told.end(), std::greater_equal<>()) == told.end());
    }
}

TEST_CASE("direct strategies are known as such, and only they", "[schedule][multicast]") {
    std::set<std::string_view> direct_ones;
    for (const catalogue_entry& e : catalogue())
        if (e.sends_only_own_block) direct_ones.insert(e.name);
    CHECK(direct_ones == std::set<std::string_view>{"direct", "prefix_send"});
}

TEST_CASE("a multicast by name refuses what is not there", "[schedule][multicast]") {
    const place at{.rank = 0, .size = 13};
    const auto refused = [&](const named& how, const relation& who) -> std::string {
        try {
            generate(of<collective::multicast>, how, who, at);
        } catch (const argument_error& e) {
            return e.argument() + " " + e.value() + " " + e.allowed();
        }
        return "";
    };
    CHECK(refused({"serial", {{"k", 1}}}, some).starts_with("k 1 "));
    CHECK(refused({"ring", {{"k", 1}}}, some).starts_with("k 1 "));
    CHECK(refused({"serial"}, relation::all_to_all(5)).starts_with("who "));
    CHECK(refused({"direct"}, relation::all_to_all(5)).starts_with("who "));
    CHECK(refused({"rings"}, some).starts_with("multicast algorithm rings (did you mean ring?) circulant, "));
    CHECK(refused({"rings"}, some).ends_with(", serial"));
}
