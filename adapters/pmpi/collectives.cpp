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

#define TUTTI_COUNT int
#define TUTTI_PLACE int
#define TUTTI_CALL(name) MPI_##name
#define TUTTI_NATIVE(name) PMPI_##name
#include "counted_calls.inc"

#if MPI_VERSION >= 4
#define TUTTI_COUNT MPI_Count
#define TUTTI_PLACE MPI_Aint
#define TUTTI_CALL(name) MPI_##name##_c
#define TUTTI_NATIVE(name) PMPI_##name##_c
#include "counted_calls.inc"
#endif

} // extern "C"
#pragma GCC visibility pop
