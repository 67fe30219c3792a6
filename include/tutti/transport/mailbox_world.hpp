// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <thread> // and durations; <chrono> brings string streams, too

#include <tutti/core/compiled.hpp>
#include <tutti/core/fixed_array.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/attendance.hpp>
#include <tutti/transport/begun_calls.hpp>
#include <tutti/transport/bulletin.hpp>
#include <tutti/transport/call_counts.hpp>
#include <tutti/transport/called_off.hpp>
#include <tutti/transport/common_memory.hpp>
#include <tutti/transport/connection.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/pipeline.hpp>
#include <tutti/transport/waiting.hpp>

namespace tutti {

class mailbox_transport;

namespace detail {

// Its layers.
class mailbox_rank;
class mailbox_sender;
class mailbox_reader;
class mailbox_aside;
class mailbox_receiver;
class mailbox_receives;

/// What all ranks of a world see of one of them. Like all here that several processes may see, it points to
/// nothing, and memory full of zeros is one that has just begun.
struct shared_rank {
    doorbell bell;
    enum : std::uint32_t { present, gone, lost };
    alignas(cache_line) std::atomic<std::uint32_t> left{present}; ///< it sends no more, unless present
    begun_calls calls;
};

/// What goes wrong in a world.
struct shared_news {
    bulletin failure;
    called_off calls;
};

} // namespace detail

/// What the ranks of one group share, be they threads or processes: mailboxes, the places where they sleep,
/// and the news that one of them failed. It keeps all traffic, so that endpoints may come and go between two
/// runs; after a failure it stays failed.
class mailbox_world {
public:
    mailbox_world(const mailbox_world&) = delete;
    mailbox_world& operator=(const mailbox_world&) = delete;

    rank_type size() const noexcept { return size_; }

    /// Whether there are more ranks than cores.
    bool shares_cores() const noexcept { return ladder_.shares_cores(); }

    /// Messages that fit between two ranks, in the end.
    std::size_t depth() const noexcept {
        return shares_cores() ? detail::depth_of_shared_cores : detail::least_depth;
    }

    /// The endpoint of one rank: for one thread at a time, and one endpoint per rank.
    mailbox_transport transport(rank_type rank);

    /// Whether some rank does not go on, so that the world is spent: may turn true at any time.
    bool failed() const noexcept { return news_->failure.failed(); }

    /// Why the world failed, for the ranks that suffer from it; only after failed().
    std::string failure() const { return news_->failure.why(); }
    /// Which rank failed first; no_rank if it died before it could say. Only after failed().
    rank_type failed_rank() const { return news_->failure.by(); }
    /// Whether it is dead, and has not failed by itself. Only after failed().
    bool lost_rank() const { return news_->failure.lost(); }

    /// Tells all ranks that `rank` will not go on: their next idle() throws. `lost`: it is dead.
    [[gnu::cold]] void fail(rank_type rank, const std::string& why, bool lost = false) noexcept;

    /// Tells all ranks that a call fails, though the world goes on.
    [[gnu::cold]] void call_off(rank_type rank, channel_type channel, const std::string& why);
    /// The calls that were called off, as all ranks see them.
    detail::called_off& called_off() noexcept { return news_->calls; }

    /// Bookkeeping of those who run the ranks: until leave(r), rank r may still send.
    void leave(rank_type rank) noexcept {
        shared(rank).left.store(detail::shared_rank::gone, std::memory_order_release);
    }
    /// It has died: tells all others. From then on it reads nothing that they have lent it.
    [[gnu::cold]] void lose(rank_type rank, const std::string& how) noexcept;
    /// Whether leave() was called for it: it sends no more, and what it has sent may still come.
    bool has_left_in_order(rank_type rank) const noexcept {
        return shared(rank).left.load(std::memory_order_acquire) == detail::shared_rank::gone;
    }
    /// Whether it sends no more, for that reason or because it is lost.
    bool has_left(rank_type rank) const noexcept {
        return shared(rank).left.load(std::memory_order_acquire) != detail::shared_rank::present;
    }

