// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/closed_channels.hpp>
#include <tutti/mpi/cores.hpp>
#include <tutti/mpi/message_type.hpp>
#include <tutti/mpi/notices.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::mpi {

/// The ranks of an MPI communicator, over any MPI's point-to-point calls.
///
///     tutti::mpi::transport wires{MPI_COMM_WORLD};
///     tutti::communicator comm{wires};
///
/// Its messages travel in a duplicate of that communicator and never meet the program's own. Making and
/// destroying one is collective. MPI_THREAD_SINGLE suffices; after MPI_Finalize destroying one does nothing.
///
/// When a collective fails on one rank (an error thrown by the engine, or this object destroyed because an
/// exception is on its way out), all others are told, and what waits there throws transport_error. The
/// transport is spent then: MPI cannot take sends back, so each rank fetches what others still have under
/// way, and nothing new is started. Destroy it before anything else collective is called; a new one can be
/// made.
class transport {
public:
    class handle {
    public:
        handle() = default;
        handle(handle&& other) noexcept { *this = std::move(other); }
        handle& operator=(handle&& other) noexcept {
            state_ = std::exchange(other.state_, state::complete);
            peer_ = other.peer_;
            channel_ = other.channel_;
            number_ = other.number_;
            into_ = other.into_;
            request_ = other.request_;
            return *this;
        }

    private:
        friend class transport;
        enum class state : std::uint8_t { complete, sending, awaiting, receiving };

        state state_ = state::complete;
        rank_type peer_ = no_rank;
        channel_type channel_ = 0;
        std::uint64_t number_ = 0; // of a receive, to find it among those that wait
        scatter_list into_{};
        MPI_Request request_ = MPI_REQUEST_NULL;
    };

    /// Throws argument_error for a communicator that is null or between two groups, error if MPI is not
    /// running, transport_error with MPI's text if MPI fails. O(p) memory.
    explicit transport(MPI_Comm group)
        : comm_(owned_comm::duplicate(group)), tags_(count_tags()),
          notices_(comm_.get(), static_cast<int>(tags_)),
          spins_(ranks_outnumber_cores(comm_.get()) ? 0 : spins_alone),
          exceptions_(std::uncaught_exceptions()) {
        check(MPI_Comm_rank(comm_.get(), &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(comm_.get(), &size_), "MPI_Comm_size");
        awaited_.resize(static_cast<std::size_t>(size_));
    }
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;
    ~transport() {
        if (!is_running()) return;
        if (std::uncaught_exceptions() > exceptions_)
            announce_failure("rank " + std::to_string(rank_) + " has left with an exception");
        settle();
    }

    rank_type rank() const noexcept { return rank_; }
    rank_type size() const noexcept { return size_; }
    MPI_Comm comm() const noexcept { return comm_.get(); } ///< the duplicate

    /// Communicators with contexts below this one never mix: MPI guarantees 2^15 tags, and often has more.
    std::uint32_t contexts() const noexcept { return std::max(1U, tags_ >> channel_counter_bits); }

    handle start_send(rank_type peer, channel_type channel, gather_list data) {
        check_can_start(peer);
        handle h;
        h.peer_ = peer;
        const message_type what(data);
        check(MPI_Isend(what.address(), what.count(), what.type(), peer, tag_of(channel), comm_.get(),
                        &h.request_),
              "MPI_Isend", peer);
        h.state_ = handle::state::sending;
        return h;
    }

    handle start_recv(rank_type peer, channel_type channel, scatter_list into) {
        check_can_start(peer);
        handle h;
        h.peer_ = peer;
        h.channel_ = channel;
        h.number_ = receives_++;
        h.into_ = into;
        awaited_of(peer).push_back({channel, h.number_});
        h.state_ = handle::state::awaiting;
        return h;
    }

    bool test(handle& h) {
        if (h.state_ == handle::state::complete) return true;
        if (h.state_ == handle::state::awaiting && !find_message(h)) return false;
        int done = 0;
        const int code = MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && done == 0) return false;
        const bool sends = h.state_ == handle::state::sending;
        h.state_ = handle::state::complete;
        check(code, sends ? "sending" : "receiving", h.peer_);
        return true;
    }

    /// Steps aside if that may help; hears whether another rank has failed.
    void idle(std::uint32_t turns) {
        if (turns % turns_between_looks == turns_between_looks - 1) {
            listen();
            ask_about_long_waits(turns < turns_between_looks);
        }
        throw_if_spent();
        if (turns >= spins_) std::this_thread::yield();
    }

