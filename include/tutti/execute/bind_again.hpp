// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/buffers.hpp>
#include <tutti/execute/task.hpp>

namespace tutti::detail {

/// Binds a task to other buffers of the same type and lengths; of one in place there is only `out`. Throws
/// argument_error, and leaves the task as it was, if they do not fit.
void bind_again(task& t, const input_bytes* in, const output_bytes& out);

#if TUTTI_BODIES
template <class Byte>
void check_like(const char* argument, const caller_buffer<Byte>& now, const char* type, std::size_t planned) {
    if (now.type != type)
        throw argument_error(argument, "of another type", "elements of the type of the plan");
    check_count(argument, now.count, planned, "as many as the plan was made for");
}

TUTTI_BODY void bind_again(task& t, const input_bytes* in, const output_bytes& out) {
    const caller_memory old = t.caller;
    const bool in_place = in == nullptr;
    if (in_place != old.in_place)
        throw argument_error(in_place ? "inout" : "in", "given",
                             old.in_place ? "inout alone: the plan is in place"
                                          : "in and out, as for the plan");
    // Only the root gets the result of a reduce or a gather, and only it gives the input of a scatter.
    const bool to_root = t.what == collective::reduce || t.what == collective::gather;
    const bool has_output = !to_root || old.out.data != nullptr;
    const bool has_input = t.what != collective::scatter || old.in.data != nullptr;
    if (!in_place && has_input) check_like("in", *in, old.in.type, old.in.count);
    if (in_place || has_output) check_like(in_place ? "inout" : "out", out, old.out.type, old.out.count);
    if (!in_place && has_input && has_output) check_apart(*in, out);

    const std::byte* const from = in_place ? out.data : in->data;
    if (t.bound.input != nullptr) t.bound.input = from;
    if (t.bound.work != nullptr) t.bound.work = out.data;
    if (t.bound.part_at != nullptr) t.bound.part_at = out.data;
    if (t.copy_result_to != nullptr) t.copy_result_to = out.data;
    if (t.ahead.to != nullptr) t.ahead = {out.data + (t.ahead.to - old.out.data), from, t.ahead.bytes};
    if (has_output) t.caller.out.data = out.data;
}
#endif

} // namespace tutti::detail
