// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/arguments.hpp>
#include <tutti/execute/choose.hpp>
#include <tutti/execute/per_rank.hpp>
#include <tutti/execute/plan.hpp>
#include <tutti/schedule/catalogue_reduce_scatter.hpp>

namespace tutti {

namespace detail {
/// `in` is null for a call in place, in which `out` is the whole vector.
template <class Transport, element T, class Op, class Algorithm>
auto make_reduce_scatter(communicator<Transport>& comm, const T* in, T* out, per_rank_counts counts, Op op,
                         const Algorithm& how) {
    using kernel = folding_kernel<T, Op>;
    using result = plan<Transport, kernel>;
    constexpr bool commutes = is_commutative<Op, T>;
    const bool in_place = in == nullptr;
    return result(
        comm, kernel(std::move(op)),
        [&] {
            return make_schedule<collective::reduce_scatter>(
                comm, how,
                {.at = {comm.rank(), comm.size(), 0},
                 .bytes = counts.total() * static_cast<std::int64_t>(sizeof(T)),
                 .commutative = commutes,
                 .equal_blocks = counts.equal()});
        },
        [&](const any_generator& schedule) {
            typename result::request wanted{
                .what = collective::reduce_scatter,
                .layout = counts.layout(schedule.blocks()),
                .bound = {.input = in, .work = in_place ? out : nullptr, .work_starts_as_input = !in_place},
                .result = counts.own_blocks(comm.rank(), schedule.blocks()),
                .copy_result_to = in_place ? nullptr : out};
            wanted.settle_claims(schedule.claims(), commutes, in_place ? out : nullptr);
            return wanted;
        });
}
} // namespace detail

/// A reduce_scatter to be run many times; arguments as `reduce_scatter`.
template <class Transport, readable In, writable_like<In> Out, operation<detail::element_of<In>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
auto plan_reduce_scatter(communicator<Transport>& comm, const In& in, Out&& out, Op op,
                         const Algorithm& how = {}) {
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    detail::check_count("in", from.size(), to.size() * static_cast<std::size_t>(comm.size()),
                        "one block as long as out per rank");
    detail::check_apart(from, to);
    return detail::make_reduce_scatter(
        comm, from.data(), to.data(),
        detail::per_rank_counts(static_cast<std::int64_t>(to.size()), comm.size()), std::move(op), how);
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
    using T = detail::element_of<In>;
    const std::span<const T> from(in);
    const std::span<T> to(out);
    const detail::per_rank_counts blocks(counts, comm.size());
    detail::check_count("in", from.size(), static_cast<std::size_t>(blocks.total()), "the sum of counts");
    detail::check_count("out", to.size(), static_cast<std::size_t>(blocks.of(comm.rank())),
                        "this rank's count");
    detail::check_apart(from, to);
    detail::make_reduce_scatter(comm, from.data(), to.data(), blocks, std::move(op), how).run();
}

/// In place: `inout` has size() equal blocks; this rank's becomes its block of the result, the others are
/// scratch afterwards.
template <class Transport, writable InOut, operation<detail::element_of<InOut>> Op,
          algorithm_for<collective::reduce_scatter> Algorithm = automatic>
void reduce_scatter(communicator<Transport>& comm, InOut&& inout, Op op, const Algorithm& how = {}) {
    using T = detail::element_of<InOut>;
    const std::span<T> data(inout);
    const auto block = detail::equal_share("inout", data.size(), comm.size());
    detail::make_reduce_scatter(comm, static_cast<const T*>(nullptr), data.data(),
                                detail::per_rank_counts(block, comm.size()), std::move(op), how)
        .run();
}

} // namespace tutti
