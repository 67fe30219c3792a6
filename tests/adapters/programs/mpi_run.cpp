// SPDX-License-Identifier: BSL-1.0
//
// What tutti::mpi::run does with the ranks' fates; tests/adapters/CMakeLists.txt says what must come out.
#include <tutti/mpi/run.hpp>

#include <csignal>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/schedule/named.hpp>

namespace {

std::unique_ptr<tutti::mpi::transport> outlives_mpi;

template <class Communicator>
void sum(Communicator& comm, std::size_t count) {
    std::vector<double> v(count, comm.rank());
    try {
        tutti::allreduce(comm, v, tutti::sum{}, tutti::named{"circulant"}); // all send to others
    } catch (const tutti::error& e) {
        std::printf("rank %d heard: %s\n", comm.rank(), e.what());
        throw;
    }
    if (comm.rank() == 0) std::printf("each element %g\n", v.back());
}

} // namespace

int main(int argc, char** argv) {
    const std::string fate = argc > 1 ? argv[1] : "";
    if (fate == "begun") MPI_Init(&argc, &argv);
    const int code = tutti::mpi::run(argc, argv, [&](auto& comm) {
        const bool is_mine = comm.rank() == 1;
        if (fate == "throws" && is_mine) throw std::runtime_error("no more paper");
        if (fate == "omits" && is_mine) return;
        if (fate == "dies" && is_mine) std::raise(SIGKILL);
        // Waits in plain MPI for somebody who has failed: nothing but MPI_Abort helps.
        if (fate == "waits" && comm.rank() == 0) MPI_Barrier(MPI_COMM_WORLD);
        if (fate == "waits" && is_mine) throw std::runtime_error("no more paper");
        sum(comm, fate == "differs" && is_mine ? 999 : 1000);
        if (fate == "outlives") outlives_mpi = std::make_unique<tutti::mpi::transport>(MPI_COMM_WORLD);
    });
    if (fate == "begun") MPI_Finalize(); // an error if run had done it
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over == 0) std::printf("MPI still runs\n");
    return code;
}
