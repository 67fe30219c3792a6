// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tutti/verify/canonical_tree.hpp>
#include <tutti/verify/execution.hpp>

namespace tutti::detail {

/// Holds what an execution left in `work` against the contract, and looks how it was folded.
class result_check {
public:
    result_check(const contract& terms, const capabilities& claims) : terms_(terms), claims_(claims) {
        if (folds(terms.what)) canonical_.emplace(terms.size);
    }

    /// The first cell that breaks the post-condition.
    std::optional<finding> operator()(const execution& run) {
        if (run.values().heard() != nullptr) {
            for (rank_type r = 0; r < terms_.size; ++r)
                if (const rank_type other = run.values().heard()->stranger_to(r); other != no_rank)
                    return find({.rank = r, .peer = other},
                                "may leave the barrier before rank " + std::to_string(other) + " has come");
            return std::nullopt;
        }
        const slice& part = run.values().held().part();
        for (block_index b = part.first; b < part.end; ++b)
            if (auto fault = check_block(run, b)) return fault;
        return std::nullopt;
    }

    /// A result that was not folded in the order of ranks.
    const std::optional<finding>& disorder() const noexcept { return disorder_; }
    /// A result that two ranks get by different trees of folds.
    const std::optional<finding>& other_tree() const noexcept { return other_tree_; }
    /// A result that is not folded along the canonical tree.
    const std::optional<finding>& not_canonical() const noexcept { return not_canonical_; }

private:
    std::optional<finding> check_block(const execution& run, block_index b) {
        const cells& held = run.values().held();
        const block_index first = held.part().first;
        rank_type model = no_rank; // the first rank that gets this block
        std::uint64_t tree = 0;
        for (rank_type r = 0; r < terms_.size; ++r) {
            const obligation due = terms_.required(r, b);
            if (!due.required) continue;
            const value_id id = held.read(r, buffer_name::work, b - first);
            if (id == undefined_value)
                return find({.rank = r, .block = b}, "the result is undefined; due: " + describe(due));
            const value_view v = held.values.view(id);
            if (first + v.origin != due.origin || !v.contiguous() || v.first != due.first
                || v.last != due.last)
                return find({.rank = r, .block = b},
                            "the result is " + describe(v, first) + "; due: " + describe(due));
            if (v.spoiled != 0 && !disorder_) note_disorder(run, r, b, v.spoiled);
            if (canonical_ && !not_canonical_ && v.tree != canonical_->of(v.last + 1))
                not_canonical_ = find({.rank = r, .block = b},
                                      "false claim: canonical_tree, but this result is folded otherwise");
            if (!folds(terms_.what) || scans(terms_.what)) continue; // each has a result of its own
            if (model == no_rank) {
                model = r;
                tree = v.tree;
            } else if (v.tree != tree && !other_tree_) {
                other_tree_ = find({.rank = r, .block = b, .peer = model},
                                   "false claim: same_bits_on_all_ranks, but rank " + std::to_string(r)
                                       + " gets the result by another tree of folds than rank "
                                       + std::to_string(model));
            }
        }
        return std::nullopt;
    }

    void note_disorder(const execution& run, rank_type r, block_index b, std::uint32_t mark) {
        const location at =
            claims_.order_preserving ? run.values().spoiled_at(mark) : location{.rank = r, .block = b};
        disorder_ = find(
            at, "false claim: order_preserving, but this fold does not put contiguous lower ranks on the "
                "left; it is in the result of rank "
                    + std::to_string(r) + ", block " + std::to_string(b));
    }

    static std::string ranks(rank_type first, rank_type last) {
        return first == last ? std::to_string(first) : std::to_string(first) + ".." + std::to_string(last);
    }
    static std::string describe(const obligation& due) {
        return "block " + std::to_string(due.origin) + " of rank(s) " + ranks(due.first, due.last);
    }
    static std::string describe(const value_view& v, block_index first) {
        std::string text = "block " + std::to_string(first + v.origin) + " of rank(s) ";
        if (v.contiguous()) return text + ranks(v.first, v.last);
        for (std::size_t i = 0; i < v.pieces.size() && i < 8; ++i)
            text += (i == 0 ? "" : ",") + ranks(v.pieces[i].first, v.pieces[i].last);
        return v.pieces.size() > 8 ? text + ",..." : text;
    }

    contract terms_;
    capabilities claims_;
    std::optional<finding> disorder_{};
    std::optional<finding> other_tree_{};
    std::optional<finding> not_canonical_{};
    std::optional<canonical_trees> canonical_{}; // where there are folds
};

} // namespace tutti::detail
