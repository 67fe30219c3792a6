// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <tutti/collectives/run_threads.hpp>

#include <cstdint>

#include "support/catalogue_over_threads.hpp"
#include "support/catch2.hpp"

TEST_CASE("every algorithm gives the right result over many more threads than cores", "[execute][threads]") {
    const tutti::rank_type size = GENERATE(as<tutti::rank_type>{}, 13, 16, 17);
    for (const std::int64_t count : {0, 1, 7, 1000}) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(support::all_elements_over_threads(size, count) == "");
    }
}

TEST_CASE("every algorithm gives the right result for long vectors over threads", "[execute][threads]") {
    CHECK(support::all_elements_over_threads(2, 100003) == "");
    CHECK(support::catalogue_over_threads<int>(5, 100003, tutti::sum{}) == "");
}
