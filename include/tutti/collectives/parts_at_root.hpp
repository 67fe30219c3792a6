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

/// Of a call in place, in which the root has all parts, of one length, and other ranks give their own.
per_rank_counts parts_in_place(const output_bytes& inout, rank_type root, const place& here);

/// This rank's part goes to the root; `all` matters there alone.
collective_call call_gathering(const input_bytes& own, output_bytes all, const per_rank_counts& parts,
                               rank_type root, const place& here);
/// In place.
collective_call call_gathering(output_bytes inout, const per_rank_counts& parts, rank_type root,
                               const place& here);

/// This rank's part comes from the root; `all` matters there alone.
collective_call call_scattering(input_bytes all, const output_bytes& own, const per_rank_counts& parts,
                                rank_type root, const place& here);
/// In place: the root only reads.
collective_call call_scattering(output_bytes inout, const per_rank_counts& parts, rank_type root,
                                const place& here);

/// The same with parts of one length.
inline collective_call call_gathering(const input_bytes& own, const output_bytes& all, rank_type root,
                                      const place& here) {
    return call_gathering(own, all, {static_cast<std::int64_t>(own.count), here.size}, root, here);
}
inline collective_call call_gathering(const output_bytes& inout, rank_type root, const place& here) {
    return call_gathering(inout, parts_in_place(inout, root, here), root, here);
}
inline collective_call call_scattering(const input_bytes& all, const output_bytes& own, rank_type root,
                                       const place& here) {
    return call_scattering(all, own, {static_cast<std::int64_t>(own.count), here.size}, root, here);
}
inline collective_call call_scattering(const output_bytes& inout, rank_type root, const place& here) {
    return call_scattering(inout, parts_in_place(inout, root, here), root, here);
}

#if TUTTI_BODIES
TUTTI_BODY per_rank_counts parts_in_place(const output_bytes& inout, rank_type root, const place& here) {
    check_root(root, here.size);
    if (here.rank == root) return equal_parts("inout", inout.count, here.size);
    return {static_cast<std::int64_t>(inout.count), here.size};
}

/// Of all parts together. Where a rank has but its own nothing else says that there can be so many.
TUTTI_BODY std::int64_t bytes_of_all(const per_rank_counts& parts, const element_shape& element) {
    const std::int64_t most =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(element.bytes);
    if (parts.total() > most)
        throw argument_error("counts", sentence({parts.total(), " elements in all"}),
                             sentence({"at most ", most, ", because their bytes have to fit 64 bits"}));
    return parts.total() * static_cast<std::int64_t>(element.bytes);
}

template <class Byte>
void check_own_part(const char* argument, const caller_buffer<Byte>& own, const per_rank_counts& parts,
                    rank_type rank) {
    check_count(argument, own.count, static_cast<std::size_t>(parts.of(rank)), "this rank's count");
}
template <class Byte>
void check_all_parts(const char* argument, const caller_buffer<Byte>& all, const per_rank_counts& parts,
                     const char* why) {
    check_count(argument, all.count, static_cast<std::size_t>(parts.total()),
                parts.equal() ? why : "the sum of counts");
}

TUTTI_BODY collective_call call_gathering(const input_bytes& own, output_bytes all,
                                          const per_rank_counts& parts, rank_type root, const place& here) {
    check_root(root, here.size);
    check_own_part("in", own, parts, here.rank);
    if (here.rank == root) {
        check_all_parts("out", all, parts, "one block as long as in per rank");
        check_apart(own, all);
    } else {
        all.data = nullptr;
    }
    return {own, all, bytes_of_all(parts, own.element), root, parts};
}

TUTTI_BODY collective_call call_gathering(output_bytes inout, const per_rank_counts& parts, rank_type root,
                                          const place& here) {
    check_root(root, here.size);
    input_bytes in{};
    if (here.rank == root) {
        check_all_parts("inout", inout, parts, "one block per rank");
    } else {
        check_own_part("inout", inout, parts, here.rank);
        in = {inout.data, inout.count, inout.element};
        inout.data = nullptr;
    }
    return {in, inout, bytes_of_all(parts, inout.element), root, parts};
}

TUTTI_BODY collective_call call_scattering(input_bytes all, const output_bytes& own,
                                           const per_rank_counts& parts, rank_type root, const place& here) {
    check_root(root, here.size);
    check_own_part("out", own, parts, here.rank);
    if (here.rank == root) {
        check_all_parts("in", all, parts, "one block as long as out per rank");
        check_apart(all, own);
    } else {
        all.data = nullptr;
    }
    return {all, own, bytes_of_all(parts, own.element), root, parts};
}

TUTTI_BODY collective_call call_scattering(output_bytes inout, const per_rank_counts& parts, rank_type root,
                                           const place& here) {
    check_root(root, here.size);
    input_bytes in{};
    if (here.rank == root) {
        check_all_parts("inout", inout, parts, "one block per rank");
        in = {inout.data, inout.count, inout.element};
        inout.data = nullptr;
    } else {
        check_own_part("inout", inout, parts, here.rank);
    }
    return {in, inout, bytes_of_all(parts, inout.element), root, parts};
}
#endif

} // namespace tutti::detail
