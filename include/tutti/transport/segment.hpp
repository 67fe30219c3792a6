// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <sys/mman.h>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/mailbox_world.hpp>
#include <tutti/transport/shared_text.hpp>

/// The memory that the processes of one world share, and what lies where in it. It begins as zeros, and a
/// page that nobody touches costs nothing.
namespace tutti::detail {

/// What a process says of itself and of its end.
struct shared_process {
    enum : std::uint32_t { running, failed, struck }; ///< struck: by another one's failure

    std::atomic<std::int32_t> pid{0};
    std::atomic<std::uint32_t> outcome{running};
    std::atomic<std::uint32_t> when{0}; ///< its failure was the when-th of all
    shared_text<1000> why{};
};

struct shared_head {
    std::atomic<std::uint32_t> failures{0};
};

class segment {
public:
    /// For `size` ranks that are forked off, with so many bytes for each to share with the others.
    segment(rank_type size, std::size_t bytes_each);
    segment(const segment&) = delete;
    segment& operator=(const segment&) = delete;
    ~segment() { ::munmap(base_, bytes_); }

    shared_head& head() noexcept { return at<shared_head>(0); }
    shared_news& news() noexcept { return at<shared_news>(news_); }
    shared_rank* ranks() noexcept { return &at<shared_rank>(ranks_); }
    shared_process& process(rank_type r) noexcept { return (&at<shared_process>(processes_))[index(r)]; }
    mailbox& box(rank_type from, rank_type to) noexcept {
        return (&at<mailbox>(boxes_))[index(from) * size_ + index(to)];
    }
    /// Of all ranks, one after the other.
    std::span<std::byte> arenas() noexcept { return {base_ + arenas_, bytes_each_ * size_}; }
    std::span<std::byte> arena(rank_type r) noexcept {
        return arenas().subspan(bytes_each_ * index(r), bytes_each_);
    }

private:
    static std::size_t index(rank_type r) noexcept { return static_cast<std::size_t>(r); }

    template <class T>
    T& at(std::size_t offset) noexcept {
        return *reinterpret_cast<T*>(base_ + offset);
    }
    /// Where the next things lie, each on pages of its own.
    template <class T>
    std::size_t add(std::size_t many) noexcept {
        constexpr std::size_t page = 4096;
        return std::exchange(bytes_, (bytes_ + many * sizeof(T) + page - 1) / page * page);
    }

    std::size_t size_;
    std::size_t bytes_each_;
    std::size_t bytes_ = 0;
    std::size_t news_, ranks_, processes_, boxes_, arenas_;
    std::byte* base_;
};

#if TUTTI_BODIES
TUTTI_BODY segment::segment(rank_type size, std::size_t bytes_each)
    : size_(index(size)), bytes_each_((bytes_each + 4095) / 4096 * 4096) {
    add<shared_head>(1);
    news_ = add<shared_news>(1);
    ranks_ = add<shared_rank>(size_);
    processes_ = add<shared_process>(size_);
    boxes_ = add<mailbox>(size_ * size_);
    arenas_ = add<std::byte>(size_ * bytes_each_);
    void* const mapped =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        throw error(sentence({"tutti: no ", bytes_, " bytes of shared memory for ", size,
                              " processes: ", std::strerror(errno)}));
    base_ = static_cast<std::byte*>(mapped);
}
#endif

} // namespace tutti::detail
