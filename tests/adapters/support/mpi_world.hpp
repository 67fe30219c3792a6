// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include <tutti/mpi/calls.hpp>

#include "support/outcomes.hpp"

/// Tests under mpirun: all ranks of MPI_COMM_WORLD run the same test cases and hear of all complaints, so
/// that all of them pass or fail alike.
namespace support {

inline tutti::rank_type world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
inline tutti::rank_type world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Waits until all ranks have come, and leaves the cores to those that still work: MPI's own waiting spins.
inline void meet_quietly() {
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    for (int done = 0; done == 0;) {
        MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
        if (done == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

/// The complaints of all ranks of the world, the same on each; "" if there is none.
inline std::string heard_by_all(const std::string& complaint) {
    meet_quietly();
    const auto size = static_cast<std::size_t>(world_size());
    const int length = static_cast<int>(complaint.size());
    std::vector<int> lengths(size);
    MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> begins{0};
    for (const int one : lengths) begins.push_back(begins.back() + one);
    std::string all(static_cast<std::size_t>(begins.back()), ' ');
    MPI_Allgatherv(complaint.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR,
                   MPI_COMM_WORLD);
    return all;
}

/// Calls body(MPI_Comm) on the first `size` ranks, with a communicator of theirs; it returns "" or a
/// complaint, and what it throws is one. Returns the complaints of all ranks, on all ranks.
template <class Body>
std::string on_ranks(tutti::rank_type size, Body&& body) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < size ? 0 : MPI_UNDEFINED, 0, &made);
    std::string complaint;
    if (made != MPI_COMM_NULL) {
        const tutti::mpi::owned_comm group(made);
        const std::string thrown = error_of([&] { complaint = body(group.get()); });
        if (!thrown.empty()) complaint += "threw " + thrown;
        if (!complaint.empty())
            complaint =
                "\nrank " + std::to_string(world_rank()) + " of " + std::to_string(size) + ": " + complaint;
    }
    return heard_by_all(complaint);
}

} // namespace support
