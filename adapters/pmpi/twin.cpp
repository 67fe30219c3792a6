// SPDX-License-Identifier: BSL-1.0
#include "twin.hpp"

#include <array>
#include <exception>

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
    // In a duplicate, since errors of these calls are ours to handle, and messages of `of` the user's.
    const mpi::owned_comm own = mpi::owned_comm::duplicate(of);
    if (!is_on_one_node(own.get(), size)) {
        lacks_ = "its ranks are on several nodes";
        return;
    }
    connect(own.get());
    if (has_wires()) comm_->choose_by(choosing(wires_->shares_cores()));
}

void twin::connect(MPI_Comm of) {
    std::array<char, 64> name{};
    if (rank_ == 0) processes::new_name().copy(name.data(), name.size() - 1);
    mpi::check(PMPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, of), "MPI_Bcast");
    int joined = 1;
    try {
        group_ = processes::attach(name.data(), rank_, size_);
        wires_ = std::make_unique<node_wires>(*group_, rank_);
        comm_ = std::make_unique<communicator<node_wires>>(*wires_);
    } catch (const std::exception& e) {
        joined = 0;
        lacks_ = e.what();
    }
    int all_joined = 0;
    mpi::check(PMPI_Allreduce(&joined, &all_joined, 1, MPI_INT, MPI_MIN, of), "MPI_Allreduce");
    if (all_joined == 0) {
        if (joined != 0) lacks_ = "another rank has no shared memory";
        comm_.reset();
        wires_.reset();
        group_.reset();
    }
}

} // namespace tutti::pmpi
