// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/rank.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>
#include <tutti/transport/mailbox.hpp>

namespace tutti {
class mailbox_transport;
}

namespace tutti::detail {

struct started_receive;

/// A send or a receive that was started at a mailbox_transport.
class mailbox_handle {
    friend class mailbox_sender;
    friend class mailbox_receives;
    friend class tutti::mailbox_transport;
    enum class kind : std::uint8_t {
        complete,
        unwritten, ///< it has no slot yet, or nothing to write it to
        lent,      ///< until its receiver lets go of it
        piped,     ///< a part of it is to be written yet, unless its connection writes another one
        receive,
    };

    kind kind_ = kind::complete;
    rank_type peer_ = no_rank;
    channel_type channel_ = 0;
    ticket_type ticket_ = 0;
    gather_list data_{};
    call_label label_{};
    started_receive* receive_ = nullptr;
    std::span<const std::byte> copy_{}; // in common memory: of data_, or a list of where that lies
};

} // namespace tutti::detail
