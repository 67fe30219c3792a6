// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

// Those that there were before scan, gather and scatter: all_collectives.cpp has these, too.
int main() {
    tutti::threads::run(4, [](auto& comm) {
        const auto p = static_cast<std::size_t>(comm.size());
        std::vector<double> one(1000, comm.rank());
        std::vector<double> all(1000 * p);
        std::vector<double> others(1000 * p);
        tutti::barrier(comm);
        tutti::bcast(comm, std::span{one});
        tutti::reduce(comm, std::span{one}, tutti::sum{});
        tutti::allreduce(comm, std::span{one}, tutti::sum{});
        tutti::exscan(comm, std::span{one}, tutti::sum{});
        tutti::allgather(comm, std::span{one}, std::span{all});
        tutti::alltoall(comm, std::span{all}, std::span{others});
        tutti::reduce_scatter(comm, std::span{all}, std::span{one}, tutti::sum{});
    });
}
