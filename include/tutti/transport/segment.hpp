// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/cores.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/pipeline.hpp>
#include <tutti/transport/shared_text.hpp>

/// The memory that the processes of one world share, and what lies where in it. It begins as zeros, and a
/// page that nobody touches costs nothing.
namespace tutti::detail {

/// What a process says of itself and of its end.
struct shared_process {
    enum : std::uint32_t { running, failed, struck }; ///< struck: by another one's failure

    std::atomic<std::int32_t> pid{0};
    std::atomic<std::uint64_t> begun{
        0}; ///< when, as the system counts; tells apart who had its number before
    std::atomic<std::uint32_t> outcome{running};
    std::atomic<std::uint32_t> when{0}; ///< its failure was the when-th of all
    shared_text<1000> why{};
};

/// What a segment says of itself, for those who did not make it.
struct shared_head {
    static constexpr std::uint64_t magic_word = 0x7475'7474'6900'0001; ///< the last digits are a version
    enum : std::uint32_t { blank, being_written, written };

    std::atomic<std::uint32_t> state{blank};
    std::atomic<std::uint32_t> failures{0};
    std::atomic<std::uint32_t> attached{0};
    std::atomic<std::uint32_t> size{0};
    std::atomic<std::uint32_t> cores{0};      ///< that the ranks have, as whoever made it says
    std::atomic<std::uint32_t> unreadable{0}; ///< 1: some rank cannot read the memory of others
    std::atomic<std::uint64_t> magic{0};
    std::atomic<std::uint64_t> layout{0}; ///< lengths of all that lies there
    std::atomic<std::uint64_t> bytes{0};
    core_claims claims{};
};

// Else locks of one process would stand for them.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free
              && std::atomic<std::uint64_t>::is_always_lock_free);

class segment {
public:
    static constexpr int no_file = -1;

    /// For `size` ranks, with so many bytes for each to share with the others: without a file for ranks that
    /// are forked off, else in a file of memory that several processes open, of which the first makes it what
    /// it is. Throws error if that is another user's or open to others, or not of this kind, version, or
    /// size. `cores` is for all of them to know.
    segment(rank_type size, std::size_t bytes_each, int file, std::uint32_t cores);
    segment(const segment&) = delete;
    segment& operator=(const segment&) = delete;
    ~segment() { ::munmap(base_, bytes_); }

    shared_head& head() const noexcept { return at<shared_head>(0); }
    shared_news& news() noexcept { return at<shared_news>(news_); }
    shared_rank* ranks() noexcept { return &at<shared_rank>(ranks_); }
    shared_process& process(rank_type r) noexcept { return (&at<shared_process>(processes_))[index(r)]; }
    mailbox& box(rank_type from, rank_type to) noexcept {
        return (&at<mailbox>(boxes_))[index(from) * size_ + index(to)];
    }
    pipeline& pipe(rank_type from, rank_type to) noexcept {
        return (&at<pipeline>(pipes_))[index(from) * size_ + index(to)];
    }
    /// Whether there is memory for that part of it, if its file has a name: then it lies in a file system
    /// that may be full, and who touches what is not there dies of it.
    bool is_there(const void* what, std::size_t bytes) const noexcept;

    /// Of all ranks, one after the other.
    std::span<std::byte> arenas() noexcept { return {base_ + arenas_, bytes_each_ * size_}; }
    std::span<std::byte> arena(rank_type r) noexcept {
        return arenas().subspan(bytes_each_ * index(r), bytes_each_);
    }

private:
    static std::size_t index(rank_type r) noexcept { return static_cast<std::size_t>(r); }

    template <class T>
    T& at(std::size_t offset) const noexcept {
        return *reinterpret_cast<T*>(base_ + offset);
    }
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t most = static_cast<std::size_t>(PTRDIFF_MAX) / 2;

    /// Where the next things lie, each on pages of its own.
    template <class T>
    std::size_t add(std::size_t many) {
        if (many > (most - bytes_) / sizeof(T))
            throw error("tutti: more shared memory for processes than can be addressed");
        return std::exchange(bytes_, (bytes_ + many * sizeof(T) + page - 1) / page * page);
    }
    /// Whole pages, and one at least.
    static std::size_t rounded(std::size_t bytes, std::size_t size) {
        if (bytes > most / size) throw error("tutti: more shared memory for processes than can be addressed");
        return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    }

    [[noreturn, gnu::cold]] static void throw_unusable(const char* why);
    void place_all();
    void give_length(int file);
    const char* wrong_with(int file) const noexcept;
    void map(int file);
    void agree(std::uint32_t cores);

    std::size_t size_;
    std::size_t bytes_each_;
    std::size_t bytes_ = 0;
    std::size_t news_ = 0, ranks_ = 0, processes_ = 0, boxes_ = 0, pipes_ = 0, arenas_ = 0;
    std::byte* base_ = nullptr;
};

