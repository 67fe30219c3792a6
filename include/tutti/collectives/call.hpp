// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/choose/chooser.hpp>
#include <tutti/collectives/arguments.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/core/any_generator.hpp>
#include <tutti/core/capabilities.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/layout.hpp>
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

namespace detail {
/// A call as its user wrote it, with the types forgotten: what the tasks of all collectives are made from.
/// `check_call` finds what is wrong with the arguments, and then what follows from them; that is done when
/// the call has its number.
struct collective_call {
    collective_call() noexcept {}
    /// A constructor, because compilers would clear the whole of an aggregate first.
    collective_call(const input_bytes& from, const output_bytes& to, rank_type at_root = 0,
                    std::optional<std::span<const std::int64_t>> for_ranks = {}) noexcept
        : in(from), out(to), root(at_root), counts(for_ranks) {}
    /// ... that folds.
    collective_call(const input_bytes& from, const output_bytes& to, operation_on_bytes&& op,
                    rank_type at_root = 0,
                    std::optional<std::span<const std::int64_t>> for_ranks = {}) noexcept
        : in(from), out(to), by(std::move(op)), root(at_root), counts(for_ranks) {}

    // As given.
    input_bytes in{};        ///< without type: in place, the input is in `out` (bcast, too)
    output_bytes out{};      ///< the element type, anyway
    operation_on_bytes by{}; ///< the operation, if there is one
    rank_type root = 0;      ///< where there is one
    /// Elements of each rank's part, if they were listed.
    std::optional<std::span<const std::int64_t>> counts;
    std::uint32_t pattern = 0; ///< hash of what else all ranks agree in

    // Found by check_call; it also takes the memory from a buffer that this rank does not use.
    std::int64_t bytes = 0;  ///< of the whole vector
    per_rank_counts parts{}; ///< where the vector has a part for every rank

    bool in_place() const noexcept { return in.type == nullptr; }
};
} // namespace detail

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

/// Checks a call of collective C: check_call(of<C>, call, here), which stands with the calls of each. Throws
/// argument_error if an argument is wrong.
template <collective C>
collective_call checked(collective_call&& call, const place& here) {
    check_call(of<C>, call, here);
    return std::move(call);
}

/// The operation `op`, moved, on the elements that a range has.
template <class Range, class Op>
operation_on_bytes fold_by(Op& op) {
    return operation_on_bytes::of<element_of<Range>>(std::move(op));
}

/// A vector for every rank, as long as the input.
void check_vectors(collective_call& call);
/// As many elements for rank r as the call lists, or `each`.
inline per_rank_counts parts_given(const collective_call& call, std::size_t each, rank_type size) {
    if (call.counts) return {*call.counts, size};
    return {static_cast<std::int64_t>(each), size};
}
/// In place, with a part for every rank.
void check_in_parts(collective_call& call, rank_type size);

/// The task of a call on rank `at.rank`. Throws argument_error if the schedule's claims do not cover it.
task make_task(collective what, const place& at, collective_call&& call, const schedule_source& make);

/// Refuses the schedule of an algorithm that does not claim what the request needs.
void check_claims(const schedule_source& make, const request_facts& facts, const capabilities& claims,
                  const block_layout& layout);

/// The same, kept in `recent`: the one that is there with other buffers, if it is of the same kind.
/// `algorithm`: see task_kind.
task& task_for(recent_task& recent, collective what, const place& at, const void* algorithm,
               collective_call&& call, const schedule_source& make);

#if TUTTI_BODIES
TUTTI_BODY void check_vectors(collective_call& call) {
    if (!call.in_place()) check_alike(call.in, call.out);
    call.bytes = call.out.bytes();
}

TUTTI_BODY void check_in_parts(collective_call& call, rank_type size) {
    if (call.counts) {
        call.parts = {*call.counts, size};
        check_whole("inout", call.out.count, call.parts);
    } else {
        call.parts = equal_parts("inout", call.out.count, size);
    }
    call.bytes = call.out.bytes();
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

/// What keeps the order of ranks with root 0 alone, as most trees do, may be what was wanted.
[[noreturn, gnu::cold]] TUTTI_BODY void refuse_order(const schedule_source& make, request_facts facts) {
    const rank_type root = std::exchange(facts.at.root, 0);
    const std::string which = make(facts).claims().order_preserving
                                  ? sentence({"keeps the order of ranks with root 0, but not with ", root})
                                  : std::string("does not keep the order of ranks");
    refuse_algorithm(make.algorithm(), which,
                     "an order-preserving one, because the operation is not known to be commutative "
                     "(wrap it in tutti::commutative if it is)");
}

TUTTI_BODY void check_claims(const schedule_source& make, const request_facts& facts,
                             const capabilities& claims, const block_layout& layout) {
    if (!facts.commutative && !claims.order_preserving) refuse_order(make, facts);
    if (claims.moves_blocks && !layout.uniform())
        refuse_algorithm(make.algorithm(), "needs equal blocks",
                         "one that takes blocks of different lengths");
}

TUTTI_BODY task make_task(collective what, const place& at, collective_call&& call,
                          const schedule_source& make) {
    const request_facts facts{.at = {at.rank, at.size, call.root},
                              .bytes = call.bytes,
                              .commutative = call.by.commutative,
                              .equal_blocks = call.parts.equal()};
    task t{.what = what, .schedule = make(facts), .fold = std::move(call.by.fold)};
    const auto unit = static_cast<std::int64_t>(call.out.element.bytes);
    t.layout = call.parts.any() ? call.parts.layout(t.schedule.blocks(), unit)
                                : block_layout::aligned(call.bytes, t.schedule.blocks(), unit);
    const capabilities claims = t.schedule.claims();
    check_claims(make, facts, claims, t.layout);
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
