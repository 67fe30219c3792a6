// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/choose/default_reduce_scatter.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/schedule/catalogue_reduce_scatter.hpp>

namespace tutti {

/// A reduce_scatter to be run many times; arguments as `reduce_scatter`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                                    const Algorithm& how = {}) {
    const auto from = detail::input_of(in);
    const auto to = detail::output_of(out);
    detail::check_count("in", from.count, to.count * static_cast<std::size_t>(comm.size()),
                        "one block as long as out per rank");
    detail::check_apart(from, to);
    const detail::per_rank_counts parts(static_cast<std::int64_t>(to.count), comm.size());
    return detail::make_plan<collective::reduce_scatter>(
        comm, how,
        {.in = from, .out = to, .bytes = from.bytes(), .by = detail::by<In>(std::move(op)), .parts = &parts});
}

/// `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out,
                                    std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    const auto from = detail::input_of(in);
    const auto to = detail::output_of(out);
    const detail::per_rank_counts parts(counts, comm.size());
    detail::check_whole("in", from.count, parts);
    detail::check_count("out", to.count, static_cast<std::size_t>(parts.of(comm.rank())),
                        "this rank's count");
    detail::check_apart(from, to);
    return detail::make_plan<collective::reduce_scatter>(
        comm, how,
        {.in = from, .out = to, .bytes = from.bytes(), .by = detail::by<In>(std::move(op)), .parts = &parts});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op,
                                    const Algorithm& how = {}) {
    const auto data = detail::output_of(inout);
    const auto parts = detail::equal_parts("inout", data.count, comm.size());
    return detail::make_plan<collective::reduce_scatter>(
        comm, how,
        {.out = data, .bytes = data.bytes(), .by = detail::by<InOut>(std::move(op)), .parts = &parts});
}

/// Folds the vectors of all ranks, element by element, and gives rank r its r-th block of the result.
///
/// `in` has size() blocks as long as `out`, shares no memory with it and is not written. `op` is associative;
/// if it is not known to be commutative, only order-preserving algorithms are taken. Throws argument_error
/// before the first message, collective_error on the way. Cost: circulant takes ceil(log2 p) rounds and
/// (p-1)/p of the vector, both the least possible.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                    const Algorithm& how = {}) {
    plan_reduce_scatter(comm, in, out, std::move(op), how).run();
}

/// With blocks of any length: counts[r] elements for rank r, zero allowed, the same counts on every rank.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out,
                    std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    plan_reduce_scatter(comm, in, out, counts, std::move(op), how).run();
}

/// In place: `inout` has size() equal blocks; this rank's becomes its block of the result, the others are
/// scratch afterwards.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    plan_reduce_scatter(comm, inout, std::move(op), how).run();
}

} // namespace tutti
