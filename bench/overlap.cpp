// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "clock.hpp"
#include "interleaved.hpp"

namespace bench {
namespace {

/// Work that needs a core and no memory: so many steps of a recurrence.
double compute(int steps) {
    double x = 0.5;
    for (int i = 0; i < steps; ++i) x = 3.9 * x * (1 - x);
    keep(&x);
    return x;
}

} // namespace

/// How much of a split-phase allreduce of 1 MiB disappears behind computation that takes as long, on two
/// ranks.
void measure_overlap(report& out) {
    enum : std::size_t { alone, computing, own_calls, asking, on_arrival, by_thread };
    constexpr const char* names[] = {"allreduce alone",        "computation alone", "both, own calls",
                                     "both, progress() often", "both, on arrival",  "both, by thread"};
    constexpr std::size_t count = (std::size_t{1} << 20) / sizeof(double);
    interleaved timing(2, 6, 60);
    std::atomic<bool> correct{true};
    const double per_step = least_time([] { compute(20000); }, 5e-3) / 20000;
    tutti::threads::run(2, [&](auto& comm) {
        const std::vector<double> in(count, comm.rank() + 1.0);
        std::vector<double> result(count);
        const int steps = static_cast<int>(200e-6 / per_step); // about as long as the allreduce
        const auto both = [&](tutti::progress_mode mode, int parts) {
            return [&, mode, parts](int n) {
                comm.set_progress(mode);
                for (int r = 0; r < n; ++r) {
                    tutti::request sum = tutti::iallreduce(comm, in, result, tutti::sum{});
                    for (int k = 0; k < parts; ++k) {
                        compute(steps / parts);
                        if (parts > 1) tutti::progress();
                    }
                    sum.wait();
                }
            };
        };
        timing.run(comm.rank(), 5,
                   {[&](int n) {
                        for (int r = 0; r < n; ++r) tutti::iallreduce(comm, in, result, tutti::sum{}).wait();
                    },
                    [&](int n) {
                        for (int r = 0; r < n; ++r) compute(steps);
                    },
                    both(tutti::progress_mode::own_calls, 1), both(tutti::progress_mode::own_calls, 20),
                    both(tutti::progress_mode::on_arrival, 1), both(tutti::progress_mode::by_thread, 1)});
        if (result.front() != 3 || result.back() != 3) correct = false;
    });
    if (!correct) out.wrong("iallreduce beside computation");
    const samples s = timing.result();
    table t{"overlap",
            "iallreduce of 1 MiB beside computation, two ranks: µs, and the share of the allreduce that is "
            "hidden",
            {"what", "µs", "hidden"}};
    for (std::size_t w = alone; w <= by_thread; ++w) {
        const double hidden = s.median_of(alone) + s.median_of(computing) - s.median_of(w);
        t.row({std::string(names[w]), measured{s.median_of(w) * 1e6, 1},
               measured{w < own_calls ? 0 : hidden / s.median_of(alone)}});
    }
    out.add(t);
}

} // namespace bench
