// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/collectives/arguments.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/execute/task.hpp>

/// From a call to the task of a rank: one way for all collectives.
namespace tutti {

/// An operation and whether it commutes; by default none, for collectives that move data.
struct operation_on_bytes {
    fold_function fold{};
    bool commutative = true;

    template <element T, class Op>
    static operation_on_bytes of(Op op) {
        return {fold_function::of<T>(std::move(op)), is_commutative<Op, T>};
    }
};

namespace detail {
/// `op` on the elements that a range has.
template <class Range, class Op>
operation_on_bytes by(Op op) {
    return operation_on_bytes::of<element_of<Range>>(std::move(op));
}
} // namespace detail

/// A call as its user wrote it, with the types forgotten: the plans of all collectives are made from one.
struct collective_call {
    detail::input_bytes in{};   ///< without data: the input is in `out` (in place, bcast)
    detail::output_bytes out{}; ///< without data: this rank gets no result; the element type, anyway
    std::int64_t bytes = 0;     ///< of the whole vector
    operation_on_bytes by{};
    rank_type root = 0;
    const detail::per_rank_counts* parts = nullptr; ///< where the vector has a part for every rank
};

/// Makes the schedule of a call, and refers to what it makes it from: for the length of an expression.
class schedule_source {
public:
    /// make(request_facts) makes it. `covers`: whatever it makes, its claims cover the request.
    template <class Make>
    explicit schedule_source(const Make& make, bool covers = false) noexcept
        : from_(&make), make_([](const void* from, const request_facts& facts) -> any_generator {
              return (*static_cast<const Make*>(from))(facts);
          }),
          covers_(covers) {}

    any_generator operator()(const request_facts& facts) const { return make_(from_, facts); }
    bool covers() const noexcept { return covers_; }

private:
    const void* from_;
    any_generator (*make_)(const void*, const request_facts&);
    bool covers_;
};

namespace detail {

/// The task of a call on rank `at.rank`. Throws argument_error if the schedule's claims do not cover it.
task make_task(collective what, place at, collective_call&& call, const schedule_source& make);

#if TUTTI_BODIES
/// What the buffers of a call mean for each collective.
TUTTI_BODY void bind_buffers(task& t, const collective_call& call, rank_type me) {
    const bool in_place = call.in.data == nullptr;
    const block_index blocks = t.schedule.blocks();
    const auto each = static_cast<std::int64_t>(call.out.element.bytes);
    t.bound = {.input = call.in.data, .work = call.out.data};
    switch (t.what) {
    case collective::allreduce:
    case collective::reduce:
        t.bound.work_starts_as_input = !in_place;
        t.result = {0, call.out.data != nullptr ? blocks : 0};
        break;
    case collective::exscan: t.result = {0, me > 0 ? blocks : 0}; break;
    case collective::reduce_scatter:
        t.bound.work_starts_as_input = !in_place;
        t.result = call.parts->own_blocks(me, blocks);
        if (in_place) break;
        t.bound.work = nullptr;
        t.copy_result_to = call.out.data;
        break;
    case collective::allgather:
    case collective::multicast:
        t.bound.input = nullptr;
        if (in_place) break;
        t.ahead = {.to = call.out.data + call.parts->before(me) * each,
                   .from = call.in.data,
                   .bytes = call.parts->of(me) * each};
        break;
    case collective::barrier:
    case collective::bcast:
    case collective::alltoall: break;
    }
}

TUTTI_BODY task make_task(collective what, place at, collective_call&& call, const schedule_source& make) {
    at.root = call.root;
    task t{.what = what,
           .schedule = make({.at = at,
                             .bytes = call.bytes,
                             .commutative = call.by.commutative,
                             .equal_blocks = call.parts == nullptr || call.parts->equal()}),
           .fold = std::move(call.by.fold)};
    const auto unit = static_cast<std::int64_t>(call.out.element.bytes);
    t.layout = call.parts != nullptr ? call.parts->layout(t.schedule.blocks(), unit)
                                     : block_layout::aligned(call.bytes, t.schedule.blocks(), unit);
    bind_buffers(t, call, at.rank);
    // What is chosen covers the call, and of these the whole folds to all or to one read no input late.
    if (make.covers() && (what == collective::allreduce || what == collective::reduce)) return t;
    const capabilities claims = t.schedule.claims();
    check_claims(claims, call.by.commutative, t.layout);
    if (call.in.data == nullptr && claims.reads_input) { // it would read what it has overwritten
        t.bound.input = call.out.data;
        t.keep_input = true;
    }
    return t;
}
#endif

} // namespace detail
} // namespace tutti
