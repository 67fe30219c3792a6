// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mailbox.hpp>

namespace tutti::detail {

/// A message that was in the way of one on another channel, or one that comes in parts.
struct message_aside {
    enum class whereabouts : std::uint8_t {
        lent,     ///< where its sender says: it keeps its slot, nothing was copied
        arriving, ///< parts of it are here; it keeps its slot
        here,
        revoked, ///< nowhere: the sender took it back
    };

    channel_type channel = 0;
    whereabouts is = whereabouts::here;
    bool held = false; ///< handed out
    ticket_type ticket = 0;
    call_label label{};

    std::span<const std::byte> content() const noexcept { return std::span(memory_).first(length_); }
    void clear() noexcept { length_ = 0; }
    /// As much as there will be in the end is not believed before it has come.
    void append(std::span<const std::byte> part, std::size_t in_the_end) {
        const std::size_t needed = length_ + part.size();
        if (needed > memory_.size())
            memory_.resize(std::max(needed, std::min(in_the_end, 2 * memory_.size())));
        if (!part.empty()) std::memcpy(memory_.data() + length_, part.data(), part.size());
        length_ = needed;
    }

    message_aside* next = nullptr; ///< that was sent after it

private:
    std::vector<std::byte> memory_{}; // never becomes less: clearing what is overwritten would cost
    std::size_t length_ = 0;
};

} // namespace tutti::detail
