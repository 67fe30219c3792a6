// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_allgather.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/allgather/catalogue.hpp>

namespace tutti {

namespace detail {
/// Own block in, those of all ranks out.
collective_call call_from_parts(const input_bytes& own, const output_bytes& all, rank_type size);

#if TUTTI_BODIES
TUTTI_BODY collective_call call_from_parts(const input_bytes& own, const output_bytes& all, rank_type size) {
    check_count("out", all.count, own.count * static_cast<std::size_t>(size),
                "one block as long as in per rank");
    check_apart(own, all);
    return {own, all, all.bytes(), 0, {static_cast<std::int64_t>(own.count), size}};
}
#endif
} // namespace detail

/// An allgather to be run many times; arguments as `allgather`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
plan<Transport> plan_allgather(communicator<Transport>& comm, const In& in, Out&& out,
                               const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(comm, how, [&] {
        return detail::call_from_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
plan<Transport> plan_allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::make_plan<collective::allgather>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

/// Gives every rank the blocks of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank; `out` has size() times as many and shares no memory
/// with it. Throws argument_error before the first message, collective_error on the way. Cost: circulant
/// takes ceil(log2 p) rounds and receives (p-1)/p of `out`, both the least possible.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
void allgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(comm, how, [&] {
        return detail::call_from_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
request iallgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(comm, how, [&] {
        return detail::call_from_parts(detail::input_of(in), detail::output_of(out), comm.size());
    });
}

/// In place: `inout` has size() equal blocks, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    detail::run_call<collective::allgather>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
request iallgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    return detail::start_call<collective::allgather>(
        comm, how, [&] { return detail::call_in_parts(detail::output_of(inout), comm.size()); });
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::allgather, Comm, Args...>>
Why allgather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::allgather, Comm, Args...>>
Why iallgather(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::move_slip<collective::allgather, Comm, Args...>>
Why plan_allgather(Comm&, Args&&...) = delete;

} // namespace tutti
