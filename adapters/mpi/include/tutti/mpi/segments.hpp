// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/message_type.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::mpi {

/// How a long message is cut, the same at both ends: a function of its length. Its first segments can be
/// folded while the next ones are under way, and are still in a cache then.
///
/// Example: 5 MiB are 10 segments of 512 KiB; 5 GiB are 16 of 320 MiB.
struct cut {
    static constexpr std::size_t most = 16;
    static constexpr std::size_t least_bytes = std::size_t{512} << 10;

    std::size_t bytes = 0;
    std::size_t each = least_bytes; ///< but the last one

    cut() = default;
    explicit cut(std::size_t length) noexcept
        : bytes(length), each(std::max(least_bytes, (length + most - 1) / most)) {}

    std::size_t count() const noexcept { return (bytes + each - 1) / each; }
    std::size_t begin(std::size_t k) const noexcept { return std::min(bytes, k * each); }
};

/// A long message under way, at one of its ends. Its segments have the same tag, so MPI keeps their order.
class segments {
public:
    segments() = default;
    segments(segments&& other) noexcept { *this = std::move(other); }
    segments& operator=(segments&& other) noexcept {
        cut_ = other.cut_;
        begun_ = std::exchange(other.begun_, 0);
        done_ = std::exchange(other.done_, 0);
        std::copy_n(other.requests_.begin(), begun_, requests_.begin());
        return *this;
    }

    /// Sends all of them.
    void send(gather_list data, std::size_t bytes, rank_type peer, int tag, MPI_Comm comm) {
        cut_ = cut(bytes);
        while (begun_ < cut_.count()) begin_next(data, peer, tag, comm);
    }
    /// Receives the first ones.
    void receive(scatter_list into, std::size_t bytes, rank_type peer, int tag, MPI_Comm comm) {
        cut_ = cut(bytes);
        receive_more(into, peer, tag, comm);
    }

    /// Whether all that were begun are over; `code` is MPI's answer.
    bool test(int& code) {
        while (done_ < begun_) {
            int done = 0;
            code = MPI_Test(&requests_[done_], &done, MPI_STATUS_IGNORE);
            if (code != MPI_SUCCESS || done == 0) return false;
            ++done_;
        }
        return true;
    }
    /// Receives the next ones in place of those that are over.
    void receive_more(scatter_list into, rank_type peer, int tag, MPI_Comm comm) {
        while (begun_ < std::min(done_ + ahead, cut_.count())) begin_next(into, peer, tag, comm);
    }
    bool is_whole() const noexcept { return done_ == cut_.count(); }
    /// Bytes of those that are over.
    std::size_t arrived() const noexcept { return cut_.begin(done_); }

    /// Gives up those receives that have not been matched.
    void cancel() noexcept {
        for (; done_ < begun_; ++done_) {
            MPI_Cancel(&requests_[done_]);
            MPI_Wait(&requests_[done_], MPI_STATUS_IGNORE);
        }
    }

private:
    /// Receives that wait at once: one comes while the one before it is folded.
    static constexpr std::size_t ahead = 2;

    template <class Byte>
    void begin_next(std::span<const std::span<Byte>> all, rank_type peer, int tag, MPI_Comm comm) {
        const std::size_t first = cut_.begin(begun_);
        const std::size_t bytes = cut_.begin(begun_ + 1) - first;
        std::vector<std::span<Byte>> list;
        std::span<Byte> only;
        if (all.size() == 1)
            only = all.front().subspan(first, bytes);
        else
            list = detail::part_of(all, first, bytes);
        const message_type what(all.size() == 1 ? std::span<const std::span<Byte>>(&only, 1)
                                                : std::span<const std::span<Byte>>(list));
        MPI_Request& one = requests_[begun_];
        if constexpr (std::is_const_v<Byte>)
            check(MPI_Isend(what.address(), what.count(), what.type(), peer, tag, comm, &one), "MPI_Isend",
                  peer);
        else
            check(MPI_Irecv(what.address(), what.count(), what.type(), peer, tag, comm, &one), "MPI_Irecv",
                  peer);
        ++begun_;
    }

    cut cut_{};
    std::size_t begun_ = 0;
    std::size_t done_ = 0;
    std::array<MPI_Request, cut::most> requests_; // those begun
};

} // namespace tutti::mpi
