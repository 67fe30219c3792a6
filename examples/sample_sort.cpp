// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <tutti/tutti.hpp>

// Sorting by sampling: ranks agree on splitters, send every number to the rank between whose splitters it
// lies, and sort what they get. Then rank 0 has the least, and the last rank the largest.

using u32 = std::uint32_t;

/// p - 1 numbers that cut what all ranks have into p parts of about the same length.
template <class Communicator>
std::vector<u32> splitters(Communicator& comm, const std::vector<u32>& sorted) {
    const auto p = static_cast<std::size_t>(comm.size());
    std::vector<u32> sample(p);
    for (std::size_t i = 0; i < p; ++i) sample[i] = sorted[i * sorted.size() / p];
    std::vector<u32> all(p * p);
    tutti::allgather(comm, sample, all);
    std::sort(all.begin(), all.end());
    std::vector<u32> result;
    for (std::size_t i = 1; i < p; ++i) result.push_back(all[i * p + p / 2]);
    return result;
}

template <class Communicator>
std::vector<u32> sample_sort(Communicator& comm, std::vector<u32> mine) {
    std::sort(mine.begin(), mine.end());
    tutti::gathered<u32> parts; // one for each rank
    auto begin = mine.cbegin();
    for (const u32 s : splitters(comm, mine)) {
        const auto end = std::lower_bound(begin, mine.cend(), s);
        parts.counts.push_back(end - begin);
        begin = end;
    }
    parts.counts.push_back(mine.cend() - begin);
    parts.values = std::move(mine);
    mine = tutti::alltoallv(comm, parts).values;
    std::sort(mine.begin(), mine.end());
    return mine;
}

constexpr auto on_each_rank = [](auto& comm) {
    std::mt19937 random(static_cast<u32>(comm.rank()));
    std::vector<u32> mine(10000);
    for (u32& one : mine) one = static_cast<u32>(random());
    const auto checksum = [](const std::vector<u32>& of) { // in any order
        std::uint64_t sum = 0;
        for (const u32 one : of) sum += one * 0x9E3779B97F4A7C15U ^ one;
        return sum;
    };
    const std::uint64_t before = checksum(mine);

    const std::vector<u32> sorted = sample_sort(comm, mine);

    // Where this rank's part begins, and the largest number before it.
    const auto count = static_cast<std::int64_t>(sorted.size());
    const std::int64_t begin = tutti::exscan(comm, count, tutti::sum{}).value_or(0);
    const u32 largest = sorted.empty() ? 0 : sorted.back();
    const u32 below = tutti::exscan(comm, largest, tutti::max{}).value_or(0);
    const bool right =
        std::is_sorted(sorted.begin(), sorted.end()) && (sorted.empty() || below <= sorted.front());
    const bool all_right = tutti::allreduce(comm, right, tutti::logical_and{});
    const std::uint64_t lost = tutti::allreduce(comm, before - checksum(sorted), tutti::sum{});
    const std::vector<std::int64_t> begins = tutti::gather(comm, begin);
    if (comm.rank() != 0) return;
    std::printf("%s, and %s; the ranks' parts begin at", all_right ? "sorted" : "not sorted",
                lost == 0 ? "none is lost" : "some are lost");
    for (const std::int64_t one : begins) std::printf(" %d", static_cast<int>(one));
    std::printf("\n");
};

int main() {
    tutti::threads::run(4, on_each_rank); // over MPI: tutti::mpi::run(argc, argv, on_each_rank)
}
