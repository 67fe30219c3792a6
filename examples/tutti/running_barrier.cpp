// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

std::vector<run_result> run_barriers(std::span<const run_case> cases) {
    constexpr int rounds = 10;
    const std::deque<slate> heard = slates_of(cases);
    run_ranks(cases, heard, [&](auto& comm, std::size_t c) -> std::string {
        const chosen_algorithm how{cases[c].what};
        for (int k = 1; k <= rounds; ++k) {
            heard[c].arrive();
            tutti::barrier(comm, how);
            if (heard[c].arrivals() < k * cases[c].size) return "left the barrier before all had come";
        }
        time_call(comm, cases[c], heard[c], [&] { tutti::barrier(comm, how); });
        return "";
    });
    std::vector<run_result> results;
    for (std::size_t c = 0; c < cases.size(); ++c) {
        run_result& one = results.emplace_back();
        one.wrong = heard[c].complaint();
        if (one.wrong.empty()) one.time_us = median_time(cases[c], heard[c]);
    }
    return results;
}

} // namespace program
