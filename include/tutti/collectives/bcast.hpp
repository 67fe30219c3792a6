// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_bcast.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/schedule/bcast/catalogue.hpp>

namespace tutti {

/// A bcast to be run many times; arguments as `bcast`.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
plan<Transport> plan_bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0,
                           const Algorithm& how = {}) {
    return detail::make_plan<collective::bcast>(
        comm, how, [&] { return detail::call_from_root(detail::output_of(data), root, comm.size()); });
}

/// Gives every rank the root's `data`, which has the same number of elements on every rank.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds of the whole vector.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
void bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    detail::run_call<collective::bcast>(
        comm, how, [&] { return detail::call_from_root(detail::output_of(data), root, comm.size()); });
}

/// The same, begun: returns at once. See request.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
request ibcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    return detail::start_call<collective::bcast>(
        comm, how, [&] { return detail::call_from_root(detail::output_of(data), root, comm.size()); });
}

/// What no call takes: see refused.hpp.
template <detail::plain_communicator Comm, detail::not_of_bytes In, class... More>
refused::elements_must_be_trivially_copyable_no_bits bcast(Comm&, const In&, const More&...) = delete;
template <class Transport, detail::read_only Data, class... More>
refused::result_goes_into_what_is_const bcast(communicator<Transport>&, Data&&, const More&...) = delete;
template <class Transport, readable In, class... More>
    requires detail::has_no_algorithm_for<collective::bcast, In, More...>
refused::this_algorithm_has_no<collective::bcast> bcast(communicator<Transport>&, const In&,
                                                        const More&...) = delete;

} // namespace tutti
