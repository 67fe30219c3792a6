// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/choose.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/catalogue_bcast.hpp>

namespace tutti {

/// A bcast to be run many times; arguments as `bcast`.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
auto plan_bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    using T = detail::element_of<Data>;
    detail::check_root(root, comm.size());
    const std::span<T> all(data);
    using kernel = moving_kernel<T>;
    using result = plan<Transport, kernel>;
    return result(
        comm, kernel{},
        [&] {
            return make_schedule<collective::bcast>(comm, how,
                                                    {.at = {comm.rank(), comm.size(), root},
                                                     .bytes = static_cast<std::int64_t>(all.size_bytes())});
        },
        [&](const any_generator& schedule) {
            typename result::request wanted{
                .what = collective::bcast,
                .layout = block_layout::even(static_cast<std::int64_t>(all.size()), schedule.blocks()),
                .bound = {.work = all.data()}};
            wanted.settle_claims(schedule.claims(), true, nullptr);
            return wanted;
        });
}

/// Gives every rank the root's `data`, which has the same number of elements on every rank.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds of the whole vector.
template <class Transport, writable Data, algorithm_for<collective::bcast> Algorithm = automatic>
void bcast(communicator<Transport>& comm, Data&& data, rank_type root = 0, const Algorithm& how = {}) {
    plan_bcast(comm, data, root, how).run();
}

} // namespace tutti
