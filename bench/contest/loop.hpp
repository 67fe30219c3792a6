// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../clock.hpp"
#include "cells.hpp"

/// The one loop by which every contestant is timed. `Ranks` is what it calls: rank() and size(), barrier(),
/// slowest(x), the greatest x of all ranks, the same on all; allocate(n), memory for n doubles; and
/// call(collective, vectors).
namespace contest {

struct vectors {
    std::span<double> in, out;
    std::size_t count; ///< elements of a whole vector
    std::size_t share; ///< of a rank's block
};

/// Small whole numbers: their sums are exact in any order.
inline double value_of(int rank, std::size_t i) {
    return static_cast<double>(rank + 1) + static_cast<double>(i % 11);
}
/// Of ranks 0 .. ranks-1.
inline double sum_of(int ranks, std::size_t i) {
    return ranks * (ranks + 1) / 2 + ranks * static_cast<double>(i % 11);
}

/// Whether `out` of this rank has what the collective promises it.
inline bool is_right(tutti::collective what, int rank, int size, const vectors& v) {
    const std::size_t b = v.share;
    const auto block = static_cast<std::size_t>(rank) * b;
    const auto every = [&](std::size_t length, auto expected) {
        for (std::size_t i = 0; i < length; ++i)
            if (v.out[i] != expected(i)) return false;
        return true;
    };
    switch (what) {
    case tutti::collective::bcast: return every(v.count, [](std::size_t i) { return value_of(0, i); });
    case tutti::collective::reduce:
        return rank != 0 || every(v.count, [&](std::size_t i) { return sum_of(size, i); });
    case tutti::collective::allreduce: return every(v.count, [&](std::size_t i) { return sum_of(size, i); });
    case tutti::collective::reduce_scatter:
        return every(b, [&](std::size_t i) { return sum_of(size, block + i); });
    case tutti::collective::allgather:
        return every(v.out.size(), [&](std::size_t i) { return value_of(static_cast<int>(i / b), i % b); });
    case tutti::collective::gather:
        return rank != 0 || every(v.out.size(), [&](std::size_t i) {
                   return value_of(static_cast<int>(i / b), i % b);
               });
    case tutti::collective::scatter: return every(b, [&](std::size_t i) { return value_of(0, block + i); });
    case tutti::collective::alltoall:
        return every(v.out.size(),
                     [&](std::size_t i) { return value_of(static_cast<int>(i / b), block + i % b); });
    case tutti::collective::exscan:
        return rank == 0 || every(v.count, [&](std::size_t i) { return sum_of(rank, i); });
    case tutti::collective::scan: return every(v.count, [&](std::size_t i) { return sum_of(rank + 1, i); });
    default: return true;
    }
}

/// Seconds of one call, of the slowest rank: a barrier, then all calls of the batch, as the OSU benchmarks
/// do.
template <class Ranks>
double timed(Ranks& ranks, tutti::collective what, const vectors& v, int calls) {
    ranks.barrier();
    const double start = bench::now();
    for (int k = 0; k < calls; ++k) ranks.call(what, v);
    return ranks.slowest((bench::now() - start) / calls);
}

/// Seconds of one call, batch by batch. Throws on all ranks if the answer is wrong on one: that is no time.
template <class Ranks>
std::vector<double> time_cell(Ranks& ranks, const cell& one, double batch_seconds) {
    constexpr int most_calls = 20'000;
    constexpr std::size_t batches = 5;
    const auto p = static_cast<std::size_t>(ranks.size());
    const std::size_t count = one.bytes / sizeof(double);
    const std::size_t share = (count + p - 1) / p;
    auto in = ranks.allocate(std::max(count, share * p));
    auto out = ranks.allocate(in.size());
    const vectors v{{in.data(), in.size()}, {out.data(), out.size()}, count, share};
    for (std::size_t i = 0; i < in.size(); ++i) v.in[i] = value_of(ranks.rank(), i);
    if (ranks.rank() == 0) std::copy(v.in.begin(), v.in.end(), v.out.begin()); // which a bcast sends

    ranks.call(one.what, v);
    if (ranks.slowest(is_right(one.what, ranks.rank(), ranks.size(), v) ? 0 : 1) != 0) {
        if (ranks.rank() == 0) std::printf("wrong %s %zu\n", tutti::name_of(one.what).data(), one.bytes);
        throw std::runtime_error("wrong answer of a " + std::string(tutti::name_of(one.what)));
    }
    constexpr int settling_calls = 16; // by when whoever learns from its first calls has done so
    for (int k = 0; k < settling_calls; ++k) ranks.call(one.what, v);
    const auto calls_of = [&](double each) {
        return static_cast<int>(std::clamp(batch_seconds / each, 1.0, double{most_calls}));
    };
    int calls = 1; // how many make a batch is known when they have been timed
    double each = timed(ranks, one.what, v, calls);
    while (calls_of(each) > 2 * calls) each = timed(ranks, one.what, v, calls = calls_of(each));
    std::vector<double> taken{each};
    // Calls that are longer than a batch are timed once: what they are is clear enough.
    while (taken.size() < batches && each < batch_seconds * 2)
        taken.push_back(timed(ranks, one.what, v, calls));
    return taken;
}

/// Rank 0 says each cell and its times, a line "collective bytes microseconds" for each.
template <class Ranks>
void time_cells(Ranks& ranks, const std::vector<cell>& cells, double batch_seconds) {
    // Ranks begin on whatever core there is: until each has one of its own, the scheduler would be timed.
    const double settled = bench::now() + 100 * batch_seconds;
    while (ranks.slowest(settled - bench::now()) > 0) {
    }
    for (const cell& one : cells) {
        const std::vector<double> taken = time_cell(ranks, one, batch_seconds);
        if (ranks.rank() != 0) continue;
        for (const double each : taken)
            std::printf("%s %zu %.6f\n", tutti::name_of(one.what).data(), one.bytes, each * 1e6);
        std::fflush(stdout);
    }
}

} // namespace contest
