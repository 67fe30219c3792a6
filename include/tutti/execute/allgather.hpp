// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/choose.hpp>
#include <tutti/execute/per_rank.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/catalogue_allgather.hpp>

namespace tutti {

namespace detail {
/// A plan that fills `all` with a part per rank: `counts` says how long they are. `own` is this rank's, null
/// for a call in place; `make(request_facts)` makes the schedule.
template <class Transport, element T, class Make>
auto make_gathering(communicator<Transport>& comm, collective what, const T* own, std::span<T> all,
                    per_rank_counts counts, const Make& make) {
    using kernel = moving_kernel<T>;
    using result = plan<Transport, kernel>;
    const rank_type me = comm.rank();
    return result(
        comm, kernel{},
        [&]() -> any_generator {
            return make(request_facts{.at = {me, comm.size(), 0},
                                      .bytes = static_cast<std::int64_t>(all.size_bytes()),
                                      .equal_blocks = counts.equal()});
        },
        [&](const any_generator& schedule) {
            typename result::request wanted{
                .what = what,
                .layout = counts.layout(schedule.blocks()),
                .bound = {.work = all.data()},
                .ahead = {all.data() + counts.before(me), own, own == nullptr ? 0 : counts.of(me)}};
            wanted.settle_claims(schedule.claims(), true, nullptr);
            return wanted;
        });
}

template <class Transport, element T, class Algorithm>
auto make_allgather(communicator<Transport>& comm, const T* own, std::span<T> all, per_rank_counts counts,
                    const Algorithm& how) {
    return make_gathering(comm, collective::allgather, own, all, counts, [&](const request_facts& facts) {
        return make_schedule<collective::allgather>(comm, how, facts);
    });
}
} // namespace detail

/// An allgather to be run many times; arguments as `allgather`.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
auto plan_allgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> own(in);
    const std::span<T> all(out);
    detail::check_count("out", all.size(), own.size() * static_cast<std::size_t>(comm.size()),
                        "one block as long as in per rank");
    detail::check_apart(own, all);
    const detail::per_rank_counts counts(static_cast<std::int64_t>(own.size()), comm.size());
    return detail::make_allgather(comm, own.data(), all, counts, how);
}

/// Gives every rank the blocks of all ranks, in the order of ranks.
///
/// `in` has the same number of elements on every rank; `out` has size() times as many and shares no memory
/// with it. Throws argument_error before the first message, collective_error on the way. Cost: circulant
/// takes ceil(log2 p) rounds and receives (p-1)/p of `out`, both the least possible.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
void allgather(communicator<Transport>& comm, const In& in, Out&& out, const Algorithm& how = {}) {
    plan_allgather(comm, in, out, how).run();
}

/// In place: `inout` has size() equal blocks, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgather(communicator<Transport>& comm, InOut&& inout, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> all(inout);
    const detail::per_rank_counts counts(detail::equal_share("out", all.size(), comm.size()), comm.size());
    detail::make_allgather(comm, static_cast<const T*>(nullptr), all, counts, how).run();
}

} // namespace tutti
