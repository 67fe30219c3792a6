// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <tutti/transport/concept.hpp>

namespace tutti::detail {

/// The calls that a rank has begun last, for others to look at when they have waited for long: two ranks that
/// make different calls need not exchange a message that tells. Written by that rank for every call, hence so
/// few and so cheap.
class begun_calls {
public:
    void add(channel_type channel, const call_label& label) noexcept {
        const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(label);
        entry& e = of(channel);
        // Who reads a word of this call finds its number or none, and not that of the one before.
        e.number.store(0, std::memory_order_relaxed);
        e.what.store(words[0], std::memory_order_release);
        e.how.store(words[1], std::memory_order_release);
        e.number.store(number_of(channel), std::memory_order_release);
    }

    /// False if it has begun none there that is still known.
    bool find(channel_type channel, call_label& found) const noexcept {
        const entry& e = of(channel);
        if (e.number.load(std::memory_order_acquire) != number_of(channel)) return false;
        const std::array<std::uint64_t, 2> words{e.what.load(std::memory_order_acquire),
                                                 e.how.load(std::memory_order_acquire)};
        if (e.number.load(std::memory_order_relaxed) != number_of(channel)) return false;
        found = std::bit_cast<call_label>(words);
        return true;
    }

    /// While nobody looks.
    void forget_all() noexcept {
        for (entry& one : entries_) one.number.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t depth = 32;

    struct alignas(32) entry {
        std::atomic<std::uint64_t> number{0}; ///< channel + 1
        std::atomic<std::uint64_t> what{0};
        std::atomic<std::uint64_t> how{0};
    };

    static constexpr std::uint64_t number_of(channel_type channel) noexcept {
        return std::uint64_t{channel} + 1;
    }
    entry& of(channel_type channel) noexcept { return entries_[channel % depth]; }
    const entry& of(channel_type channel) const noexcept { return entries_[channel % depth]; }

    std::array<entry, depth> entries_;
};

} // namespace tutti::detail