    /// Throws if another rank has said that it has failed, or this one has.
    void check_news() {
        listen();
        throw_if_spent();
    }

    /// A collective is over on this rank: it will send nothing more in it.
    void close(channel_type channel) { closed_.add(channel); }

    /// Ends a handle. A send has to be fetched: the others are told that this rank gives up, and it is waited
    /// for. So is the rest of a message that has begun to arrive.
    void abandon(handle& h) noexcept {
        const auto was = std::exchange(h.state_, handle::state::complete);
        if (was == handle::state::complete) return;
        if (was == handle::state::awaiting) return forget(h);
        int done = 0;
        if (MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0) return;
        if (was == handle::state::sending)
            announce_failure("rank " + std::to_string(rank_) + " has given up a collective");
        while (MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
            if (is_spent()) fetch_all();
            std::this_thread::yield();
        }
    }

    /// Tells all other ranks that a collective has failed here, the first time it is called.
    void announce_failure(const std::string& why) noexcept {
        if (is_spent() || !is_running()) return;
        constexpr std::string_view signature = "tutti: "; // what reports it puts that in front again
        const std::string_view text = why;
        failure_ = {notice::failure(text.starts_with(signature) ? text.substr(signature.size()) : text),
                    rank_};
        notices_.send(failure_->news);
    }

    /// Whether a collective has failed, here or elsewhere; nothing can be started any more.
    bool is_spent() const noexcept { return failure_.has_value(); }
    /// What has failed; "" if nothing has.
    std::string failure() const { return failure_ ? failure_->news.text : ""; }
    /// Whether this rank fails because another one has.
    bool is_struck() const noexcept { return failure_ && failure_->from != rank_; }

