// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/allreduce.hpp>
#include <tutti/mpi/run.hpp>
#include <tutti/schedule/allreduce/circulant.hpp>

#include <stdexcept>
#include <vector>

int main(int argc, char** argv) {
    return tutti::mpi::run(argc, argv, [](auto& comm) {
        std::vector<int> v(100, comm.rank());
        tutti::allreduce(comm, v, tutti::sum{}, tutti::circulant{});
        for (int x : v)
            if (x != 0 + 1 + 2) throw std::runtime_error("wrong");
    });
}
