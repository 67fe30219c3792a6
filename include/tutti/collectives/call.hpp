// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
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
    fold_function fold{};    ///< what folds; none for collectives that move data
    bool commutative = true; ///< whether the order of operands does not matter

    /// The operation `op` on elements of type T.
    template <element T, class Op>
    static operation_on_bytes of(Op op) {
        return {fold_function::of<T>(std::move(op)), is_commutative<Op, T>};
    }
};

/// A call as its user wrote it, checked, with the types forgotten: the tasks of all collectives are made from
/// one.
struct collective_call {
    collective_call() noexcept {}
    /// A constructor, because compilers would clear the whole of an aggregate first.
    collective_call(const detail::input_bytes& from, const detail::output_bytes& to, std::int64_t whole,
                    rank_type at_root = 0, const detail::per_rank_counts& in_parts = {}) noexcept
        : in(from), out(to), bytes(whole), root(at_root), parts(in_parts) {}

    detail::input_bytes in{};        ///< without data: the input is in `out` (in place, bcast)
    detail::output_bytes out{};      ///< without data: this rank gets no result; the element type, anyway
    std::int64_t bytes = 0;          ///< of the whole vector
    operation_on_bytes by{};         ///< the operation, if there is one
    rank_type root = 0;              ///< where there is one
    detail::per_rank_counts parts{}; ///< where the vector has a part for every rank
    std::uint32_t pattern = 0;       ///< hash of what else all ranks agree in
};

/// Makes the schedule of a call, and refers to what it makes it from: for the length of an expression.
class schedule_source {
public:
    /// make(request_facts) makes that of the algorithm.
    template <class Make>
    schedule_source(const Make& make, std::string_view algorithm) noexcept
        : algorithm_(algorithm), from_(&make),
          make_([](const void* from, const request_facts& facts) -> any_generator {
              return (*static_cast<const Make*>(from))(facts);
          }) {}

    /// The schedule for a request, of the rank that it names.
    any_generator operator()(const request_facts& facts) const { return make_(from_, facts); }
    /// As the catalogue calls it.
    std::string_view algorithm() const noexcept { return algorithm_; }

private:
    std::string_view algorithm_;
    const void* from_;
    any_generator (*make_)(const void*, const request_facts&);
};

