// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_bcast.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/bcast/catalogue.hpp>

namespace tutti {

namespace detail {
inline void check_call(collective_constant<collective::bcast>, collective_call& call, const place& here) {
    check_root(call.root, here.size);
    call.bytes = call.out.bytes();
}
} // namespace detail

/// A bcast to be run many times; arguments as `bcast`.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
plan<Transport> plan_bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0,
                           const Algorithm& how = {}) {
    return detail::make_plan<collective::bcast>(comm, how, {{}, detail::output_of(data), root});
}

/// Gives every rank the root's `data`, which has the same number of elements on every rank.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds of the whole vector.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
void bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::bcast>(comm, how, {{}, detail::output_of(data), root});
}

/// The same, begun: returns at once. See request.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
request ibcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::bcast>(comm, how, {{}, detail::output_of(data), root});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args, detail::slip Why = detail::move_slip<collective::bcast, Comm, Args...>>
Why bcast(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::bcast, Comm, Args...>>
Why ibcast(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_move_slip<collective::bcast, Comm, Args...>>
Why plan_bcast(Comm&, Args&&...) = delete;

} // namespace tutti
