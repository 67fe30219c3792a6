// SPDX-License-Identifier: BSL-1.0
//
// contest_memory RANKS threads|shared|own SIZES BATCH_MS: times tutti's collectives over ranks that are
// threads, or processes with their vectors in shared_buffers or in memory of their own.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include <tutti/collectives/run_processes.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "../clock.hpp"
#include "../hand.hpp"
#include "loop.hpp"
#include "tutti_ranks.hpp"

int main(int argc, char** argv) try {
    using contest::memory;
    const std::string_view way = argc == 5 ? argv[2] : "";
    if (way != "threads" && way != "shared" && way != "own") {
        std::fputs("contest_memory RANKS threads|shared|own SIZES BATCH_MS\n", stderr);
        return 2;
    }
    const auto size = static_cast<tutti::rank_type>(std::atoi(argv[1]));
    const std::vector<contest::cell> cells = contest::cells_of(contest::sizes_of(argv[3]));
    const double batch_seconds = std::atof(argv[4]) * 1e-3;
    const auto time_them = [&]<memory Kind>(auto& comm, std::integral_constant<memory, Kind>) {
        contest::tutti_ranks<std::remove_reference_t<decltype(comm)>, Kind> ranks(comm);
        contest::time_cells(ranks, cells, batch_seconds);
    };
    const auto ordinary = [&](auto& comm) {
        time_them(comm, std::integral_constant<memory, memory::ordinary>{});
    };
    const auto shared = [&](auto& comm) {
        time_them(comm, std::integral_constant<memory, memory::shared>{});
    };
    if (way == "threads") {
        if (std::thread::hardware_concurrency() > 1)
            std::printf("hand_over 0 %.6f\n", bench::hand_over() * 1e6);
        tutti::threads::run(size, ordinary);
    } else if (way == "own") {
        tutti::processes::run(size, ordinary);
    } else {
        tutti::processes::run(size, shared);
    }
    return 0;
} catch (const std::exception& why) {
    std::fprintf(stderr, "contest_memory: %s\n", why.what());
    return 1;
}
