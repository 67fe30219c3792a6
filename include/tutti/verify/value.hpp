// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

/// Symbolic values: what a cell (rank, buffer, block) holds instead of numbers.
namespace tutti::detail {

/// Ranks first..last.
struct interval {
    rank_type first = 0;
    rank_type last = 0;

    friend constexpr bool operator==(const interval&, const interval&) = default;
};

/// A value: contributions of a set of ranks to one block, folded along some tree.
using value_id = std::uint32_t;

inline constexpr value_id undefined_value = 0;

/// What is known of a value.
struct value_view {
    std::uint64_t tree = 0;    ///< hash of the tree of folds, operands in order
    std::int32_t origin = 0;   ///< block that was contributed to, counted from the store's first
    rank_type first = 0;       ///< lowest contributing rank
    rank_type last = 0;        ///< highest contributing rank
    std::uint32_t spoiled = 0; ///< 0: folded in the order of ranks; else the mark of the fold that was not
    std::span<const interval> pieces{}; ///< the contributing ranks if they are not contiguous

    constexpr bool contiguous() const noexcept { return pieces.empty(); }
};

constexpr std::uint64_t mix(std::uint64_t x) noexcept { // the finalizer of splitmix64
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// Hashes of trees of folds: of a rank's own contribution, and of a fold of two.
constexpr std::uint64_t tree_of_leaf(rank_type rank) noexcept {
    return mix(static_cast<std::uint64_t>(rank) + 0x9e3779b97f4a7c15U);
}
constexpr std::uint64_t tree_of_fold(std::uint64_t left, std::uint64_t right) noexcept {
    return mix(left * 3 + mix(right));
}

/// Owns values by count of references. A rank's own contribution costs nothing: its number says it all.
class value_store {
public:
    /// For contributions to `width` blocks; size * width stays below 2^31.
    explicit value_store(std::int64_t width) : nodes_(1), width_(static_cast<std::uint32_t>(width)) {}

    void reserve(std::size_t values) { nodes_.reserve(values + 1); }

    /// Forgets all values but keeps the memory.
    void clear() noexcept {
        nodes_.resize(1);
        lists_.clear();
        std::fill(std::begin(free_lists_), std::end(free_lists_), 0U);
        free_ = 0;
    }

    /// The contribution of `rank` to `block`.
    value_id leaf(rank_type rank, std::int64_t block) const noexcept {
        return leaf_bit | (static_cast<std::uint32_t>(rank) * width_ + static_cast<std::uint32_t>(block));
    }

    value_view view(value_id id) const noexcept {
        if (id & leaf_bit) {
            const std::uint32_t number = id & ~leaf_bit;
            const auto rank = static_cast<rank_type>(number / width_);
            return {.tree = tree_of_leaf(rank),
                    .origin = static_cast<std::int32_t>(number % width_),
                    .first = rank,
                    .last = rank};
        }
        const node& n = nodes_[id];
        return {.tree = n.tree,
                .origin = n.origin,
                .first = n.first,
                .last = n.last,
                .spoiled = n.spoiled,
                .pieces = pieces_of(n.pieces)};
    }

    void share(value_id id) noexcept {
        if (!(id & leaf_bit)) ++nodes_[id].users;
    }
    void release(value_id id) noexcept {
        if ((id & leaf_bit) || id == undefined_value) return;
        node& n = nodes_[id];
        if (--n.users > 0) return;
        if (n.pieces != 0) give_back(n.pieces);
        n.users = free_; // while free: the next free one
        free_ = id;
    }

    /// The lowest rank that contributes to both, or no_rank.
    rank_type common_rank(const value_view& a, const value_view& b) const noexcept {
        const interval whole_a{a.first, a.last};
        const interval whole_b{b.first, b.last};
        const auto as = a.contiguous() ? std::span(&whole_a, 1) : a.pieces;
        const auto bs = b.contiguous() ? std::span(&whole_b, 1) : b.pieces;
        for (std::size_t i = 0, j = 0; i < as.size() && j < bs.size();) {
            if (as[i].last < bs[j].first)
                ++i;
            else if (bs[j].last < as[i].first)
                ++j;
            else
                return as[i].first > bs[j].first ? as[i].first : bs[j].first;
        }
        return no_rank;
    }

    /// left op right. `mark` is what the result is marked with if this fold breaks the order of ranks.
    /// Undefined if a rank contributes to both (see common_rank) or the blocks differ.
    value_id fold(value_id left, value_id right, std::uint32_t mark) {
        const value_view l = view(left);
        const value_view r = view(right);
        if (l.origin != r.origin) return undefined_value;
        node n;
        n.tree = tree_of_fold(l.tree, r.tree);
        n.origin = l.origin;
        n.first = l.first < r.first ? l.first : r.first;
        n.last = l.last > r.last ? l.last : r.last;
        const bool in_order = l.contiguous() && r.contiguous() && l.last + 1 == r.first;
        n.spoiled = l.spoiled != 0 ? l.spoiled : r.spoiled != 0 ? r.spoiled : in_order ? 0 : mark;
        const bool one_piece = in_order || (l.contiguous() && r.contiguous() && r.last + 1 == l.first);
        if (!one_piece) {
            if (!unite(l, r)) return undefined_value;
            if (united_.size() > 1) n.pieces = keep(united_);
        }
        return insert(n);
    }

private:
    static constexpr value_id leaf_bit = value_id{1} << 31;

    struct node {
        std::uint64_t tree = 0;
        std::int32_t origin = 0;
        rank_type first = 0;
        rank_type last = 0;
        std::uint32_t users = 1;
        std::uint32_t spoiled = 0;
        std::uint32_t pieces = 0; // where in lists_ they begin, 0 if there is one only
    };

    value_id insert(const node& n) {
        if (free_ != 0) {
            const value_id id = free_;
            free_ = nodes_[id].users;
            nodes_[id] = n;
            return id;
        }
        nodes_.push_back(n);
        return static_cast<value_id>(nodes_.size() - 1);
    }

    /// Merges the sorted, disjoint pieces of both into united_; false if they overlap.
    bool unite(const value_view& a, const value_view& b) {
        const interval whole_a{a.first, a.last};
        const interval whole_b{b.first, b.last};
        const auto as = a.contiguous() ? std::span(&whole_a, 1) : a.pieces;
        const auto bs = b.contiguous() ? std::span(&whole_b, 1) : b.pieces;
        united_.clear();
        for (std::size_t i = 0, j = 0; i < as.size() || j < bs.size();) {
            const bool from_a = j == bs.size() || (i < as.size() && as[i].first < bs[j].first);
            const interval next = from_a ? as[i++] : bs[j++];
            if (united_.empty() || united_.back().last + 1 < next.first)
                united_.push_back(next);
            else if (united_.back().last + 1 == next.first)
                united_.back().last = next.last;
            else
                return false;
        }
        return true;
    }

    // Lists of pieces live in one array; lists_[at] is {length, class} and 2^class places follow. Lists given
    // back are chained per class.
    std::span<const interval> pieces_of(std::uint32_t at) const noexcept {
        if (at == 0) return {};
        return std::span(lists_).subspan(at + 1, static_cast<std::size_t>(lists_[at].first));
    }
    std::uint32_t keep(const std::vector<interval>& pieces) {
        const int order = ceil_log2(static_cast<std::int64_t>(pieces.size()));
        auto& free = free_lists_[static_cast<std::size_t>(order)];
        std::uint32_t at = free;
        if (at != 0) {
            free = static_cast<std::uint32_t>(lists_[at].first);
        } else {
            if (lists_.empty()) lists_.resize(1); // place 0 stands for "no list"
            at = static_cast<std::uint32_t>(lists_.size());
            lists_.resize(lists_.size() + 1 + (std::size_t{1} << order));
        }
        lists_[at] = {static_cast<rank_type>(pieces.size()), order};
        for (std::size_t i = 0; i < pieces.size(); ++i) lists_[at + 1 + i] = pieces[i];
        return at;
    }
    void give_back(std::uint32_t at) noexcept {
        auto& free = free_lists_[static_cast<std::size_t>(lists_[at].last)];
        lists_[at].first = static_cast<rank_type>(free);
        free = at;
    }

    std::vector<node> nodes_; // number 0 is the undefined value
    std::vector<interval> lists_;
    std::vector<interval> united_;
    std::uint32_t free_lists_[32] = {};
    value_id free_ = 0;
    std::uint32_t width_;
};

} // namespace tutti::detail
