// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/capabilities.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/pattern/skips.hpp>

/// Orders in which every rank meets every other one: in round i of rounds() a rank sends to to(i) and
/// receives from from(i), no_rank for nobody; over all rounds it sends to each of the others once. Every
/// round is a permutation of the ranks, or a part of one, that a full fat-tree carries without two messages
/// on a link (Kumar and Kalé 2004, section 4.1). Rounds of one stage() may be taken together under flow
/// control (schedule/flow_control.hpp).
namespace tutti {

/// One rank further in every round.
/// Example with 5 ranks: rank 4 sends to 0, 1, 2, 3 and receives from 3, 2, 1, 0.
class cyclic_order {
public:
    constexpr explicit cyclic_order(place at) : at_(checked(at)) {}

    constexpr const place& here() const noexcept { return at_; }
    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr round_index stage() const noexcept { return at_.size; }

    constexpr rank_type to(round_index i) const noexcept {
        return ahead(at_.rank, static_cast<rank_type>(i + 1), at_.size);
    }
    constexpr rank_type from(round_index i) const noexcept {
        return behind(at_.rank, static_cast<rank_type>(i + 1), at_.size);
    }

private:
    place at_;
};

/// In windows of k ranks: those nearest to oneself, the lower ones first, those nearest to the rank k ahead,
/// that one before the others, those nearest to the rank 2k ahead, ... A stage is a window.
///
/// The ranks 0, k, 2k, ... ahead are the holders of the windows: holder h has the ranks h - floor(k/2) ..
/// h + floor((k-1)/2). If k does not divide p, the last window is what remains of the p ranks, and its holder
/// is nearer where it would lie outside.
/// Example with 5 ranks, k = 3: -1 and 1 ahead in the window -1..1, and of 2..3, which is left, 3 and 2.
class window_order {
public:
    constexpr window_order(place at, rank_type k) : at_(checked(at)), k_(k < at.size ? k : at.size) {
        if (k < 1) detail::throw_argument("k", k, "at least 1");
        last_ = (at.size - 1) / k_;
        tail_ = at.size - last_ * k_;
    }

    constexpr const place& here() const noexcept { return at_; }
    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr round_index stage() const noexcept { return k_; }

    constexpr rank_type to(round_index i) const noexcept { return ahead(at_.rank, reach(i), at_.size); }
    constexpr rank_type from(round_index i) const noexcept { return behind(at_.rank, reach(i), at_.size); }

    /// How far ahead of everybody, cyclically, the rank is that is met in round i: others of the window, and
    /// in its last round the next holder.
    /// Example with 5 ranks, k = 3: 4, 1, 3, 2.
    constexpr rank_type reach(round_index i) const noexcept {
        const auto window = static_cast<rank_type>(i / k_);
        const auto turn = static_cast<rank_type>(i % k_);
        if (window < last_ && turn == k_ - 1) return holder_of(window + 1);
        const rank_type offset = turn - below(window);
        const rank_type distance = holder_of(window) + (offset < 0 ? offset : offset + 1);
        return distance < 0 ? distance + at_.size : distance;
    }

    /// How far ahead the holder of the window of round i is.
    /// Example with 5 ranks, k = 3: 0, 0, 0, 3.
    constexpr rank_type holder(round_index i) const noexcept {
        return holder_of(static_cast<rank_type>(i / k_));
    }

private:
    /// How many ranks of a window lie below its holder.
    constexpr rank_type below(rank_type window) const noexcept {
        const rank_type whole = k_ / 2;
        return window < last_ || whole < tail_ ? whole : tail_ - 1;
    }
    constexpr rank_type holder_of(rank_type window) const noexcept {
        return window * k_ - k_ / 2 + below(window);
    }

    place at_;
    rank_type k_;        // ranks in a whole window
    rank_type last_ = 0; // number of the last window, from 0
    rank_type tail_ = 1; // ranks in it
};

/// Slots in partitions of k, a power of two, the last of which may end in holes; lane l of a partition is its
/// slot number l.
/// Example with 5 slots, k = 2: partition 2 has slot 4 on lane 0 and a hole on lane 1.
class lanes {
public:
    /// As many as there are slots: one partition.
    constexpr explicit lanes(rank_type slots) noexcept : log_(ceil_log2(slots)) {}
    /// More than that are of no use.
    constexpr lanes(rank_type slots, rank_type k) : lanes(slots) {
        if (k < 1 || floor_pow2(k) != k) detail::throw_argument("k", k, "a power of two, at least 1");
        if (floor_log2(k) >= log_) return;
        log_ = floor_log2(k);
        partitions_ = partition(slots - 1) + 1;
    }

    /// Lanes: slots of a whole partition. Less than asked for where fewer hold all slots.
    constexpr std::int64_t k() const noexcept { return std::int64_t{1} << log_; }
    /// ceil(slots / k()), the last one with its holes included.
    constexpr std::int64_t partitions() const noexcept { return partitions_; }

