// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <tutti/core/block.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/reusable_list.hpp>

namespace tutti {

/// Maps blocks to elements. Block b holds elements [offset(b), offset(b + 1)); blocks may be empty, and there
/// may be fewer elements than blocks. All counts are 64 bits.
class block_layout {
public:
    block_layout() = default;

    /// `elements` cut into `blocks` blocks whose sizes differ by at most one, larger ones first.
    /// Example: even(7, 5) has sizes 2,2,1,1,1.
    static block_layout even(std::int64_t elements, block_index blocks) {
        return aligned(elements, blocks, 1);
    }

    /// As even, but block borders lie on multiples of `unit` elements (only the end may not), so that no two
    /// blocks share a cache line or a vector register.  Example: aligned(10, 3, 4) has sizes 4,4,2.
    static block_layout aligned(std::int64_t elements, block_index blocks, std::int64_t unit) {
        if (elements < 0) detail::throw_argument("elements", elements, "at least 0");
        if (blocks < 1) detail::throw_argument("blocks", blocks, "at least 1");
        if (unit < 1) detail::throw_argument("unit", unit, "at least 1");
        block_layout result;
        result.elements_ = elements;
        result.blocks_ = blocks;
        result.unit_ = unit;
        const std::int64_t units = ceil_div(elements, unit);
        result.small_ = units / blocks * unit;
        result.large_blocks_ = units % blocks;
        return result;
    }

    /// Block b has counts[b] times `unit` elements; the v-collectives use one block per rank.
    static block_layout by_counts(std::span<const std::int64_t> counts, std::int64_t unit = 1) {
        if (counts.empty()) detail::throw_argument("counts.size()", 0, "at least 1");
        block_layout result;
        result.blocks_ = static_cast<block_index>(counts.size());
        result.offsets_.reserve(counts.size() + 1);
        result.offsets_.push_back(0);
        for (std::size_t b = 0; b < counts.size(); ++b) {
            if (counts[b] < 0)
                throw argument_error(detail::sentence({"counts[", b, "]"}), detail::sentence({counts[b]}),
                                     "at least 0");
            const std::int64_t end = result.offsets_.back() + counts[b] * unit;
            result.offsets_.push_back(end);
        }
        result.elements_ = result.offsets_.back();
        return result;
    }

    block_index blocks() const noexcept { return blocks_; }
    /// Of all blocks together.
    std::int64_t elements() const noexcept { return elements_; }

    /// First element of block b, 0 <= b <= blocks(); offset(blocks()) == elements().
    std::int64_t offset(block_index b) const noexcept {
        if (!offsets_.empty()) return offsets_[static_cast<std::size_t>(b)];
        const std::int64_t start = b * small_ + (b < large_blocks_ ? b : large_blocks_) * unit_;
        return start < elements_ ? start : elements_;
    }

    /// Elements in the `count` consecutive blocks from b on (not wrapping).
    std::int64_t size(block_index b, block_index count = 1) const noexcept {
        if (count == blocks_) return elements_;
        return offset(b + count) - offset(b);
    }

    /// Elements in all blocks of a set.
    std::int64_t size(const block_set& set) const noexcept {
        if (set.count == blocks_) return elements_; // whichever way round
        if (set.contiguous() && set.first + set.count <= blocks_) return size(set.first, set.count);
        if (!set.contiguous() && set.stride > 0 && set.run < set.count / set.run && cut_evenly()
            && unit_ == 1)
            return set.count * small_ + large_among(set); // many short pieces
        std::int64_t sum = 0;
        for_each_run(set, blocks_, [&](block_index b, block_index count) { sum += size(b, count); });
        return sum;
    }

    /// Whether it was made by even or aligned: no block is longer than the first, nor any run of blocks
    /// longer than one from the first on.
    bool cut_evenly() const noexcept { return offsets_.empty(); }

    /// Whether all blocks have the same number of elements, as algorithms that move a block to another index
    /// need.
    bool uniform() const noexcept {
        if (blocks_ == 1) return true;
        if (offsets_.empty()) return large_blocks_ == 0 && small_ * blocks_ == elements_;
        for (block_index b = 1; b < blocks_; ++b)
            if (size(b) != size(0)) return false;
        return true;
    }

private:
    /// How many blocks of a strided set are among the first large_blocks_: of the first blocks of all pieces,
    /// of the second ones and so on, a turn round the vector at a time.
    /// Example with 5 blocks, 3 of them large: of {1, 3, 1, 2}, which are 1,3,0, two.
    block_index large_among(const block_set& set) const noexcept {
        if (large_blocks_ == 0) return 0;
        const auto steps_to = [&set](block_index start, block_index end) {
            return start < end ? (end - start + set.stride - 1) / set.stride : 0;
        };
        block_index large = 0;
        for (block_index t = 0; t < set.run; ++t) {
            block_index start = (set.first + t) % blocks_;
            for (block_index left = (set.count - t + set.run - 1) / set.run; left > 0;) {
                const block_index turn = steps_to(start, blocks_);
                const block_index here = left < turn ? left : turn;
                const block_index among = steps_to(start, large_blocks_);
                large += among < here ? among : here;
                start = (start + here * set.stride) % blocks_;
                left -= here;
            }
        }
        return large;
    }

    std::int64_t elements_ = 0;
    block_index blocks_ = 1;
    std::int64_t unit_ = 1;
    std::int64_t small_ = 0;              // elements of a small block
    block_index large_blocks_ = 0;        // the first so many blocks have small_ + unit_
    reusable_list<std::int64_t> offsets_; // by counts only
};

} // namespace tutti
