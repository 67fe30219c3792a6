// SPDX-License-Identifier: BSL-1.0
#include "twin.hpp"

#include <exception>

#include <tutti/mpi/node_memory.hpp>

namespace tutti::pmpi {

namespace {

bool is_on_one_node(MPI_Comm all, int size) {
    MPI_Comm here = MPI_COMM_NULL;
    mpi::check(PMPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
               "MPI_Comm_split_type");
    int near = 0;
    PMPI_Comm_size(here, &near);
    PMPI_Comm_free(&here);
    return near == size;
}

} // namespace

twin::twin(MPI_Comm of, const std::function<std::shared_ptr<const chooser>(bool)>& choosing) {
    int rank = 0, size = 0;
    mpi::check(PMPI_Comm_rank(of, &rank), "MPI_Comm_rank");
    mpi::check(PMPI_Comm_size(of, &size), "MPI_Comm_size");
    rank_ = rank;
    size_ = size;
    // In one of our own, since errors of these calls are ours to handle, and messages of `of` the user's.
    // No duplicate: that would copy the user's attributes, by functions of the user's.
    MPI_Comm made = MPI_COMM_NULL;
    mpi::check(PMPI_Comm_split(of, 0, rank, &made), "MPI_Comm_split");
    const mpi::owned_comm own(made);
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    if (!is_on_one_node(own.get(), size)) {
        lacks_ = "its ranks are on several nodes";
        return;
    }
    group_ = mpi::share_memory(own.get(), lacks_);
    if (group_ == nullptr) return;
    int ready = 1;
    try {
        wires_ = std::make_unique<node_wires>(*group_, rank_);
        comm_ = std::make_unique<communicator<node_wires>>(*wires_);
        comm_->choose_by(choosing(wires_->shares_cores()));
    } catch (const std::exception& e) {
        ready = 0;
        lacks_ = e.what();
    }
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_MIN, own.get()), "MPI_Allreduce");
    if (ready == 0) comm_.reset();
}

} // namespace tutti::pmpi
