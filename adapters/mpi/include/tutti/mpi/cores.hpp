// SPDX-License-Identifier: BSL-1.0
#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

#include <tutti/mpi/calls.hpp>

namespace tutti::mpi {

/// Cores that the ranks of `machine` may run on, all on one machine; collective. Launchers bind ranks to
/// cores, so what counts is all that any of them may use.
inline std::uint32_t usable_cores_of(MPI_Comm machine) {
#if defined(__linux__)
    cpu_set_t mine;
    CPU_ZERO(&mine);
    // More than a cpu_set_t has room for are told by their number alone.
    const bool is_told = sched_getaffinity(0, sizeof mine, &mine) == 0;
    const std::size_t many = std::thread::hardware_concurrency();
    std::array<unsigned char, CPU_SETSIZE> allowed{};
    for (std::size_t i = 0; i < allowed.size(); ++i)
        allowed[i] = (is_told ? CPU_ISSET(i, &mine) != 0 : i < many) ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, allowed.data(), static_cast<int>(allowed.size()), MPI_UNSIGNED_CHAR,
                        MPI_MAX, machine),
          "MPI_Allreduce");
    std::uint32_t cores = 0;
    for (const unsigned char one : allowed) cores += one;
    return cores;
#else
    static_cast<void>(machine);
    return std::thread::hardware_concurrency();
#endif
}

/// Whether more ranks run on any machine than it has cores for them; then a rank that waits has to step aside
/// for the one it waits for. The same on all ranks. Collective over `comm`.
inline bool cores_are_shared(MPI_Comm comm) {
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), "MPI_Comm_split_type");
    const owned_comm machine(made);
    const auto ranks = static_cast<std::uint32_t>(size_of(machine.get()));
    int shared = ranks > usable_cores_of(machine.get()) ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    return shared != 0;
}

} // namespace tutti::mpi
