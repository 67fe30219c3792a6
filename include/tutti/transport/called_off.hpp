// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::detail {

/// The calls of a world that fail on all ranks, though the world goes on: on some rank one was refused, or is
/// another one. What the transports share that tell calls apart.
class called_off {
public:
    struct entry {
        channel_type channel = 0;
        rank_type by = no_rank;
        std::string why{};
    };

    /// How many there have been; 0 as long as nobody has made a mistake, and then nobody looks further.
    std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }

    /// Whether this is news: the first reason counts.
    [[gnu::cold]] bool add(channel_type channel, rank_type by, const std::string& why);
    [[gnu::cold]] std::optional<entry> find(channel_type channel);

private:
    const entry* known(channel_type channel) const noexcept;
    void forget_far_from(channel_type channel);

    std::mutex mutex_;
    std::vector<entry> calls_;
    std::atomic<std::uint32_t> count_{0};
};

#if TUTTI_BODIES
TUTTI_BODY const called_off::entry* called_off::known(channel_type channel) const noexcept {
    for (const entry& one : calls_)
        if (one.channel == channel) return &one;
    return nullptr;
}

/// Numbers of calls wrap round: those far from the calls of now are over everywhere, and will be used again.
TUTTI_BODY void called_off::forget_far_from(channel_type channel) {
    constexpr channel_type numbers = 1U << channel_counter_bits;
    std::erase_if(calls_, [&](const entry& old) {
        const channel_type behind = (channel - old.channel) % numbers;
        return old.channel / numbers == channel / numbers && behind > numbers / 4 && behind < numbers / 4 * 3;
    });
}

TUTTI_BODY bool called_off::add(channel_type channel, rank_type by, const std::string& why) {
    const std::lock_guard lock(mutex_);
    forget_far_from(channel);
    if (known(channel) != nullptr) return false;
    calls_.push_back({channel, by, why});
    count_.fetch_add(1, std::memory_order_release);
    return true;
}

TUTTI_BODY std::optional<called_off::entry> called_off::find(channel_type channel) {
    const std::lock_guard lock(mutex_);
    forget_far_from(channel);
    const entry* const one = known(channel);
    return one == nullptr ? std::nullopt : std::optional(*one);
}
#endif

} // namespace tutti::detail
