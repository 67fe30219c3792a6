// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/execute/buffers.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/execute/memory.hpp>
#include <tutti/execute/resolved.hpp>
#include <tutti/transport/call_label.hpp>

namespace tutti {

/// Bytes copied before the first round; or, where the schedule reads them from the input, when its first
/// messages are on their way.
struct copy_ahead {
    std::byte* to = nullptr;         ///< null: nothing is copied
    const std::byte* from = nullptr; ///< does not overlap it
    std::int64_t bytes = 0;          ///< of both
};

/// The buffers of a task as its caller gave them.
struct caller_memory {
    detail::input_bytes in{};   ///< without data if it is in `out`, or there is none
    detail::output_bytes out{}; ///< without data on ranks that get no result
    bool in_place = false;      ///< the same memory
};

/// What a task depends on besides its buffers and the state of its operation: where two calls agree in it,
/// the task of one serves the other.
struct task_kind {
    const void* algorithm = nullptr; ///< an address that no other algorithm has; null if it is like no other
    fold_function::loop_type* fold = nullptr; ///< of the operation, whose state may differ; null: none
    element_shape element{};                  ///< of the output's elements
    std::int64_t bytes = 0;                   ///< of the whole vector
    rank_type root = 0;                       ///< 0 where the collective has none
    bool commutative = true;                  ///< of the operation; true if there is none
    bool has_input = false;                   ///< the caller gave one, apart from the output
    bool has_output = false;                  ///< the caller gave memory for a result

    friend bool operator==(const task_kind&, const task_kind&) = default;
};

/// One rank's part of a collective with everything decided but the wires.
struct task {
    /// What is to come of it. Those of lengths by rank have that of the plain call: see name_of().
    collective what;
    /// This rank's part of it.
    any_generator schedule;
    /// The operation, with its state; none where data is only moved.
    fold_function fold{};
    block_layout layout{};               ///< in bytes
    block_layout input_layout{};         ///< by pairs: that of the input
    binding bound{};                     ///< where the schedule's buffers are
    block_set result{};                  ///< blocks of work that must end up in the caller's memory
    copy_ahead ahead{};                  ///< own block of an allgather, of a gather's root
    std::byte* copy_result_to = nullptr; ///< reduce_scatter: where `result` goes in the end
    bool keep_input = false;             ///< work on a copy of bound.input, which the result overwrites
    bool any_order = false;              ///< fold in the order in which messages come: commutative operations
    caller_memory caller{};              ///< where the binding came from
    call_label label{};                  ///< what all ranks agree in
    resolved_schedule resolved{};        ///< of a short schedule that has run; holds for other buffers, too
    bool by_pairs = false;               ///< every pair of ranks has a length of its own: alltoallv
    bool by_counts = false;              ///< ranks have parts of lengths that were listed: allgatherv
    bool goes_on = false;                ///< its call does, by another task on the same channel
    std::uint64_t made_as = 0;           ///< the same in two tasks: they differ in buffers and operation only

    /// In bytes. The caller's input may be a part of it only: see binding::input_begins.
    const block_layout& layout_of_input() const noexcept { return by_pairs ? input_layout : layout; }

    /// Bytes of the longest vector that any rank works on, as far as this one knows: what decides whether all
    /// take the short cut.
    std::int64_t longest_vector() const noexcept {
        return by_pairs ? std::numeric_limits<std::int64_t>::max() : layout.elements();
    }

    /// Whether its own block of the result can be copied while others read it, from the input.
    bool copies_beside() const noexcept { return ahead.to != nullptr && bound.work_starts_as_input; }

    /// How long bound.input is: as the caller gave it, or what is there in place.
    std::int64_t input_bytes() const noexcept {
        return caller.in.data != nullptr ? caller.in.bytes() : layout_of_input().elements();
    }

    /// Whether it is a short one that has run before, and needs no memory but the caller's.
    bool runs_in_place() const noexcept {
        return resolved.usable() && !keep_input && !resolved.needs_scratch()
               && (bound.work != nullptr || !resolved.needs(region::work));
    }

    /// Becomes a copy of another one; what the two have in common already is not copied.
    void copy(const task& other) {
        if (made_as == 0 || made_as != other.made_as) {
            *this = other;
            return;
        }
        fold = other.fold;
        bound = other.bound;
        ahead = other.ahead;
        copy_result_to = other.copy_result_to;
        keep_input = other.keep_input;
        any_order = other.any_order;
        caller = other.caller;
    }
};

/// "allreduce", "alltoallv": as the caller wrote it.
inline std::string_view name_of(const task& t) noexcept {
    if (!t.by_pairs && !t.by_counts) return name_of(t.what);
    switch (t.what) {
    case collective::gather: return "gatherv";
    case collective::scatter: return "scatterv";
    case collective::allgather: return "allgatherv";
    case collective::alltoall: return "alltoallv";
    default: return name_of(t.what);
    }
}

/// The task of the last plain call of a collective: short calls are often like the one before.
struct recent_task {
    task_kind kind{};           ///< without algorithm: it serves no other call
    std::optional<task> what{}; ///< empty before the first call
};

} // namespace tutti
