// SPDX-License-Identifier: BSL-1.0
#include <cstdint>

#include <tutti/collectives/barrier.hpp>

#include "calls.hpp"
#include "layer.hpp"

/// The calls of MPI by their C names.

using tutti::pmpi::layer;
using tutti::pmpi::mpi_call;
using tutti::pmpi::offered;
using tutti::pmpi::twin;

#pragma GCC visibility push(default)
extern "C" {

int MPI_Init(int* argc, char*** argv) {
    layer::check_library();
    const int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) layer::here().begin();
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int wanted, int* given) {
    layer::check_library();
    const int code = PMPI_Init_thread(argc, argv, wanted, given);
    if (code == MPI_SUCCESS) layer::here().begin();
    return code;
}

int MPI_Finalize() {
    layer::here().end();
    return PMPI_Finalize();
}

int MPI_Comm_free(MPI_Comm* comm) {
    if (comm != nullptr) layer::here().forget(*comm);
    return PMPI_Comm_free(comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
    if (comm != nullptr) layer::here().forget(*comm);
    return PMPI_Comm_disconnect(comm);
}

int MPI_Barrier(MPI_Comm comm) {
    return offered(
        mpi_call::barrier, comm, [&] { return PMPI_Barrier(comm); },
        [](twin& with) -> std::int64_t {
            if (!with.is_ours(0)) return tutti::pmpi::left_to_mpi;
            with.on_wires([](auto& comm) { tutti::barrier(comm); });
            return 0;
        });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return offered(
        mpi_call::bcast, comm, [&] { return PMPI_Bcast(buffer, count, type, root, comm); },
        [&](twin& with) { return tutti::pmpi::bcast(with, buffer, count, type, root); });
}

int MPI_Reduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return offered(
        mpi_call::reduce, comm, [&] { return PMPI_Reduce(in, out, count, type, op, root, comm); },
        [&](twin& with) { return tutti::pmpi::reduce(with, in, out, count, type, op, root); });
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::allreduce, comm, [&] { return PMPI_Allreduce(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::allreduce>(with, in, out, count, type, op);
        });
}

int MPI_Exscan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::exscan, comm, [&] { return PMPI_Exscan(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::exscan>(with, in, out, count, type, op);
        });
}

int MPI_Scan(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return offered(
        mpi_call::scan, comm, [&] { return PMPI_Scan(in, out, count, type, op, comm); },
        [&](twin& with) {
            return tutti::pmpi::fold_alike<tutti::collective::scan>(with, in, out, count, type, op);
        });
}

int MPI_Reduce_scatter(const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    return offered(
        mpi_call::reduce_scatter, comm, [&] { return PMPI_Reduce_scatter(in, out, counts, type, op, comm); },
        [&](twin& with) { return tutti::pmpi::reduce_scatter(with, in, out, counts, type, op); });
}

int MPI_Reduce_scatter_block(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    return offered(
        mpi_call::reduce_scatter_block, comm,
        [&] { return PMPI_Reduce_scatter_block(in, out, count, type, op, comm); },
        [&](twin& with) { return tutti::pmpi::reduce_scatter_block(with, in, out, count, type, op); });
}

int MPI_Allgather(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    return offered(
        mpi_call::allgather, comm,
        [&] { return PMPI_Allgather(in, in_count, in_type, out, count, type, comm); },
        [&](twin& with) { return tutti::pmpi::allgather(with, in, in_count, in_type, out, count, type); });
}

int MPI_Allgatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                   const int places[], MPI_Datatype type, MPI_Comm comm) {
    return offered(
        mpi_call::allgatherv, comm,
        [&] { return PMPI_Allgatherv(in, in_count, in_type, out, counts, places, type, comm); },
        [&](twin& with) {
            return tutti::pmpi::allgatherv(with, in, in_count, in_type, out, counts, places, type);
        });
}

int MPI_Gather(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    return offered(
        mpi_call::gather, comm,
        [&] { return PMPI_Gather(in, in_count, in_type, out, count, type, root, comm); },
        [&](twin& with) { return tutti::pmpi::gather(with, in, in_count, in_type, out, count, type, root); });
}

int MPI_Scatter(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    return offered(
        mpi_call::scatter, comm,
        [&] { return PMPI_Scatter(in, in_count, in_type, out, count, type, root, comm); },
        [&](twin& with) {
            return tutti::pmpi::scatter(with, in, in_count, in_type, out, count, type, root);
        });
}

int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int count, MPI_Datatype type,
                 MPI_Comm comm) {
    return offered(
        mpi_call::alltoall, comm,
        [&] { return PMPI_Alltoall(in, in_count, in_type, out, count, type, comm); },
        [&](twin& with) { return tutti::pmpi::alltoall(with, in, in_count, in_type, out, count, type); });
}

int MPI_Gatherv(const void* in, int in_count, MPI_Datatype in_type, void* out, const int counts[],
                const int places[], MPI_Datatype type, int root, MPI_Comm comm) {
    return offered(
        mpi_call::gatherv, comm,
        [&] { return PMPI_Gatherv(in, in_count, in_type, out, counts, places, type, root, comm); },
        [&](twin& with) {
            return tutti::pmpi::gatherv(with, in, in_count, in_type, out, counts, places, type, root);
        });
}

int MPI_Scatterv(const void* in, const int counts[], const int places[], MPI_Datatype in_type, void* out,
                 int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return offered(
        mpi_call::scatterv, comm,
        [&] { return PMPI_Scatterv(in, counts, places, in_type, out, count, type, root, comm); },
        [&](twin& with) {
            return tutti::pmpi::scatterv(with, in, counts, places, in_type, out, count, type, root);
        });
}

int MPI_Alltoallv(const void* in, const int in_counts[], const int in_places[], MPI_Datatype in_type,
                  void* out, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm) {
    return offered(
        mpi_call::alltoallv, comm,
        [&] { return PMPI_Alltoallv(in, in_counts, in_places, in_type, out, counts, places, type, comm); },
        [&](twin& with) {
            return tutti::pmpi::alltoallv(with, in, in_counts, in_places, in_type, out, counts, places, type);
        });
}

} // extern "C"
#pragma GCC visibility pop
