// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

int main() {
    tutti::threads::run(4, [](auto& comm) { // 4 ranks, each a thread
        std::vector<double> v(1000, comm.rank());
        tutti::allreduce(comm, std::span{v}, std::plus{}); // in place; algorithm chosen by size and bytes
        if (comm.rank() == 0) std::printf("%zu elements, each 0 + 1 + 2 + 3 = %g\n", v.size(), v[0]);
    });
}
