// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace support {

inline constexpr std::size_t page = 4096;

/// Memory that begins with a page, and of which what is not written can be told.
class pages {
public:
    explicit pages(std::size_t many) : memory_((many + 1) * page, untouched), many_(many) {}

    std::byte* at(std::size_t offset) {
        const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
        return memory_.data() + (page - begin % page) + offset;
    }
    void number() {
        for (std::size_t i = 0; i < many_ * page; ++i) *at(i) = value(i);
    }
    void clear() { std::fill(memory_.begin(), memory_.end(), untouched); }
    /// Whether `bytes` bytes from `offset` on are those of `from`, and nothing else was written.
    bool has_only(std::size_t offset, std::size_t bytes, const std::byte* from) {
        const auto is_untouched = [](std::byte b) { return b == untouched; };
        return std::equal(at(offset), at(offset) + bytes, from)
               && std::all_of(at(0), at(offset), is_untouched)
               && std::all_of(at(offset) + bytes, at(many_ * page), is_untouched);
    }

    /// Of byte `i` of those that are numbered; as far apart as lines and pages are, they differ.
    static std::byte value(std::size_t i) {
        return static_cast<std::byte>((i * 7 + i / 64 * 13 + i / page) % 251);
    }

private:
    static constexpr std::byte untouched{0xfe};

    std::vector<std::byte> memory_;
    std::size_t many_;
};

} // namespace support