namespace detail {

/// A vector for every rank: as many elements as the input has. Throws argument_error if not, or if they
/// overlap.
collective_call call_of_alike(const input_bytes& in, const output_bytes& out);

/// In place.
inline collective_call call_in_place(const output_bytes& inout) { return {{}, inout, inout.bytes()}; }
collective_call call_in_parts(const output_bytes& inout, rank_type size); ///< ... with a part for every rank
collective_call call_in_parts(std::span<const std::int64_t> counts, const output_bytes& inout,
                              rank_type size); ///< ... of counts[r] elements

/// ... that has a root.
collective_call call_from_root(const output_bytes& inout, rank_type root, rank_type size);

/// What makes a call that folds, by an operation on the elements that a range has, from what makes the rest.
/// Calls are made when they have their number, and where they stay.
template <class Range, class Op, class Make>
auto folding(Op& op, const Make& make) {
    return [&op, make] {
        collective_call call = make();
        call.by = operation_on_bytes::of<element_of<Range>>(std::move(op));
        return call;
    };
}

/// The task of a call on rank `at.rank`. Throws argument_error if the schedule's claims do not cover it.
task make_task(collective what, const place& at, collective_call&& call, const schedule_source& make);

/// The same, kept in `recent`: the one that is there with other buffers, if it is of the same kind.
/// `algorithm`: see task_kind.
task& task_for(recent_task& recent, collective what, const place& at, const void* algorithm,
               collective_call&& call, const schedule_source& make);

#if TUTTI_BODIES
TUTTI_BODY collective_call call_of_alike(const input_bytes& in, const output_bytes& out) {
    check_alike(in, out);
    return {in, out, out.bytes()};
}

TUTTI_BODY collective_call call_in_parts(const output_bytes& inout, rank_type size) {
    return {{}, inout, inout.bytes(), 0, equal_parts("inout", inout.count, size)};
}

TUTTI_BODY collective_call call_in_parts(std::span<const std::int64_t> counts, const output_bytes& inout,
                                         rank_type size) {
    const per_rank_counts parts(counts, size);
    check_whole("inout", inout.count, parts);
    return {{}, inout, inout.bytes(), 0, parts};
}

TUTTI_BODY collective_call call_from_root(const output_bytes& inout, rank_type root, rank_type size) {
    check_root(root, size);
    return {{}, inout, inout.bytes(), root};
}

/// Up to so many bytes of an allgather, what is sent first is sent from its place in the result.
inline constexpr std::int64_t longest_sent_from_copy = 4096;

/// What the buffers of a call mean for each collective.
TUTTI_BODY void bind_buffers(task& t, const collective_call& call, rank_type me) {
    const bool in_place = call.in.data == nullptr;
    const block_index blocks = t.schedule.blocks();
    const auto each = static_cast<std::int64_t>(call.out.element.bytes);
    t.bound = {.input = call.in.data, .work = call.out.data};
    switch (t.what) {
    case collective::allreduce:
    case collective::reduce:
    case collective::scan:
        t.bound.work_starts_as_input = !in_place;
        t.result = {0, call.out.data != nullptr ? blocks : 0};
        break;
    case collective::exscan:
        t.result = {0, me > 0 ? blocks : 0};
        t.keep_input = t.keep_input || in_place; // it lies beside work, never in it
        break;
    case collective::reduce_scatter:
        t.bound.work_starts_as_input = !in_place;
        t.result = call.parts.own_blocks(me, blocks);
        if (in_place) break;
        t.bound.work = nullptr;
        t.copy_result_to = call.out.data;
        break;
    case collective::gather:
        if (me != call.root) { // what others send this one lands in memory of the engine's
            t.bound.input_begins = call.parts.before(me) * each;
            t.bound.work_starts_as_input = true;
            break;
        }
        [[fallthrough]];
    case collective::allgather:
    case collective::multicast:
        t.bound.input = nullptr;
        if (in_place) break;
        t.ahead = {.to = call.out.data + call.parts.before(me) * each,
                   .from = call.in.data,
                   .bytes = call.parts.of(me) * each};
        // Others need not wait for the copy, nor fetch it from this core's cache. A short one is there sooner
        // if it goes as a whole with what has come.
        if (call.bytes <= longest_sent_from_copy) break;
        t.bound.input = call.in.data;
        t.bound.input_begins = call.parts.before(me) * each;
        t.bound.work_starts_as_input = true;
        break;
    case collective::scatter:
        t.bound.work_starts_as_input = me == call.root; // whose output may be as short as the others'
        if (call.out.data == nullptr) break;            // the root in place: it has what it gets
        t.result = call.parts.own_blocks(me, blocks);
        if (blocks == 1) break; // one rank, and all is its own
        t.bound.work = nullptr;
        t.bound.part = t.result;
        t.bound.part_at = call.out.data;
        break;
    case collective::alltoall: t.keep_input = t.keep_input || in_place; break; // likewise
    case collective::barrier:
    case collective::bcast: break;
    }
    if (t.keep_input) t.bound.input = call.out.data;
}

/// What this call has in common with those of the other ranks, in place or not, planned or not.
TUTTI_BODY call_label label_of(const task& t, const collective_call& call, const capabilities& claims) {
    std::uint64_t h = t.schedule.type_hash();
    for (const std::int64_t figure :
         {t.schedule.rounds(), t.schedule.blocks(), claims.scratch_blocks, claims.max_outstanding,
          claims.sent_blocks, claims.reduced_blocks, call.parts.unevenness(), std::int64_t{call.pattern}})
        h = (h ^ static_cast<std::uint64_t>(figure)) * 0x9E3779B97F4A7C15U;
    return {t.what, call.bytes, call.out.element.bytes, call.root, static_cast<std::uint32_t>(h >> 40)};
}

TUTTI_BODY task make_task(collective what, const place& at, collective_call&& call,
                          const schedule_source& make) {
    task t{.what = what,
           .schedule = make({.at = {at.rank, at.size, call.root},
                             .bytes = call.bytes,
                             .commutative = call.by.commutative,
                             .equal_blocks = call.parts.equal()}),
           .fold = std::move(call.by.fold)};
    const auto unit = static_cast<std::int64_t>(call.out.element.bytes);
    t.layout = call.parts.any() ? call.parts.layout(t.schedule.blocks(), unit)
                                : block_layout::aligned(call.bytes, t.schedule.blocks(), unit);
    const capabilities claims = t.schedule.claims();
    check_claims(make.algorithm(), claims, call.by.commutative, t.layout);
    t.by_counts = !call.parts.equal();
    t.keep_input = call.in.data == nullptr && claims.reads_input; // it would read what it has overwritten
    t.label = label_of(t, call, claims);
    t.caller = {call.in, call.out, call.in.type == nullptr};
    bind_buffers(t, call, at.rank);
    return t;
}

/// A number that no other task has.
TUTTI_BODY std::uint64_t number_of_task() noexcept {
    static std::atomic<std::uint64_t> made{0};
    return made.fetch_add(1, std::memory_order_relaxed) + 1;
}

TUTTI_BODY task& task_for(recent_task& recent, collective what, const place& at, const void* algorithm,
                          collective_call&& call, const schedule_source& make) {
    const task_kind kind{.algorithm = call.parts.equal() ? algorithm : nullptr,
                         .fold = call.by.fold.loop(),
                         .element = call.out.element,
                         .bytes = call.bytes,
                         .root = call.root,
                         .commutative = call.by.commutative,
                         .has_input = call.in.data != nullptr,
                         .has_output = call.out.data != nullptr};
    if (kind.algorithm != nullptr && kind == recent.kind) {
        recent.what->fold = std::move(call.by.fold); // it may have another state
        bind_buffers(*recent.what, call, at.rank);
        return *recent.what;
    }
    recent.kind = {};
    resolved_schedule room; // what the last one allocated serves this one
    if (recent.what.has_value()) room = std::move(recent.what->resolved);
    recent.what.emplace(make_task(what, at, std::move(call), make));
    room.forget();
    recent.what->resolved = std::move(room);
    recent.what->made_as = number_of_task();
    recent.kind = kind;
    return *recent.what;
}
#endif

} // namespace detail
} // namespace tutti
