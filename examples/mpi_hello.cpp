// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include <tutti/mpi.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        tutti::mpi::transport wires{MPI_COMM_WORLD}; // any communicator of one group
        tutti::communicator comm{wires};
        std::vector<double> v(1000, comm.rank());
        tutti::allreduce(comm, std::span{v}, std::plus{});
        if (comm.rank() == 0) std::printf("%d ranks, each element %g\n", comm.size(), v[0]);
    }
    MPI_Finalize();
}
