// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <tutti/tutti.hpp>

// Reduce to rank 0 over a binomial tree of 8 ranks, in which rank 7 hangs below 6, and 6 below 4. Rank 7
// comes 30 ms late. Who waits? One # is a millisecond inside the call.
int main() {
    using clock = std::chrono::steady_clock;
    bool right = true;
    for (const bool bypass : {false, true}) {
        std::vector<std::string> inside(8);
        tutti::threads::run(8, [&](auto& comm) {
            const std::vector<double> in(100, comm.rank());
            std::vector<double> out(100);
            tutti::barrier(comm);
            if (comm.rank() == 7) std::this_thread::sleep_for(std::chrono::milliseconds(30));
            const auto begin = clock::now();
            if (bypass)
                tutti::bypass_reduce(comm, in, out, tutti::sum{}, 0, tutti::fnomial{});
            else
                tutti::reduce(comm, in, out, tutti::sum{}, 0, tutti::fnomial{});
            const auto took = (clock::now() - begin) / std::chrono::milliseconds(1);
            std::string& line = inside[static_cast<std::size_t>(comm.rank())];
            line.assign(static_cast<std::size_t>(took), '#');
            if (comm.rank() == 0 && out.back() != 28) line += " wrong";
        });
        std::printf("%s\n", bypass ? "bypass_reduce: only the root waits" : "reduce");
        for (std::size_t r = 0; r < inside.size(); ++r) {
            std::printf("    rank %zu %s\n", r, inside[r].c_str());
            right = right && inside[r].find("wrong") == std::string::npos;
        }
    }
    return right ? 0 : 1;
}
