// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/mpi/calls.hpp>

#include "placed_parts.hpp"
#include "twin.hpp"

/// MPI's calls on tutti's schedules. Each runs the call and returns the bytes of its whole vector, as far as
/// the rank knows them; or returns `left_to_mpi` before anything has happened: by what all ranks have equal,
/// so that all decide alike.
namespace tutti::pmpi {

std::int64_t bcast(twin& with, void* buffer, std::int64_t count, MPI_Datatype type, int root);
std::int64_t reduce(twin& with, const void* in, void* out, std::int64_t count, MPI_Datatype type, MPI_Op op,
                    int root);

/// An allreduce, a scan or an exscan.
template <collective C>
std::int64_t fold_of_equal_lengths(twin& with, const void* in, void* out, std::int64_t count,
                                   MPI_Datatype type, MPI_Op op);

std::int64_t reduce_scatter(twin& with, const void* in, void* out, const number_list& counts,
                            MPI_Datatype type, MPI_Op op);
/// ... with as many elements for every rank.
std::int64_t reduce_scatter_block(twin& with, const void* in, void* out, std::int64_t count,
                                  MPI_Datatype type, MPI_Op op);

std::int64_t allgather(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                       std::int64_t count, MPI_Datatype type);
std::int64_t allgatherv(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                        const number_list& counts, const number_list& places, MPI_Datatype type);
std::int64_t gather(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                    std::int64_t count, MPI_Datatype type, int root);
std::int64_t scatter(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                     std::int64_t count, MPI_Datatype type, int root);
std::int64_t alltoall(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                      std::int64_t count, MPI_Datatype type);

// Of these a rank knows no more than its own counts, the root those of all: every message goes straight to
// who wants it, and nobody needs to know of any other.
std::int64_t gatherv(twin& with, const void* in, std::int64_t in_count, MPI_Datatype in_type, void* out,
                     const number_list& counts, const number_list& places, MPI_Datatype type, int root);
std::int64_t scatterv(twin& with, const void* in, const number_list& counts, const number_list& places,
                      MPI_Datatype in_type, void* out, std::int64_t count, MPI_Datatype type, int root);
std::int64_t alltoallv(twin& with, const void* in, const number_list& in_counts, const number_list& in_places,
                       MPI_Datatype in_type, void* out, const number_list& counts, const number_list& places,
                       MPI_Datatype type);

} // namespace tutti::pmpi
