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

/// Where the ranks of a communicator are, by what the user has told of those of MPI_COMM_WORLD, or by MPI.
node_map nodes_of(MPI_Comm own, const std::optional<node_map>& told) {
    return told ? mpi::nodes_called(told->node_of(mpi::rank_in(MPI_COMM_WORLD)), own)
                : mpi::nodes_seen_in(own);
}

} // namespace

twin::twin(MPI_Comm of, const settings& told, const choosing& by)
    : rank_(mpi::rank_in(of)), size_(mpi::size_of(of)), may_try_(told.tried()),
      tries_other_bits_(told.trial == trials::all) {
    // In one of our own, since errors of these calls are ours to handle, and messages of `of` the user's.
    // No duplicate: that would copy the user's attributes, by functions of the user's.
    MPI_Comm made = MPI_COMM_NULL;
    mpi::check(PMPI_Comm_split(of, 0, rank_, &made), "MPI_Comm_split");
    const mpi::owned_comm own(made);
    // With the standard ABI, Intel MPI 2021.19 takes that for MPI_ERRORS_ABORT, and ends the program. A
    // handler of ours would not help: when one has run, calls of MPICH 5.0 return MPI_SUCCESS.
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    const node_map nodes = nodes_of(own.get(), told.nodes);
    if (nodes.nodes() == 1) {
        group_ = mpi::share_memory(own.get(), lacks_);
        if (group_ == nullptr) return;
    }
    int ready = 1;
    const auto choose = [&](auto& made) {
        made.comm.choose_by(by(nodes, made.wires.shares_cores() ? cores::shared : cores::own));
    };
    try {
        if (group_ != nullptr)
            choose(*(node_ = std::make_unique<wired<node_wires>>(*group_, rank_)));
        else
            choose(*(nodes_ = std::make_unique<wired<mpi::node_transport>>(own.get(), nodes)));
    } catch (const std::exception& e) {
        ready = 0;
        lacks_ = e.what();
    }
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_MIN, own.get()), "MPI_Allreduce");
    if (ready != 0) return;
    node_.reset();
    if (nodes_ != nullptr) nodes_->wires.announce_failure("another rank has none"); // nor is it waited for
    nodes_.reset();
}

void twin::end_try(bool well) noexcept {
    trial& one = *std::exchange(open_, nullptr);
    if (!one.add(well ? std::chrono::duration<double>(clock::now() - start_).count()
                      : std::numeric_limits<double>::infinity()))
        return;
    try {
        std::array<double, 2> longest = one.times();
        on_wires([&](auto& comm) { allreduce(comm, std::span(longest), max{}); });
        one.decide(longest);
    } catch (const std::exception&) { // the next call will tell; what is not decided stays tutti's
        may_try_ = {};
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
