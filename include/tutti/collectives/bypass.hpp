// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <thread> // for its clocks; <chrono> brings string streams, too
#include <utility>

#include <tutti/collectives/reduce.hpp>

/// Application bypass (Wagner, Buntinas, Panda and Brightwell 2003): a rank whose children are late leaves
/// the reduction, and does not find out when they come: who brings their contribution folds it and passes it
/// on.
namespace tutti {

/// How a rank leaves a reduction whose children are late.
struct bypass_options {
    /// How long a rank whose children are late stays, in the hope that they come soon (section IV.E).
    std::chrono::nanoseconds exit_delay{0};
    /// Fold contributions in the order in which they come, not in that of the schedule: results of floating
    /// point may differ from run to run. For commutative operations only.
    bool fold_in_arrival_order = false;
    /// Most reductions that a rank leaves behind; with more, it waits for the oldest one.
    std::size_t outstanding = 64;
};

/// A reduce that only the root waits for: other ranks leave it as soon as they would have to wait for others,
/// and may write `in` again at once. What is still to be folded and passed on for them is done by whoever
/// brings it, where the transport can (threads; elsewhere by the rank's own next calls of tutti), strictly in
/// the order of the schedule.
///
/// Arguments as `reduce`. Many may be on their way at once; messages belong to the right one. On the root the
/// request is over when `out` holds the result, elsewhere at once. What fails on a rank after it has left is
/// thrown by its next bypass_reduce, which then fails on all ranks, or by finish_bypassed; its communicator's
/// destructor waits for the rest. Memory: one copy of the vector where children are late or messages are
/// long, besides the running result.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
request ibypass_reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                       const Algorithm& how = {}, const bypass_options& options = {}) {
    const channel_type channel = comm.next_channel();
    detail::made_or_called_off(comm, channel, "bypass_reduce", [&] {
        if (options.fold_in_arrival_order && !is_commutative<Op, detail::element_of<In>>)
            throw argument_error("fold_in_arrival_order", "true",
                                 "false, because the operation is not known to be commutative (wrap it in "
                                 "tutti::commutative if it is)");
        if (options.outstanding < 1) throw argument_error("outstanding", "0", "at least 1");
        detail::wait_for_left(comm.bypassed(), options.outstanding - 1);
    });
    const auto begin = std::chrono::steady_clock::now();
    request under_way = detail::start_detached<collective::reduce>(
        comm, channel, how, {detail::input_of(in), detail::output_of(out), detail::fold_by<In>(op), root},
        options.fold_in_arrival_order);
    if (comm.rank() == root) return under_way;
    while (!under_way.test())
        if (std::chrono::steady_clock::now() - begin >= options.exit_delay) {
            comm.bypassed().push_back().what = std::move(under_way);
            break;
        }
    return {};
}

/// The same; the root blocks until it has the result.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce> Algorithm = automatic>
void bypass_reduce(communicator<Transport>& comm, const In& in, Out&& out, Op op, rank_type root = 0,
                   const Algorithm& how = {}, const bypass_options& options = {}) {
    ibypass_reduce(comm, in, out, std::move(op), root, how, options).wait();
}

/// Blocks until all that this rank has left is over. Throws what the first failed one threw.
template <class Transport>
void finish_bypassed(communicator<Transport>& comm) {
    detail::wait_for_left(comm.bypassed(), 0);
}

} // namespace tutti
