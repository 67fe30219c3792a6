// SPDX-License-Identifier: BSL-1.0
#include <atomic>

#include "running_case.hpp"

namespace program {

run_result run_barrier(const run_case& one) {
    constexpr int rounds = 10;
    const chosen_algorithm how{one.what};
    std::atomic<int> arrivals{0};
    stopwatch clock(one.size, one.repeat);
    run_result result;
    result.wrong = first_complaint(one.size, [&](auto& comm) -> std::string {
        for (int k = 1; k <= rounds; ++k) {
            ++arrivals;
            tutti::barrier(comm, how);
            if (arrivals < k * one.size) return "left the barrier before all had come";
        }
        clock.time(comm, [&] { tutti::barrier(comm, how); });
        return "";
    });
    if (result.wrong.empty()) result.time_us = clock.median();
    return result;
}

} // namespace program