#if TUTTI_BODIES
TUTTI_BODY segment::segment(rank_type size, std::size_t bytes_each, int file, std::uint32_t cores)
    : size_(index(size)), bytes_each_(rounded(bytes_each, size_)) {
    place_all();
    if (file != no_file) give_length(file);
    map(file);
    try {
        if (file != no_file && !is_there(base_, boxes_))
            throw error(
                sentence({"tutti: where the shared memory of ", size, " processes lies, none is left"}));
        agree(cores);
    } catch (...) {
        ::munmap(base_, bytes_);
        throw;
    }
}

/// Whoever comes first does; one at a time, so that nobody shortens what another one has made longer.
TUTTI_BODY void segment::give_length(int file) {
    struct ::flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    ::fcntl(file, F_SETLKW, &whole);
    const char* const wrong = wrong_with(file);
    whole.l_type = F_UNLCK;
    ::fcntl(file, F_SETLK, &whole);
    if (wrong != nullptr) throw_unusable(wrong);
}

/// Null if nothing is any more. Whoever touches memory behind the end of a file dies of it, so that end is
/// sealed where the kernel can do so: if memfd_create() was told to allow it.
TUTTI_BODY const char* segment::wrong_with(int file) const noexcept {
    const auto whole = static_cast<off_t>(bytes_);
    struct ::stat is {};
    if (::fstat(file, &is) != 0) return std::strerror(errno);
    if (is.st_uid != ::geteuid()) return "it belongs to another user";
    if ((is.st_mode & 077) != 0 && is.st_nlink != 0) // without a name nobody can open it
        return "other users may open it";
    if (is.st_size == 0 && ::ftruncate(file, whole) != 0) return std::strerror(errno);
#if defined(F_ADD_SEALS)
    if (is.st_size == 0 || is.st_size == whole) ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK);
#endif
    if (::fstat(file, &is) != 0) return std::strerror(errno);
    if (is.st_size != whole)
        return "it has another length: another number of ranks, other options, or another version";
    return nullptr;
}

TUTTI_BODY void segment::throw_unusable(const char* why) {
    throw error(sentence({"tutti: this shared memory is not that of these ranks: ", why}));
}

TUTTI_BODY void segment::place_all() {
    add<shared_head>(1);
    news_ = add<shared_news>(1);
    ranks_ = add<shared_rank>(size_);
    processes_ = add<shared_process>(size_);
    boxes_ = add<mailbox>(size_ * size_);
    pipes_ = add<pipeline>(size_ * size_);
    arenas_ = add<std::byte>(size_ * bytes_each_);
}

TUTTI_BODY void segment::map(int file) {
    const int kind = MAP_SHARED | MAP_NORESERVE | (file == no_file ? MAP_ANONYMOUS : 0);
    void* const mapped = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, kind, file, 0);
    if (mapped == MAP_FAILED)
        throw error(sentence({"tutti: no ", bytes_, " bytes of shared memory for ", size_,
                              " processes: ", std::strerror(errno)}));
    base_ = static_cast<std::byte*>(mapped);
}

TUTTI_BODY bool segment::is_there([[maybe_unused]] const void* what,
                                  [[maybe_unused]] std::size_t bytes) const noexcept {
#if defined(MADV_POPULATE_WRITE)
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(what) / page * page;
    const std::size_t length = reinterpret_cast<std::uintptr_t>(what) + bytes - begin;
    return ::madvise(reinterpret_cast<void*>(begin), length, MADV_POPULATE_WRITE) == 0
           || errno == EINVAL; // Linux before 5.14
#else
    return true;
#endif
}

/// Whoever comes first writes down what it is, all others compare.
TUTTI_BODY void segment::agree(std::uint32_t cores) {
    constexpr std::uint64_t layout = sizeof(shared_news) * 31 + sizeof(shared_rank) * 37
                                     + sizeof(shared_process) * 41 + sizeof(mailbox) * 43 + sizeof(void*) * 47
                                     + sizeof(pipeline) * 53;
    shared_head& it = head();
    std::uint32_t state = shared_head::blank;
    if (it.state.compare_exchange_strong(state, shared_head::being_written, std::memory_order_acq_rel)) {
        it.magic.store(shared_head::magic_word, std::memory_order_relaxed);
        it.layout.store(layout, std::memory_order_relaxed);
        it.bytes.store(bytes_each_, std::memory_order_relaxed);
        it.size.store(static_cast<std::uint32_t>(size_), std::memory_order_relaxed);
        it.cores.store(cores, std::memory_order_relaxed);
        it.state.store(shared_head::written, std::memory_order_release);
    }
    for (int looks = 0; it.state.load(std::memory_order_acquire) != shared_head::written; ++looks) {
        if (looks == 1000) throw_unusable("whoever made it has not finished");
        sleep_while(it.state, shared_head::being_written); // a millisecond
    }
    if (it.magic.load(std::memory_order_relaxed) != shared_head::magic_word)
        throw_unusable("it was not made by tutti, or by another version");
    if (it.layout.load(std::memory_order_relaxed) != layout) throw_unusable("it was made by another version");
    if (it.size.load(std::memory_order_relaxed) != size_) throw_unusable("it is for another number of ranks");
    if (it.bytes.load(std::memory_order_relaxed) != bytes_each_)
        throw_unusable("it was made with other options");
}
#endif

} // namespace tutti::detail
