// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tutti/core/step.hpp>
#include <tutti/verify/contract.hpp>
#include <tutti/verify/value.hpp>

namespace tutti::detail {

/// Blocks [first, end) of the vector. Blocks that keep their index never meet, so they can be proved a slice
/// at a time: the values of a slice fit the cache.
struct slice {
    block_index first = 0;
    block_index end = 1;

    constexpr block_index width() const noexcept { return end - first; }
};

/// Calls f(b - first) for the blocks b of `set` that lie in the slice, in message order.
template <class F>
constexpr void for_each_block(const block_set& set, block_index blocks, const slice& part, F&& f) {
    for_each_run(set, blocks, [&](block_index start, block_index count) {
        const block_index from = start > part.first ? start : part.first;
        const block_index to = start + count < part.end ? start + count : part.end;
        for (block_index b = from; b < to; ++b) f(b - part.first);
    });
}

/// What every rank's buffers hold in a slice of the blocks.
class cells {
public:
    /// For slices of up to `width` blocks.
    cells(const contract& terms, block_index width)
        : values(width), terms_(terms), width_(static_cast<std::size_t>(width)) {
        // To grow by doubling would take three times as much at once; what is not used is never touched.
        if (folds(terms.what)) values.reserve(static_cast<std::size_t>(terms.size) * width_);
    }

    /// Back to the beginning, for the blocks of `part`.
    void start(const slice& part) {
        part_ = part;
        values.clear();
        for (auto& cells_of : planes_) std::fill(cells_of.begin(), cells_of.end(), undefined_value);
        std::vector<value_id>& work = plane(buffer_name::work);
        for (rank_type r = 0; r < terms_.size; ++r)
            for (block_index b = 0; b < part.width(); ++b)
                if (terms_.work_given(r, part.first + b)) work[index(r, b)] = values.leaf(r, b);
    }

    /// Block `b`, counted from the slice's first.
    value_id read(rank_type rank, buffer_name buffer, block_index b) const noexcept {
        if (buffer == buffer_name::input)
            return terms_.input_given() ? values.leaf(rank, b) : undefined_value;
        const auto& cells_of = planes_[static_cast<std::size_t>(buffer)];
        return cells_of.empty() ? undefined_value : cells_of[index(rank, b)];
    }

    /// Replaces what the cell held; takes over one reference to `value`.
    void write(rank_type rank, buffer_name buffer, block_index b, value_id value) {
        value_id& cell = plane(buffer)[index(rank, b)];
        values.release(cell);
        cell = value;
    }

    /// Whether a call in place, with `work` in the place of `input`, would still find block b of the input.
    bool input_intact(rank_type rank, block_index b) const noexcept {
        const value_id there = read(rank, buffer_name::work, b);
        return there == undefined_value || there == values.leaf(rank, b);
    }

    /// Scratch blocks of `rank` that have been defined.
    block_index scratch_of(rank_type rank) const noexcept {
        block_index count = 0;
        for (const buffer_name buffer : {buffer_name::scratch, buffer_name::scratch_1}) {
            if (planes_[static_cast<std::size_t>(buffer)].empty()) continue;
            for (block_index b = 0; b < part_.width(); ++b)
                if (read(rank, buffer, b) != undefined_value) ++count;
        }
        return count;
    }

    const slice& part() const noexcept { return part_; }

    value_store values;

private:
    std::size_t index(rank_type rank, block_index b) const noexcept {
        return static_cast<std::size_t>(rank) * width_ + static_cast<std::size_t>(b);
    }
    /// The cells of a buffer; most schedules never touch scratch, so they come with the first write.
    std::vector<value_id>& plane(buffer_name buffer) {
        auto& cells_of = planes_[static_cast<std::size_t>(buffer)];
        if (cells_of.empty())
            cells_of.resize(static_cast<std::size_t>(terms_.size) * width_, undefined_value);
        return cells_of;
    }

    std::array<std::vector<value_id>, buffer_count> planes_{};
    contract terms_;
    slice part_{};
    std::size_t width_;
};

/// Who has heard of whom: what a barrier moves. One row of bits per rank.
class knowledge {
public:
    explicit knowledge(rank_type size)
        : size_(static_cast<std::size_t>(size)), words_((size_ + 63) / 64), known_(size_ * words_),
          heard_(size_ * words_) {
        for (std::size_t r = 0; r < size_; ++r) known_[r * words_ + r / 64] = std::uint64_t{1} << (r % 64);
    }

    /// What `sender` knows is under way to `receiver`.
    void tell(rank_type sender, rank_type receiver) noexcept {
        merge(known_, static_cast<std::size_t>(sender), heard_, static_cast<std::size_t>(receiver));
    }
    /// What was under way to `rank` has arrived.
    void learn(rank_type rank) noexcept {
        merge(heard_, static_cast<std::size_t>(rank), known_, static_cast<std::size_t>(rank));
    }
    /// The lowest rank that `rank` has not heard of, or no_rank.
    rank_type stranger_to(rank_type rank) const noexcept {
        for (std::size_t other = 0; other < size_; ++other)
            if ((known_[static_cast<std::size_t>(rank) * words_ + other / 64] >> (other % 64) & 1U) == 0)
                return static_cast<rank_type>(other);
        return no_rank;
    }

private:
    void merge(const std::vector<std::uint64_t>& from, std::size_t row, std::vector<std::uint64_t>& into,
               std::size_t target) const noexcept {
        for (std::size_t w = 0; w < words_; ++w) into[target * words_ + w] |= from[row * words_ + w];
    }

    std::size_t size_;
    std::size_t words_;
    std::vector<std::uint64_t> known_;
    std::vector<std::uint64_t> heard_;
};

} // namespace tutti::detail
