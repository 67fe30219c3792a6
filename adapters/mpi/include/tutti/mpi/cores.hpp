// SPDX-License-Identifier: BSL-1.0
#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tutti/mpi/calls.hpp>

namespace tutti::mpi {

/// Of each core of this machine, whether this rank may run on it: launchers bind ranks to cores. Linux alone
/// tells; elsewhere on all of them.
inline std::vector<char> allowed_cores() {
    constexpr std::size_t most = 1024; // of which one can be told by itself
    std::vector<char> allowed(most, 0);
#if defined(__linux__)
    static_assert(most <= CPU_SETSIZE);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) {
        for (std::size_t i = 0; i < most; ++i) allowed[i] = CPU_ISSET(i, &mine) != 0 ? 1 : 0;
        return allowed;
    }
#endif
    std::fill_n(allowed.begin(), std::min<std::size_t>(most, std::thread::hardware_concurrency()), char{1});
    return allowed;
}

inline std::uint32_t count_of(const std::vector<char>& cores) {
    return static_cast<std::uint32_t>(std::count(cores.begin(), cores.end(), 1));
}

/// Cores that any of the ranks of `machine` may run on, all on one machine; collective.
inline std::uint32_t usable_cores_of(MPI_Comm machine) {
    std::vector<char> allowed = allowed_cores();
    check(MPI_Allreduce(MPI_IN_PLACE, allowed.data(), static_cast<int>(allowed.size()), MPI_SIGNED_CHAR,
                        MPI_MAX, machine),
          "MPI_Allreduce");
    return count_of(allowed);
}

/// A number that ranks on the same machine have equal, and others hardly.
inline std::uint64_t number_of_machine() {
    std::string name;
#if defined(__linux__) // containers of one machine may be called differently, and machines alike
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), name);
#endif
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    check(MPI_Get_processor_name(host, &length), "MPI_Get_processor_name");
    return std::hash<std::string>{}(name.append(host, static_cast<std::size_t>(length)));
}

/// Whether more ranks run on any machine than it has cores for them; then a rank that waits has to step aside
/// for the one it waits for. The same on all ranks. Collective over `comm`: one small allgather, and more
/// only where ranks of a machine may run on different cores.
inline bool cores_are_shared(MPI_Comm comm) {
    struct one_rank {
        std::uint64_t machine;
        std::uint64_t which; // cores it may run on
        std::uint64_t count;
    };
    const std::vector<char> cores = allowed_cores();
    const one_rank mine{number_of_machine(), std::hash<std::string_view>{}({cores.data(), cores.size()}),
                        count_of(cores)};
    std::vector<one_rank> all(static_cast<std::size_t>(size_of(comm)));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm),
          "MPI_Allgather");
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.machine < b.machine; });
    bool is_known = true, are_shared = false;
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(first, all.end(), [&](auto& r) { return r.machine != first->machine; });
        is_known = is_known && std::all_of(first, end, [&](auto& r) { return r.which == first->which; });
        are_shared = are_shared || static_cast<std::uint64_t>(end - first) > first->count;
        first = end;
    }
    if (is_known) return are_shared;
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), "MPI_Comm_split_type");
    const owned_comm machine(made);
    int shared = static_cast<std::uint32_t>(size_of(machine.get())) > usable_cores_of(machine.get()) ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &shared, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    return shared != 0;
}

} // namespace tutti::mpi
