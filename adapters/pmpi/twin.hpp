// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tutti/execute/communicator.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/processes.hpp>

namespace tutti::pmpi {

/// The ranks of a node, in memory that they share. MPI makes progress only while it is called, and another
/// rank may wait for that before it comes: who waits here calls it from time to time, and never sleeps.
class node_wires : public processes::transport {
public:
    node_wires(processes::world& group, rank_type rank) : processes::transport(group, rank) {}

    void idle(std::uint32_t turns) {
        if (turns % turns_between_calls == turns_between_calls - 1) move_mpi();
        idle_awake(turns);
    }

private:
    static constexpr std::uint32_t turns_between_calls = 256;

    static void move_mpi() noexcept {
        int found = 0;
        PMPI_Iprobe(0, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    }
};

/// What an MPI communicator has beside it for the calls that are taken over: its ranks' shared memory, if all
/// are on one node.
class twin {
public:
    /// Collective over `of`, which has at least two ranks. Either all ranks get wires, or none. `choosing`
    /// makes what chooses, from whether ranks share cores.
    twin(MPI_Comm of, const std::function<std::shared_ptr<const chooser>(bool)>& choosing);

    /// Whether calls can be taken over; the same on all ranks.
    bool has_wires() const noexcept { return comm_ != nullptr; }
    /// Why not.
    const std::string& lacks() const noexcept { return lacks_; }

    communicator<node_wires>& comm() noexcept { return *comm_; }
    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }

    /// Memory for vectors that are packed on their way in and out.
    std::vector<std::byte>& room_in() noexcept { return room_in_; }
    std::vector<std::byte>& room_out() noexcept { return room_out_; }

private:
    rank_type rank_ = 0;
    rank_type size_ = 0;
    std::unique_ptr<processes::world> group_;
    std::unique_ptr<node_wires> wires_;
    std::unique_ptr<communicator<node_wires>> comm_;
    std::string lacks_;
    std::vector<std::byte> room_in_;
    std::vector<std::byte> room_out_;
};

} // namespace tutti::pmpi
