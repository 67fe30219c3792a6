// SPDX-License-Identifier: BSL-1.0
#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include <array>
#include <cstddef>
#include <thread>

#include <tutti/mpi/calls.hpp>

namespace tutti::mpi {

/// Whether more ranks run on this machine than it has cores for them; then a rank that waits has to step
/// aside for the one it waits for. Collective over `comm`.
///
/// Launchers bind ranks to cores, so what counts is all cores that any rank of the machine may run on.
inline bool ranks_outnumber_cores(MPI_Comm comm) {
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), "MPI_Comm_split_type");
    const owned_comm machine(made);
    int ranks = 0;
    check(MPI_Comm_size(machine.get(), &ranks), "MPI_Comm_size");
#if defined(__linux__)
    cpu_set_t mine;
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    std::array<unsigned char, CPU_SETSIZE> allowed{};
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = CPU_ISSET(i, &mine) ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, allowed.data(), static_cast<int>(allowed.size()), MPI_UNSIGNED_CHAR,
                        MPI_MAX, machine.get()),
          "MPI_Allreduce");
    int cores = 0;
    for (const unsigned char one : allowed) cores += one;
#else
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
#endif
    return ranks > cores;
}

} // namespace tutti::mpi
