// SPDX-License-Identifier: BSL-1.0
#include <tutti/verify/matching.hpp>

#include <cstdint>
#include <map>

#include "support/catch2.hpp"

namespace {

using namespace tutti;
using namespace tutti::detail;

TEST_CASE("ordered pairs of ranks are told apart", "[verify]") {
    CHECK(waiting_table::pair_of(1, 2) != waiting_table::pair_of(2, 1));
    CHECK(waiting_table::pair_of(0, 0) != 0);
}

TEST_CASE("the table of waiting messages is a map, through any insertions and removals", "[verify]") {
    waiting_table table;
    std::map<std::uint64_t, std::int32_t> model;
    std::uint32_t seed = 7;
    for (std::int32_t turn = 0; turn < 20000; ++turn) {
        seed = seed * 1664525U + 1013904223U;
        // Few pairs, so that many are removed again; both growth and gaps in long clusters happen.
        const auto pair = waiting_table::pair_of(static_cast<rank_type>(seed >> 27),
                                                 static_cast<rank_type>(seed >> 8 & 31));
        auto* const found = table.look_up(pair);
        REQUIRE((found != nullptr) == (model.count(pair) == 1));
        if (found == nullptr) {
            table.insert({.pair = pair, .head = turn});
            model[pair] = turn;
        } else {
            REQUIRE(found->head == model[pair]);
            table.erase(found);
            model.erase(pair);
        }
    }
    for (const auto& [pair, head] : model) {
        REQUIRE(table.look_up(pair) != nullptr);
        CHECK(table.look_up(pair)->head == head);
    }
}

} // namespace
