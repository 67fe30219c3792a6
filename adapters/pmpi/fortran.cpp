// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/calls.hpp>

/// The calls by their Fortran names. MPICH and what comes of it call the C ones by the names that a library
/// laid before it has; Open MPI's (mpif.h, `use mpi` and `use mpi_f08` alike) pass them by, so they are taken
/// over here. The standard ABI leaves it to each MPI how Fortran's handles and constants become those of C:
/// the layer for all that have it can only wait behind the C names, where Intel MPI's Fortran comes by.
#if defined(OPEN_MPI)

extern "C" {
// Where Fortran has these constants; Open MPI tells them by their addresses.
extern int mpi_fortran_in_place_;
extern int mpi_fortran_bottom_;
}

namespace {

void* buffer(void* given) noexcept {
    if (given == &mpi_fortran_in_place_) return MPI_IN_PLACE;
    if (given == &mpi_fortran_bottom_) return MPI_BOTTOM;
    return given;
}
MPI_Comm comm(const MPI_Fint* given) { return PMPI_Comm_f2c(*given); }
MPI_Datatype type(const MPI_Fint* given) { return PMPI_Type_f2c(*given); }
MPI_Op op(const MPI_Fint* given) { return PMPI_Op_f2c(*given); }
void answer(MPI_Fint* to, int code) noexcept {
    if (to != nullptr) *to = code;
}
/// One that is freed by a call of C.
void give_up(int (*by)(MPI_Comm*), MPI_Fint* given, MPI_Fint* error) {
    MPI_Comm c = comm(given);
    answer(error, by(&c));
    *given = PMPI_Comm_c2f(c);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

void ompi_barrier_f(MPI_Fint* c, MPI_Fint* error) { answer(error, MPI_Barrier(comm(c))); }

void ompi_bcast_f(char* data, MPI_Fint* count, MPI_Fint* t, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Bcast(buffer(data), *count, type(t), *root, comm(c)));
}

void ompi_reduce_f(char* in, char* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o, MPI_Fint* root,
                   MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Reduce(buffer(in), buffer(out), *count, type(t), op(o), *root, comm(c)));
}

void ompi_allreduce_f(char* in, char* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                      MPI_Fint* error) {
    answer(error, MPI_Allreduce(buffer(in), buffer(out), *count, type(t), op(o), comm(c)));
}

void ompi_exscan_f(char* in, char* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                   MPI_Fint* error) {
    answer(error, MPI_Exscan(buffer(in), buffer(out), *count, type(t), op(o), comm(c)));
}

void ompi_scan_f(char* in, char* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                 MPI_Fint* error) {
    answer(error, MPI_Scan(buffer(in), buffer(out), *count, type(t), op(o), comm(c)));
}

void ompi_reduce_scatter_f(char* in, char* out, MPI_Fint* counts, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                           MPI_Fint* error) {
    answer(error, MPI_Reduce_scatter(buffer(in), buffer(out), counts, type(t), op(o), comm(c)));
}

void ompi_reduce_scatter_block_f(char* in, char* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o, MPI_Fint* c,
                                 MPI_Fint* error) {
    answer(error, MPI_Reduce_scatter_block(buffer(in), buffer(out), *count, type(t), op(o), comm(c)));
}

void ompi_allgather_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* count,
                      MPI_Fint* t, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Allgather(buffer(in), *in_count, type(in_type), buffer(out), *count, type(t), comm(c)));
}

void ompi_allgatherv_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* counts,
                       MPI_Fint* places, MPI_Fint* t, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Allgatherv(buffer(in), *in_count, type(in_type), buffer(out), counts, places, type(t),
                                 comm(c)));
}

void ompi_gather_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* count, MPI_Fint* t,
                   MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
    answer(error,
           MPI_Gather(buffer(in), *in_count, type(in_type), buffer(out), *count, type(t), *root, comm(c)));
}

void ompi_scatter_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* count, MPI_Fint* t,
                    MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
    answer(error,
           MPI_Scatter(buffer(in), *in_count, type(in_type), buffer(out), *count, type(t), *root, comm(c)));
}

void ompi_alltoall_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* count, MPI_Fint* t,
                     MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Alltoall(buffer(in), *in_count, type(in_type), buffer(out), *count, type(t), comm(c)));
}

void ompi_gatherv_f(char* in, MPI_Fint* in_count, MPI_Fint* in_type, char* out, MPI_Fint* counts,
                    MPI_Fint* places, MPI_Fint* t, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Gatherv(buffer(in), *in_count, type(in_type), buffer(out), counts, places, type(t),
                              *root, comm(c)));
}

void ompi_scatterv_f(char* in, MPI_Fint* counts, MPI_Fint* places, MPI_Fint* in_type, char* out,
                     MPI_Fint* count, MPI_Fint* t, MPI_Fint* root, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Scatterv(buffer(in), counts, places, type(in_type), buffer(out), *count, type(t), *root,
                               comm(c)));
}

void ompi_alltoallv_f(char* in, MPI_Fint* in_counts, MPI_Fint* in_places, MPI_Fint* in_type, char* out,
                      MPI_Fint* counts, MPI_Fint* places, MPI_Fint* t, MPI_Fint* c, MPI_Fint* error) {
    answer(error, MPI_Alltoallv(buffer(in), in_counts, in_places, type(in_type), buffer(out), counts, places,
                                type(t), comm(c)));
}

void ompi_comm_free_f(MPI_Fint* c, MPI_Fint* error) { give_up(MPI_Comm_free, c, error); }
void ompi_comm_disconnect_f(MPI_Fint* c, MPI_Fint* error) { give_up(MPI_Comm_disconnect, c, error); }

void ompi_init_f(MPI_Fint* error) { answer(error, MPI_Init(nullptr, nullptr)); }
void ompi_init_thread_f(MPI_Fint* wanted, MPI_Fint* given, MPI_Fint* error) {
    int level = MPI_THREAD_SINGLE;
    answer(error, MPI_Init_thread(nullptr, nullptr, *wanted, &level));
    *given = level;
}
void ompi_finalize_f(MPI_Fint* error) { answer(error, MPI_Finalize()); }

// Compilers of Fortran differ in what they make of a name; GNU's and LLVM's add one underscore.
#define TUTTI_FORTRAN_NAME(name, parameters)                                                                 \
    void mpi_##name##_ parameters __attribute__((alias("ompi_" #name "_f")));
TUTTI_FORTRAN_NAME(barrier, (MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(bcast, (char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(reduce, (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(allreduce, (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(exscan, (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(scan, (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(reduce_scatter, (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(reduce_scatter_block,
                   (char*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(allgather,
                   (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(allgatherv, (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                                MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(gather, (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                            MPI_Fint*))
TUTTI_FORTRAN_NAME(scatter, (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                             MPI_Fint*))
TUTTI_FORTRAN_NAME(alltoall, (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(gatherv, (char*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                             MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(scatterv, (char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                              MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(alltoallv, (char*, MPI_Fint*, MPI_Fint*, MPI_Fint*, char*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                               MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(comm_free, (MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(comm_disconnect, (MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(init, (MPI_Fint*))
TUTTI_FORTRAN_NAME(init_thread, (MPI_Fint*, MPI_Fint*, MPI_Fint*))
TUTTI_FORTRAN_NAME(finalize, (MPI_Fint*))
#undef TUTTI_FORTRAN_NAME

} // extern "C"
#pragma GCC visibility pop
#endif