    /// Whether an exception of this rank is only the consequence of another rank's.
    bool struck(rank_type rank) const noexcept { return own(rank).struck; }

protected:
    explicit mailbox_world(rank_type size);
    virtual ~mailbox_world() = default;
    /// By who derives, before anything that its ranks need is gone.
    void stop_thread();

    /// What one rank keeps for itself.
    struct own_rank {
        detail::attendance spot;                             ///< what others may run while it is away
        detail::fixed_array<detail::connection> connections; ///< by peer; none of a rank elsewhere
        detail::call_counts counts;                          ///< of its calls
        std::uint32_t piped = 0; ///< messages that it writes into pipelines just now
        bool struck = false;     ///< by another's failure; written by that rank's thread only
    };

    /// What all see of a rank, 0 <= rank < size(), which is not checked.
    detail::shared_rank& shared(rank_type rank) noexcept { return ranks_[static_cast<std::size_t>(rank)]; }
    /// The same, to look at.
    const detail::shared_rank& shared(rank_type rank) const noexcept {
        return ranks_[static_cast<std::size_t>(rank)];
    }
    /// What a rank keeps for itself, if it lives in this process; not checked.
    own_rank& own(rank_type rank) noexcept { return own_[static_cast<std::size_t>(rank)]; }
    /// The same, to look at.
    const own_rank& own(rank_type rank) const noexcept { return own_[static_cast<std::size_t>(rank)]; }

    /// Where they are; before anything else.
    void set_shared_state(detail::shared_rank* ranks, detail::shared_news* news) noexcept {
        ranks_ = ranks;
        news_ = news;
    }
    /// One that lives in this process. Its peers do, too, if they can help it.
    [[gnu::cold]] void add_local_rank(rank_type rank, bool peers_help);

    /// Memory that all ranks see, wherever each of them has it: what lies there need not be lent, and what
    /// has up to `copied` bytes is copied there, if there is room.
    void set_common_memory(std::span<const std::byte> seen_by_all, std::size_t copied) noexcept {
        common_ = detail::common_memory(seen_by_all);
        copied_ = copied;
        in_one_process_ = false;
    }
    /// Where ranks may differ in how many cores they may use, and have agreed on one number.
    void set_usable_cores(std::uint32_t cores) noexcept { ladder_ = detail::waiting_ladder(size_, cores); }

private:
    friend class mailbox_transport;
    friend class detail::mailbox_rank;
    friend class detail::mailbox_sender;
    friend class detail::mailbox_reader;
    friend class detail::mailbox_aside;
    friend class detail::mailbox_receiver;
    friend class detail::mailbox_receives;

    /// Whether ranks read each other's memory as their own.
    bool in_one_process() const noexcept { return in_one_process_; }
    /// What lies there is read in place.
    const detail::common_memory& common() const noexcept { return common_; }

    /// Whether what does not lie in memory that all ranks see is to be copied there.
    [[gnu::cold]] virtual bool copies_what_is_lent() const noexcept { return false; }
    /// Copies a part of what another process has lent; throws transport_error where that fails.
    [[gnu::cold]] virtual void fetch(rank_type, const detail::lent_pieces&, std::size_t /*offset*/,
                                     std::span<std::byte> /*to*/) {}

    /// From one rank to another: makes it, where that has not been done.
    [[gnu::cold]] virtual detail::mailbox* open(rank_type from, rank_type to) = 0;
    /// Null if it has not been made.
    [[gnu::cold]] virtual detail::mailbox* find(rank_type from, rank_type to) noexcept = 0;
    /// Through which long messages go that are copied; throws transport_error if there is no memory for it.
    /// Null where none are.
    [[gnu::cold]] virtual detail::pipeline* pipe(rank_type /*from*/, rank_type /*to*/) { return nullptr; }
    /// Someone waits for long: are all alive?
    [[gnu::cold]] virtual void look_after() noexcept {}