    /// The partition of a slot, from 0.
    constexpr std::int64_t partition(std::int64_t slot) const noexcept { return slot >> log_; }
    /// The lane of a slot, 0 <= lane < k().
    constexpr std::int64_t lane(std::int64_t slot) const noexcept { return slot & (k() - 1); }
    /// The slot on a lane of a partition, which may be a hole: then it is not below the number of slots.
    constexpr std::int64_t slot(std::int64_t partition, std::int64_t lane) const noexcept {
        return (partition << log_) | lane;
    }

    /// The partition `distance` after another, cyclically; 0 <= distance <= partitions().
    constexpr std::int64_t after(std::int64_t partition, std::int64_t distance) const noexcept {
        return before(partition, partitions_ - distance);
    }
    /// The partition `distance` before another, likewise.
    constexpr std::int64_t before(std::int64_t partition, std::int64_t distance) const noexcept {
        return partition < distance ? partition - distance + partitions_ : partition - distance;
    }

private:
    int log_;
    std::int64_t partitions_ = 1;
};

/// Along lanes: number n = s k + j of the rounds, counted from 1, is the rank s partitions ahead, cyclically,
/// whose lane is one's own xor j. Ranks that do not exist are met in vain. A stage is k rounds.
/// Example with 5 ranks, k = 2: rank 0 meets 1, then 2, 3, then 4 and a hole.
class lane_order {
public:
    constexpr lane_order(place at, rank_type k) : lane_order(at, lanes(checked(at).size, k)) {}

    constexpr const place& here() const noexcept { return at_; }
    constexpr round_index rounds() const noexcept { return lanes_.partitions() * lanes_.k() - 1; }
    constexpr round_index stage() const noexcept { return lanes_.k(); }

    constexpr rank_type to(round_index i) const noexcept {
        return existing(lanes_.after(lanes_.partition(at_.rank), lanes_.partition(i + 1)), i + 1);
    }
    constexpr rank_type from(round_index i) const noexcept {
        return existing(lanes_.before(lanes_.partition(at_.rank), lanes_.partition(i + 1)), i + 1);
    }

    /// Whether all ranks meet somebody in every round, as in the other orders for any number of ranks.
    constexpr bool alike() const noexcept { return at_.size == rounds() + 1; }
    /// Whether whom a rank sends to is whom it receives from.
    constexpr bool in_pairs() const noexcept { return lanes_.partitions() <= 2; }

    /// Rank 0 meets somebody in all rounds up to number k, and the first rank of the last partition, whom
    /// whole ones are ahead and behind of, from then on. One partition counts as two halves.
    /// Example with 5 ranks: rank 0 in rounds 1 to 4, with rank 4 in the last of them, and rank 4 in rounds
    /// 5, 6, 7; with k = 2 rank 0 in rounds 1 and 2, rank 4 in 3, 4, 5.
    constexpr rank_type busiest(round_index i) const noexcept { return i < whole() ? 0 : last(); }
    /// Whether one rank is the busiest of all rounds of a stage that are taken together, `width` at a time.
    constexpr bool same_busiest(round_index width) const noexcept {
        return lanes_.partitions() > 1 || whole() % width == 0 || width > rounds();
    }
    /// Whether that rank stands for all. It does not if it is the only one in the second of two partitions,
    /// and all that is busy there, with ranks that are ahead of it: that takes less time than a round
    /// otherwise.
    constexpr bool bounded() const noexcept { return last() != whole() || at_.size != whole() + 1; }

protected:
    constexpr lane_order(place at, lanes among) : at_(at), lanes_(among) {}

private:
    constexpr std::int64_t whole() const noexcept {
        return lanes_.partitions() > 1 ? lanes_.k() : lanes_.k() / 2;
    }
    constexpr rank_type last() const noexcept {
        return static_cast<rank_type>(lanes_.partitions() > 1 ? lanes_.slot(lanes_.partitions() - 1, 0)
                                                              : whole());
    }
    constexpr rank_type existing(std::int64_t partition, round_index number) const noexcept {
        const std::int64_t rank = lanes_.slot(partition, lanes_.lane(at_.rank ^ number));
        return rank < at_.size ? static_cast<rank_type>(rank) : no_rank;
    }

    place at_;
    lanes lanes_;
};

/// In one partition of as many lanes as there are ranks, or more: number n is the rank xor n.
/// Example with 5 ranks: rank 4 meets 5, 6, 7, which do not exist, then 0, 1, 2, 3.
class prefix_order : public lane_order {
public:
    constexpr explicit prefix_order(place at) : lane_order(at, lanes(checked(at).size)) {}

    constexpr rank_type to(round_index i) const noexcept {
        const round_index rank = here().rank ^ (i + 1);
        return rank < here().size ? static_cast<rank_type>(rank) : no_rank;
    }
    constexpr rank_type from(round_index i) const noexcept { return to(i); }
};

} // namespace tutti
