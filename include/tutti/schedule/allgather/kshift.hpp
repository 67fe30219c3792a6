// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by near neighbours and hops: a block is sent to the k - 1 ranks nearest to its owner, then to
/// the rank k ahead, which does the same with it.
///
/// The holders of a block are its owner and the ranks k, 2k, ... ahead of it. A holder h serves the window
/// h - floor(k/2) .. h + floor((k-1)/2) of k ranks. If k does not divide p, the last window is what remains
/// of the p ranks, and the last hop is shortened where it would leave it. Every round is one cyclic shift of
/// all ranks, one block each, so that nothing is sent twice, for any p and k.
///
/// Rounds: p - 1. Volume: every rank sends p - 1 of p blocks, of ceil((p - 1)/k) owners.
/// Cost: (p - 1)(alpha + m beta) + (p/k) m delta + L (equation 10).
/// Order: nothing is folded. Restrictions: none; k >= 1 (1 is the ring, p or more the direct strategy).
/// Source: Kumar and Kalé 2004, section 4.5, for multiples of k.
class allgather_kshift {
public:
    constexpr allgather_kshift(place at, rank_type k) : at_(checked(at)), k_(k < at.size ? k : at.size) {
        if (k < 1) detail::throw_argument("k", k, "at least 1");
        last_ = (at.size - 1) / k_;
        tail_ = at.size - last_ * k_;
    }

    constexpr round_index rounds() const noexcept { return at_.size - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    /// The rounds of one window do not need each other (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return k_; }
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        const round_index most = k_ < at_.size ? k_ : rounds();
        return 2 * (width < most ? width : most);
    }

    /// How far ahead of itself, cyclically, every rank sends in round i.
    /// Example with 5 ranks, k = 3: -1, 1, 3 in the window -1..1 of the owner itself; then -1 in the window
    /// 2..3, whose holder is 3 ahead of the owner.
    constexpr rank_type distance(round_index i) const noexcept {
        const auto window = static_cast<rank_type>(i / k_);
        const auto turn = static_cast<rank_type>(i % k_);
        if (window < last_ && turn == k_ - 1) return holder(window + 1) - holder(window);
        const rank_type offset = turn - below(window);
        return mod(offset < 0 ? offset : offset + 1, at_.size);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks, k = 2: distances -1, 2, -1, 1 with holders 0, 0, 2, 2 ahead of the owner: in
        // round 2 rank 0 sends block 3, got in round 1, to rank 4 and receives block 4 from rank 1.
        const rank_type d = distance(i);
        const rank_type h = holder(static_cast<rank_type>(i / k_));
        const rank_type from = behind(at_.rank, d, at_.size);
        sink(step::send(ahead(at_.rank, d, at_.size), {.first = behind(at_.rank, h, at_.size), .count = 1}));
        sink(step::recv(from, {.first = behind(from, h, at_.size), .count = 1}));
    }

private:
    /// How many ranks of a window lie below its holder.
    constexpr rank_type below(rank_type window) const noexcept {
        const rank_type whole = k_ / 2;
        return window < last_ || whole < tail_ ? whole : tail_ - 1;
    }

    /// How far ahead of the owner the holder in a window is.
    constexpr rank_type holder(rank_type window) const noexcept {
        return window * k_ - k_ / 2 + below(window);
    }

    place at_;
    rank_type k_;        // ranks in a whole window
    rank_type last_ = 0; // number of the last window, from 0
    rank_type tail_ = 1; // ranks in it
};

constexpr auto generate(collective_constant<collective::allgather>, const kshift& how, place at) {
    return allgather_kshift(at, how.k);
}

} // namespace tutti
