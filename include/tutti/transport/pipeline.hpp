// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <tutti/core/copy_bytes.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/doorbell.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/pieces.hpp>

/// Where ranks cannot read each other's memory: long messages go from one to one other through a ring of
/// parts, which the sender fills while the receiver empties it, so their length does not matter. One message
/// at a time: the next one begins behind the last part of the one before, be that complete or abandoned.
namespace tutti::detail {

/// What both ranks see of it; memory full of zeros is one that nobody has used. Who reads may have been lied
/// to, so neither count is believed to be more than it can be.
struct pipeline {
    static constexpr std::size_t part_bytes = std::size_t{32} << 10;
    static constexpr std::size_t depth = 8;

    alignas(cache_line) std::atomic<std::uint64_t> written{0}; ///< parts of all messages; by the sender
    alignas(cache_line) std::atomic<std::uint64_t> read{0};    ///< or skipped; by the receiver
    std::byte parts[depth][part_bytes];
};

/// What the slot of such a message says of it.
struct piped_message {
    std::uint64_t first_part = 0;
    std::size_t bytes = 0;
};

/// The sender's end.
class pipe_writer {
public:
    bool is_busy() const noexcept { return box_ != nullptr; }
    bool is_busy_with(ticket_type t) const noexcept { return is_busy() && ticket_ == t; }
    ticket_type ticket() const noexcept { return ticket_; }

    /// Unless it is busy. `data` stays as it is until it no longer is.
    piped_message begin(pipeline& box, ticket_type t, gather_list data) noexcept {
        box_ = &box;
        ticket_ = t;
        data_ = data;
        done_ = 0;
        left_ = total_bytes(data);
        return {written_, left_};
    }
    void end() noexcept { box_ = nullptr; }

    /// Writes what there is room for, and ends if that was the rest; false if there is no room.
    bool write() noexcept {
        bool moved = false;
        while (left_ > 0 && written_ - box_->read.load(std::memory_order_acquire) < pipeline::depth) {
            const std::size_t bytes = std::min(left_, pipeline::part_bytes);
            gather(box_->parts[written_ % pipeline::depth], bytes);
            left_ -= bytes;
            box_->written.store(++written_, std::memory_order_release);
            moved = true;
        }
        if (left_ == 0) end();
        return moved;
    }

private:
    void gather(std::byte* to, std::size_t bytes) noexcept {
        while (bytes > 0) {
            const std::span<const std::byte> rest = data_.front().subspan(done_);
            const std::size_t n = std::min(bytes, rest.size());
            copy_bytes(to, rest.data(), n);
            to += n;
            bytes -= n;
            done_ += n;
            if (done_ == data_.front().size()) {
                data_ = data_.subspan(1);
                done_ = 0;
            }
        }
    }

    pipeline* box_ = nullptr; // while it is busy
    ticket_type ticket_ = 0;
    std::uint64_t written_ = 0;
    gather_list data_{};
    std::size_t done_ = 0; // of the first piece
    std::size_t left_ = 0;
};

/// The receiver's end.
class pipe_reader {
public:
    void begin(pipeline& box, const piped_message& message) noexcept {
        box_ = &box;
        read_ = message.first_part;
        left_ = message.bytes;
        box_->read.store(read_, std::memory_order_release);
    }
    std::size_t left() const noexcept { return left_; }

    /// The next part, if it has come; else nothing. Whether its message still is the one that began, the
    /// caller asks after this: its sender says first that it is not.
    std::span<const std::byte> next() const noexcept {
        const std::uint64_t come = box_->written.load(std::memory_order_acquire) - read_;
        if (come == 0 || come > pipeline::depth) return {};
        return {box_->parts[read_ % pipeline::depth], std::min(left_, pipeline::part_bytes)};
    }
    /// More have come than there is room for: nothing will come any more.
    bool is_misled() const noexcept {
        return box_->written.load(std::memory_order_acquire) - read_ > pipeline::depth;
    }
    void pass() noexcept {
        left_ -= std::min(left_, pipeline::part_bytes);
        box_->read.store(++read_, std::memory_order_release);
    }

private:
    pipeline* box_ = nullptr;
    std::uint64_t read_ = 0;
    std::size_t left_ = 0;
};

} // namespace tutti::detail
