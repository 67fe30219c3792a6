// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <tutti/collectives/run_threads.hpp>

#include <cstdint>

#include "support/catalogue_over_threads.hpp"
#include "support/catch2.hpp"
#include "support/extent.hpp"

TEST_CASE("every algorithm gives the right result over many more threads than cores", "[execute][threads]") {
    const tutti::rank_type size = GENERATE(from_range(support::chosen({13, 16, 17}, {17})));
    for (const std::int64_t count : support::chosen<std::int64_t>({0, 1, 7, 1000}, {1, 1000})) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(support::all_elements_over_threads(size, count) == "");
    }
}

TEST_CASE("every algorithm gives the right result for long vectors over threads", "[execute][threads]") {
    CHECK(support::all_elements_over_threads(2, 100003) == "");
    CHECK(support::catalogue_over_threads<int>(5, 100003, tutti::sum{}) == "");
}
