// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "interleaved.hpp"

namespace bench {
namespace {

using tutti::located;

/// Two threads, 1 MiB: bytes per second of an operation against those of the sum of doubles.
struct vectors {
    static constexpr std::size_t bytes = 1U << 20;
    std::vector<double> numbers{}, sums{};
    std::vector<located<double>> places{}, found{};

    explicit vectors(int rank)
        : numbers(bytes / sizeof(double)), sums(numbers.size()), places(bytes / sizeof(located<double>)),
          found(places.size()) {
        // No order that a branch predictor could learn.
        std::uint32_t state = 12345U + static_cast<std::uint32_t>(rank);
        const auto next = [&] { return static_cast<double>((state = state * 1664525U + 1013904223U) >> 8); };
        for (double& n : numbers) n = next();
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = {next(), static_cast<std::int64_t>(i) + rank};
    }
};

} // namespace

/// Rabenseifner and Adamidis 2004 report that MPI_MINLOC lost a factor of 100 against MPI_SUM.
void measure_operations(report& out) {
    enum : std::size_t { sum, smallest, largest, alone_sum, alone_smallest };
    constexpr int batches = 100;
    interleaved timing(2, 5, batches);
    tutti::threads::run(2, [&](auto& comm) {
        vectors v(comm.rank());
        auto sums = tutti::plan_allreduce(comm, v.numbers, v.sums, tutti::sum{});
        auto minima = tutti::plan_allreduce(comm, v.places, v.found, tutti::min_location{});
        auto maxima = tutti::plan_allreduce(comm, v.places, v.found, tutti::max_location{});
        const auto add = tutti::fold_function::of<double>(tutti::sum{});
        const auto pick = tutti::fold_function::of<located<double>>(tutti::min_location{});
        const auto into = [](const auto& fold, auto& result, const auto& from) {
            const auto to = std::as_writable_bytes(std::span(result));
            fold(to.data(), to.data(), {std::as_bytes(std::span(from)).data()}, std::ssize(to));
        };
        const auto repeat = [](auto f) {
            return [f](int n) mutable {
                for (int r = 0; r < n; ++r) f();
            };
        };
        timing.run(comm.rank(), 4,
                   {repeat([&] { sums.run(); }), repeat([&] { minima.run(); }), repeat([&] { maxima.run(); }),
                    repeat([&] {
                        into(add, v.sums, v.numbers);
                        keep(v.sums.data());
                    }),
                    repeat([&] {
                        into(pick, v.found, v.places);
                        keep(v.found.data());
                    })});
    });
    const samples s = timing.result();
    table t{"operations",
            "min and max with location against sum, 1 MiB, two threads: GB/s and times slower",
            {"what", "GB/s", "GB/s best", "times slower than sum", "least"}};
    const auto row = [&](const char* name, std::size_t way, std::size_t base) {
        const double gigabytes = static_cast<double>(vectors::bytes) * 1e-9;
        t.row({std::string(name), measured{gigabytes / s.median_of(way), 1},
               measured{gigabytes / s.least_of(way), 1}, measured{s.ratio(way, base)},
               measured{s.ratio_of_least(way, base)}});
    };
    row("allreduce, sum of double", sum, sum);
    row("allreduce, min_location", smallest, sum);
    row("allreduce, max_location", largest, sum);
    row("fold alone, sum of double", alone_sum, alone_sum);
    row("fold alone, min_location", alone_smallest, alone_sum);
    out.add(t);
    out.at_most("allreduce of min_location, times slower than sum",
                std::max(s.ratio(smallest, sum), s.ratio(largest, sum)), 4);
}

} // namespace bench
