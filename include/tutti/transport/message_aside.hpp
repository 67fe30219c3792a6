// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/reusable_list.hpp>
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

    std::span<const std::byte> content() const noexcept { return {content_.data(), content_.size()}; }
    void clear() noexcept { content_.clear(); }
    void append(std::span<const std::byte> part) { content_.append(part.data(), part.size()); }

    message_aside* next = nullptr; ///< that was sent after it

private:
    reusable_list<std::byte> content_{};
};

} // namespace tutti::detail
