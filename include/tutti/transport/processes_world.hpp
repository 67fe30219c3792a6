// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/mailbox_transport.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/segment.hpp>
#include <tutti/transport/shared_arena.hpp>

namespace tutti::processes {

/// The endpoint of one rank that is a process.
using transport = mailbox_transport;

/// How long messages get from one process to another. Those out of memory that all ranks see (shared_buffer)
/// are read where they lie, whichever this is.
enum class way : std::uint8_t {
    read_from_sender, ///< the receiver copies them out of the sender's memory (process_vm_readv)
    through_segment,  ///< the sender copies them to memory that both see
};

struct options {
    /// Of memory that all ranks see, for each of them. What is not used costs nothing.
    std::size_t shared_bytes = std::size_t{1} << 30;
    /// Where the kernel does not let processes read from each other, it is through_segment.
    way long_messages = way::read_from_sender;
};

/// What the processes of one group of ranks share. It is made before they are forked; each then joins it.
class world final : public mailbox_world {
public:
    [[gnu::cold]] explicit world(rank_type size, const options& how = {});
    /// In a file of memory, see attach().
    [[gnu::cold]] world(int file, rank_type size, const options& how);
    ~world() override;

    /// This process is that rank from now on. Throws error if one is already.
    [[gnu::cold]] void join(rank_type rank);
    /// Whether all have joined; the last one learns it in any case.
    bool is_complete() noexcept {
        return segment_.head().attached.load(std::memory_order_acquire) >= static_cast<std::uint32_t>(size());
    }

    /// From then on nobody else can come; and not after this rank has gone.
    void unlink_when_complete(std::string name) {
        name_ = std::move(name);
        if (is_complete()) unlink();
    }

    /// Which way is taken.
    way long_messages() const noexcept { return way_; }

    // --- for who runs the processes ---

    /// Writes down why this rank leaves, for the process that waits for it.
    [[gnu::cold]] void leave_with(rank_type rank, const std::string& why) noexcept;
    detail::shared_process& process(rank_type rank) noexcept { return segment_.process(rank); }
    std::uint32_t count_failure() noexcept {
        return segment_.head().failures.fetch_add(1, std::memory_order_relaxed);
    }

private:
    detail::mailbox* open(rank_type from, rank_type to) override { return &segment_.box(from, to); }
    detail::mailbox* find(rank_type from, rank_type to) noexcept override { return &segment_.box(from, to); }
    std::byte* allocate(rank_type, std::size_t bytes) override { return arena_.allocate(bytes); }
    void deallocate(rank_type, std::byte* what) noexcept override { arena_.release(what); }
    bool copies_what_is_lent() const noexcept override { return way_ == way::through_segment; }
    void fetch(rank_type peer, const detail::lent_pieces& lent, std::size_t offset,
               std::span<std::byte> to) override;

    void look_after() noexcept override;

    void read(rank_type peer, const void* from, std::span<std::byte> to);
    bool is_alive(rank_type peer);
    void unlink() noexcept;

    detail::segment segment_;
    detail::shared_arena arena_;
    way way_;
    rank_type rank_ = no_rank; // of this process
    std::string name_;         // to be unlinked; empty if there is none (any more)
    bool attached_ = false;    // and no common parent tells of deaths
    std::vector<int> peers_;   // descriptors of their processes, once they are needed; -1: not yet
};

#if TUTTI_BODIES
/// Whether the kernel has the call for this process at all: sandboxes often do not.
TUTTI_BODY bool can_read_processes() noexcept {
    int here = 1, there = 0;
    iovec to{&there, sizeof there}, from{&here, sizeof here};
    return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof here);
}

TUTTI_BODY world::world(rank_type size, const options& how)
    : mailbox_world(size), segment_(size, how.shared_bytes),
      way_(can_read_processes() ? how.long_messages : way::through_segment),
      peers_(static_cast<std::size_t>(size), -1) {
    begin(segment_.ranks(), &segment_.news());
    begin(segment_.arenas());
}

TUTTI_BODY world::world(int file, rank_type size, const options& how)
    : mailbox_world(size), segment_(file, size, how.shared_bytes),
      way_(can_read_processes() ? how.long_messages : way::through_segment), attached_(true),
      peers_(static_cast<std::size_t>(size), -1) {
    begin(segment_.ranks(), &segment_.news());
    begin(segment_.arenas());
}

TUTTI_BODY world::~world() {
    stop_thread();
    if (attached_ && rank_ != no_rank) leave(rank_);
    if (!is_complete()) unlink();
    for (const int one : peers_)
        if (one >= 0) ::close(one);
}

