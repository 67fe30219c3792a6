// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/linked_list.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::mpi {

/// What stands in front of every short message.
struct envelope {
    channel_type channel = 0; ///< of the collective, as the sender numbers it
    std::uint32_t number = 0; ///< of a long message that this one announces: tells its tag
    std::uint64_t bytes = 0;  ///< of the message, announced ones included
};

/// A short message, whole, in memory that is kept.
struct alignas(64) short_message {
    /// Together few enough that MPI takes them off a sender's hands at once, Open MPI in shared memory with
    /// its 4096 bytes the first to stop.
    static constexpr std::size_t all_bytes = 3584;
    static constexpr std::size_t most = all_bytes - sizeof(envelope); ///< content of the longest

    envelope about;          ///< in front of the content
    std::byte content[most]; ///< only whole() of it is sent and read

    /// Of a long one the content travels by itself.
    bool is_announcement() const noexcept { return about.bytes > most; }
    /// All bytes of the message; none of an announcement.
    std::span<const std::byte> whole() const noexcept {
        return {content, static_cast<std::size_t>(is_announcement() ? 0 : about.bytes)};
    }
};

/// The short messages between this rank and the others, and the announcements of long ones; all under one
/// tag. From each peer that was listened to some receives are posted ahead: what comes is matched at once and
/// costs one look, whatever its channel and length. Sends go out of memory that is kept, and are looked after
/// when that is needed again.
///
/// MPI takes short messages off a sender's hands without limit, though it has to keep them all for a receiver
/// that is late. So every `stretch` of them a probe follows, a message that is gone only when it is received,
/// and as long as it is not, no second stretch is begun: a peer is_behind() by two of them at most.
class short_messages {
public:
    /// So many to each peer are taken by try_post() without that anybody receives.
    static constexpr std::size_t depth = 16;
    /// So many follow each other without that anybody asks whether their receiver follows.
    static constexpr std::uint32_t stretch = 32;

    short_messages(MPI_Comm comm, int tag, rank_type size)
        : comm_(comm), tag_(tag), lanes_(static_cast<std::size_t>(size)) {}
    short_messages(short_messages&&) = default;
    short_messages& operator=(short_messages&&) = delete;

    /// Sends the bytes of `pieces`, as many as are said to come, or an announcement of more. False if as many
    /// as `depth` are still under way, or the peer is behind.
    bool try_post(rank_type peer, const envelope& about, gather_list pieces) {
        sent* const free = free_of(peer, false);
        if (free != nullptr) post(*free, peer, about, pieces);
        return free != nullptr;
    }
    /// The same, and takes more memory instead.
    void post(rank_type peer, const envelope& about, gather_list pieces) {
        post(*free_of(peer, true), peer, about, pieces);
    }
    /// Whether it has not received what was sent two stretches ago, so that who can should wait.
    bool is_behind(rank_type peer) {
        lane& to = lane_of(peer);
        return to.since_probe >= stretch && !has_gone(to.probe, peer);
    }
    /// For the next long message to that peer.
    std::uint32_t next_number(rank_type peer) noexcept { return lane_of(peer).long_ones++; }

    /// The next message of that channel, if it has come; valid until release(). One at a time per peer.
    const short_message* take(rank_type peer, channel_type channel) {
        lane& from = lane_of(peer);
        for (early* one = from.aside.first(); one != nullptr; one = one->next)
            if (one->what.about.channel == channel) {
                from.held = one;
                return &one->what;
            }
        while (const short_message* const one = next(from, peer)) {
            if (one->about.channel == channel) return one;
            std::memcpy(&from.aside.push_back().what, one, sizeof(envelope) + one->whole().size());
            pass(from);
        }
        return nullptr;
    }
    void release(rank_type peer) {
        lane& from = lane_of(peer);
        if (from.held == nullptr) return pass(from);
        drop(from, *std::exchange(from.held, nullptr));
    }

    /// Whether all that was posted has gone.
    bool all_gone() noexcept {
        int gone = 1; // what MPI cannot send goes nowhere any more
        const auto is_under_way = [&](sent& one) {
            return MPI_Test(&one.request, &gone, MPI_STATUS_IGNORE) == MPI_SUCCESS && gone == 0;
        };
        for (lane& to : lanes_)
            if (is_under_way(to.probe) || std::ranges::any_of(to.sent_ones, is_under_way)) return false;
        return true;
    }

    /// Forgets one message that has come and was not taken; of which peer, no_rank if there is none.
    rank_type drop_any() {
        for (rank_type peer = 0; peer < static_cast<rank_type>(lanes_.size()); ++peer) {
            lane& from = lane_of(peer);
            early* one = from.aside.first();
            if (one != nullptr && one == from.held) one = one->next;
            if (one != nullptr)
                drop(from, *one);
            else if (from.posted != nullptr && next(from, peer) != nullptr)
                pass(from);
            else
                continue;
            return peer;
        }
        return no_rank;
    }

