// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <tutti/boost_mpi/packing.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/step.hpp>
#include <tutti/mpi/transport.hpp>

/// A message of objects is two of the transport's: first how long it is, then, if it has any, its bytes. They
/// go on channels of their own, so that a rank can wait for several lengths before it knows any.
namespace tutti::boost_mpi::detail {

/// What goes ahead. The number of elements is what ranks have to agree on; bytes differ from rank to rank.
struct message_length {
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;
};

struct channels {
    channel_type lengths;
    channel_type payloads;
};

/// A message under way to a peer. It owns what it sends, so nothing that happens later disturbs it. It stays
/// where it was made: the transport refers to its parts.
class outgoing {
public:
    outgoing(round_index round, std::size_t first_step, const step& head, std::uint64_t elements,
             std::shared_ptr<payload> bytes)
        : round_(round), first_step_(first_step), peer_(head.peer), length_{elements, bytes->size()},
          bytes_(std::move(bytes)) {}
    outgoing(const outgoing&) = delete;
    outgoing& operator=(const outgoing&) = delete;

    round_index round() const noexcept { return round_; }
    std::size_t first_step() const noexcept { return first_step_; }
    rank_type peer() const noexcept { return peer_; }
    const std::shared_ptr<payload>& bytes() const noexcept { return bytes_; }

    void start(mpi::transport& wires, const channels& on) {
        length_at_ = std::as_bytes(std::span(&length_, 1));
        length_handle_ = wires.start_send(peer_, on.lengths, gather_list(&length_at_, 1));
        if (bytes_->empty()) return;
        bytes_at_ = std::as_bytes(std::span(*bytes_));
        bytes_handle_ = wires.start_send(peer_, on.payloads, gather_list(&bytes_at_, 1));
    }

    /// Whether all of it has gone.
    bool test(mpi::transport& wires) { return wires.test(length_handle_) && wires.test(bytes_handle_); }

    void abandon(mpi::transport& wires) noexcept {
        wires.abandon(length_handle_);
        wires.abandon(bytes_handle_);
    }

private:
    round_index round_;
    std::size_t first_step_;
    rank_type peer_;
    message_length length_;
    std::shared_ptr<payload> bytes_;
    std::span<const std::byte> length_at_;
    std::span<const std::byte> bytes_at_;
    mpi::transport::handle length_handle_;
    mpi::transport::handle bytes_handle_;
};

/// Something that changes this rank's buffers: a message that is awaited, or a local step. It stays where it
/// was made, too.
class arrival {
public:
    arrival(std::span<const step> parts, std::size_t first_step) : parts_(parts), first_step_(first_step) {}
    arrival(const arrival&) = delete;
    arrival& operator=(const arrival&) = delete;

    const step& head() const noexcept { return parts_.front(); }
    std::span<const step> parts() const noexcept { return parts_; }
    std::size_t first_step() const noexcept { return first_step_; }
    payload& bytes() noexcept { return bytes_; }

    /// Whether it can be put into place.
    bool is_here() const noexcept { return state_ == state::here; }
    /// Whether the receive of its bytes, if it has any, has still to be started.
    bool is_unmatched() const noexcept { return state_ <= state::of_known_length; }

    void start(mpi::transport& wires, const channels& on) {
        if (head().is_local()) {
            state_ = state::here;
            return;
        }
        into_ = std::as_writable_bytes(std::span(&length_, 1));
        handle_ = wires.start_recv(head().peer, on.lengths, scatter_list(&into_, 1));
    }

    /// Moves on if it can; false if it cannot. `is_next` says whether no earlier message from the same peer
    /// is unmatched: payloads come in the order of messages.
    template <class IsNext>
    bool advance(mpi::transport& wires, const channels& on, std::uint64_t elements, IsNext&& is_next) {
        const state before = state_;
        if (state_ == state::of_unknown_length && wires.test(handle_)) {
            check_elements(elements);
            state_ = length_.bytes == 0 ? state::here : state::of_known_length;
        }
        if (state_ == state::of_known_length && is_next()) {
            bytes_.resize(static_cast<std::size_t>(length_.bytes));
            into_ = std::as_writable_bytes(std::span(bytes_));
            handle_ = wires.start_recv(head().peer, on.payloads, scatter_list(&into_, 1));
            state_ = state::coming;
        }
        if (state_ == state::coming && wires.test(handle_)) state_ = state::here;
        return state_ != before;
    }

    void abandon(mpi::transport& wires) noexcept { wires.abandon(handle_); }

private:
    enum class state : std::uint8_t { of_unknown_length, of_known_length, coming, here };

    void check_elements(std::uint64_t expected) const {
        if (length_.elements != expected)
            throw transport_error("a message of " + std::to_string(length_.elements) + " elements came where "
                                      + std::to_string(expected)
                                      + " were expected: do all ranks pass equal counts?",
                                  head().peer);
    }

    std::span<const step> parts_;
    std::size_t first_step_;
    state state_ = state::of_unknown_length;
    message_length length_;
    payload bytes_;
    std::span<std::byte> into_;
    mpi::transport::handle handle_;
};

} // namespace tutti::boost_mpi::detail
