// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tutti::detail {

/// A text of bounded length in memory that several ranks, perhaps of other processes, write and read: what
/// does not fit is cut off, and whatever lies there can be read.
template <std::size_t Bytes>
class shared_text {
    static_assert(Bytes % 8 == 0);

public:
    void write(std::string_view text) noexcept {
        const std::size_t length = std::min(text.size(), Bytes);
        for (std::size_t at = 0; at < length; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, length - at));
            words_[at / 8].store(word, std::memory_order_release);
        }
        length_.store(static_cast<std::uint32_t>(length), std::memory_order_relaxed);
    }

    [[gnu::cold]] std::string read() const {
        std::string text(std::min<std::size_t>(length_.load(std::memory_order_relaxed), Bytes), ' ');
        for (std::size_t at = 0; at < text.size(); at += 8) {
            const std::uint64_t word = words_[at / 8].load(std::memory_order_acquire);
            std::memcpy(text.data() + at, &word, std::min<std::size_t>(8, text.size() - at));
        }
        return text;
    }

private:
    std::atomic<std::uint32_t> length_{0};
    std::array<std::atomic<std::uint64_t>, Bytes / 8> words_{};
};

} // namespace tutti::detail