    /// Nothing will come any more.
    void stop_listening() noexcept {
        for (lane& from : lanes_)
            for (MPI_Request& one : from.receives)
                if (one != MPI_REQUEST_NULL) {
                    int done = 0; // what is not started is, too, and must not be cancelled
                    if (MPI_Test(&one, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
                        MPI_Cancel(&one);
                        MPI_Wait(&one, MPI_STATUS_IGNORE);
                    }
                    MPI_Request_free(&one);
                }
    }

private:
    struct sent {
        std::unique_ptr<short_message> what;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    struct early { // has come before it was asked for
        short_message what;
        early* next;
    };
    static constexpr std::size_t ahead = 4;
    struct lane {
        lane() { receives.fill(MPI_REQUEST_NULL); }

        std::vector<sent> sent_ones; // one round: the oldest, and those that follow it
        std::size_t oldest_sent = 0;
        sent probe;                    // its request is null when it is received
        std::uint32_t since_probe = 0; // so many were sent behind it
        std::uint32_t long_ones = 0;
        std::unique_ptr<short_message[]> posted; // null as long as nobody listens
        std::array<MPI_Request, ahead> receives; // persistent: to start one again is half the work
        std::size_t oldest = 0;                  // of the posted ones, which follow it
        std::size_t to_repost = ahead;           // before it: to be posted again
        tutti::detail::linked_list<early> aside; // `depth` of them have memory that is kept, too
        early* held = nullptr;                   // taken from those, and not yet released
    };

    lane& lane_of(rank_type peer) noexcept { return lanes_[static_cast<std::size_t>(peer)]; }

    static bool has_gone(sent& one, rank_type peer) {
        int done = 0;
        check(MPI_Test(&one.request, &done, MPI_STATUS_IGNORE), "sending", peer);
        return done != 0;
    }
    /// The latest one from now on; null if there is none and no more are wanted.
    sent* free_of(rank_type peer, bool make_more) {
        lane& to = lane_of(peer);
        if (to.since_probe >= stretch) {
            if (has_gone(to.probe, peer)) return &to.probe;
            if (!make_more) return nullptr;
        }
        const std::size_t i = to.oldest_sent;
        if (to.sent_ones.empty() || !has_gone(to.sent_ones[i], peer)) {
            if (!make_more && to.sent_ones.size() >= depth) return nullptr;
            to.sent_ones.emplace(to.sent_ones.begin() + static_cast<std::ptrdiff_t>(i));
        }
        to.oldest_sent = i + 1 < to.sent_ones.size() ? i + 1 : 0;
        return &to.sent_ones[i];
    }
    void post(sent& by, rank_type peer, const envelope& about, gather_list pieces) {
        lane& to = lane_of(peer);
        const bool probes = &by == &to.probe;
        to.since_probe = probes ? 0 : to.since_probe + 1;
        if (by.what == nullptr) by.what = std::make_unique_for_overwrite<short_message>();
        by.what->about = about;
        detail::gather_into(by.what->content, pieces);
        check((probes ? MPI_Issend : MPI_Isend)(by.what.get(),
                                                static_cast<int>(sizeof(envelope) + by.what->whole().size()),
                                                MPI_BYTE, peer, tag_, comm_, &by.request),
              probes ? "MPI_Issend" : "MPI_Isend", peer);
    }

    /// The oldest one posted, if it has come. While it has not, there is time to post another.
    const short_message* next(lane& from, rank_type peer) {
        if (from.posted == nullptr) [[unlikely]] {
            from.posted = std::make_unique_for_overwrite<short_message[]>(ahead);
            for (std::size_t i = 0; i < ahead; ++i)
                check(MPI_Recv_init(&from.posted[i], static_cast<int>(short_message::all_bytes), MPI_BYTE,
                                    peer, tag_, comm_, &from.receives[i]),
                      "MPI_Recv_init", peer);
            while (from.to_repost > 0) post_receive(from, peer);
        }
        if (from.to_repost == ahead) post_receive(from, peer);
        int done = 0;
        check(MPI_Test(&from.receives[from.oldest], &done, MPI_STATUS_IGNORE), "receiving", peer);
        if (done != 0) return &from.posted[from.oldest];
        if (from.to_repost > 0) post_receive(from, peer);
        return nullptr;
    }
    /// Each has room for the longest message: when a rush is over, the memory of all is not kept for another.
    static void drop(lane& from, early& one) noexcept { from.aside.remove(one, depth); }
    static void pass(lane& from) noexcept {
        from.oldest = (from.oldest + 1) % ahead;
        ++from.to_repost;
    }
    void post_receive(lane& from, rank_type peer) {
        const std::size_t i = (from.oldest + ahead - from.to_repost) % ahead;
        check(MPI_Start(&from.receives[i]), "MPI_Start", peer);
        --from.to_repost;
    }

    MPI_Comm comm_;
    int tag_;
    std::vector<lane> lanes_;
};

} // namespace tutti::mpi
