// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tutti/execute/communicator.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/processes.hpp>

#include "settings.hpp"
#include "trial.hpp"

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
    /// makes what chooses, from whether ranks share cores. `tries`: whether MPI may turn out to be faster.
    twin(MPI_Comm of, const std::function<std::shared_ptr<const chooser>(bool)>& choosing, bool tries);

    /// Whether calls can be taken over; the same on all ranks.
    bool has_wires() const noexcept { return comm_ != nullptr; }
    /// Why not.
    const std::string& lacks() const noexcept { return lacks_; }

    communicator<node_wires>& comm() noexcept { return *comm_; }
    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }

    /// A call of MPI comes in.
    void begin_call(mpi_call which) noexcept {
        which_ = which;
        open_ = nullptr;
    }
    /// Whether tutti runs it, of so many bytes; the same on all ranks, which have to ask alike, and end_try()
    /// where it tries(). Unless MPI's result is sure to have the same bits (`exact`), all calls are tutti's,
    /// or a program would see the results change.
    bool is_ours(std::int64_t bytes, bool exact = true) {
        if (!(exact || size_ == 2)) return true;
        trial& one = trials_[static_cast<std::size_t>(which_)][length_class(bytes)];
        if (one.is_over()) return one.is_ours();
        if (!may_try_) return true;
        open_ = &one;
        start_ = clock::now();
        return one.is_ours();
    }
    bool tries() const noexcept { return open_ != nullptr; }
    /// One that has failed here is counted, too: it may have gone well on other ranks.
    void end_try(bool well = true) noexcept;
    /// What MPI was faster in: "bcast of 512..1023 bytes".
    std::vector<std::string> left_to_mpi() const;

    /// Memory for vectors that are packed on their way in and out.
    std::vector<std::byte>& room_in() noexcept { return room_in_; }
    std::vector<std::byte>& room_out() noexcept { return room_out_; }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::size_t length_classes = 40; // by powers of two; longer ones are the last

    static std::size_t length_class(std::int64_t bytes) noexcept {
        const auto bits = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes)));
        return std::min(bits, length_classes - 1);
    }

    rank_type rank_ = 0;
    rank_type size_ = 0;
    std::unique_ptr<processes::world> group_;
    std::unique_ptr<node_wires> wires_;
    std::unique_ptr<communicator<node_wires>> comm_;
    std::string lacks_;
    std::vector<std::byte> room_in_;
    std::vector<std::byte> room_out_;
    bool may_try_;
    std::array<std::array<trial, length_classes>, mpi_calls> trials_{};
    mpi_call which_{};
    trial* open_ = nullptr; // of that call
    clock::time_point start_{};
};

} // namespace tutti::pmpi
