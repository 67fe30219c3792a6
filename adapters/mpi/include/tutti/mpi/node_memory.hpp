// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <memory>
#include <string>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/cores.hpp>
#include <tutti/transport/attach.hpp>

namespace tutti::mpi {

/// Memory that the ranks of `node`, all on one machine, share. Collective: all of them get it, or none does,
/// and then `why` says what this rank knows of the cause.
inline std::unique_ptr<processes::world> share_memory(MPI_Comm node, std::string& why) {
    int rank = 0, size = 0;
    check(MPI_Comm_rank(node, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(node, &size), "MPI_Comm_size");
    std::array<char, 64> name{};
    if (rank == 0) processes::new_name().copy(name.data(), name.size() - 1);
    check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node), "MPI_Bcast");
    processes::options how;
    how.cores = usable_cores_of(node);
    std::unique_ptr<processes::world> shared;
    int joined = 1;
    try {
        shared = processes::attach(name.data(), rank, size, how);
    } catch (const error& e) {
        joined = 0;
        why = e.what();
    }
    check(MPI_Allreduce(MPI_IN_PLACE, &joined, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
    if (joined == 0 && shared != nullptr) why = "another rank has no shared memory";
    if (joined == 0) shared.reset();
    return shared;
}

} // namespace tutti::mpi
