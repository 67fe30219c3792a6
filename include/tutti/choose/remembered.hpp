// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <tutti/choose/chooser.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/reusable_list.hpp>

namespace tutti::detail {

/// Lengths for which one choice serves: 0, 1, and those from 2^k or 3 * 2^k to the next of these.
inline constexpr std::size_t choice_lengths = 126;

constexpr std::size_t choice_length_of(std::int64_t bytes) noexcept {
    const auto n = static_cast<std::uint64_t>(bytes);
    const auto width = static_cast<int>(std::bit_width(n)); // 0..63
    return width < 2 ? n : static_cast<std::size_t>(2 * width - 2) + (n >> (width - 2) & 1U);
}

/// The shortest of the lengths that share a choice with `bytes`.
/// Example: 5 bytes are rounded to 4, 7 to 6, 100 to 96, powers of two to themselves.
constexpr std::int64_t rounded_length(std::int64_t bytes) noexcept {
    if (bytes < 2) return bytes;
    const auto n = static_cast<std::uint64_t>(bytes);
    const int below = static_cast<int>(std::bit_width(n)) - 2; // all bits but the two highest
    return static_cast<std::int64_t>(n >> below << below);
}

/// The choices that a communicator has asked for: a short call is not to look for one.
class remembered_choices {
public:
    /// Null if nobody has asked yet.
    const choice* find(collective what, const request_facts& facts) const noexcept {
        const auto& of = of_[static_cast<std::size_t>(what)];
        return of.empty() ? nullptr : of[index(facts)];
    }

    void remember(collective what, const request_facts& facts, const choice& chosen) {
        auto& of = of_[static_cast<std::size_t>(what)];
        if (of.empty()) of.assign(kinds * choice_lengths, nullptr);
        of[index(facts)] = &chosen;
    }

    void forget() noexcept {
        for (auto& of : of_) of.clear();
    }

private:
    static constexpr std::size_t kinds = 8;

    static std::size_t index(const request_facts& facts) noexcept {
        const std::size_t kind =
            (facts.commutative ? 1U : 0U) + (facts.equal_blocks ? 2U : 0U) + (facts.at.root == 0 ? 4U : 0U);
        return kind * choice_lengths + choice_length_of(facts.bytes);
    }

    reusable_list<const choice*> of_[all_collectives.size() + 1];
};

} // namespace tutti::detail
