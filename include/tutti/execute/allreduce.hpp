// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/plan_whole_fold.hpp>
#include <tutti/schedule/catalogue_allreduce.hpp>

namespace tutti {

namespace detail {
/// `in` is null for a call in place.
template <class Transport, element T, class Op, class Algorithm>
auto make_allreduce(communicator<Transport>& comm, const T* in, std::span<T> out, Op op,
                    const Algorithm& how) {
    const bool in_place = in == nullptr;
    return plan_whole_fold<collective::allreduce>(
        comm, binding<T>{.input = in, .work = out.data(), .work_starts_as_input = !in_place},
        in_place ? out.data() : nullptr, out.size(), true, std::move(op), 0, how);
}
} // namespace detail

/// An allreduce to be run many times; arguments as `allreduce`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
auto plan_allreduce(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                    const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_count("out", to.size(), from.size(), "as many as in has");
    detail::check_apart(from, to);
    return detail::make_allreduce(comm, from.data(), to, std::move(op), how);
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
auto plan_allreduce(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    return detail::make_allreduce(comm, static_cast<const T*>(nullptr), std::span<T>(inout), std::move(op),
                                  how);
}

/// Folds the vectors of all ranks, element by element, and gives every rank the result.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative; if it is not known to be commutative (see is_commutative), only
/// order-preserving algorithms are taken. `how` names an algorithm; by default one is chosen from size, bytes
/// and commutativity. Throws argument_error before the first message, collective_error on the way. Cost: that
/// of the algorithm, e.g. recursive_doubling ceil(log2 p) rounds of the whole vector, halving_doubling and
/// circulant 2 log2 p rounds and 2 (p-1)/p of it.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
void allreduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    plan_allreduce(comm, in, out, std::move(op), how).run();
}

/// In place: `inout` is the input and becomes the result.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::allreduce> Algorithm = automatic>
void allreduce(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    plan_allreduce(comm, inout, std::move(op), how).run();
}

} // namespace tutti
