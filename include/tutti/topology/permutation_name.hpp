// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Which permutation messages are a part of, as `--permutation` writes it: "shift:4", "xor:2", "shift:1"
/// where both are right, "" for none of these. A Message has `from` and `to`; those of one sender stand
/// together.
///
/// number(rank) is what the permutation counts, below `size`: ranks themselves, slots of a network, or places
/// among those that take part. Time: that of reading the messages once.
/// Example with 5 ranks: 0 to 1, 1 to 0, 2 to 3, 3 to 2 are "xor:1"; 3 to 0 and 4 to 1 are "shift:2".
template <class Message, class Number>
std::string permutation_name(const std::vector<Message>& messages, rank_type size, Number&& number) {
    if (messages.empty()) return "";
    const auto shift = [&](const Message& m) { return mod(number(m.to) - number(m.from), size); };
    const auto exchange = [&](const Message& m) { return number(m.to) ^ number(m.from); };
    const rank_type k = shift(messages.front());
    const rank_type j = exchange(messages.front());
    bool shifts = true;
    bool exchanges = true;
    rank_type before = no_rank;
    for (const Message& m : messages) {
        if (m.from == before) return ""; // two messages from one rank
        before = m.from;
        shifts = shifts && shift(m) == k;
        exchanges = exchanges && exchange(m) == j;
        if (!shifts && !exchanges) return "";
    }
    return shifts ? "shift:" + std::to_string(k) : "xor:" + std::to_string(j);
}

} // namespace tutti
