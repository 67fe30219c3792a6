// SPDX-License-Identifier: BSL-1.0
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

// Two types times two operations; allreduce.cpp has one of the four pairs.
int main() {
    tutti::threads::run(4, [](auto& comm) {
        std::vector<double> v(1000, comm.rank());
        std::vector<int> w(1000, comm.rank());
        tutti::allreduce(comm, std::span{v}, tutti::sum{});
        tutti::allreduce(comm, std::span{v}, tutti::max{});
        tutti::allreduce(comm, std::span{w}, tutti::sum{});
        tutti::allreduce(comm, std::span{w}, tutti::max{});
    });
}
