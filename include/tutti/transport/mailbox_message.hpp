// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>

#include <tutti/core/rank.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mailbox.hpp>
#include <tutti/transport/message_aside.hpp>
#include <tutti/transport/pieces.hpp>

namespace tutti::detail {

/// A message that has come: in the mailbox, in memory that its receiver sees, or away.
class mailbox_message {
public:
    /// None of one that is away.
    gather_list pieces() const noexcept { return list_.data() != nullptr ? list_ : gather_list(&one_, 1); }
    /// In the memory of another process: see fetching_transport.
    bool is_away() const noexcept { return away_; }
    std::size_t bytes() const noexcept { return away_ ? lent_.bytes : total_bytes(pieces()); }

private:
    friend class mailbox_reader;
    friend class mailbox_aside;
    friend class mailbox_receiver;
    std::span<const std::byte> one_{};
    gather_list list_{};
    bool away_ = false;
    lent_pieces lent_; // if it is away
    ticket_type ticket_ = 0;
    message_aside* aside_ = nullptr;
    rank_type peer_ = no_rank;
};

} // namespace tutti::detail
