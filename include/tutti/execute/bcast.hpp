// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/choose.hpp>
#include <tutti/execute/plan.hpp>

namespace tutti {

/// A bcast to be run many times; arguments as `bcast`.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
auto plan_bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<Data>;
    detail::check_root(root, comm.size());
    const std::span<T> all(data);
    any_generator schedule = make_schedule<collective::bcast>(
        how, {.at = {comm.rank(), comm.size(), root}, .bytes = static_cast<std::int64_t>(all.size_bytes())});
    block_layout layout = block_layout::even(static_cast<std::int64_t>(all.size()), schedule.blocks());
    detail::check_claims(schedule.claims(), true, layout);
    using kernel = moving_kernel<T>;
    return plan<Transport, kernel>(
        comm, std::move(schedule), kernel{},
        {.what = collective::bcast, .layout = std::move(layout), .bound = {.work = all.data()}});
}

/// Gives every rank the root's `data`, which has the same number of elements on every rank.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds of the whole vector.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
void bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    plan_bcast(comm, data, root, how).run();
}

} // namespace tutti
