// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>

#include <sys/mman.h>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/cores.hpp>
#include <tutti/transport/attach.hpp>

namespace tutti::mpi {

/// Memory that the ranks of `node`, all on one machine, share. Collective: all of them get it, or none does,
/// and then `why`, empty before, says what this rank knows of the cause.
inline std::unique_ptr<processes::world> share_memory(MPI_Comm node, std::string& why) {
    const rank_type rank = rank_in(node);
    const rank_type size = size_of(node);
    std::array<char, 64> name{};
    try {
        if (rank == 0) processes::new_name().copy(name.data(), name.size() - 1);
    } catch (const std::exception&) { // an empty name is none
    }
    check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node), "MPI_Bcast");
    processes::options how;
    how.cores = usable_cores_of(node);
    how.shared_bytes = std::size_t{64} << 20; // for short copies: longer messages are read where they lie
    std::unique_ptr<processes::world> shared;
    int joined = 1;
    try {
        shared = processes::attach(name.data(), rank, size, how);
    } catch (const std::exception& e) {
        joined = 0;
        why = e.what();
    }
    const auto agree = [&](const char* otherwise) {
        check(MPI_Allreduce(MPI_IN_PLACE, &joined, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
        if (joined != 0) return true;
        if (why.empty()) why = otherwise;
        shared.reset();
        return false;
    };
    // All have come now; if some are not to be seen, theirs is another memory by the same name.
    if (agree("another rank has no shared memory")) {
        joined = shared->is_complete() ? 1 : 0;
        if (agree("its ranks do not see the same shared memory")) return shared;
    }
    ::shm_unlink(name.data()); // of those that came, some may have left it to the others
    return nullptr;
}

} // namespace tutti::mpi
