// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <string>

#include <sys/mman.h>
#include <sys/statvfs.h>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/cores.hpp>
#include <tutti/transport/attach.hpp>
#include <tutti/transport/mailbox.hpp>

namespace tutti::mpi {

/// Bytes that may still be shared: containers often have 64 MB. As many as there can be if that is not
/// limited, or not known.
inline std::uint64_t shared_memory_left() noexcept {
    struct ::statvfs where {};
    if (::statvfs("/dev/shm", &where) != 0 || where.f_blocks == 0)
        return std::numeric_limits<std::uint64_t>::max();
    return std::uint64_t{where.f_bavail} * where.f_frsize;
}

/// Why so many bytes, that are left of it, are too few for the mailboxes of so many ranks. Who touches more
/// than there is dies of it, so that is found out before. "" if there is enough.
inline std::string lack_of_shared_memory(rank_type ranks, std::uint64_t left) {
    const auto pairs = static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(ranks - 1);
    const std::uint64_t wanted = pairs * sizeof(tutti::detail::mailbox);
    if (left >= wanted) return {};
    return tutti::detail::sentence({"/dev/shm has ", static_cast<std::int64_t>(left >> 10), " KiB left, and ",
                                    ranks, " ranks may want ", static_cast<std::int64_t>(wanted >> 10)});
}

/// Memory that the ranks of `node`, all on one machine, share. Collective: all of them get it, or none does,
/// and then `why`, empty before, says what this rank knows of the cause.
inline std::unique_ptr<processes::world> share_memory(MPI_Comm node, std::string& why) {
    const rank_type rank = rank_in(node);
    const rank_type size = size_of(node);
    struct {
        std::array<char, 64> name{};
        std::size_t bytes = 0; ///< of each rank, for copies: what there is no room for is read where it lies
    } place;
    try {
        if (rank == 0) processes::new_name().copy(place.name.data(), place.name.size() - 1);
    } catch (const std::exception&) { // an empty name is none
    }
    // Others have their memory there, too, as MPI itself.
    const std::uint64_t left = shared_memory_left();
    const std::uint64_t part_of_half = left / 2 / static_cast<std::uint64_t>(size);
    place.bytes = static_cast<std::size_t>(std::min(part_of_half, std::uint64_t{64} << 20));
    check(MPI_Bcast(&place, static_cast<int>(sizeof place), MPI_BYTE, 0, node), "MPI_Bcast");
    processes::options how;
    how.cores = usable_cores_of(node);
    how.shared_bytes = place.bytes;
    std::unique_ptr<processes::world> shared;
    int joined = 1;
    try {
        why = lack_of_shared_memory(size, left);
        if (why.empty())
            shared = processes::attach(place.name.data(), rank, size, how);
        else
            joined = 0;
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
    ::shm_unlink(place.name.data()); // of those that came, some may have left it to the others
    return nullptr;
}

} // namespace tutti::mpi
