// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tutti {

/// Index of a block of the vector, or a number of blocks. 64 bits: sums over sub-trees never overflow.
using block_index = std::int64_t;

/// Which blocks a step touches: `count` blocks, counted cyclically modulo the generator's blocks().
///
/// Contiguous (run == 0): first, first+1, ..., first+count-1.
/// Strided (run > 0): pieces of `run` blocks whose starts lie `stride` apart (stride may be negative);
/// the last piece may be shorter.
///
/// Example with 5 blocks: {3, 4} is 3,4,0,1; {1, 3, 1, 2} is 1,3,0.
struct block_set {
    block_index first = 0;   ///< 0 <= first < blocks()
    block_index count = 0;   ///< 0 <= count <= blocks(); 0 is an empty message
    std::int32_t run = 0;    ///< blocks per piece, 0 when contiguous
    std::int32_t stride = 0; ///< distance of piece starts, in blocks

    friend constexpr bool operator==(const block_set&, const block_set&) = default;

    /// Whether it is one piece, but for where it wraps round.
    constexpr bool contiguous() const noexcept { return run == 0; }
};

/// The i-th block of `set`, 0 <= i < set.count, in a vector of `blocks` blocks.
constexpr block_index block_at(const block_set& set, block_index i, block_index blocks) noexcept {
    const block_index raw =
        set.contiguous() ? set.first + i : set.first + (i / set.run) * set.stride + i % set.run;
    // Nearly always inside already, or one turn ahead: a division costs more than all the rest.
    if (raw >= 0 && raw < blocks) return raw;
    if (raw >= blocks && raw - blocks < blocks) return raw - blocks;
    const block_index wrapped = raw % blocks;
    return wrapped < 0 ? wrapped + blocks : wrapped;
}

/// Calls f(first, count) for the maximal runs of consecutive indices (never wrapping), in message order.
template <class F>
constexpr void for_each_run(const block_set& set, block_index blocks, F&& f) {
    if (set.contiguous() && set.first + set.count <= blocks) { // no wrap: by far the commonest
        if (set.count > 0) f(set.first, set.count);
        return;
    }
    const block_index piece = set.contiguous() ? set.count : set.run;
    for (block_index done = 0; done < set.count; done += piece) {
        block_index length = piece < set.count - done ? piece : set.count - done;
        block_index start = block_at(set, done, blocks);
        while (length > 0) { // a piece longer than the way to the end wraps round
            const block_index part = length < blocks - start ? length : blocks - start;
            f(start, part);
            length -= part;
            start = 0;
        }
    }
}

/// Whether two sets may share a block. Exact for contiguous sets; strided ones are taken to meet everything,
/// which costs parallelism but never correctness.
constexpr bool may_overlap(const block_set& a, const block_set& b, block_index blocks) noexcept {
    if (a.count == 0 || b.count == 0) return false;
    if (!a.contiguous() || !b.contiguous()) return true;
    const block_index ahead = b.first >= a.first ? b.first - a.first : b.first - a.first + blocks;
    const block_index behind = ahead == 0 ? 0 : blocks - ahead;
    return ahead < a.count || behind < b.count;
}

} // namespace tutti
