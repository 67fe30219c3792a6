// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/simulate/simulate.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/catch2.hpp"
#include "support/goal_agreement.hpp"
#include "support/how_many.hpp"

using namespace support;

TEST_CASE("every algorithm ends on every host when LogGOPSim's rules say, for all sizes from 2 to 100") {
    std::vector<tutti::rank_type> sizes;
    for (tutti::rank_type p = 2; p <= 100; ++p) sizes.push_back(p);
    // Under sanitizers one of four: 99 sizes are no multiple of 4, so that every size has its turn with other
    // algorithms.
    const std::uint64_t apart = how_many("TUTTI_GRID_APART", 1);
    std::size_t turn = 0;
    std::size_t place = 0;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& what) {
        if (place++ % apart != 0) return;
        const agreement_case& c = agreement_cases[turn++ % agreement_cases.size()]; // all of them in turn
        INFO(what << ", " << c);
        CHECK(disagreement(all, c) == "");
    });
}
