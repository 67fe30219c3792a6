// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/mailbox_transport.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/read_process.hpp>
#include <tutti/transport/segment.hpp>
#include <tutti/transport/shared_arena.hpp>

namespace tutti::processes {

/// The endpoint of one rank that is a process.
using transport = mailbox_transport;

/// How messages get from one process to another. Those out of memory that all ranks see (shared_buffer) are
/// read where they lie, whichever this is; others of up to 32 KiB go through the segment while there is room.
enum class way : std::uint8_t {
    by_length,        ///< through the segment up to 4 MiB, while there is room; or else read from the sender
    read_from_sender, ///< the receiver copies them out of the sender's memory (process_vm_readv)
    through_segment,  ///< the sender copies them to memory that both see: parts, if they are very long
};

/// How a group of processes shares memory.
struct options {
    /// Of memory that all ranks see, for each of them: for its shared_buffers, and for copies of what it has
    /// under way. What is not used costs nothing.
    std::size_t shared_bytes = std::size_t{1} << 30;
    /// Where the kernel does not let processes read from each other, it is through_segment.
    way long_messages = way::by_length;
    /// That all ranks together have, where launchers bind each of them to some. 0: those of this process.
    std::uint32_t cores = 0;
};

/// What the processes of one group of ranks share. It is made before they are forked; each then joins it.
class world final : public mailbox_world {
public:
    /// No file: the memory is shared by being forked.
    static constexpr int no_file = detail::segment::no_file;

    /// In a file of memory, if there is one: see attach().
    [[gnu::cold]] explicit world(rank_type size, const options& how = {}, int file = no_file);
    TUTTI_VIRTUAL ~world() override;

    /// This process is that rank from now on; one that was forked is on a core that has no more ranks than
    /// its share, to begin with. Throws error if one is already.
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
    way long_messages() const noexcept {
        return segment_.head().unreadable.load(std::memory_order_relaxed) != 0 ? way::through_segment : way_;
    }

    // --- for who runs the processes ---

    /// Writes down why this rank leaves, for the process that waits for it.
    [[gnu::cold]] void leave_with(rank_type rank, const std::string& why) noexcept;
    /// What is written down of the process of a rank.
    detail::shared_process& process(rank_type rank) noexcept { return segment_.process(rank); }
    /// How many have failed before.
    std::uint32_t count_failure() noexcept {
        return segment_.head().failures.fetch_add(1, std::memory_order_relaxed);
    }

private:
    TUTTI_VIRTUAL detail::mailbox* open(rank_type from, rank_type to) override;
    detail::mailbox* find(rank_type from, rank_type to) noexcept override { return &segment_.box(from, to); }
    TUTTI_VIRTUAL detail::pipeline* pipe(rank_type from, rank_type to) override;
    TUTTI_VIRTUAL std::byte* allocate(std::size_t bytes) override;
    void share(const std::byte* what) noexcept override {
        const std::lock_guard lock(arena_mutex_);
        arena_.share(what);
    }
    void deallocate(std::byte* what) noexcept override {
        const std::lock_guard lock(arena_mutex_);
        arena_.release(what);
    }
    bool copies_what_is_lent() const noexcept override { return long_messages() == way::through_segment; }
    TUTTI_VIRTUAL void fetch(rank_type peer, const detail::lent_pieces& lent, std::size_t offset,
                             std::span<std::byte> to) override;

    TUTTI_VIRTUAL void look_after() noexcept override;

    void read(rank_type peer, const void* from, std::span<std::byte> to);
    bool is_alive(rank_type peer) noexcept;
    bool is_there(const void* what, std::size_t bytes) const noexcept {
        return !attached_ || segment_.is_there(what, bytes);
    }
    void unlink() noexcept;

    static constexpr const char* its_end = "its process has ended";

