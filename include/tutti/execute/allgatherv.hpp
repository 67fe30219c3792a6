// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>

#include <tutti/execute/allgather.hpp>

namespace tutti {

/// An allgatherv to be run many times; arguments as `allgatherv`. `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
auto plan_allgatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts,
                     Out&& out, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> own(in);
    const std::span<T> all(out);
    const detail::per_rank_counts blocks(counts, comm.size());
    detail::check_parts(own, all, blocks, comm.rank());
    return detail::make_allgather(comm, own.data(), all, blocks, how);
}

/// Gives every rank the blocks of all ranks, in the order of ranks. The blocks may have any length.
///
/// `in` has counts[rank()] elements, zero allowed; `counts` is the same on every rank; `out` has as many
/// elements as all counts together and shares no memory with `in`. Throws argument_error before the first
/// message, collective_error on the way. Every allgather algorithm serves: none moves a block to another
/// index. Cost: rounds as for allgather; how much a round takes depends on the longest blocks in it.
template <class Transport, readable In, writable_like<In> Out,
          algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgatherv(communicator<Transport>& comm, const In& in, std::span<const std::int64_t> counts, Out&& out,
                const Algorithm& how = {}) {
    plan_allgatherv(comm, in, counts, out, how).run();
}

/// In place: `inout` has as many elements as all counts together, of which this rank has filled its own.
template <class Transport, writable InOut, algorithm_for<collective::allgather> Algorithm = automatic>
    requires(!writable<Algorithm>)
void allgatherv(communicator<Transport>& comm, InOut&& inout, std::span<const std::int64_t> counts,
                const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> all(inout);
    const detail::per_rank_counts blocks(counts, comm.size());
    detail::check_whole("inout", all, blocks);
    detail::make_allgather(comm, static_cast<const T*>(nullptr), all, blocks, how).run();
}

} // namespace tutti
