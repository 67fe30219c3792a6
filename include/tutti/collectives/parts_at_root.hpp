// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tutti/collectives/call.hpp>
#include <tutti/collectives/per_rank.hpp>
#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <limits>

#include <tutti/core/error.hpp>
#endif

/// Gather and scatter: every rank has a part, and the root those of all.
namespace tutti::detail {

/// This rank's part goes to the root; `out` matters there alone. In place, the root has all parts in `out`,
/// and other ranks their own.
void check_call(collective_constant<collective::gather>, collective_call& call, const place& here);

/// This rank's part comes from the root; `in` matters there alone. In place, likewise, and the root only
/// reads.
void check_call(collective_constant<collective::scatter>, collective_call& call, const place& here);

#if TUTTI_BODIES
/// Of all parts together. Where a rank has but its own nothing else says that there can be so many.
TUTTI_BODY std::int64_t bytes_of_all(const per_rank_counts& parts, const element_shape& element) {
    const std::int64_t most =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(element.bytes);
    if (parts.total() > most)
        throw argument_error("counts", sentence({parts.total(), " elements in all"}),
                             sentence({"at most ", most, ", because their bytes have to fit 64 bits"}));
    return parts.total() * static_cast<std::int64_t>(element.bytes);
}

/// In place, the root has all parts, and other ranks their own.
TUTTI_BODY void check_root_in_place(collective_call& call, const place& here) {
    if (here.rank != call.root) {
        call.parts = parts_given(call, call.out.count, here.size);
        return check_own_part("inout", call.out, call.parts, here.rank);
    }
    call.parts = call.counts ? per_rank_counts(*call.counts, here.size)
                             : equal_parts("inout", call.out.count, here.size);
    check_all_parts("inout", call.out, call.parts, "one block per rank");
}

/// The one buffer of a call in place is what the rank reads, not what it writes.
TUTTI_BODY void only_read(collective_call& call) {
    call.in = {call.out.data, call.out.count, call.out.element};
    call.out.data = nullptr;
}

TUTTI_BODY void check_call(collective_constant<collective::gather>, collective_call& call,
                           const place& here) {
    check_root(call.root, here.size);
    if (call.in_place()) {
        check_root_in_place(call, here);
        if (here.rank != call.root) only_read(call);
    } else {
        call.parts = parts_given(call, call.in.count, here.size);
        check_own_part("in", call.in, call.parts, here.rank);
        if (here.rank == call.root) {
            check_all_parts("out", call.out, call.parts, "one block as long as in per rank");
            check_apart(call.in, call.out);
        } else {
            call.out.data = nullptr;
        }
    }
    call.bytes = bytes_of_all(call.parts, call.out.element);
}

TUTTI_BODY void check_call(collective_constant<collective::scatter>, collective_call& call,
                           const place& here) {
    check_root(call.root, here.size);
    if (call.in_place()) {
        check_root_in_place(call, here);
        if (here.rank == call.root) only_read(call);
    } else {
        call.parts = parts_given(call, call.out.count, here.size);
        check_own_part("out", call.out, call.parts, here.rank);
        if (here.rank == call.root) {
            check_all_parts("in", call.in, call.parts, "one block as long as out per rank");
            check_apart(call.in, call.out);
        } else {
            call.in.data = nullptr;
        }
    }
    call.bytes = bytes_of_all(call.parts, call.out.element);
}
#endif

} // namespace tutti::detail
