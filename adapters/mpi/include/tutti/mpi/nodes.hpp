// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/node_sizes.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/mpi/calls.hpp>

namespace tutti::mpi {

/// The nodes that a text names, "3,5" or "2x4": see node_sizes_from. Throws argument_error, with `what` as
/// its argument, unless they are for `size` ranks in all.
inline node_map nodes_from(const char* what, std::string_view text, rank_type size) {
    const std::vector<rank_type> sizes = node_sizes_from(text, size);
    if (std::accumulate(sizes.begin(), sizes.end(), rank_type{0}) != size)
        throw argument_error(what, "\"" + std::string(text) + "\"",
                             "numbers of ranks, with commas, that are " + std::to_string(size)
                                 + " in all, as the communicator has");
    return node_map::of_sizes(sizes);
}

/// The nodes of a communicator's ranks, each of which says what its own is called. Collective over `comm`.
inline node_map nodes_called(rank_type name, MPI_Comm comm) {
    std::vector<rank_type> name_of(static_cast<std::size_t>(size_of(comm)));
    check(MPI_Allgather(&name, 1, MPI_INT, name_of.data(), 1, MPI_INT, comm), "MPI_Allgather");
    return node_map(name_of);
}

/// Which ranks of a communicator share memory, as MPI has it. Collective over `comm`.
inline node_map nodes_seen_in(MPI_Comm comm) {
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), "MPI_Comm_split_type");
    const owned_comm here(made);
    rank_type name = rank_in(comm); // of the node: its lowest rank
    check(MPI_Allreduce(MPI_IN_PLACE, &name, 1, MPI_INT, MPI_MIN, here.get()), "MPI_Allreduce");
    return nodes_called(name, comm);
}

/// The same, unless the environment variable TUTTI_NODES of rank 0, "4,4", says otherwise, for tests on one
/// machine: see nodes_from. Collective over `comm`.
inline node_map nodes_of(MPI_Comm comm) {
    constexpr const char* variable = "TUTTI_NODES";
    const char* const set = rank_in(comm) == 0 ? std::getenv(variable) : nullptr;
    std::string text = set == nullptr ? "" : set;
    int length = static_cast<int>(text.size());
    check(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast");
    if (length == 0) return nodes_seen_in(comm);
    text.resize(static_cast<std::size_t>(length));
    check(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
    return nodes_from(variable, text, size_of(comm));
}

} // namespace tutti::mpi
