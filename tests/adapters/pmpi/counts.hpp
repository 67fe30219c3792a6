// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/mpi/calls.hpp>

/// Which of MPI's calls a test means: those with counts of int, or with TUTTI_LONG_COUNTS those of MPI 4 with
/// counts of MPI_Count.
#ifndef TUTTI_LONG_COUNTS
using count_type = int;
using place_type = int;
#else
using count_type = MPI_Count;
using place_type = MPI_Aint;
#define MPI_Bcast MPI_Bcast_c
#define PMPI_Bcast PMPI_Bcast_c
#define MPI_Reduce MPI_Reduce_c
#define PMPI_Reduce PMPI_Reduce_c
#define MPI_Allreduce MPI_Allreduce_c
#define PMPI_Allreduce PMPI_Allreduce_c
#define MPI_Exscan MPI_Exscan_c
#define PMPI_Exscan PMPI_Exscan_c
#define MPI_Scan MPI_Scan_c
#define PMPI_Scan PMPI_Scan_c
#define MPI_Reduce_scatter MPI_Reduce_scatter_c
#define PMPI_Reduce_scatter PMPI_Reduce_scatter_c
#define MPI_Reduce_scatter_block MPI_Reduce_scatter_block_c
#define PMPI_Reduce_scatter_block PMPI_Reduce_scatter_block_c
#define MPI_Allgather MPI_Allgather_c
#define PMPI_Allgather PMPI_Allgather_c
#define MPI_Allgatherv MPI_Allgatherv_c
#define PMPI_Allgatherv PMPI_Allgatherv_c
#define MPI_Gather MPI_Gather_c
#define PMPI_Gather PMPI_Gather_c
#define MPI_Scatter MPI_Scatter_c
#define PMPI_Scatter PMPI_Scatter_c
#define MPI_Alltoall MPI_Alltoall_c
#define PMPI_Alltoall PMPI_Alltoall_c
#define MPI_Gatherv MPI_Gatherv_c
#define PMPI_Gatherv PMPI_Gatherv_c
#define MPI_Scatterv MPI_Scatterv_c
#define PMPI_Scatterv PMPI_Scatterv_c
#define MPI_Alltoallv MPI_Alltoallv_c
#define PMPI_Alltoallv PMPI_Alltoallv_c
#endif
