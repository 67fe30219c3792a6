// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/slots.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::string refused(rank_type slots, const std::vector<rank_type>& slot_of, const char* what = "slot") {
    try {
        const slot_map made(slots, slot_of, what);
    } catch (const argument_error& e) {
        return e.argument() + " is " + e.value() + "; " + e.allowed();
    }
    return "";
}

} // namespace

TEST_CASE("ranks and their slots find each other, holes have nobody", "[core][slots]") {
    const slot_map map(8, {0, 1, 3, 4, 7}); // the example of the header
    CHECK(map.slots() == 8);
    CHECK(map.ranks() == 5);
    CHECK(map.slot_of(2) == 3);
    for (rank_type r = 0; r < 5; ++r) CHECK(map.rank_at(map.slot_of(r)) == r);
    for (const rank_type hole : {2, 5, 6}) CHECK(map.rank_at(hole) == no_rank);
}

TEST_CASE("ranks may sit in any order", "[core][slots]") {
    const slot_map map(4, {3, 0, 2});
    CHECK(map.rank_at(3) == 0);
    CHECK(map.rank_at(0) == 1);
    CHECK(map.rank_at(1) == no_rank);
    CHECK(map.rank_at(2) == 2);
}

TEST_CASE("one rank on one slot is the default", "[core][slots]") {
    CHECK(slot_map().slots() == 1);
    CHECK(slot_map().rank_at(0) == 0);
}

TEST_CASE("slots that are none, or taken, are refused by name", "[core][slots]") {
    CHECK(refused(4, {}) == "number of ranks is 0; at least 1");
    CHECK(refused(0, {0}) == "slots is 0; at least 1");
    CHECK(refused(4, {0, 4}) == "slot of rank 1 is 4; 0..3");
    CHECK(refused(4, {-1}) == "slot of rank 0 is -1; 0..3");
    CHECK(refused(4, {2, 1, 2}) == "slot of rank 2 is 2; a slot of its own; rank 0 has this one");
    CHECK(refused(4, {2, 2}, "node") == "node of rank 1 is 2; a node of its own; rank 0 has this one");
    CHECK(refused(4, {2, 3, 0}).empty());
}
