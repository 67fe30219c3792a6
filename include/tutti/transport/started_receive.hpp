// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>

#include <tutti/transport/call_label.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti::detail {

/// A receive that was started by start_recv.
struct started_receive {
    channel_type channel = 0;
    scatter_list into{};
    call_label label{};
    bool done = false;
    std::exception_ptr failure{};
    started_receive* next = nullptr; ///< of the same peer
};

} // namespace tutti::detail
