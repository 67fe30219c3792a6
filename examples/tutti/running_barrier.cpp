// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

run_result run_barrier(const run_case& one) {
    constexpr int rounds = 10;
    const chosen_algorithm how{one.what};
    const slate heard(times_of(one));
    run_ranks(one, heard, [&](auto& comm) -> std::string {
        for (int k = 1; k <= rounds; ++k) {
            heard.arrive();
            tutti::barrier(comm, how);
            if (heard.arrivals() < k * one.size) return "left the barrier before all had come";
        }
        time_call(comm, one, heard, [&] { tutti::barrier(comm, how); });
        return "";
    });
    run_result result;
    result.wrong = heard.complaint();
    if (result.wrong.empty()) result.time_us = median_time(one, heard);
    return result;
}

} // namespace program
