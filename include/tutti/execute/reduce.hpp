// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/plan_whole_fold.hpp>
#include <tutti/schedule/catalogue_reduce.hpp>

namespace tutti {

namespace detail {
/// The root has `out` (and no `in` when in place); other ranks have `in` alone.
template <class Transport, element T, class Op, class Algorithm>
auto make_reduce(communicator<Transport>& comm, const T* in, T* out, std::size_t count, Op op, rank_type root,
                 const Algorithm& how) {
    const bool in_place = in == nullptr;
    return plan_whole_fold<collective::reduce>(
        comm, binding<T>{.input = in, .work = out, .work_starts_as_input = !in_place},
        in_place ? out : nullptr, count, comm.rank() == root, std::move(op), root, how);
}
} // namespace detail

/// A reduce to be run many times; arguments as `reduce`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
auto plan_reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                 const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    detail::check_root(root, comm.size());
    const std::span<const T> from(in);
    const std::span<T> to(out);
    const bool is_root = comm.rank() == root;
    if (is_root) {
        detail::check_count("out", to.size(), from.size(), "as many as in has");
        detail::check_apart(from, to);
    }
    return detail::make_reduce(comm, from.data(), is_root ? to.data() : nullptr, from.size(), std::move(op),
                               root, how);
}

template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
auto plan_reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
                 const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    detail::check_root(root, comm.size());
    const std::span<T> data(inout);
    const bool is_root = comm.rank() == root;
    return detail::make_reduce(comm, is_root ? static_cast<const T*>(nullptr) : data.data(),
                               is_root ? data.data() : nullptr, data.size(), std::move(op), root, how);
}

/// Folds the vectors of all ranks, element by element, and gives the result to `root`.
///
/// `in` has the same number of elements on every rank and is not written. On the root `out` has as many and
/// shares no memory with `in`; on other ranks it is ignored and may be empty. `op` is associative; if it is
/// not known to be commutative, only order-preserving algorithms are taken. Throws argument_error before the
/// first message, collective_error on the way. Cost: that of the algorithm, e.g. fnomial ceil(log_f p) rounds
/// of the whole vector.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    plan_reduce(comm, in, out, std::move(op), root, how).run();
}

/// In place: `inout` is everybody's input and becomes the result on the root; elsewhere it is not written.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void reduce(communicator<Transport>& comm, InOut&& inout, Op op, rank_type root = 0,
            const Algorithm& how = {}) {
    plan_reduce(comm, inout, std::move(op), root, how).run();
}

} // namespace tutti
