// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
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

private:
    std::vector<std::byte> memory_{}; // never becomes less: clearing what is overwritten would cost
    std::size_t length_ = 0;
};

/// Those of one pair of ranks, in the order of their sending.
class messages_aside {
public:
    using iterator = std::list<message_aside>::iterator;

    iterator begin() noexcept { return list_.begin(); }
    iterator end() noexcept { return list_.end(); }
    iterator find(const message_aside* one) noexcept {
        return std::find_if(begin(), end(), [one](const message_aside& m) { return &m == one; });
    }

    message_aside& add() {
        if (spare_.empty()) spare_.emplace_back();
        spare_.front().clear();
        list_.splice(list_.end(), spare_, spare_.begin());
        return list_.back();
    }
    /// Its memory is the next one's.
    iterator remove(iterator one) noexcept {
        const iterator next = std::next(one);
        spare_.splice(spare_.begin(), list_, one);
        return next;
    }

private:
    std::list<message_aside> list_, spare_;
};

} // namespace tutti::detail
