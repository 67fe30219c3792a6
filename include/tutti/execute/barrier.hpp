// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/choose.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/catalogue_barrier.hpp>

namespace tutti {

/// A barrier to be run many times.
template <class Transport, algorithm_for<collective::barrier> Algorithm = automatic>
auto plan_barrier(communicator<Transport>& comm, const Algorithm& how = {}) {
    using kernel = moving_kernel<unsigned char>;
    using result = plan<Transport, kernel>;
    return result(
        comm, kernel{},
        [&] {
            return make_schedule<collective::barrier>(comm, how, {.at = {comm.rank(), comm.size(), 0}});
        },
        [&](const any_generator& schedule) {
            return typename result::request{
                .what = collective::barrier, .layout = block_layout::even(0, schedule.blocks()), .bound = {}};
        });
}

/// Returns once every rank has called it. Cost: dissemination takes ceil(log2 p) rounds of empty messages.
/// Throws collective_error if it fails on the way.
template <class Transport, algorithm_for<collective::barrier> Algorithm = automatic>
void barrier(communicator<Transport>& comm, const Algorithm& how = {}) {
    plan_barrier(comm, how).run();
}

} // namespace tutti
