// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/choose.hpp>
#include <tutti/execute/per_rank.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/catalogue_alltoall.hpp>

namespace tutti {

namespace detail {
template <class Transport, element T, class Algorithm>
auto make_alltoall(communicator<Transport>& comm, const T* in, std::span<T> out, bool in_place,
                   const Algorithm& how) {
    using kernel = moving_kernel<T>;
    using result = plan<Transport, kernel>;
    const per_rank_counts counts(equal_share("out", out.size(), comm.size()), comm.size());
    return result(
        comm, kernel{},
        [&] {
            return make_schedule<collective::alltoall>(
                comm, how,
                {.at = {comm.rank(), comm.size(), 0}, .bytes = static_cast<std::int64_t>(out.size_bytes())});
        },
        [&](const any_generator& schedule) {
            typename result::request wanted{.what = collective::alltoall,
                                            .layout = counts.layout(schedule.blocks()),
                                            .bound = {.input = in, .work = out.data()}};
            wanted.settle_claims(schedule.claims(), true, in_place ? out.data() : nullptr);
            return wanted;
        });
}
} // namespace detail

/// An alltoall to be run many times; arguments as `alltoall`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
auto plan_alltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_count("out", to.size(), from.size(), "as many as in has");
    detail::check_apart(from, to);
    return detail::make_alltoall(comm, from.data(), to, false, how);
}

/// Block j of rank i becomes block i of rank j.
///
/// `in` and `out` have size() equal blocks, the same on every rank, and share no memory; `in` is not written.
/// Throws argument_error before the first message, collective_error on the way.
/// Cost: bruck ceil(log2 p) rounds and about half the vector in each; pairwise p-1 rounds of one block.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::alltoall> Algorithm = automatic>
void alltoall(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    plan_alltoall(comm, in, out, how).run();
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, algorithm_for<collective::alltoall> Algorithm = automatic>
    requires(!writable<Algorithm>)
void alltoall(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> data(inout);
    detail::make_alltoall(comm, static_cast<const T*>(data.data()), data, true, how).run();
}

} // namespace tutti
