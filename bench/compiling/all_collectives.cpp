// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

int main() {
    tutti::threads::run(4, [](auto& comm) {
        const auto p = static_cast<std::size_t>(comm.size());
        std::vector<double> one(1000, comm.rank());
        std::vector<double> all(1000 * p);
        tutti::barrier(comm);
        tutti::bcast(comm, one);
        tutti::reduce(comm, one, tutti::sum{});
        tutti::allreduce(comm, one, tutti::sum{});
        tutti::exscan(comm, one, tutti::sum{});
        tutti::scan(comm, one, tutti::sum{});
        tutti::allgather(comm, one, all);
        tutti::gather(comm, one, all);
        tutti::scatter(comm, all, one);
        tutti::alltoall(comm, all);
        tutti::reduce_scatter(comm, all, one, tutti::sum{});
    });
}
