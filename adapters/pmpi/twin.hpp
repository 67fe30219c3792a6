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
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/execute/communicator.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/node_transport.hpp>
#include <tutti/processes.hpp>

#include "operations.hpp"
#include "reason.hpp"
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

/// What an MPI communicator has beside it for the calls that are taken over: the memory that its ranks share,
/// or, if they are on several nodes, that of each node and messages of MPI between them.
class twin {
public:
    /// What chooses, from where the ranks are and whether they share cores.
    using choosing = std::function<std::shared_ptr<const chooser>(const node_map&, cores)>;

    /// Collective over `of`, which has at least two ranks. Either all ranks get wires, or none. `told`: the
    /// nodes of all ranks, if the user has named them, and which calls are timed.
    twin(MPI_Comm of, const settings& told, const choosing& by);

    /// Whether calls can be taken over; the same on all ranks.
    bool has_wires() const noexcept { return node_ != nullptr || nodes_ != nullptr; }
    /// Why not.
    const std::string& lacks() const noexcept { return lacks_; }

    /// f(communicator&)
    template <class F>
    void on_wires(const F& f) {
        node_ != nullptr ? f(node_->comm) : f(nodes_->comm);
    }
    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }
    place here() const noexcept { return {.rank = rank_, .size = size_}; }

    /// Waits for the other ranks, without which it cannot be destroyed, a little; true when they have come.
    bool settles() noexcept { return nodes_ == nullptr || nodes_->wires.settles(); }

    /// A call of MPI comes in.
    void begin_call(mpi_call which) noexcept {
        which_ = which;
        why_ = reason::not_served;
        open_ = nullptr;
    }
    /// Why that call is tutti's, or is left to MPI.
    reason why() const noexcept { return why_; }
    /// Of calls whose ranks do not know each other's lengths: all have one trial.
    static constexpr std::int64_t unknown_length = 0;

    /// Whether tutti runs it, of so many bytes; the same on all ranks, which have to ask alike, and end_try()
    /// where it tries(). Unless MPI's result is sure to have the same bits, all calls are tutti's, or a
    /// program would see the results change.
    bool is_ours(std::int64_t bytes, same_bits same = same_bits::always) {
        const bool other_bits = same == same_bits::never || (same == same_bits::of_two && size_ != 2);
        if (other_bits && !tries_other_bits_) return decided(reason::other_bits);
        trial& one = trials_[static_cast<std::size_t>(which_)][length_class(bytes)];
        if (one.is_over()) return decided(one.is_ours() ? reason::as_fast : reason::faster_by_mpi);
        if (!may_try_[static_cast<std::size_t>(which_)]) return decided(reason::not_tried);
        open_ = &one;
        start_ = clock::now();
        return decided(one.is_ours() ? reason::turn_of_tutti : reason::turn_of_mpi);
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

    template <class Transport>
    struct wired {
        Transport wires;
        communicator<Transport> comm;

        template <class... Arguments>
        explicit wired(Arguments&&... of) : wires(std::forward<Arguments>(of)...), comm(wires) {}
    };

    bool decided(reason why) noexcept {
        why_ = why;
        return is_of_tutti(why);
    }

    static constexpr std::size_t length_classes = 40; // by powers of two; longer ones are the last

    static std::size_t length_class(std::int64_t bytes) noexcept {
        const auto bits = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes)));
        return std::min(bits, length_classes - 1);
    }

    rank_type rank_ = 0;
    rank_type size_ = 0;
    std::unique_ptr<processes::world> group_;
    std::unique_ptr<wired<node_wires>> node_;           // one of them,
    std::unique_ptr<wired<mpi::node_transport>> nodes_; // or none
    std::string lacks_;
    std::vector<std::byte> room_in_;
    std::vector<std::byte> room_out_;
    std::array<bool, mpi_calls> may_try_;
    bool tries_other_bits_;
    std::array<std::array<trial, length_classes>, mpi_calls> trials_{};
    mpi_call which_{};
    reason why_{};
    trial* open_ = nullptr; // of that call
    clock::time_point start_{};
};

} // namespace tutti::pmpi
