// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_barrier.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/schedule/barrier/catalogue.hpp>

namespace tutti {

namespace detail {
inline void check_call(collective_constant<collective::barrier>, collective_call&, const place&) {}
} // namespace detail

/// A barrier to be run many times.
template <class Transport, algorithm_for<collective::barrier> Algorithm = automatic>
plan<Transport> plan_barrier(communicator<Transport>& comm, const Algorithm& how = {}) {
    return detail::make_plan<collective::barrier>(comm, how, {});
}

/// Returns once every rank has called it. Cost: dissemination takes ceil(log2 p) rounds of empty messages.
/// Throws collective_error if it fails on the way.
template <class Transport, algorithm_for<collective::barrier> Algorithm = automatic>
void barrier(communicator<Transport>& comm, const Algorithm& how = {}) {
    detail::run_call<collective::barrier>(comm, how, {});
}

/// The same, begun: returns at once. See request.
template <class Transport, algorithm_for<collective::barrier> Algorithm = automatic>
request ibarrier(communicator<Transport>& comm, const Algorithm& how = {}) {
    return detail::start_call<collective::barrier>(comm, how, {});
}

} // namespace tutti
