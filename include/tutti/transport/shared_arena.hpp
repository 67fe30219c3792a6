// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/transport/doorbell.hpp>

namespace tutti::detail {

/// Hands out parts of a stretch of memory, each beginning at a cache line. What is handed out is written down
/// here and not in that memory, where others could change it.
class shared_arena {
public:
    shared_arena() = default;
    explicit shared_arena(std::span<std::byte> memory) : memory_(memory), free_{{0, memory.size()}} {}

    /// The first part that is large enough; null if none is.
    std::byte* allocate(std::size_t bytes);
    /// One release() more until a part that was handed out is free again.
    void share(const std::byte* what) noexcept;
    /// What allocate() has returned, or null.
    void release(const std::byte* what) noexcept;

private:
    struct part {
        std::size_t offset;
        std::size_t bytes;
        std::size_t users = 1; ///< of a used one
    };
    static auto behind(std::vector<part>& parts, std::size_t offset) noexcept {
        return std::find_if(parts.begin(), parts.end(),
                            [offset](const part& one) { return one.offset >= offset; });
    }

    std::span<std::byte> memory_{};
    std::vector<part> free_{}; ///< in the order of offsets, and never two side by side
    std::vector<part> used_{}; ///< in the order of offsets
};

#if TUTTI_BODIES
TUTTI_BODY std::byte* shared_arena::allocate(std::size_t bytes) {
    if (bytes > memory_.size()) return nullptr;
    const std::size_t whole = std::max<std::size_t>(1, (bytes + cache_line - 1) / cache_line) * cache_line;
    // There will be a place for it when it comes back: it lies between two free parts at worst.
    free_.reserve(free_.size() + used_.size() + 2);
    const auto one =
        std::find_if(free_.begin(), free_.end(), [whole](const part& free) { return free.bytes >= whole; });
    if (one == free_.end()) return nullptr;
    const std::size_t offset = one->offset;
    used_.insert(behind(used_, offset), {offset, whole});
    one->offset += whole;
    one->bytes -= whole;
    if (one->bytes == 0) free_.erase(one);
    return memory_.data() + offset;
}

TUTTI_BODY void shared_arena::share(const std::byte* what) noexcept {
    ++behind(used_, static_cast<std::size_t>(what - memory_.data()))->users;
}

TUTTI_BODY void shared_arena::release(const std::byte* what) noexcept {
    if (what == nullptr) return;
    const auto was = behind(used_, static_cast<std::size_t>(what - memory_.data()));
    if (--was->users > 0) return;
    part back = *was;
    used_.erase(was);
    auto next = behind(free_, back.offset);
    if (next != free_.end() && back.offset + back.bytes == next->offset) {
        back.bytes += next->bytes;
        next = free_.erase(next);
    }
    if (next != free_.begin() && (next - 1)->offset + (next - 1)->bytes == back.offset)
        (next - 1)->bytes += back.bytes;
    else
        free_.insert(next, back);
}
#endif

} // namespace tutti::detail
