// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/transport/failure.hpp>

/// Calls that a rank cannot make, or go on with, when the others may have begun them.
namespace tutti::detail {

/// What the other ranks hear of a call that this one cannot make, or go on with.
[[gnu::cold]] std::string left_out(rank_type rank, std::string_view what, const std::exception_ptr& why);

/// Tells the others not to wait for this rank.
template <class Transport>
[[gnu::cold]] void take_no_part(communicator<Transport>& comm, channel_type channel, std::string_view what,
                                const std::exception_ptr& why) noexcept {
    try {
        if constexpr (labelling_transport<Transport>)
            comm.transport().call_off(channel, left_out(comm.rank(), what, why));
        else if constexpr (closing_transport<Transport>)
            comm.transport().close(channel);
    } catch (...) { // no memory for the text, or a stray message: the cause is reported, anyway
    }
}

/// Tells the others that this rank has let go of a call that it had begun.
template <class Transport>
[[gnu::cold]] void tell_given_up(communicator<Transport>& comm, std::string_view what) noexcept {
    const std::string why = sentence(
        {"rank ", comm.rank(), " has given up ", what, ": its request was destroyed before it was over"});
    if constexpr (announcing_transport<Transport>)
        comm.transport().announce_failure(why);
    else if constexpr (failing_transport<Transport>)
        comm.transport().fail(why);
}

#if TUTTI_BODIES
TUTTI_BODY std::string left_out(rank_type rank, std::string_view what, const std::exception_ptr& why) {
    constexpr std::string_view signature = "tutti: "; // what reports it puts that in front again
    const std::string text = text_of(why);
    const std::size_t begin = text.starts_with(signature) ? signature.size() : 0;
    return sentence({"rank ", rank, " takes no part in ", what, ": ", text.substr(begin)});
}
#endif

constexpr std::string_view name_of(std::string_view call) noexcept { return call; }

/// What make() returns, for a call that has taken its channel: the ranks that could make it are not to wait
/// for this one if it cannot, and an argument_error says of which call it is. `what` is a collective, a task
/// or a name, of which the words are looked up only then: a plan that is run has no time for them.
template <class Transport, class What, class Make>
decltype(auto) made_or_called_off(communicator<Transport>& comm, channel_type channel, const What& what,
                                  const Make& make) {
    try {
        return make();
    } catch (...) {
        take_no_part(comm, channel, name_of(what), std::current_exception());
        throw_of_call(name_of(what), comm.rank());
    }
}

} // namespace tutti::detail
