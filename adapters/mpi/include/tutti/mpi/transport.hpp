// SPDX-License-Identifier: BSL-1.0
#pragma once

// longer than 400 lines: one class, of which every part moves whenever MPI is called

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <tutti/mpi/awaited_messages.hpp>
#include <tutti/mpi/calls.hpp>
#include <tutti/mpi/closed_channels.hpp>
#include <tutti/mpi/cores.hpp>
#include <tutti/mpi/message_type.hpp>
#include <tutti/mpi/notices.hpp>
#include <tutti/mpi/short_messages.hpp>
#include <tutti/transport/call_counts.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::mpi {

/// The ranks of an MPI communicator, over any MPI's point-to-point calls.
///
///     tutti::mpi::transport wires{MPI_COMM_WORLD};
///     tutti::communicator comm{wires};
///
/// Its messages travel in a duplicate of that communicator and never meet the program's own. Making and
/// destroying one is collective. MPI_THREAD_SINGLE suffices; after MPI_Finalize destroying one does nothing,
/// but it should come before: receives are posted.
///
/// Messages of up to eager_bytes() are copied and their sends are complete at once: MPI delivers them without
/// further calls of their sender, wherever it sends so few bytes eagerly, as all do unless told otherwise.
/// Where a peer is some dozens of messages behind, sends are complete only when it has caught up.
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
        handle(handle&& other) noexcept { *this = std::move(other); } ///< the other has completed then
        handle& operator=(handle&& other) noexcept {
            *this = std::as_const(other);
            other.state_ = state::complete;
            return *this;
        }

    private:
        friend class transport;
        handle& operator=(const handle&) = default;
        enum class state : std::uint8_t { complete, sending, too_far_ahead, awaiting, receiving };

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
          notices_(comm_.get(), static_cast<int>(tags_)), rank_(rank_in(comm_.get())),
          size_(size_of(comm_.get())), short_ones_(comm_.get(), short_tag, size_), awaited_(size_),
          shares_cores_(cores_are_shared(comm_.get())), exceptions_(std::uncaught_exceptions()) {}
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
    /// Whether there is a machine on which more ranks run than it has cores.
    bool shares_cores() const noexcept { return shares_cores_; }
    /// For communicators, see counting_transport.
    channel_type& calls_made(std::uint32_t context) { return counts_.of(context); }

    // Short messages, taken where they were received.

    static constexpr std::size_t eager_bytes() noexcept { return short_message::most; }
    static constexpr std::size_t eager_depth() noexcept { return short_messages::depth; }
    /// Longer messages are received by start_recv() alone.
    static constexpr bool takes_eager_only = true;

    class incoming {
    public:
        gather_list pieces() const noexcept { return {&content_, 1}; }     ///< the content, one piece
        bool is_away() const noexcept { return bytes_ > content_.size(); } ///< it is longer than it may be
        std::size_t bytes() const noexcept { return bytes_; }              ///< of the whole

    private:
        friend class transport;
        std::span<const std::byte> content_{};
        std::size_t bytes_ = 0;
        rank_type peer_ = no_rank;
    };

    /// Requires bytes.size() <= eager_bytes().
    bool try_post(rank_type peer, channel_type channel, std::span<const std::byte> bytes) {
        check_can_start(peer);
        return short_ones_.try_post(peer, {.channel = channel, .bytes = bytes.size()}, {&bytes, 1});
    }
    bool take(rank_type peer, channel_type channel, incoming& message) {
        check_can_start(peer);
        const short_message* const one = short_ones_.take(peer, channel);
        if (one == nullptr) {
            awaited_.look_in_vain(peer, channel);
            return false;
        }
        awaited_.find(peer, channel);
        message.content_ = one->whole();
        message.bytes_ = static_cast<std::size_t>(one->about.bytes);
        message.peer_ = peer;
        return true;
    }
    void release(incoming& message) { short_ones_.release(message.peer_); }

    handle start_send(rank_type peer, channel_type channel, gather_list data) {
        check_can_start(peer);
        handle h;
        h.peer_ = peer;
        envelope about{.channel = channel, .bytes = detail::total_bytes(data)};
        if (about.bytes <= short_message::most) {
            short_ones_.post(peer, about, data);
            if (short_ones_.is_behind(peer)) h.state_ = handle::state::too_far_ahead;
            return h;
        }
        about.number = short_ones_.next_number(peer);
        const message_type what(data); // before it is announced: that may fail
        short_ones_.post(peer, about, {});
        check(MPI_Isend(what.address(), what.count(), what.type(), peer, tag_of(about.number), comm_.get(),
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
        h.number_ = awaited_.add(peer, channel);
        h.into_ = into;
        h.state_ = handle::state::awaiting;
        return h;
    }

    bool test(handle& h) {
        using enum handle::state;
        if (h.state_ == awaiting && !find_message(h)) return false;
        if (h.state_ == sending || h.state_ == receiving) {
            int done = 0;
            const int code = MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE);
            if (code == MPI_SUCCESS && done == 0) return false;
            const bool sends = h.state_ == sending;
            h.state_ = sends ? too_far_ahead : complete;
            check(code, sends ? "sending" : "receiving", h.peer_);
        }
        if (h.state_ == too_far_ahead && !short_ones_.is_behind(h.peer_)) h.state_ = complete;
        return h.state_ == complete;
    }

    /// Steps aside if that may help; hears whether another rank has failed.
    void idle(std::uint32_t turns) {
        if (turns % turns_between_looks == turns_between_looks - 1) {
            listen();
            ask_about_long_waits(turns < turns_between_looks);
        }
        throw_if_spent();
        if (shares_cores_ || turns >= spins_alone) std::this_thread::yield();
    }

    /// Throws if another rank has said that it has failed, or this one has.
    void check_news() {
        listen();
        throw_if_spent();
    }

    /// A collective is over on this rank: it will send nothing more in it.
    void close(channel_type channel) {
        closed_.add(channel);
        awaited_.close(channel);
    }

    /// Ends a handle. A send has to be fetched: the others are told that this rank gives up, and it is waited
    /// for. So is the rest of a message that has begun to arrive.
    void abandon(handle& h) noexcept {
        const auto was = std::exchange(h.state_, handle::state::complete);
        if (was == handle::state::complete || was == handle::state::too_far_ahead) return;
        if (was == handle::state::awaiting) return awaited_.remove(h.peer_, h.number_);
        int done = 0;
        if (MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0) return;
        if (was == handle::state::sending)
            announce_failure("rank " + std::to_string(rank_) + " has given up a collective");
        const auto begin = clock::now();
        while (MPI_Test(&h.request_, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
            if (is_spent()) fetch_all();
            std::this_thread::yield();
            if (was == handle::state::receiving && is_spent() && clock::now() - begin > longest_end) {
                MPI_Cancel(&h.request_); // its sender has come to grief between announcing and sending it
                MPI_Wait(&h.request_, MPI_STATUS_IGNORE);
                return;
            }
        }
    }

    /// Tells all other ranks that a collective has failed here, the first time it is called.
    void announce_failure(const std::string& why) noexcept {
        if (is_spent() || !is_running()) return;
        failure_ = {notice::failure(why), rank_};
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
        while (!settles()) {
            std::this_thread::yield();
            if (is_spent() && clock::now() - begin > longest_end) {
                comm_.leave_alone();
                // MPI may still read what has not gone: that has to outlive this object.
                if (!notices_.all_gone()) static_cast<void>(new notices(std::move(notices_)));
                static_cast<void>(new short_messages(std::move(short_ones_)));
                return false;
            }
        }
        return true;
    }
    /// Goes on settling without waiting; true when that is done. For who has several to settle, in an order
    /// that other ranks may not have.
    bool settles() noexcept {
        if (is_settled_) return true;
        is_leaving_ = true;
        if (!has_come_ && notices_.all_gone() && short_ones_.all_gone())
            has_come_ = MPI_Ibarrier(comm_.get(), &all_here_) == MPI_SUCCESS;
        fetch_all();
        int done = 0;
        if (has_come_) MPI_Test(&all_here_, &done, MPI_STATUS_IGNORE);
        if (done == 0) return false;
        fetch_all();
        short_ones_.stop_listening();
        is_settled_ = true;
        return true;
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::uint32_t spins_alone = 4096;
    static constexpr std::uint32_t turns_between_looks = 256;
    static constexpr auto longest_end = 10 * awaited_messages::patience;
    static constexpr int short_tag = 0;

    /// Of a long message: no two of those under way between two ranks have the same.
    int tag_of(std::uint32_t number) const noexcept { return static_cast<int>(number % (tags_ / 2) + 1); }

    void check_can_start(rank_type peer) const {
        if (peer < 0 || peer >= size_) detail::throw_argument_below("peer", peer, size_);
        throw_if_spent();
    }

    void throw_if_spent() const {
        if (is_spent()) [[unlikely]]
            throw_spent();
    }
    [[noreturn, gnu::cold]] void throw_spent() const {
        throw transport_error(failure_->from == rank_
                                  ? "this transport is spent, a collective has failed on it before: "
                                        + std::string(failure_->news.text)
                                  : "rank " + std::to_string(failure_->from)
                                        + " has failed: " + failure_->news.text,
                              failure_->from == rank_ ? no_rank : failure_->from);
    }

    /// Looks for the message of a receive. A short one is put in place; of a long one it is looked at what
    /// was announced before it is received, because there is no error for a message that is too long that
    /// every MPI would survive.
    bool find_message(handle& h) {
        if (!awaited_.is_first(h.peer_, h.channel_, h.number_)) return false;
        const short_message* const one = short_ones_.take(h.peer_, h.channel_);
        if (one == nullptr) return false;
        awaited_.find(h.peer_, h.channel_);
        awaited_.remove(h.peer_, h.number_);
        h.state_ = handle::state::complete;
        const envelope about = one->about;
        const auto came = static_cast<std::size_t>(about.bytes);
        const std::size_t expected = detail::total_bytes(h.into_);
        const bool follows = one->is_announcement();
        const std::span<const std::byte> whole = one->whole();
        if (came == expected && !follows) detail::copy_pieces({&whole, 1}, h.into_);
        short_ones_.release(h.peer_);
        if (came != expected) {
            if (follows) dispose_of_next(h.peer_, tag_of(about.number), comm_.get());
            throw transport_error(detail::length_mismatch(h.peer_, rank_, came, expected)
                                      + ": do all ranks make the same call, with equal counts?",
                                  h.peer_);
        }
        if (!follows) return true;
        const message_type what(h.into_);
        check(MPI_Irecv(what.address(), what.count(), what.type(), h.peer_, tag_of(about.number), comm_.get(),
                        &h.request_),
              "MPI_Irecv", h.peer_);
        h.state_ = handle::state::receiving;
        return true;
    }

    void hear(const notices::heard& one) {
        switch (one.news.what) {
        case notice::kind::failed:
            if (!is_spent()) failure_ = one;
            break;
        case notice::kind::asks:
            if (is_leaving_ || closed_.has(one.news.channel))
                notices_.send({.what = notice::kind::passed, .channel = one.news.channel}, one.from);
            break;
        case notice::kind::passed: awaited_.hear_passed(one.from, one.news.channel); break;
        }
    }

    void listen() {
        while (const auto one = notices_.next()) hear(*one);
    }

    void ask_about_long_waits(bool wait_begins) {
        const rank_type gone =
            awaited_.ask_after_long(wait_begins, [&](rank_type peer, channel_type channel) {
                notices_.send({.what = notice::kind::asks, .channel = channel}, peer);
            });
        if (gone != no_rank)
            throw transport_error("rank " + std::to_string(rank_) + " waits for a message of rank "
                                      + std::to_string(gone)
                                      + ", which is through with this collective or has left: do all ranks "
                                        "make the same calls, with the same root?",
                                  gone);
    }

    /// Takes what nobody here will receive out of its senders' way.
    void fetch_all() noexcept {
        try {
            bool any = true;
            while (any) {
                any = false;
                const auto dropped = [&](rank_type from) {
                    any = true;
                    announce_failure("rank " + std::to_string(from)
                                     + " has sent it a message of a collective that it does not call: do all "
                                       "ranks make the same calls?");
                };
                const auto one = notices_.fetch_any(dropped);
                if (one) hear(*one);
                any = any || one.has_value();
                const rank_type from = short_ones_.drop_any();
                if (from != no_rank) dropped(from);
            }
        } catch (const std::exception&) { // MPI or memory is at its end: there is nothing left to fetch
        }
    }

    owned_comm comm_;
    std::uint32_t tags_; // those below it are for messages, and it is that of notices
    notices notices_;
    rank_type rank_;
    rank_type size_;
    short_messages short_ones_;
    awaited_messages awaited_;
    bool shares_cores_;
    int exceptions_;
    std::optional<notices::heard> failure_; // the first failure, of this rank or another
    closed_channels closed_;
    tutti::detail::call_counts counts_;
    MPI_Request all_here_ = MPI_REQUEST_NULL;
    bool is_leaving_ = false;
    bool has_come_ = false; // to where all ranks are waited for
    bool is_settled_ = false;
};

static_assert(closing_transport<transport> && announcing_transport<transport> && eager_transport<transport>
              && !folding_transport<transport> && core_sharing_transport<transport>
              && counting_transport<transport>);

} // namespace tutti::mpi
