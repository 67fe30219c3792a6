// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "clock.hpp"

/// Measurements of several ways to do the same, in turn: the clock of a core and the distance of two cores
/// drift from one minute to the next, and only ratios taken in one interleaved run mean anything.
namespace bench {

/// All ranks leave at nearly the same time. Counts with yields: there may be more ranks than cores.
class start_line {
public:
    explicit start_line(int ranks) : ranks_(ranks) {}

    void wait() noexcept {
        const std::uint32_t now = turn_.load(std::memory_order_acquire);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == ranks_) {
            arrived_.store(0, std::memory_order_relaxed);
            turn_.store(now + 1, std::memory_order_release);
            return;
        }
        for (int spins = 0; turn_.load(std::memory_order_acquire) == now; ++spins)
            if (spins > 2000 || ranks_ > cores_) std::this_thread::yield();
    }

private:
    int ranks_;
    int cores_ = static_cast<int>(std::thread::hardware_concurrency());
    alignas(128) std::atomic<int> arrived_{0};
    alignas(128) std::atomic<std::uint32_t> turn_{0};
};

/// Seconds per operation of every way, batch after batch; the slowest rank counts.
struct samples {
    std::vector<std::vector<double>> ways;

    double median_of(std::size_t way) const { return median(ways[way]); }
    double least_of(std::size_t way) const { return minimum(ways[way]); }

    /// Median over batches of way / base, both taken within the same batch.
    double ratio(std::size_t way, std::size_t base) const {
        std::vector<double> ratios;
        for (std::size_t b = 0; b < ways[way].size(); ++b) ratios.push_back(ways[way][b] / ways[base][b]);
        return median(std::move(ratios));
    }
    double ratio_of_least(std::size_t way, std::size_t base) const { return least_of(way) / least_of(base); }
};

/// Shared by the ranks of one measurement.
class interleaved {
public:
    interleaved(int ranks, std::size_t ways, int batches)
        : line_(ranks), batches_(batches),
          taken_(static_cast<std::size_t>(ranks),
                 {std::vector(ways, std::vector<double>(static_cast<std::size_t>(batches)))}) {}

    using way = std::function<void(int reps)>;

    /// Every rank calls this with its own ways, in the same order. Ways change places from batch to batch.
    void run(int rank, int reps, const std::vector<way>& ways) {
        for (const way& w : ways) w(std::max(1, reps / 4)); // warm
        for (int b = 0; b < batches_; ++b)
            for (std::size_t k = 0; k < ways.size(); ++k) {
                const std::size_t w = (k + static_cast<std::size_t>(b)) % ways.size();
                line_.wait();
                const double start = now();
                ways[w](reps);
                taken_[static_cast<std::size_t>(rank)].ways[w][static_cast<std::size_t>(b)] =
                    (now() - start) / reps;
            }
        line_.wait();
    }

    samples result() const {
        samples all = taken_.front();
        for (const samples& one : taken_)
            for (std::size_t w = 0; w < all.ways.size(); ++w)
                for (std::size_t b = 0; b < all.ways[w].size(); ++b)
                    all.ways[w][b] = std::max(all.ways[w][b], one.ways[w][b]);
        return all;
    }

private:
    start_line line_;
    int batches_;
    std::vector<samples> taken_;
};

} // namespace bench
