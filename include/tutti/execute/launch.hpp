// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/flight.hpp>
#include <tutti/execute/request.hpp>
#include <tutti/execute/take_no_part.hpp>

/// From a task to a request: flights that nobody's stack holds.
namespace tutti {

namespace detail {
template <class Transport>
request launch_at(launched<Transport>& at, communicator<Transport>& comm, task& what, channel_type channel,
                  progress_mode mode) {
    try {
        at.now.emplace(comm, what, channel, &at, mode);
    } catch (...) {
        comm.take_back(at);
        throw;
    }
    at.now->progress();
    leave_all();
    return request(*at.now);
}
template <class Transport>
launched<Transport>& place_for_copy(communicator<Transport>& comm, task& what, channel_type channel) {
    return made_or_called_off(comm, channel, what, [&]() -> launched<Transport>& {
        if (!what.resolved.known()) resolve_short(comm, what);
        launched<Transport>& at = comm.lease_place();
        if (at.own.has_value())
            at.own->copy(what); // what the last one allocated serves this one
        else
            at.own = what;
        return at;
    });
}
} // namespace detail

/// Begins a task that outlives the request.
template <class Transport>
request launch(communicator<Transport>& comm, task& what, channel_type channel) {
    launched<Transport>& at = detail::made_or_called_off(
        comm, channel, what, [&]() -> launched<Transport>& { return comm.lease_place(); });
    return detail::launch_at(at, comm, what, channel, comm.progresses());
}
/// Begins a copy of a task.
template <class Transport>
request launch_copy(communicator<Transport>& comm, task& what, channel_type channel) {
    launched<Transport>& at = detail::place_for_copy(comm, what, channel);
    return detail::launch_at(at, comm, *at.own, channel, comm.progresses());
}
/// Begins a copy of a task whose input the caller may write again at once, and which others move while the
/// caller is elsewhere, if they can.
template <class Transport>
request launch_detached(communicator<Transport>& comm, task& what, channel_type channel, bool any_order) {
    launched<Transport>& at = detail::place_for_copy(comm, what, channel);
    at.own->any_order = any_order;
    at.own->keep_input |= !at.own->resolved.usable() && at.own->bound.input != nullptr;
    const progress_mode mode =
        comm.progresses() == progress_mode::own_calls ? progress_mode::on_arrival : comm.progresses();
    request r = detail::launch_at(at, comm, *at.own, channel, mode);
    at.now->let_input_go();
    detail::leave_all();
    return r;
}

} // namespace tutti
