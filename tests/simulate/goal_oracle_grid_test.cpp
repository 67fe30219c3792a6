// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <tutti/simulate/simulate.hpp>

#include <cstddef>
#include <vector>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/goal_agreement.hpp"

using namespace support;

TEST_CASE("every algorithm ends on every host when LogGOPSim's rules say, for all sizes from 2 to 100") {
    std::vector<tutti::rank_type> sizes;
    for (tutti::rank_type p = 2; p <= up_to(100, 40); ++p) sizes.push_back(p);
    std::size_t turn = 0;
    for_each_schedule(sizes, [&](const any_ensemble& all, const std::string& what) {
        const agreement_case& c = agreement_cases[turn++ % agreement_cases.size()]; // all of them in turn
        INFO(what << ", " << c);
        CHECK(disagreement(all, c) == "");
    });
}
