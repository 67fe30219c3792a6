// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/execute/choose.hpp>
#include <tutti/execute/plan.hpp>

namespace tutti::detail {

/// The plan of a collective that folds whole vectors of `count` elements: allreduce, reduce, exscan.
/// `in_place` is the memory that is input and output at once, null if there is none; `has_result` says
/// whether this rank gets the fold.
template <collective C, class Transport, element T, class Op, class Algorithm>
auto plan_whole_fold(communicator<Transport>& comm, binding<T> bound, const T* in_place, std::size_t count,
                     bool has_result, Op op, rank_type root, const Algorithm& how) {
    using kernel = folding_kernel<T, Op>;
    using result = plan<Transport, kernel>;
    constexpr bool commutes = is_commutative<Op, T>;
    return result(
        comm, kernel(std::move(op)),
        [&] {
            return make_schedule<C>(comm, how,
                                    {.at = {comm.rank(), comm.size(), root},
                                     .bytes = static_cast<std::int64_t>(count * sizeof(T)),
                                     .commutative = commutes});
        },
        [&](const any_generator& schedule) {
            typename result::request wanted{
                .what = C,
                .layout = block_layout::even(static_cast<std::int64_t>(count), schedule.blocks()),
                .bound = bound,
                .result = {0, has_result ? schedule.blocks() : 0}};
            // What is chosen covers the request, and of these only the exscans read their input late.
            if constexpr (!std::same_as<Algorithm, automatic> || C == collective::exscan)
                wanted.settle_claims(schedule.claims(), commutes, in_place);
            return wanted;
        });
}

} // namespace tutti::detail
