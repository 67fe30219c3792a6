// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "hand.hpp"
#include "interleaved.hpp"

namespace bench {

/// More ranks than cores: what matters is how soon a waiting thread makes room for another.
void measure_many_ranks(report& out) {
    enum : std::size_t { hand, call, plan };
    constexpr int batches = 60;
    table t{
        "many_ranks",
        "Allreduce of 8 bytes, several ranks on these cores: µs; by hand: all deposit, the last one folds, "
        "the rest yield",
        {"ranks", "µs by hand", "µs call", "µs plan", "least by hand", "least call", "least plan",
         "ratio call", "ratio plan"}};
    for (const int ranks : {2, 4, 8, 16}) {
        interleaved timing(ranks, 3, batches);
        hand_deposit by_hand;
        std::atomic<bool> correct{true};
        tutti::threads::run(ranks, [&](auto& comm) {
            const int me = comm.rank();
            const std::vector<double> in{me + 1.0};
            std::vector<double> a(1), b(1), c(1);
            auto planned = tutti::plan_allreduce(comm, in, c, tutti::sum{});
            timing.run(me, 100,
                       {[&](int n) {
                            for (int r = 0; r < n; ++r) a[0] = by_hand.sum(me, ranks, in[0]);
                        },
                        [&](int n) {
                            for (int r = 0; r < n; ++r) tutti::allreduce(comm, in, b, tutti::sum{});
                        },
                        [&](int n) {
                            for (int r = 0; r < n; ++r) planned.run();
                        }});
            const double expected = ranks * (ranks + 1) / 2.0;
            if (a[0] != expected || b[0] != expected || c[0] != expected) correct = false;
        });
        if (!correct) out.wrong("allreduce of 8 B among " + std::to_string(ranks) + " ranks");
        const samples s = timing.result();
        t.row({std::int64_t{ranks}, measured{s.median_of(hand) * 1e6}, measured{s.median_of(call) * 1e6},
               measured{s.median_of(plan) * 1e6}, measured{s.least_of(hand) * 1e6},
               measured{s.least_of(call) * 1e6}, measured{s.least_of(plan) * 1e6},
               measured{s.ratio(call, hand)}, measured{s.ratio(plan, hand)}});
    }
    out.add(t);
}

} // namespace bench
