// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/measure_choices.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tutti/collectives/run_threads.hpp>
#include <tutti/model/decision_table.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// As if measured on these ranks, of 8 and of 4096 bytes: one way takes 1 us, the others 2.
measured_choices with_winner(collective what, const std::vector<rank_type>& sizes, std::size_t winner,
                             measured_ones among = measured_ones::winners) {
    measured_choices of{.what = what, .ways = ways_to_measure(what, among, sizes.back()), .first = 2};
    for (const rank_type size : sizes)
        for (const std::int64_t bytes : {8, 4096}) {
            of.cells.push_back({.size = size, .bytes = bytes, .us = {}});
            of.cells.back().us.assign(of.ways.size(), 2.0);
            of.cells.back().us[winner] = 1.0;
        }
    return of;
}

/// Nobody does anything, in an order that is lost for one root.
struct orderless_for {
    place at;
    rank_type root;

    round_index rounds() const { return 0; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return {.order_preserving = at.root != root}; }
    void emit(round_index, auto&&) const {}
};

template <rank_type Root>
any_generator make_orderless_for(place at, const parameters&) {
    return any_generator(orderless_for{at, Root});
}

} // namespace

TEST_CASE("an order that is lost for the first root, another, the middle one or the last is not kept",
          "[tune][measure_choices]") {
    const auto keeps = [](collective what, any_generator (*make)(place, const parameters&), rank_type size) {
        catalogue_entry entry = catalogue_of(what)[0];
        entry.make = make;
        return keeps_order({.entry = &entry, .with = {}}, size);
    };
    CHECK(keeps(collective::reduce, make_orderless_for<-1>, 8));
    CHECK_FALSE(keeps(collective::reduce, make_orderless_for<0>, 8));
    CHECK_FALSE(keeps(collective::reduce, make_orderless_for<1>, 8));
    CHECK_FALSE(keeps(collective::reduce, make_orderless_for<4>, 8));
    CHECK_FALSE(keeps(collective::reduce, make_orderless_for<7>, 8));
    CHECK(keeps(collective::reduce, make_orderless_for<1>, 1));    // which is no root then
    CHECK(keeps(collective::allreduce, make_orderless_for<1>, 8)); // has none
    CHECK(keeps(collective::bcast, make_orderless_for<0>, 8));     // folds nothing

    struct orderless final : schedule_maker {
        any_generator make(place at) const override { return make_orderless_for<0>(at, {}); }
    };
    const orderless maker; // instead of an entry that keeps it
    catalogue_entry entry = catalogue_of(collective::reduce)[0];
    entry.make = make_orderless_for<-1>;
    CHECK_FALSE(keeps_order({.entry = &entry, .with = {}, .maker = &maker}, 8));
}

TEST_CASE("what is measured is in the catalogue, each way once, with options that it has",
          "[tune][measure_choices]") {
    for (const collective what : all_collectives) {
        const std::vector<candidate> ways = ways_to_measure(what);
        INFO(name_of(what));
        for (const choice& winner : default_winners_of(what)) // which short vectors need
            CHECK(std::any_of(ways.begin(), ways.end(), [&](const candidate& way) {
                return way.entry->name == winner.algorithm && way.with.get("segments") <= 1
                       && way.with.get("outstanding") <= 1;
            }));
        for (std::size_t i = 0; i < ways.size(); ++i) {
            CHECK(ways[i].entry->what == what);
            CHECK(ways[i].with == effective(*ways[i].entry, ways[i].with));
            for (std::size_t j = 0; j < i; ++j) CHECK(name_of(ways[i]) != name_of(ways[j]));
        }
    }
}

TEST_CASE("options are measured with a few values each", "[tune][measure_choices]") {
    std::map<std::string, std::set<std::int64_t>> values;
    for (const collective what : all_collectives)
        for (const candidate& way : ways_to_measure(what))
            for (const auto& [name, value] : way.with) values[name].insert(value);
    CHECK(values["radix"] == std::set<std::int64_t>{2, 4, 8});
    CHECK(values["segments"] == std::set<std::int64_t>{1, 4, 8, 16, 64});
    CHECK(values["outstanding"] == std::set<std::int64_t>{1, 4, 16});
}

TEST_CASE("lengths ascend from 8 to the longest, and a barrier has but one", "[tune][measure_choices]") {
    CHECK(lengths_to_measure(collective::barrier, 1 << 20) == std::vector<std::int64_t>{8});
    CHECK(lengths_to_measure(collective::bcast, 4096)
          == std::vector<std::int64_t>{8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096});
    CHECK(lengths_to_measure(collective::bcast, 262144).back() == 262144);
    CHECK(lengths_to_measure(collective::bcast, 262143).back() == 131072);
}

TEST_CASE("all ranks measure the same cells, and hear of each", "[tune][measure_choices]") {
    const std::vector<candidate> ways = ways_to_measure(collective::bcast);
    std::vector<std::vector<timed_cell>> cells(3);
    std::vector<int> heard(3);
    threads::run(3, [&](auto& comm) {
        const auto me = static_cast<std::size_t>(comm.rank());
        cells[me] = measure_choices(comm, ways, 512, 0.001, [&] { ++heard[me]; });
    });
    CHECK(heard == std::vector<int>{7, 7, 7});
    for (std::size_t i = 0; i < cells[0].size(); ++i) {
        const timed_cell& cell = cells[0][i];
        CHECK(cell.size == 3);
        CHECK(cell.bytes == lengths_to_measure(collective::bcast, 512)[i]);
        CHECK((cells[1][i].us == cell.us && cells[2][i].us == cell.us));
        REQUIRE(cell.us.size() == ways.size());
        CHECK(*std::min_element(cell.us.begin(), cell.us.end()) < std::numeric_limits<double>::infinity());
        for (std::size_t w = 0; w < ways.size(); ++w) // 512 bytes are not cut
            CHECK(std::isfinite(cell.us[w]) == (ways[w].with.get("segments") <= 1));
    }
}

