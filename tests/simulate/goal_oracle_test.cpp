// SPDX-License-Identifier: BSL-1.0
#include <tutti/simulate/simulate.hpp>

#include <numeric>
#include <vector>

#include "support/catch2.hpp"
#include "support/goal_agreement.hpp"

using namespace support;
using tutti::collective;

namespace {

std::vector<tutti::rank_type> sizes(tutti::rank_type first, tutti::rank_type last) {
    std::vector<tutti::rank_type> all(static_cast<std::size_t>(last - first + 1));
    std::iota(all.begin(), all.end(), first);
    return all;
}

} // namespace

TEST_CASE("every algorithm of the catalogue ends on every host when LogGOPSim's rules say") {
    int compared = 0;
    for_each_schedule(std::vector<tutti::rank_type>{2, 3, 5, 8, 13},
                      [&](const any_ensemble& all, const std::string& what) {
                          for (const agreement_case& c : agreement_cases) {
                              INFO(what << ", " << c);
                              CHECK(disagreement(all, c) == "");
                              ++compared;
                          }
                      });
    CHECK(compared >= 20 * 5 * 8);
}

TEST_CASE("at every size from 2 to 100") {
    for (const tutti::rank_type p : sizes(2, 100))
        for (const auto& [what, name] :
             {std::pair(collective::allreduce, "recursive_doubling"),
              std::pair(collective::allgather, "bruck"), std::pair(collective::reduce, "fnomial"),
              std::pair(collective::bcast, "two_tree"), std::pair(collective::exscan, "census")}) {
            INFO(name << ", " << p << " ranks");
            CHECK(disagreement(ensemble_of(what, name, p),
                               agreement_cases[static_cast<std::size_t>(p) % agreement_cases.size()])
                  == "");
        }
}
