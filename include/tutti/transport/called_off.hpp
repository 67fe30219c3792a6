// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/shared_text.hpp>

namespace tutti::detail {

/// The calls of a world that fail on all ranks, though the world goes on: on some rank one was refused, has
/// failed, or is another one. What the transports share that tell calls apart; its memory may be that of
/// several processes.
///
/// The last `most` are known, the reasons of the last `most_reasons`. Nobody waits for anybody here: a rank
/// that dies while it adds one leaves an entry that is never found.
class called_off {
public:
    struct entry {
        channel_type channel = 0;
        rank_type by = no_rank;
        std::string why{};

        bool exists() const noexcept { return by != no_rank; }
    };
    static constexpr std::size_t most = 4096;
    static constexpr std::size_t most_reasons = 64;

    /// How many there have been; 0 as long as nobody has made a mistake, and then nobody looks further.
    std::uint32_t count() const noexcept { return count_.load(std::memory_order_acquire); }

    /// Whether this is news: the first reason counts.
    [[gnu::cold]] bool add(channel_type channel, rank_type by, const std::string& why);
    [[gnu::cold]] entry find(channel_type channel);
    /// Whether it would find one.
    [[gnu::cold]] bool has(channel_type channel) noexcept {
        forget_far_from(channel);
        return place_of(channel).has_value();
    }
    /// While no rank is there.
    void forget_all() noexcept {
        for (std::atomic<std::uint64_t>& one : entries_) one.store(0, std::memory_order_relaxed);
        count_.store(0, std::memory_order_relaxed);
    }

private:
    struct reason {
        std::atomic<std::uint64_t> of{0}; ///< the entry it belongs to; 0 while it is being written
        shared_text<240> text{};
    };

    // An entry: the channel + 1, and above 33 bits the rank. 0 is none.
    static std::uint64_t entry_of(channel_type channel, rank_type by) noexcept {
        return (static_cast<std::uint64_t>(by) << 33) | (std::uint64_t{channel} + 1);
    }
    static channel_type channel_of(std::uint64_t entry) noexcept {
        return static_cast<channel_type>((entry & ((std::uint64_t{1} << 33) - 1)) - 1);
    }
    std::size_t used() const noexcept {
        return std::min<std::size_t>(next_.load(std::memory_order_acquire), most);
    }
    std::optional<std::size_t> place_of(channel_type channel) const noexcept;
    void forget_far_from(channel_type channel) noexcept;

    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint64_t> next_{0};
    std::array<std::atomic<std::uint64_t>, most> entries_{};
    std::array<reason, most_reasons> reasons_{};
};

#if TUTTI_BODIES
TUTTI_BODY std::optional<std::size_t> called_off::place_of(channel_type channel) const noexcept {
    for (std::size_t k = 0, many = used(); k < many; ++k) {
        const std::uint64_t one = entries_[k].load(std::memory_order_acquire);
        if (one != 0 && channel_of(one) == channel) return k;
    }
    return std::nullopt;
}

/// Numbers of calls wrap round: those far from the calls of now are over everywhere, and will be used again.
TUTTI_BODY void called_off::forget_far_from(channel_type channel) noexcept {
    constexpr channel_type numbers = 1U << channel_counter_bits;
    for (std::size_t k = 0, many = used(); k < many; ++k) {
        std::uint64_t one = entries_[k].load(std::memory_order_relaxed);
        const channel_type old = channel_of(one);
        const channel_type behind = (channel - old) % numbers;
        if (one != 0 && old / numbers == channel / numbers && behind > numbers / 4
            && behind < numbers / 4 * 3)
            entries_[k].compare_exchange_strong(one, 0, std::memory_order_relaxed);
    }
}

TUTTI_BODY bool called_off::add(channel_type channel, rank_type by, const std::string& why) {
    forget_far_from(channel);
    if (place_of(channel).has_value()) return false;
    const std::uint64_t number = next_.fetch_add(1, std::memory_order_acq_rel);
    reason& written = reasons_[number % most_reasons];
    written.of.store(0, std::memory_order_relaxed);
    written.text.write(why); // whose words are written with release: who reads one finds no old `of`
    written.of.store(entry_of(channel, by), std::memory_order_release);
    entries_[number % most].store(entry_of(channel, by), std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
    return true;
}

TUTTI_BODY called_off::entry called_off::find(channel_type channel) {
    forget_far_from(channel);
    const std::optional<std::size_t> place = place_of(channel);
    if (!place.has_value()) return {};
    const std::uint64_t found = entries_[*place].load(std::memory_order_acquire);
    if (channel_of(found) != channel) return {};
    const auto by = static_cast<rank_type>(found >> 33);
    const reason& known = reasons_[*place % most_reasons];
    if (known.of.load(std::memory_order_acquire) == found) {
        entry whole{channel, by, known.text.read()};
        if (known.of.load(std::memory_order_acquire) == found) return whole;
    }
    return {channel, by, sentence({"rank ", by, " takes no part in this call; why is no longer known"})};
}
#endif

} // namespace tutti::detail
