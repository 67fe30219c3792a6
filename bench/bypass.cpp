// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bypass.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "clock.hpp"

/// The two microbenchmarks of Wagner et al. 2003, section VI, over threads.
namespace bench {
namespace {

struct seconds_per_reduce {
    double inside = 0;  ///< in the call, mean over ranks and turns
    double at_root = 0; ///< median over turns
};

/// Reductions over a binomial tree; every rank comes up to `skew_us` late, asleep, so that ranks may
/// outnumber cores. Turns are apart: what was left is finished before the next one.
seconds_per_reduce reduce_under_skew(int ranks, std::size_t count, int skew_us, int turns, bool bypass,
                                     bool& correct) {
    std::vector<double> inside(static_cast<std::size_t>(ranks)), at_root;
    std::atomic<bool> right{true};
    tutti::threads::run(ranks, [&](auto& comm) {
        std::mt19937 random(static_cast<unsigned>(comm.rank()) + 1);
        const std::vector<double> in(count, comm.rank());
        std::vector<double> out(count);
        for (int turn = 0; turn < turns; ++turn) {
            tutti::barrier(comm);
            if (skew_us > 0)
                std::this_thread::sleep_for(std::chrono::microseconds(
                    static_cast<int>(random() % (static_cast<unsigned>(skew_us) + 1))));
            const double begin = now();
            if (bypass)
                tutti::bypass_reduce(comm, in, out, tutti::sum{}, 0, tutti::fnomial{});
            else
                tutti::reduce(comm, in, out, tutti::sum{}, 0, tutti::fnomial{});
            const double took = now() - begin;
            inside[static_cast<std::size_t>(comm.rank())] += took;
            if (comm.rank() == 0) {
                at_root.push_back(took);
                if (out.back() != ranks * (ranks - 1) / 2.0) right = false;
            }
            tutti::finish_bypassed(comm);
        }
    });
    correct = correct && right;
    return {std::accumulate(inside.begin(), inside.end(), 0.0) / ranks / turns, median(at_root)};
}

} // namespace

void measure_bypass(report& out) {
    bool correct = true;
    table skewed{
        "bypass_under_skew",
        "Reduce under skew, threads: µs inside the call, mean over ranks; how many times less with bypass",
        {"ranks", "doubles", "skew up to µs", "µs blocking", "µs bypass", "factor"}};
    double best = 0;
    const auto row = [&](int ranks, std::size_t count, int skew) {
        // In turn, three times; the median of the ratios counts.
        std::vector<double> ratios, blocking, bypass;
        for (int again = 0; again < 3; ++again) {
            blocking.push_back(reduce_under_skew(ranks, count, skew, 60, false, correct).inside);
            bypass.push_back(reduce_under_skew(ranks, count, skew, 60, true, correct).inside);
            ratios.push_back(blocking.back() / bypass.back());
        }
        const double factor = median(ratios);
        skewed.row({std::int64_t{ranks}, static_cast<std::int64_t>(count), std::int64_t{skew},
                    measured{median(blocking) * 1e6, 1}, measured{median(bypass) * 1e6, 1},
                    measured{factor}});
        if (ranks == 32 && skew == 1000) best = std::max(best, factor);
    };
    for (const std::size_t count : {4U, 32U, 128U})
        for (const int skew : {200, 600, 1000}) row(32, count, skew);
    for (const int ranks : {2, 4, 8, 16}) row(ranks, 4, 1000);
    out.add(skewed);
    out.at_least("bypass under skew, 32 ranks, up to 1 ms, the best of 4, 32, 128 doubles", best, 5.1);

    table plain{"bypass_without_skew",
                "Reduce without skew: µs until the root has the result, median",
                {"ranks", "doubles", "µs blocking", "µs bypass", "ratio"}};
    std::vector<double> ratios;
    for (const int ranks : {2, 8, 32})
        for (const std::size_t count : {1U, 128U}) {
            std::vector<double> blocking, bypass, these;
            for (int again = 0; again < 5; ++again) {
                blocking.push_back(reduce_under_skew(ranks, count, 0, 300, false, correct).at_root);
                bypass.push_back(reduce_under_skew(ranks, count, 0, 300, true, correct).at_root);
                these.push_back(bypass.back() / blocking.back());
            }
            ratios.push_back(median(these));
            plain.row({std::int64_t{ranks}, static_cast<std::int64_t>(count),
                       measured{median(blocking) * 1e6}, measured{median(bypass) * 1e6},
                       measured{ratios.back()}});
        }
    out.add(plain);
    out.at_most("bypass without skew, times the blocking reduce, median", median(ratios), 1.1);
    if (!correct) out.wrong("bypass_reduce");
}

} // namespace bench
