// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "hand.hpp"
#include "interleaved.hpp"

/// Two ranks, each on a core: what the library takes of what is possible.
namespace bench {
namespace {

double input_at(int rank, std::size_t i) { return rank + 1 + static_cast<double>(i % 7); }

bool is_sum_of_two(const std::vector<double>& out) {
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i] != input_at(0, i) + input_at(1, i)) return false;
    return true;
}

void measure_one_element(report& out) {
    constexpr int batches = 400;
    constexpr int reps = 500;
    enum : std::size_t { hand_over, exchange, call, plan };
    interleaved timing(2, 4, batches);
    ping_pong line;
    hand_exchange by_hand;
    std::atomic<bool> correct{true};
    tutti::threads::run(2, [&](auto& comm) {
        const int me = comm.rank();
        const std::vector<double> in{input_at(me, 0)};
        std::vector<double> result(1), from_plan(1), from_hand(1);
        auto planned = tutti::plan_allreduce(comm, in, from_plan, tutti::sum{});
        timing.run(me, reps,
                   {[&](int n) {
                        for (int r = 0; r < n; ++r) line.round_trip(me);
                    },
                    [&](int n) {
                        for (int r = 0; r < n; ++r) from_hand[0] = by_hand.sum(me, in[0]);
                    },
                    [&](int n) {
                        for (int r = 0; r < n; ++r) tutti::allreduce(comm, in, result, tutti::sum{});
                    },
                    [&](int n) {
                        for (int r = 0; r < n; ++r) planned.run();
                    }});
        if (!is_sum_of_two(result) || !is_sum_of_two(from_plan) || !is_sum_of_two(from_hand)) correct = false;
    });
    if (!correct) out.wrong("allreduce of 8 B between two threads");

    const samples s = timing.result();
    table t{"two_threads_8_bytes",
            "Two threads, 8 bytes: ns, median and least of " + std::to_string(batches)
                + " batches; a hand-over is one way",
            {"what", "ns", "ns least", "hand-overs", "hand-overs least", "exchanges", "exchanges least"}};
    const char* names[] = {"hand-over of a cache line", "exchange by hand", "allreduce, call",
                           "allreduce, plan"};
    for (std::size_t w = 0; w < 4; ++w) {
        const double ways = w == hand_over ? 2 : 1; // a round trip is two
        t.row({std::string(names[w]), measured{s.median_of(w) / ways * 1e9, 1},
               measured{s.least_of(w) / ways * 1e9, 1}, measured{s.ratio(w, hand_over) * 2 / ways},
               measured{s.ratio_of_least(w, hand_over) * 2 / ways}, measured{s.ratio(w, exchange) / ways},
               measured{s.ratio_of_least(w, exchange) / ways}});
    }
    out.add(t);
    out.at_most("allreduce of 8 B as a plan, in hand-overs", s.ratio(plan, hand_over) * 2, 1.3);
    out.at_most("allreduce of 8 B as a call, in hand-overs", s.ratio(call, hand_over) * 2, 1.3);
}

void measure_copying(report& out) {
    table t{"memcpy",
            "memcpy: GB/s of bytes copied, best of repeated runs",
            {"size", "GB/s one core", "GB/s each of two cores"}};
    for (const std::size_t bytes :
         {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{4} << 20, std::size_t{64} << 20}) {
        const int reps = static_cast<int>(std::max<std::size_t>(1, (std::size_t{32} << 20) / bytes));
        double alone = 0;
        interleaved timing(2, 1, 15);
        tutti::threads::run(2, [&](auto& comm) {
            std::vector<char> from(bytes, 1), to(bytes);
            const auto copy = [&](int n) {
                for (int r = 0; r < n; ++r) {
                    std::memcpy(to.data(), from.data(), bytes);
                    keep(to.data());
                }
            };
            timing.run(comm.rank(), reps, {copy});
            if (comm.rank() == 0) alone = least_time([&] { copy(reps); }, 5e-3);
        });
        const auto gigabytes = static_cast<double>(bytes) * 1e-9;
        t.row({size_text(bytes), measured{gigabytes * reps / alone, 1},
               measured{gigabytes / timing.result().least_of(0), 1}});
    }
    out.add(t);
}

void measure_vectors(report& out) {
    enum : std::size_t { hand, call, plan };
    table t{"two_threads",
            "Allreduce of doubles, two threads: µs; speed as a fraction of the loop by hand, median of the "
            "ratios of a batch and ratio of the least times",
            {"size", "µs by hand", "µs call", "µs plan", "least by hand", "least call", "least plan",
             "speed call", "speed plan", "least speed call", "least speed plan"}};
    struct figures {
        std::string size;
        double call;
        double plan;
    };
    std::vector<figures> speeds;
    for (const std::size_t bytes :
         {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{4} << 20, std::size_t{64} << 20}) {
        const std::size_t count = bytes / sizeof(double);
        const int batches = bytes <= 256 << 10 ? 200 : bytes <= 4 << 20 ? 100 : 25;
        const int reps = bytes <= 16 << 10 ? 100 : bytes <= 256 << 10 ? 10 : 1;
        interleaved timing(2, 3, batches);
        hand_allreduce by_hand;
        std::atomic<bool> correct{true};
        tutti::threads::run(2, [&](auto& comm) {
            const int me = comm.rank();
            std::vector<double> in(count), result(count);
            for (std::size_t i = 0; i < count; ++i) in[i] = input_at(me, i);
            // One result for all: as much memory, in the same place, for everybody.
            auto planned = tutti::plan_allreduce(comm, in, result, tutti::sum{});
            const std::vector<interleaved::way> ways{[&](int n) {
                                                         for (int r = 0; r < n; ++r)
                                                             by_hand.sum(me, in.data(), result.data(), count);
                                                     },
                                                     [&](int n) {
                                                         for (int r = 0; r < n; ++r)
                                                             tutti::allreduce(comm, in, result, tutti::sum{});
                                                     },
                                                     [&](int n) {
                                                         for (int r = 0; r < n; ++r) planned.run();
                                                     }};
            for (const auto& way : ways) {
                std::fill(result.begin(), result.end(), 0.0);
                way(1);
                if (!is_sum_of_two(result)) correct = false;
            }
            timing.run(me, reps, ways);
        });
        if (!correct) out.wrong("allreduce of " + size_text(bytes) + " between two threads");
        const samples s = timing.result();
        t.row({size_text(bytes), measured{s.median_of(hand) * 1e6}, measured{s.median_of(call) * 1e6},
               measured{s.median_of(plan) * 1e6}, measured{s.least_of(hand) * 1e6},
               measured{s.least_of(call) * 1e6}, measured{s.least_of(plan) * 1e6},
               measured{1 / s.ratio(call, hand)}, measured{1 / s.ratio(plan, hand)},
               measured{1 / s.ratio_of_least(call, hand)}, measured{1 / s.ratio_of_least(plan, hand)}});
        speeds.push_back({size_text(bytes), 1 / s.ratio(call, hand), 1 / s.ratio(plan, hand)});
    }
    out.add(t);
    for (const figures& f : speeds) {
        out.at_least("allreduce of " + f.size + " as a call, of the speed by hand", f.call, 0.8);
        out.at_least("allreduce of " + f.size + " as a plan, of the speed by hand", f.plan, 0.8);
    }
}

} // namespace

void measure_two_threads(report& out) {
    measure_one_element(out);
    measure_copying(out);
    measure_vectors(out);
}

} // namespace bench