    /// Waits until all ranks have come here, so that nobody needs this one any more; part of destroying.
    /// False if some do not come within ten seconds after a failure: the duplicate is then never freed.
    bool settle() noexcept {
        if (comm_.get() == MPI_COMM_NULL || is_settled_ || !is_running()) return is_settled_;
        const auto begin = clock::now();
        MPI_Request all_here = MPI_REQUEST_NULL;
        bool has_come = false;
        is_leaving_ = true;
        while (!is_settled_) {
            if (!has_come && notices_.all_gone())
                has_come = MPI_Ibarrier(comm_.get(), &all_here) == MPI_SUCCESS;
            fetch_all();
            int done = 0;
            if (has_come) MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
            is_settled_ = done != 0;
            std::this_thread::yield();
            if (is_spent() && clock::now() - begin > 10 * patience) {
                comm_.leave_alone();
                // MPI may still read what has not gone: that has to outlive this object.
                if (!notices_.all_gone()) static_cast<void>(new notices(std::move(notices_)));
                return false;
            }
        }
        fetch_all();
        return true;
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::uint32_t spins_alone = 4096;
    static constexpr std::uint32_t turns_between_looks = 256;
    static constexpr std::chrono::milliseconds patience{1000};

    /// Tags 0 .. count_tags() - 1 are for messages, the next one for notices. A power of two: then channels
    /// that follow each other have different tags where the numbers of channels wrap round, too.
    static std::uint32_t count_tags() {
        int there = 0;
        int* largest = nullptr;
        check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &there), "MPI_Comm_get_attr");
        constexpr int everywhere = 32767; // what every MPI has
        return std::bit_floor(static_cast<std::uint32_t>(there != 0 ? *largest : everywhere));
    }

    /// Channels that share a tag are so many calls apart that the earlier one has ended, or, if it has not,
    /// its messages were sent first and its receives started first, and MPI keeps that order.
    int tag_of(channel_type channel) const noexcept { return static_cast<int>(channel % tags_); }

    void check_can_start(rank_type peer) const {
        if (peer < 0 || peer >= size_) detail::throw_argument_below("peer", peer, size_);
        throw_if_spent();
    }

    void throw_if_spent() const {
        if (is_spent()) [[unlikely]]
            throw transport_error(failure_->from == rank_
                                      ? "this transport is spent, a collective has failed on it before: "
                                            + std::string(failure_->news.text)
                                      : "rank " + std::to_string(failure_->from)
                                            + " has failed: " + failure_->news.text,
                                  failure_->from == rank_ ? no_rank : failure_->from);
    }

    // --- receiving ---

    struct awaited {
        channel_type channel;
        std::uint64_t number;
    };
    std::vector<awaited>& awaited_of(rank_type peer) noexcept {
        return awaited_[static_cast<std::size_t>(peer)];
    }

    /// Looks for the message of a receive and, if it has come, starts to put it in place. It is looked at
    /// before, because there is no error for a message that is too long that every MPI would survive.
    bool find_message(handle& h) {
        std::vector<awaited>& earlier = awaited_of(h.peer_);
        auto mine = earlier.begin();
        for (; mine->number != h.number_; ++mine)
            if (tag_of(mine->channel) == tag_of(h.channel_)) return false; // the next message is that one's
        int there = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(h.peer_, tag_of(h.channel_), comm_.get(), &there, &message, &status), "MPI_Improbe",
              h.peer_);
        if (there == 0) return false;
        earlier.erase(mine);
        h.state_ = handle::state::complete;
        const std::size_t came = length_of(status);
        const std::size_t expected = detail::total_bytes(h.into_);
        if (came != expected) {
            dispose(message, status);
            throw transport_error(detail::length_mismatch(h.peer_, rank_, came, expected)
                                      + ": do all ranks make the same call, with equal counts?",
                                  h.peer_);
        }
        const message_type what(h.into_);
        check(MPI_Imrecv(what.address(), what.count(), what.type(), &message, &h.request_), "MPI_Imrecv",
              h.peer_);
        h.state_ = handle::state::receiving;
        return true;
    }

    void forget(const handle& h) noexcept {
        std::erase_if(awaited_of(h.peer_), [&](const awaited& one) { return one.number == h.number_; });
    }

    // --- failure ---

    void hear(const notices::heard& one) {
        switch (one.news.what) {
        case notice::kind::failed:
            if (!is_spent()) failure_ = one;
            break;
        case notice::kind::asks:
            if (is_leaving_ || closed_.has(one.news.channel))
                notices_.send({.what = notice::kind::passed, .channel = one.news.channel}, one.from);
            break;
        case notice::kind::passed: passed_.push_back({one.from, one.news.channel, clock::now()}); break;
        }
    }

    void listen() {
        while (const auto one = notices_.next()) hear(*one);
    }

    /// After each second of waiting, asks those that are waited for. Who is through with a channel had sent
    /// all it ever will before it said so.
    void ask_about_long_waits(bool wait_begins) {
        const auto now = clock::now();
        for (const answer& one : passed_)
            for (const awaited& receive : awaited_of(one.from))
                if (receive.channel == one.channel && now - one.since > patience / 2)
                    throw transport_error("rank " + std::to_string(rank_) + " waits for a message of rank "
                                              + std::to_string(one.from)
                                              + ", which is through with this collective or has left: do all "
                                                "ranks make the same calls, with the same root?",
                                          one.from);
        if (wait_begins) waiting_since_ = now;
        if (now - waiting_since_ < patience) return;
        waiting_since_ = now;
        passed_.clear();
        for (rank_type peer = 0; peer < size_; ++peer)
            if (!awaited_of(peer).empty())
                notices_.send({.what = notice::kind::asks, .channel = awaited_of(peer).front().channel},
                              peer);
    }

    /// Takes what nobody here will receive out of its senders' way.
    void fetch_all() noexcept {
        try {
            bool any = true;
            while (any) {
                any = false;
                const auto one = notices_.fetch_any([&](rank_type from) {
                    any = true;
                    announce_failure("rank " + std::to_string(from)
                                     + " has sent it a message of a collective that it does not call: do all "
                                       "ranks make the same calls?");
                });
                if (one) hear(*one);
                any = any || one.has_value();
            }
        } catch (const transport_error&) { // MPI itself is at its end: there is nothing left to fetch
        }
    }

    struct answer {
        rank_type from;
        channel_type channel;
        clock::time_point since;
    };

    owned_comm comm_;
    std::uint32_t tags_;
    notices notices_;
    std::uint32_t spins_;
    int exceptions_;
    rank_type rank_ = 0;
    rank_type size_ = 1;
    std::uint64_t receives_ = 0;                // started so far
    std::vector<std::vector<awaited>> awaited_; // by peer: receives whose message has not been seen yet
    std::optional<notices::heard> failure_;     // the first failure, of this rank or another
    std::vector<answer> passed_;
    closed_channels closed_;
    clock::time_point waiting_since_{};
    bool is_leaving_ = false;
    bool is_settled_ = false;
};

static_assert(closing_transport<transport> && announcing_transport<transport>
              && transport_of_few_contexts<transport>);

} // namespace tutti::mpi