TEST_CASE("whatever wins, of the tables' algorithms or of all, the rules are those of a table, for all sizes "
          "up to the greatest",
          "[tune][measure_choices]") {
    const auto keeps_order_up_to = [](const candidate& way, rank_type last) {
        bool keeps = true;
        for (rank_type size = 2; size <= last; ++size) keeps = keeps && keeps_order(way, size);
        return keeps;
    };
    const auto try_winner = [&](measured_ones among, collective what, std::size_t winner,
                                const std::vector<rank_type>& sizes) {
        const measured_choices of = with_winner(what, sizes, winner, among);
        INFO(name_of(of.ways[winner]) << " for " << name_of(what) << " up to " << sizes.back());
        const decision_table table("", rules_of(of)); // checks claims and ranges
        const bool in_order = keeps_order_up_to(of.ways[winner], sizes.back());
        for (rank_type size = 2; size <= sizes.back(); ++size)
            for (const std::int64_t bytes : {0, 8, 1 << 20})
                for (const bool commutative : {true, false}) {
                    const candidate* const found =
                        table.find({.what = what, .size = size, .bytes = bytes, .commutative = commutative});
                    REQUIRE(found != nullptr);
                    if (commutative || in_order) CHECK(name_of(*found) == name_of(of.ways[winner]));
                }
        CHECK(table.find({.what = what, .size = sizes.back() + 1, .bytes = 8}) == nullptr);
    };
    for (const collective what : all_collectives) {
        for (std::size_t winner = 0; winner < ways_to_measure(what).size(); ++winner)
            for (const std::vector<rank_type>& sizes :
                 {std::vector<rank_type>{2}, std::vector<rank_type>{4, 8}, std::vector<rank_type>{2, 5, 16}})
                try_winner(measured_ones::winners, what, winner, sizes);
        const std::size_t ways = ways_to_measure(what, measured_ones::catalogue, 16).size();
        for (std::size_t winner = 0; winner < ways; ++winner)
            try_winner(measured_ones::catalogue, what, winner, {2, 5, 16});
    }
}

TEST_CASE("all that the catalogue has is measured if wanted, but what is taken by name only",
          "[tune][measure_choices]") {
    for (const collective what : all_collectives) {
        INFO(name_of(what));
        std::set<std::string> measured, expected;
        for (const candidate& way : ways_to_measure(what, measured_ones::catalogue, 16))
            measured.emplace(way.entry->name);
        for (const catalogue_entry& entry : catalogue_of(what)) expected.emplace(entry.name);
        if (what == collective::allreduce) CHECK(expected.erase("census") == 1);
        CHECK(measured == expected);
        for (const candidate& way : ways_to_measure(what))
            CHECK(measured.count(std::string(way.entry->name)) == 1);
    }
}

TEST_CASE("where one way wins short vectors and another long ones, each length has one rule",
          "[tune][measure_choices]") {
    measured_choices of = with_winner(collective::allgather, {4, 8}, 0);
    for (timed_cell& cell : of.cells)
        if (cell.bytes == 4096) {
            cell.us[0] = 2.0;
            cell.us[1] = 1.0;
        }
    const std::vector<decision_rule> rules = rules_of(of);
    const decision_table table("", rules);
    for (const rank_type size : {2, 4, 8}) {
        const candidate* before = nullptr;
        int changes = 0;
        for (std::int64_t bytes = 0; bytes <= 5000; ++bytes) {
            int serving = 0;
            for (const decision_rule& r : rules)
                serving += r.sizes.first <= size && size <= r.sizes.last && r.bytes.first <= bytes
                           && bytes <= r.bytes.last;
            if (serving != 1) FAIL(serving << " rules for " << bytes << " bytes on " << size << " ranks");
            const candidate* const found =
                table.find({.what = collective::allgather, .size = size, .bytes = bytes});
            REQUIRE(found != nullptr);
            if (before != nullptr && name_of(*found) != name_of(*before)) ++changes;
            before = found;
        }
        CHECK(changes == 1);
        CHECK(name_of(*table.find({.what = collective::allgather, .size = size, .bytes = 8}))
              == name_of(of.ways[0]));
        CHECK(name_of(*before) == name_of(of.ways[1]));
    }
}

TEST_CASE("nothing measured, no rules", "[tune][measure_choices]") {
    CHECK(rules_of({.what = collective::bcast, .ways = ways_to_measure(collective::bcast)}).empty());
}

TEST_CASE("an algorithm whose place others can take gets no rule", "[tune][measure_choices]") {
    measured_choices of = with_winner(collective::allgather, {4}, 0);
    for (timed_cell& cell : of.cells)
        for (std::size_t w = 0; w < of.ways.size(); ++w)
            cell.us[w] = of.ways[w].entry == of.ways.back().entry ? 1.0 : 1.01;
    leave_out_dispensable({&of, 1});
    std::size_t left = 0;
    const catalogue_entry* algorithm = nullptr;
    for (std::size_t w = 0; w < of.ways.size(); ++w)
        if (std::isfinite(of.cells.front().us[w])) {
            if (of.ways[w].entry != algorithm) ++left;
            algorithm = of.ways[w].entry;
        }
    CHECK(left == 1);
    CHECK(rules_of(of).size() == 1);
}
