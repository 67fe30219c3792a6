// SPDX-License-Identifier: BSL-1.0
#include "twin.hpp"

#include <exception>
#include <limits>
#include <span>
#include <utility>

#include <tutti/collectives/allreduce.hpp>
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

twin::twin(MPI_Comm of, const std::function<std::shared_ptr<const chooser>(bool)>& choosing, bool tries)
    : may_try_(tries) {
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
    // With the standard ABI, Intel MPI 2021.19 takes that for MPI_ERRORS_ABORT, and ends the program. A
    // handler of ours would not help: when one has run, calls of MPICH 5.0 return MPI_SUCCESS.
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

void twin::end_try(bool well) noexcept {
    trial& one = *std::exchange(open_, nullptr);
    if (!one.add(well ? std::chrono::duration<double>(clock::now() - start_).count()
                      : std::numeric_limits<double>::infinity()))
        return;
    try {
        std::array<double, 2> longest = one.times();
        allreduce(*comm_, std::span(longest), max{});
        one.decide(longest);
    } catch (const std::exception&) { // the next call will tell; what is not decided stays tutti's
        may_try_ = false;
    }
}

std::vector<std::string> twin::left_to_mpi() const {
    std::vector<std::string> all;
    for (std::size_t which = 0; which < mpi_calls; ++which)
        for (std::size_t k = 0; k < length_classes; ++k) {
            const trial& one = trials_[which][k];
            if (!one.is_over() || one.is_ours()) continue;
            const std::uint64_t from = k == 0 ? 0 : std::uint64_t{1} << (k - 1);
            std::string text(name_of(static_cast<mpi_call>(which)));
            if (from > 0) text += tutti::detail::sentence({" of ", from, "..", 2 * from - 1, " bytes"});
            all.push_back(std::move(text));
        }
    return all;
}

} // namespace tutti::pmpi
