// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather over the distances 2^(q-1), ..., 2, 1: first single blocks to the farthest ranks, last half the
/// vector to the next one. Before the round of distance d a rank r has the blocks of the ranks r - y for all
/// multiples y of 2d below p; it sends rank r + d those that r + d would otherwise lack, y + d < p.
///
/// So a block travels up a binomial tree: it has come y ranks far from y - d, d being the lowest bit of y. If
/// messages have at most n blocks, only a = floor(lg n) rounds are as above. Then a rank has the blocks of
/// every w-th rank, w = 2^(q-a), and all of them go together through trees of w ranks, branch by branch, by
/// y mod w = 1, 2, 3, ..., w - 1. So it never has many blocks that it still has to send on: at most half as
/// many as a tree has levels, of each of the 2^a trees, and their roots.
///
/// Rounds: q = ceil(lg p). With n blocks in a message at most, a + min(w, p) - 1: p - 1 rounds of one block.
/// Volume: every rank sends p - 1 of p blocks. Without a bound both are the least possible, for every p. The
/// longest messages go to the nearest ranks; their blocks are not consecutive. Cost: q alpha + (p - 1) m
/// beta, m being the length of a block. Order: nothing is folded. Restrictions: none. Source: Loch and
/// Koslovski 2021 (arXiv 2109.08751); without its special cases for sizes that are no power of two: the bound
/// on y is all they come to. With bounded messages: Jeaugey 2025 (arXiv 2506.20252), PAT, whose first part is
/// logarithmic and whose second is linear.
class allgather_sparbit {
public:
    constexpr explicit allgather_sparbit(place at, sparbit how = {})
        : at_(tutti::checked(at)), levels_(ceil_log2(at.size)), wide_(levels_) {
        if (how.message_blocks < 0) detail::throw_argument("message_blocks", how.message_blocks, "0 or more");
        if (how.message_blocks > 0) wide_ = std::min(floor_log2(how.message_blocks), levels_);
    }

    constexpr round_index rounds() const noexcept {
        return wide_ + std::min(apart(), std::int64_t{at_.size}) - 1;
    }
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
        // (d = 1); it gets 4 from rank 4, 1 from rank 1, 2 and 0 from rank 2. One block at a time, it sends 3
        // to 4, 3 to 0, 1 to 4, got in the round before, and 3 to 2.
        const bool far = i < wide_;
        const std::int64_t way = far ? std::int64_t{1} << (levels_ - 1 - i) : i - wide_ + 1;
        const std::int64_t stride = far ? 2 * way : apart();
        const auto distance = static_cast<rank_type>(way & -way);
        const rank_type from = behind(at_.rank, distance, at_.size);
        sink(step::send(ahead(at_.rank, distance, at_.size), held_by(at_.rank, way, stride)));
        sink(step::recv(from, held_by(from, way, stride)));
    }

private:
    /// So far from each other are the ranks whose blocks a rank has after the first part.
    constexpr std::int64_t apart() const noexcept { return std::int64_t{1} << (levels_ - wide_); }

    /// What `rank` sends of the blocks that then have come `way` ranks far, or a multiple of `stride`
    /// farther: they are here by all bits of `way` but the lowest. Example with 5 ranks, 2 blocks in a
    /// message: way 3, stride 4: rank 3 sends the block of rank 1.
    constexpr block_set held_by(rank_type rank, std::int64_t way, std::int64_t stride) const noexcept {
        const std::int64_t count = (at_.size - 1 - way) / stride + 1;
        // With a single block the stride does not matter, and must not overflow.
        return {.first = behind(rank, static_cast<rank_type>(way & (way - 1)), at_.size),
                .count = count,
                .run = 1,
                .stride = count > 1 ? static_cast<std::int32_t>(-stride) : 0};
    }

    place at_;
    int levels_;
    int wide_; // rounds of the first part
};

constexpr auto generate(collective_constant<collective::allgather>, const sparbit& how, place at) {
    return allgather_sparbit(at, how);
}

} // namespace tutti
