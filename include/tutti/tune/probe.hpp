// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/core/schedule.hpp>
#include <tutti/model/fit.hpp>

namespace tutti {

/// Times schedules over the ranks of a communicator: any transport, the library's own engine. All ranks call
/// the same functions in the same order, and all get the same times.
///
/// A time is taken over a batch of runs that begins at a barrier and counts until the last rank is done. Of
/// many short batches the low decile is taken: whatever else runs on the machine only adds, and often it
/// leaves a short batch alone.
template <class Transport>
class probe {
public:
    /// seconds: about how long one time may take; longest: bytes of the longest vector.
    probe(communicator<Transport>& comm, double seconds, std::int64_t longest)
        : comm_(comm), seconds_(seconds), in_(static_cast<std::size_t>(longest) / sizeof(double), 1.0),
          out_(in_.size()) {}

    /// What it measures on.
    communicator<Transport>& comm() const noexcept { return comm_; }

    /// Microseconds that a run of this rank's `part` takes on a vector of `bytes` bytes, cut into its blocks.
    double us(const schedule& part, std::int64_t bytes) {
        plan<Transport> run(comm_, [&] {
            return task{.what = collective::allreduce,
                        .schedule = part,
                        .fold = fold_function::of<double>(sum{}),
                        .layout = block_layout::aligned(bytes, part.blocks(), sizeof(double)),
                        .bound = {.input = detail::input_of(in_).data,
                                  .work = detail::output_of(out_).data,
                                  .work_starts_as_input = true}};
        });
        for (int warm = 0; warm < 2; ++warm) run();
        double once = seconds_of(run, 3);
        for (int again = 0; again < 4; ++again) once = std::min(once, seconds_of(run, 3));
        once = agreed_most(once);
        const int reps = static_cast<int>(std::clamp(batch_seconds / std::max(once, 1e-9), 1.0, 1000.0));

        std::vector<double> batches;
        const auto begin = clock::now();
        for (bool enough = false; !enough;) {
            std::vector<double> some(batches_between_agreements + 1);
            for (std::size_t b = 0; b < batches_between_agreements; ++b) some[b] = seconds_of(run, reps);
            some.back() = since(begin);
            allreduce(comm_, some, max{}, recursive_doubling{});
            batches.insert(batches.end(), some.begin(), some.end() - 1);
            enough = some.back() >= seconds_ || batches.size() >= most_batches;
        }
        return quantile(batches, 0.1) * 1e6;
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr double batch_seconds = 20e-6;
    static constexpr std::size_t batches_between_agreements = 8;
    static constexpr std::size_t most_batches = 400;

    static double since(clock::time_point begin) {
        return std::chrono::duration<double>(clock::now() - begin).count();
    }

    /// Of one run, on this rank.
    template <class Run>
    double seconds_of(Run& run, int reps) {
        barrier(comm_);
        const auto begin = clock::now();
        for (int r = 0; r < reps; ++r) run();
        return since(begin) / reps;
    }

    double agreed_most(double mine) {
        allreduce(comm_, std::span(&mine, 1), max{}, recursive_doubling{});
        return mine;
    }

    communicator<Transport>& comm_;
    double seconds_;
    std::vector<double> in_;
    std::vector<double> out_;
};

} // namespace tutti