TUTTI_BODY void world::join(rank_type rank) {
    checked({.rank = rank, .size = size(), .root = 0});
    std::int32_t nobody = 0;
    if (!segment_.process(rank).pid.compare_exchange_strong(nobody, ::getpid(), std::memory_order_acq_rel))
        throw error(detail::sentence({"tutti: rank ", rank, " has joined already, as process ", nobody}));
    begin(rank, false);
    rank_ = rank;
    arena_ = detail::shared_arena(segment_.arena(rank));
    segment_.head().attached.fetch_add(1, std::memory_order_acq_rel);
#if defined(PR_SET_PTRACER)
    ::prctl(PR_SET_PTRACER, ::getppid(), 0, 0,
            0); // where only parents may read: those that it has forked, too
#endif
}

TUTTI_BODY void world::leave_with(rank_type rank, const std::string& why) noexcept {
    detail::shared_process& me = process(rank);
    me.why.write(why);
    me.when.store(count_failure(), std::memory_order_relaxed);
    me.outcome.store(struck(rank) ? me.struck : me.failed, std::memory_order_release);
}

/// As long as its descriptor is open, the number of a process is given to no other one before this says no.
TUTTI_BODY bool world::is_alive(rank_type peer) {
    int& there = peers_[static_cast<std::size_t>(peer)];
    const pid_t pid = segment_.process(peer).pid.load(std::memory_order_acquire);
    if (there < 0) there = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    pollfd end{there, POLLIN, 0};
    return there >= 0 && ::poll(&end, 1, 0) == 0;
}

TUTTI_BODY void world::unlink() noexcept {
    if (!name_.empty()) ::shm_unlink(name_.c_str());
    name_.clear();
}

TUTTI_BODY void world::look_after() noexcept {
    if (!attached_ || failed()) return;
    for (rank_type r = 0; r < size(); ++r) {
        if (r == rank_ || has_left(r) || process(r).pid.load(std::memory_order_acquire) == 0 || is_alive(r))
            continue;
        if (has_left(r)) continue; // just now
        fail(r, detail::sentence({"rank ", r, " is lost: its process has ended"}), true);
        leave(r); // and reads no more what others have lent it
        return;
    }
}

TUTTI_BODY void world::read(rank_type peer, const void* from, std::span<std::byte> to) {
    const pid_t pid = segment_.process(peer).pid.load(std::memory_order_acquire);
    const auto fail = [&](const char* why, bool lost) {
        if (lost) own(rank_).struck = true;
        throw transport_error(
            detail::sentence({"the memory of rank ", peer, " (process ", pid, ") cannot be read: ", why}),
            peer, lost);
    };
    constexpr const char* ended = "it has ended";
    if (peers_[static_cast<std::size_t>(peer)] < 0 && !is_alive(peer)) fail(ended, true);
    const auto* const first = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < to.size();) {
        iovec here{to.data() + done, to.size() - done};
        iovec there{const_cast<std::byte*>(first) + done, here.iov_len};
        const ssize_t n = ::process_vm_readv(pid, &here, 1, &there, 1, 0);
        const int error = errno;
        if (n <= 0 && (error == ESRCH || !is_alive(peer))) fail(ended, true); // or is just ending
        if (n <= 0) fail(n < 0 ? std::strerror(error) : "nothing came", false);
        done += static_cast<std::size_t>(n);
    }
    if (!is_alive(peer)) fail(ended, true); // and what was read may be another one's
}

TUTTI_BODY void world::fetch(rank_type peer, const detail::lent_pieces& lent, std::size_t offset,
                             std::span<std::byte> to) {
    if (lent.pieces == 0) return read(peer, static_cast<const std::byte*>(lent.at) + offset, to);
    constexpr std::size_t most = 64;
    std::span<const std::byte> list[most];
    for (std::size_t next = 0; next < lent.pieces && !to.empty(); next += most) {
        const std::size_t many = std::min(most, lent.pieces - next);
        read(peer, static_cast<const std::span<const std::byte>*>(lent.at) + next,
             std::as_writable_bytes(std::span(list, many)));
        for (std::size_t k = 0; k < many && !to.empty(); ++k) {
            const std::size_t skipped = std::min(offset, list[k].size());
            const std::size_t part = std::min(to.size(), list[k].size() - skipped);
            offset -= skipped;
            if (part > 0) read(peer, list[k].data() + skipped, to.first(part));
            to = to.subspan(part);
        }
    }
    if (!to.empty())
        throw transport_error(detail::sentence({"a message from rank ", peer, " is shorter than it says"}),
                              peer);
}
#endif

} // namespace tutti::processes
