// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/plan_whole_fold.hpp>
#include <tutti/schedule/catalogue_exscan.hpp>

namespace tutti {

namespace detail {
template <class Transport, element T, class Op, class Algorithm>
auto make_exscan(communicator<Transport>& comm, const T* in, std::span<T> out, bool in_place, Op op,
                 const Algorithm& how) {
    return plan_whole_fold<collective::exscan>(comm, binding<T>{.input = in, .work = out.data()},
                                               in_place ? out.data() : nullptr, out.size(), comm.rank() > 0,
                                               std::move(op), 0, how);
}
} // namespace detail

/// An exscan to be run many times; arguments as `exscan`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
auto plan_exscan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_count("out", to.size(), from.size(), "as many as in has");
    detail::check_apart(from, to);
    return detail::make_exscan(comm, from.data(), to, false, std::move(op), how);
}

/// Gives rank r the fold of the vectors of ranks 0 to r-1, in that order; `out` of rank 0 is left as it is.
///
/// `in` and `out` have the same number of elements, the same on every rank, and share no memory; `in` is not
/// written. `op` is associative. Throws argument_error before the first message, collective_error on the way.
/// Cost: census takes ceil(log2 p) rounds of the whole vector.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
void exscan(communicator<Transport>& comm, const In& in, Out&& out, Op op, const Algorithm& how = {}) {
    plan_exscan(comm, in, out, std::move(op), how).run();
}

/// In place: works on a copy of `inout`.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::exscan> Algorithm = automatic>
void exscan(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> data(inout);
    detail::make_exscan(comm, static_cast<const T*>(data.data()), data, true, std::move(op), how).run();
}

} // namespace tutti