    /// See mailbox_transport::allocate.
    [[gnu::cold]] virtual std::byte* allocate(std::size_t bytes) {
        return static_cast<std::byte*>(::operator new(bytes, std::align_val_t{detail::cache_line}));
    }
    /// One deallocate() more is to come for it; where messages are copied to common memory.
    [[gnu::cold]] virtual void share(const std::byte* /*what*/) noexcept {}
    [[gnu::cold]] virtual void deallocate(std::byte* what) noexcept {
        ::operator delete(what, std::align_val_t{detail::cache_line});
    }

    /// Starts the thread that runs what ranks of this process leave to it, if there is none yet.
    void start_thread();
    void help() noexcept;

    rank_type size_;
    detail::waiting_ladder ladder_;
    detail::shared_rank* ranks_ = nullptr;
    detail::shared_news* news_ = nullptr;
    detail::fixed_array<own_rank> own_;
    detail::common_memory common_;
    std::size_t copied_ = 0; // messages of up to so many bytes are copied to it
    bool in_one_process_ = true;

    std::atomic<bool> has_thread_{false};
    std::atomic<bool> ends_{false};
    std::mutex mutex_;
    std::thread thread_;
};

#if TUTTI_BODIES
TUTTI_BODY mailbox_world::mailbox_world(rank_type size)
    : size_(checked({.rank = 0, .size = size, .root = 0}).size), ladder_(size),
      own_(static_cast<std::size_t>(size)) {}

TUTTI_BODY void mailbox_world::add_local_rank(rank_type rank, bool peers_help) {
    own(rank).spot.begin(shared(rank).bell, peers_help);
    own(rank).connections = detail::fixed_array<detail::connection>(static_cast<std::size_t>(size_));
    for (rank_type peer = 0; peer < size_; ++peer) {
        detail::connection& c = own(rank).connections[static_cast<std::size_t>(peer)];
        c.peer_bell = &shared(peer).bell;
        c.peer_spot = peers_help ? &own(peer).spot : nullptr;
        c.own_rank = rank;
        c.peer_rank = peer;
        c.may_deepen = shares_cores();
    }
}

TUTTI_BODY void mailbox_world::fail(rank_type rank, const std::string& why, bool lost) noexcept {
    news_->failure.post(rank, why, lost);
    for (rank_type r = 0; r < size_; ++r) shared(r).bell.wake();
}

TUTTI_BODY void mailbox_world::lose(rank_type rank, const std::string& how) noexcept {
    fail(rank, detail::sentence({"rank ", rank, " is lost: ", how}), true);
    std::uint32_t here = detail::shared_rank::present;
    shared(rank).left.compare_exchange_strong(here, detail::shared_rank::lost, std::memory_order_acq_rel);
}

TUTTI_BODY void mailbox_world::call_off(rank_type rank, channel_type channel, const std::string& why) {
    if (!news_->calls.add(channel, rank, why)) return;
    for (rank_type r = 0; r < size_; ++r) shared(r).bell.wake();
}

TUTTI_BODY void mailbox_world::start_thread() {
    if (has_thread_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (thread_.joinable()) return;
    thread_ = std::thread([this] { help(); });
    has_thread_.store(true, std::memory_order_release);
}

/// Looks all the time while something moves, and a few thousand times a second else.
TUTTI_BODY void mailbox_world::help() noexcept {
    constexpr int eager_looks = 100;
    for (int fruitless = 0; !ends_.load(std::memory_order_acquire);) {
        bool moved = false;
        for (rank_type r = 0; r < size_; ++r)
            if (own(r).connections.data() != nullptr && own(r).spot.try_run(left_to::thread)) moved = true;
        detail::attendance::run_due();
        fruitless = moved ? 0 : fruitless + 1;
        if (fruitless < eager_looks)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

TUTTI_BODY void mailbox_world::stop_thread() {
    ends_.store(true, std::memory_order_release);
    if (thread_.joinable()) thread_.join();
}
#endif

} // namespace tutti
