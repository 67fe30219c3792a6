// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include <tutti/collectives/arguments.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/reusable_list.hpp>

namespace tutti::detail {

/// How many elements belong to each rank, for the collectives whose vector has a part per rank.
class per_rank_counts {
public:
    /// None: the vector has no parts.
    per_rank_counts() = default;

    /// The same number for every rank.
    per_rank_counts(std::int64_t each, rank_type size) : each_(each), size_(size) {}

    /// counts[r] for rank r. `argument`: what the caller calls them.
    per_rank_counts(std::span<const std::int64_t> counts, rank_type size, const char* argument = "counts");

    std::int64_t of(rank_type rank) const noexcept {
        return counts_.empty() ? each_ : counts_[static_cast<std::size_t>(rank)];
    }

    bool any() const noexcept { return size_ > 0; }

    /// Whether all ranks are known to have as many: counts that were listed are not looked at.
    bool equal() const noexcept { return counts_.empty(); }

    /// Elements of all ranks below `rank`: where its part begins.
    std::int64_t before(rank_type rank) const noexcept {
        if (counts_.empty()) return each_ * rank;
        std::int64_t sum = 0;
        for (rank_type r = 0; r < rank; ++r) sum += counts_[static_cast<std::size_t>(r)];
        return sum;
    }

    std::int64_t total() const noexcept { return before(size_); }

    /// Tells lists of the same sum apart, mostly; 0 where all counts are the same.
    std::int64_t unevenness() const noexcept {
        std::uint64_t h = 0;
        for (std::size_t r = 1; r < counts_.size(); ++r)
            h += static_cast<std::uint64_t>(counts_[r] - counts_[0]) * (2 * r + 1) * 0x9E3779B97F4A7C15U;
        return static_cast<std::int64_t>(h);
    }

    /// Blocks over all parts, each part cut into the same number of blocks, in units of which an element has
    /// `unit`: bytes, say.
    block_layout layout(block_index blocks, std::int64_t unit = 1) const;

    block_set own_blocks(rank_type rank, block_index blocks) const noexcept {
        return {.first = blocks / size_ * rank, .count = blocks / size_};
    }

private:
    std::int64_t each_ = 0;
    rank_type size_ = 0;
    std::span<const std::int64_t> counts_;
};

/// Elements per rank of a vector that must be cut into equal parts.
std::int64_t equal_share(const char* argument, std::size_t count, rank_type size);

/// As many elements for every rank.
per_rank_counts equal_parts(const char* argument, std::size_t count, rank_type size);

/// A vector that has a part for every rank.
void check_whole(const char* argument, std::size_t elements, const per_rank_counts& counts);

/// A buffer of this rank's part, which counts made from its length fit.
template <class Byte>
void check_own_part(const char* argument, const caller_buffer<Byte>& own, const per_rank_counts& parts,
                    rank_type rank) {
    if (!parts.equal())
        check_count(argument, own.count, static_cast<std::size_t>(parts.of(rank)), "this rank's count");
}
/// ... of those of all ranks; `why`: where they are equal.
template <class Byte>
void check_all_parts(const char* argument, const caller_buffer<Byte>& all, const per_rank_counts& parts,
                     const char* why) {
    check_count(argument, all.count, static_cast<std::size_t>(parts.total()),
                parts.equal() ? why : "the sum of counts");
}

#if TUTTI_BODIES
TUTTI_BODY per_rank_counts::per_rank_counts(std::span<const std::int64_t> counts, rank_type size,
                                            const char* argument)
    : size_(size), counts_(counts) {
    if (counts.size() != static_cast<std::size_t>(size))
        throw argument_error(sentence({argument, ".size()"}), sentence({counts.size()}),
                             sentence({size, ", one count per rank"}));
    std::int64_t most = std::numeric_limits<std::int64_t>::max(); // so that the sum can be told
    for (std::size_t r = 0; r < counts.size(); ++r) {
        if (counts[r] < 0 || counts[r] > most)
            throw argument_error(sentence({argument, "[", r, "]"}), sentence({counts[r]}),
                                 counts[r] < 0
                                     ? "at least 0"
                                     : sentence({"at most ", most, ", because the sum has to fit 64 bits"}));
        most -= counts[r];
    }
}

TUTTI_BODY block_layout per_rank_counts::layout(block_index blocks, std::int64_t unit) const {
    if (blocks % size_ != 0)
        throw argument_error(
            "algorithm", sentence({"one with ", blocks, " blocks"}),
            sentence({"one whose number of blocks is a multiple of the number of ranks, ", size_}));
    const block_index per_rank = blocks / size_;
    if (per_rank == 1 && !counts_.empty()) return block_layout::by_counts(counts_, unit);
    if (per_rank == 1) return block_layout::aligned(each_ * size_ * unit, size_, unit);
    reusable_list<std::int64_t> cut;
    cut.reserve(static_cast<std::size_t>(blocks));
    for (rank_type r = 0; r < size_; ++r) {
        const block_layout part = block_layout::even(of(r), per_rank);
        for (block_index b = 0; b < per_rank; ++b) cut.push_back(part.size(b));
    }
    return block_layout::by_counts({cut.data(), cut.size()}, unit);
}

TUTTI_BODY std::int64_t equal_share(const char* argument, std::size_t count, rank_type size) {
    if (count % static_cast<std::size_t>(size) != 0)
        throw argument_error(argument, sentence({count, " elements"}),
                             sentence({"a multiple of the number of ranks, ", size}));
    return static_cast<std::int64_t>(count) / size;
}

TUTTI_BODY per_rank_counts equal_parts(const char* argument, std::size_t count, rank_type size) {
    return {equal_share(argument, count, size), size};
}

TUTTI_BODY void check_whole(const char* argument, std::size_t elements, const per_rank_counts& counts) {
    check_count(argument, elements, static_cast<std::size_t>(counts.total()), "the sum of counts");
}
#endif

} // namespace tutti::detail
