// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scatter/reversed_gather.hpp>

#include <vector>

#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/gather/serial.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("in a reversed gather the root sends what it received, what came last first",
          "[schedule][scatter][reversed_gather]") {
    const place root{.rank = 3, .size = 5, .root = 3};
    std::vector<step> steps;
    reversed_gather(gather_serial(root), root).emit(0, [&](const step& s) { steps.push_back(s); });
    std::vector<step> due; // it received from 4, 0, 1, 2
    for (const rank_type r : {2, 1, 0, 4}) due.push_back(step::send(r, {.first = r, .count = 1}));
    CHECK(steps == due);
}

TEST_CASE("a reversed gather claims what the root sends, and folds nothing",
          "[schedule][scatter][reversed_gather]") {
    for (const rank_type size : {1, 2, 5, 16}) {
        const place at{.rank = 0, .size = size};
        const gather_fnomial gather(2, at);
        CHECK(reversed_gather(gather, at).claims()
              == moving_only({.max_outstanding = gather.claims().max_outstanding,
                              .rounds = gather.rounds(),
                              .sent_blocks = size - 1}));
    }
}
