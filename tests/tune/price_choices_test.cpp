// SPDX-License-Identifier: BSL-1.0
// labels: sequential
#include <tutti/tune/price_choices.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <tutti/model/default_machine.hpp>
#include <tutti/model/rank_algorithms.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// The least price of a cell, of all ways or of those that keep the order.
double least_of(const timed_cell& cell, const std::vector<candidate>& ways, bool in_order) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t w = 0; w < ways.size(); ++w)
        if (!in_order || keeps_order(ways[w], cell.size)) least = std::min(least, cell.us[w]);
    return least;
}

} // namespace

TEST_CASE("every way that is nearly the best has its price, of all and of those that keep the order",
          "[tune][price_choices]") {
    for (const collective what : {collective::reduce, collective::scan, collective::bcast}) {
        const std::vector<candidate> ways = ways_to_price(what);
        for (const rank_type size : {24, 256}) {
            const std::vector<timed_cell> cells = price_choices(default_machine(), ways, size, 4096);
            REQUIRE(cells.size() == lengths_to_measure(what, 4096).size());
            for (const timed_cell& cell : cells) {
                CHECK(cell.size == size);
                REQUIRE(cell.us.size() == ways.size());
                for (std::size_t w = 0; w < ways.size(); ++w) {
                    const double us =
                        rank_candidates(default_machine(), {.what = what, .size = size, .bytes = cell.bytes},
                                        {&ways[w], 1})
                            .best()
                            .cost.us;
                    const double best = least_of(cell, ways, keeps_order(ways[w], size));
                    INFO(name_of(what) << " by " << name_of(ways[w]) << " of " << cell.bytes << " bytes on "
                                       << size << " ranks: " << us << " us, the best " << best);
                    if (us <= 1.9 * best) CHECK(cell.us[w] == Approx(us));
                    if (std::isfinite(cell.us[w])) CHECK(cell.us[w] == Approx(us));
                }
            }
        }
    }
}

TEST_CASE("whoever keeps the order is not left out for what does not", "[tune][price_choices]") {
    // Of 256 ranks the best tree that does not takes less than half of what any takes that does.
    const std::vector<candidate> ways = ways_to_price(collective::reduce);
    measured_choices of{.what = collective::reduce,
                        .ways = ways,
                        .cells = price_choices(default_machine(), ways, 256, 4096),
                        .first = 256};
    for (const size_rule& rule : few_rules(of.in_order()))
        for (const length_rule& of_length : rule.lengths)
            CHECK(of.ways[of_length.way].entry->name != "serial");
}

TEST_CASE("more values of options are priced than are measured, each way once", "[tune][price_choices]") {
    std::map<std::string, std::set<std::int64_t>> values;
    for (const collective what : all_collectives) {
        const std::vector<candidate> priced = ways_to_price(what);
        std::set<std::string> names;
        for (const candidate& way : priced) {
            CHECK(names.insert(name_of(way)).second);
            for (const auto& [name, value] : way.with) values[name].insert(value);
        }
        for (const candidate& way : ways_to_measure(what)) CHECK(names.count(name_of(way)) == 1);
    }
    CHECK(values["radix"] == std::set<std::int64_t>{2, 4, 8, 16, 32});
    CHECK(values["segments"] == std::set<std::int64_t>{1, 4, 8, 16, 32, 64});
}

TEST_CASE("no ways, no prices", "[tune][price_choices]") {
    CHECK(price_choices(default_machine(), {}, 24, 4096).empty());
}