    detail::segment segment_;
    detail::shared_arena arena_;
    std::size_t handed_out_ = 0; // of its bytes, at least once
    std::mutex arena_mutex_;     // a thread may move what this rank has begun
    way way_;
    rank_type rank_ = no_rank; // of this process
    std::string name_;         // to be unlinked; empty if there is none (any more)
    bool has_sent_ = false;
    bool attached_;          // and no common parent tells of deaths
    std::vector<int> peers_; // descriptors of their processes, once they are needed; -1: not yet
};

/// When a process began, in ticks since the system did: the 22nd word of its line, of which the second, in
/// brackets, may have blanks. 0 if that cannot be told, or it has ended and only its parent does not know;
/// nothing if this process may open no more files.
std::optional<std::uint64_t> begin_of(pid_t pid) noexcept;

#if TUTTI_BODIES
TUTTI_BODY std::optional<std::uint64_t> begin_of(pid_t pid) noexcept {
    std::array<char, 1024> text{};
    std::snprintf(text.data(), text.size(), "/proc/%d/stat", static_cast<int>(pid));
    const int file = ::open(text.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0 && (errno == EMFILE || errno == ENFILE)) return {};
    if (file < 0) return 0;
    const ssize_t length = ::read(file, text.data(), text.size() - 1);
    ::close(file);
    text[length > 0 ? static_cast<std::size_t>(length) : 0] = '\0';
    const char* at = std::strrchr(text.data(), ')');
    if (at != nullptr && (at[2] == 'Z' || at[2] == 'X')) return 0; // the third word
    for (int word = 2; at != nullptr && word < 22; ++word) at = std::strchr(at + 1, ' ');
    return at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
}

TUTTI_BODY world::world(rank_type size, const options& how, int file)
    : mailbox_world(size),
      segment_(size, how.shared_bytes, file, how.cores != 0 ? how.cores : detail::usable_cores()),
      way_(detail::can_read_processes() ? how.long_messages : way::through_segment),
      attached_(file != no_file), peers_(static_cast<std::size_t>(size), -1) {
    set_shared_state(segment_.ranks(), &segment_.news());
    // Two copies by two cores take less time than asking the kernel for one: of what the sender has just
    // written, half to three quarters from 64 KiB to 4 MiB, above which memory counts, and what is copied
    // fills it.
    set_common_memory(segment_.arenas(),
                      std::size_t{how.long_messages == way::by_length ? 4096U : 32U} << 10);
    set_usable_cores(segment_.head().cores.load(std::memory_order_relaxed));
}

TUTTI_BODY world::~world() {
    stop_thread();
    if (attached_ && rank_ != no_rank) leave(rank_);
    // Who comes late may have to read what this rank has sent, and then unlinks it.
    if (!is_complete() && !has_sent_) unlink();
    for (const int one : peers_)
        if (one >= 0) ::close(one);
}

TUTTI_BODY void world::join(rank_type rank) {
    checked({.rank = rank, .size = size(), .root = 0});
    std::int32_t nobody = 0;
    if (!segment_.process(rank).pid.compare_exchange_strong(nobody, ::getpid(), std::memory_order_acq_rel))
        throw error(detail::sentence({"tutti: rank ", rank, " has joined already, as process ", nobody}));
    if (!attached_) // else it ran before, where its user has it
        detail::begin_apart(segment_.head().claims, rank, size());
    add_local_rank(rank, false);
    rank_ = rank;
    arena_ = detail::shared_arena(segment_.arena(rank));
    segment_.process(rank).begun.store(begin_of(::getpid()).value_or(0), std::memory_order_release);
    if (way_ == way::through_segment) segment_.head().unreadable.store(1, std::memory_order_relaxed);
#if defined(PR_SET_PTRACER)
    // Where only parents may read: those that it has forked, too; all of this user's if they have no common
    // one.
    const unsigned long reader = attached_ ? PR_SET_PTRACER_ANY : static_cast<unsigned long>(::getppid());
    if (way_ == way::read_from_sender) ::prctl(PR_SET_PTRACER, reader, 0, 0, 0);
#endif
    segment_.head().attached.fetch_add(1, std::memory_order_acq_rel);
}

TUTTI_BODY void world::leave_with(rank_type rank, const std::string& why) noexcept {
    detail::shared_process& me = process(rank);
    me.why.write(why);
    me.when.store(count_failure(), std::memory_order_relaxed);
    me.outcome.store(struck(rank) ? me.struck : me.failed, std::memory_order_release);
}

/// As long as its descriptor is open, the number of a process is given to no other one before this says no.
/// Where there are no such descriptors (Linux before 5.3), the number and when it began have to do.
TUTTI_BODY bool world::is_alive(rank_type peer) noexcept {
    int& there = peers_[static_cast<std::size_t>(peer)];
    const detail::shared_process& it = segment_.process(peer);
    const pid_t pid = it.pid.load(std::memory_order_acquire);
    if (pid <= 0) return false;
    if (there < 0) {
        there = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
        const std::uint64_t begun = it.begun.load(std::memory_order_acquire);
        if (begun != 0 && begun != begin_of(pid).value_or(begun))
            return false; // its number is another one's now
    }
    if (there < 0) return ::kill(pid, 0) == 0 || errno == EPERM;
    pollfd end{there, POLLIN, 0};
    return ::poll(&end, 1, 0) != 1; // a signal is no answer
}

TUTTI_BODY std::byte* world::allocate(std::size_t bytes) {
    const std::lock_guard lock(arena_mutex_);
    std::byte* const part = arena_.allocate(bytes);
    if (part == nullptr) return nullptr;
    // The first part that is large enough: all in front of `handed_out_` was once, and is there.
    const auto end = static_cast<std::size_t>(part - segment_.arena(rank_).data()) + bytes;
    if (end <= handed_out_) return part;
    if (is_there(part, bytes)) {
        handed_out_ = end;
        return part;
    }
    arena_.release(part);
    return nullptr;
}

TUTTI_BODY detail::mailbox* world::open(rank_type from, rank_type to) {
    detail::mailbox& it = segment_.box(from, to);
    if (!is_there(&it, sizeof it))
        throw transport_error(
            detail::sentence({"rank ", from, " has no shared memory for messages to rank ", to}), to);
    has_sent_ = true;
    return &it;
}

TUTTI_BODY detail::pipeline* world::pipe(rank_type from, rank_type to) {
    detail::pipeline& it = segment_.pipe(from, to);
    if (from == rank_ && !is_there(&it, sizeof it))
        throw transport_error(
            detail::sentence({"rank ", from, " has no shared memory for long messages to rank ", to}), to);
    return &it;
}

TUTTI_BODY void world::unlink() noexcept {
    if (!name_.empty()) ::shm_unlink(name_.c_str());
    name_.clear();
}

TUTTI_BODY void world::look_after() noexcept {
    if (!attached_) return;
    for (rank_type r = 0; r < size(); ++r) {
        if (r == rank_ || has_left(r) || process(r).pid.load(std::memory_order_acquire) == 0 || is_alive(r))
            continue;
        if (has_left(r)) continue; // just now
        lose(r, its_end);
    }
}

TUTTI_BODY void world::read(rank_type peer, const void* from, std::span<std::byte> to) {
    const pid_t pid = segment_.process(peer).pid.load(std::memory_order_acquire);
    const auto fail = [&](const char* why, bool lost) {
        if (lost) { // told before this rank fails of it, or others would take this one for the cause
            lose(peer, its_end);
            own(rank_).struck = true;
            // It may have ended because of another that was lost: that one is the cause.
            if (failed_rank() != peer) throw transport_error(failure(), failed_rank(), lost_rank());
        }
        throw transport_error(
            detail::sentence({"the memory of rank ", peer, " (process ", pid, ") cannot be read: ", why}),
            peer, lost);
    };
    constexpr const char* ended = "it has ended";
    if (peers_[static_cast<std::size_t>(peer)] < 0 && !is_alive(peer)) fail(ended, true);
    const auto* const first = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < to.size();) {
        const ssize_t n = detail::read_process(pid, first + done, to.subspan(done));
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
    constexpr std::size_t most_empty = std::size_t{1} << 20;
    std::span<const std::byte> list[most];
    if (lent.pieces > lent.bytes && lent.pieces - lent.bytes > most_empty)
        throw transport_error(detail::sentence({"rank ", peer, " sends a message of ", lent.pieces,
                                                " pieces, most of them empty"}),
                              peer);
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
