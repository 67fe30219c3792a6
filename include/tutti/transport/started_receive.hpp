// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>

#include <tutti/core/error.hpp>
#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::detail {

/// A receive that was started by start_recv.
struct started_receive {
    channel_type channel;
    scatter_list into;
    call_label label;
    bool done;
    std::optional<transport_error> failure;
};

} // namespace tutti::detail
