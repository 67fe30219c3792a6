// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

/// Permutations of ranks as values: each is asked `p(rank, size)` for the rank that `rank` sends to, 0 <=
/// rank < size, and answers no_rank where the target does not exist. No rank is the target of two. Source:
/// Heller 1994, "Congestion-free routing on the CM-5 data router"; Kumar and Kalé 2004, section 4.1.
namespace tutti {

/// What says, as p(rank, size), whom a rank sends to: see the top of this header.
template <class P>
concept permutation = requires(const P& p, rank_type rank) {
    { p(rank, rank) } -> std::same_as<rank_type>;
};

namespace detail {

/// Refuses a list of targets that is no permutation of its indices; with `holes`, entries may be no_rank.
inline void check_targets(const std::vector<rank_type>& target, const char* entry, bool holes) {
    if (target.empty()) throw_argument("number of entries of the permutation", 0, "at least 1");
    const auto size = static_cast<rank_type>(target.size());
    std::vector<rank_type> source(target.size(), no_rank);
    for (rank_type r = 0; r < size; ++r) {
        const rank_type t = target[static_cast<std::size_t>(r)];
        if (holes && t == no_rank) continue;
        if (t < 0 || t >= size)
            throw argument_error(sentence({entry, r}), sentence({t}),
                                 sentence({"0..", size - 1, holes ? ", or -1 for nobody" : ""}));
        rank_type& taken = source[static_cast<std::size_t>(t)];
        if (taken != no_rank)
            throw argument_error(sentence({entry, r}), sentence({t}),
                                 sentence({"a target of its own; ", taken, " has this one"}));
        taken = r;
    }
}

} // namespace detail

/// To the rank `k` further on, counted cyclically; k < 0 counts backwards. Lemmas 1 and 6.
/// Example with 5 ranks, k = 2: 0,1,2,3,4 send to 2,3,4,0,1.
struct shift {
    rank_type k = 1; ///< any

    /// The rank k further on: every rank has one.
    constexpr rank_type operator()(rank_type rank, rank_type size) const noexcept {
        return static_cast<rank_type>(mod(std::int64_t{rank} + k, std::int64_t{size}));
    }
};

/// To the rank whose number differs in the bits of `j`: stage j of Prefix-Send, its own inverse. Lemma 5.
/// Example with 5 ranks, j = 1: 0,1,2,3 send to 1,0,3,2; rank 4 to nobody, for there is no rank 5.
struct exclusive_or {
    rank_type j = 1; ///< >= 0

    /// `rank` xor j; no_rank if there is no such rank.
    constexpr rank_type operator()(rank_type rank, rank_type size) const noexcept {
        const rank_type target = rank ^ j;
        return target >= 0 && target < size ? target : no_rank;
    }
};

/// To the neighbour in one dimension of the hypercube: xor with 2^dimension. Lemma 4.
/// Example with 5 ranks, dimension 2: 0 and 4 send to each other; 1, 2, 3 to nobody, for there are no 5,
/// 6, 7.
struct hypercube_exchange {
    int dimension = 0; ///< 0..30

    /// The neighbour; no_rank if there is none, or no such dimension.
    constexpr rank_type operator()(rank_type rank, rank_type size) const noexcept {
        if (dimension < 0 || dimension > 30) return no_rank;
        return exclusive_or{rank_type{1} << dimension}(rank, size);
    }
};

/// Ranks in as many equal parts as `to` is long; part i goes to part to[i] as a whole, in the order of ranks.
/// With parts for the top sub-trees of a fat-tree these are the quarter permutations of Lemma 2. If the
/// number of parts does not divide the size, parts have ceil(size / parts) ranks and the last ones fewer.
/// Example with 5 ranks, to = {1, 0}: the parts are 0,1,2 and 3,4. Ranks 0, 1 send to 3, 4 and rank 2 to
/// nobody; 3, 4 send to 0, 1.
class quarter_permutation {
public:
    /// `to` is itself a permutation of 0..parts - 1.
    explicit quarter_permutation(std::vector<rank_type> to) : to_(std::move(to)) {
        detail::check_targets(to_, "target of part ", false);
    }

    /// The rank at the same place of the target part; no_rank if that part is shorter.
    constexpr rank_type operator()(rank_type rank, rank_type size) const noexcept {
        const auto parts = static_cast<std::int64_t>(to_.size());
        const std::int64_t length = ceil_div<std::int64_t>(size, parts);
        const std::int64_t target = to_[static_cast<std::size_t>(rank / length)] * length + rank % length;
        // A short part has only its first ranks; the target's part may lie beyond the last rank altogether.
        return target < size ? static_cast<rank_type>(target) : no_rank;
    }

    /// As many as `to` has entries.
    rank_type parts() const noexcept { return static_cast<rank_type>(to_.size()); }

private:
    std::vector<rank_type> to_;
};

/// Any permutation, written down: `target[r]` is where rank r sends to, no_rank if nowhere.
/// Example with 5 ranks: {3, no_rank, 0, 4, 1}, rank 1 sends nothing and rank 2 receives nothing.
class permutation_table {
public:
    explicit permutation_table(std::vector<rank_type> target) : target_(std::move(target)) {
        detail::check_targets(target_, "target of rank ", true);
    }

    /// `size` must be that of the table.
    rank_type operator()(rank_type rank, rank_type size) const {
        if (size != this->size())
            detail::throw_argument(
                "size", size, detail::sentence({this->size(), ", as many as the permutation's table has"}));
        return target_[static_cast<std::size_t>(rank)];
    }

    rank_type size() const noexcept { return static_cast<rank_type>(target_.size()); }
    /// As they were given: size() of them, no_rank for ranks that send nothing.
    const std::vector<rank_type>& targets() const noexcept { return target_; }

    friend bool operator==(const permutation_table&, const permutation_table&) = default;

private:
    std::vector<rank_type> target_;
};

/// `p` for `size` ranks, written down. Refuses what sends two ranks to one, or outside.
/// Example with 5 ranks: table_of(shift{2}, 5) has the targets 2,3,4,0,1.
template <permutation P>
permutation_table table_of(const P& p, rank_type size) {
    if (size < 1) detail::throw_argument("size", size, "at least 1");
    std::vector<rank_type> target(static_cast<std::size_t>(size));
    for (rank_type r = 0; r < size; ++r) target[static_cast<std::size_t>(r)] = p(r, size);
    return permutation_table(std::move(target));
}

/// Whether every one of `size` ranks sends to a rank of its own.
/// Example with 5 ranks: shift{2} is one, exclusive_or{1} is none, for rank 4 has no target.
template <permutation P>
bool is_permutation(const P& p, rank_type size) {
    if (size < 1) return false;
    std::vector<unsigned char> hit(static_cast<std::size_t>(size), 0);
    for (rank_type r = 0; r < size; ++r) {
        const rank_type t = p(r, size);
        if (t < 0 || t >= size || hit[static_cast<std::size_t>(t)]) return false;
        hit[static_cast<std::size_t>(t)] = 1;
    }
    return true;
}

} // namespace tutti
