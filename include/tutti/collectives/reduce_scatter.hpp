// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <tutti/choose/default_reduce_scatter.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/collectives/refused.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/schedule/reduce_scatter/catalogue.hpp>

namespace tutti {

namespace detail {
/// As many blocks in as there are ranks, one out; of counts[r] elements for rank r, if they were listed.
void check_call(collective_constant<collective::reduce_scatter>, collective_call& call, const place& here);

/// Counts beside what is worked on in place: no output, which can be written and has the same elements. (A
/// temporary one is no call's counts either, but a slip.)
template <class Counts, class InOut>
concept counts_in_place =
    std::convertible_to<const Counts&, std::span<const std::int64_t>> && !writable_like<Counts&, InOut>;

#if TUTTI_BODIES
TUTTI_BODY void check_call(collective_constant<collective::reduce_scatter>, collective_call& call,
                           const place& here) {
    if (call.in_place()) return check_in_parts(call, here.size);
    call.parts = parts_given(call, call.out.count, here.size);
    check_all_parts("in", call.in, call.parts, "one block as long as out per rank");
    check_own_part("out", call.out, call.parts, here.rank);
    check_apart(call.in, call.out);
    call.bytes = call.in.bytes();
}
#endif
} // namespace detail

/// A reduce_scatter to be run many times; arguments as `reduce_scatter`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                                    const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// `counts` need not outlive the call.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out,
                                    std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), 0, counts});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op,
                                    const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce_scatter>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

template <class Transport, writable InOut, detail::counts_in_place<InOut> Counts,
          operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
plan<Transport> plan_reduce_scatter(communicator<Transport>& comm, InOut&& inout, Counts&& counts, Op op,
                                    const Algorithm& how = {}) {
    return detail::make_plan<collective::reduce_scatter>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op), 0, counts});
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
    detail::run_call<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
request ireduce_scatter(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                        const Algorithm& how = {}) {
    return detail::start_call<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op)});
}

/// With blocks of any length: counts[r] elements for rank r, zero allowed, the same counts on every rank.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out,
                    std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), 0, counts});
}

/// The same, begun: returns at once. See request.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
request ireduce_scatter(communicator<Transport>& comm, const In& in, Out&& out,
                        std::span<const std::int64_t> counts, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::reduce_scatter>(
        comm, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), 0, counts});
}

/// In place: `inout` has size() equal blocks; this rank's becomes its block of the result, the others are
/// scratch afterwards.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    detail::run_call<collective::reduce_scatter>(comm, how,
                                                 {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
request ireduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    return detail::start_call<collective::reduce_scatter>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op)});
}

/// In place with blocks of any length: `inout` has counts[r] elements for rank r, block behind block; this
/// rank's becomes its block of the result where it lies, the others are scratch afterwards. Where elements
/// are std::int64_t themselves, `counts` has to be const, as every std::span<const std::int64_t> is: what can
/// be written is taken for the output of a call that is not in place.
template <class Transport, writable InOut, detail::counts_in_place<InOut> Counts,
          operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, InOut&& inout, Counts&& counts, Op op,
                    const Algorithm& how = {}) {
    detail::run_call<collective::reduce_scatter>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op), 0, counts});
}

template <class Transport, writable InOut, detail::counts_in_place<InOut> Counts,
          operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
request ireduce_scatter(communicator<Transport>& comm, InOut&& inout, Counts&& counts, Op op,
                        const Algorithm& how = {}) {
    return detail::start_call<collective::reduce_scatter>(
        comm, how, {{}, detail::output_of(inout), detail::fold_by<InOut>(op), 0, counts});
}

/// What no call takes: see refused.hpp.
template <class Comm, class... Args,
          detail::slip Why = detail::fold_slip<collective::reduce_scatter, Comm, Args...>>
Why reduce_scatter(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::reduce_scatter, Comm, Args...>>
Why ireduce_scatter(Comm&, Args&&...) = delete;
template <class Comm, class... Args,
          detail::slip Why = detail::begun_fold_slip<collective::reduce_scatter, Comm, Args...>>
Why plan_reduce_scatter(Comm&, Args&&...) = delete;

} // namespace tutti
