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

/// In place, the root has all parts, and other ranks their own. A rank that `only_reads` it has no output.
TUTTI_BODY void check_root_in_place(collective_call& call, const place& here, bool only_reads) {
    if (here.rank == call.root) {
        check_in_parts(call, here.size);
    } else {
        call.parts = parts_given(call, call.out.count, here.size);
        check_own_part("inout", call.out, call.parts, here.rank);
    }
    if (!only_reads) return;
    call.in = {call.out.data, call.out.count, call.out.element};
    call.out.data = nullptr;
}

/// Not in place: `own`, called so, and `all` are input and output of the call, or the other way round.
template <class Own, class All>
void check_root_apart(collective_call& call, const place& here, const char* own_name, const Own& own,
                      const char* all_name, All& all, const char* why) {
    call.parts = parts_given(call, own.count, here.size);
    check_own_part(own_name, own, call.parts, here.rank);
    if (here.rank != call.root) {
        all.data = nullptr;
        return;
    }
    check_all_parts(all_name, all, call.parts, why);
    check_apart(call.in, call.out);
}

TUTTI_BODY void check_call(collective_constant<collective::gather>, collective_call& call,
                           const place& here) {
    check_root(call.root, here.size);
    if (call.in_place())
        check_root_in_place(call, here, here.rank != call.root);
    else
        check_root_apart(call, here, "in", call.in, "out", call.out, "one block as long as in per rank");
    call.bytes = bytes_of_all(call.parts, call.out.element);
}

TUTTI_BODY void check_call(collective_constant<collective::scatter>, collective_call& call,
                           const place& here) {
    check_root(call.root, here.size);
    if (call.in_place())
        check_root_in_place(call, here, here.rank == call.root);
    else
        check_root_apart(call, here, "out", call.out, "in", call.in, "one block as long as out per rank");
    call.bytes = bytes_of_all(call.parts, call.out.element);
}
#endif

} // namespace tutti::detail
