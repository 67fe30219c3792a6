// SPDX-License-Identifier: BSL-1.0
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

int main() {
    tutti::threads::run(4, [](auto& comm) {
        std::vector<double> v(1000, comm.rank());
        tutti::allreduce(comm, std::span{v}, tutti::sum{});
    });
}
