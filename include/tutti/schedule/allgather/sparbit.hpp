// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather over the distances 2^(q-1), ..., 2, 1: first single blocks to the farthest ranks, last half the
/// vector to the next one. Before the round of distance d a rank r has the blocks of the ranks r - y for all
/// multiples y of 2d below p; it sends rank r + d those that r + d would otherwise lack, y + d < p.
///
/// Rounds: q = ceil(lg p). Volume: every rank sends p - 1 of p blocks. Both are lower bounds, for every p.
/// The longest messages go to the nearest ranks; their blocks are not consecutive. Cost: q alpha + (p - 1) m
/// beta, m being the length of a block. Order: nothing is folded. Restrictions: none.
/// Source: Loch and Koslovski 2021 (arXiv 2109.08751); without its special cases for sizes that are no power
/// of two: the bound on y is all they come to.
class allgather_sparbit {
public:
    constexpr explicit allgather_sparbit(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        // Example with 5 ranks: rank 3 sends 3 to rank 2 (d = 4), 3 to rank 0 (d = 2), 3 and 1 to rank 4
        // (d = 1); it gets 4 from rank 4, 1 from rank 1, 2 and 0 from rank 2.
        const auto distance = static_cast<rank_type>(rank_type{1} << (rounds() - 1 - i));
        const rank_type from = behind(at_.rank, distance, at_.size);
        sink(step::send(ahead(at_.rank, distance, at_.size), held_by(at_.rank, distance)));
        sink(step::recv(from, held_by(from, distance)));
    }

private:
    /// What `rank` sends over a distance: every second multiple of it backwards from its own block.
    constexpr block_set held_by(rank_type rank, rank_type distance) const noexcept {
        const std::int64_t apart = std::int64_t{2} * distance;
        const std::int64_t count = (at_.size - 1 - distance) / apart + 1;
        // With a single block the stride does not matter, and must not overflow.
        return {.first = rank,
                .count = count,
                .run = 1,
                .stride = count > 1 ? static_cast<std::int32_t>(-apart) : 0};
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::allgather>, const sparbit&, place at) {
    return allgather_sparbit(at);
}

} // namespace tutti
