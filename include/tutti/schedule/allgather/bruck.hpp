// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by doubling: a rank that has the blocks of the ranks r .. r + 2^i - 1 sends them to rank r - 2^i
/// and gets the next 2^i from rank r + 2^i; the last round brings what is still missing. Ranges are cyclic,
/// which saves the rotation at the end.
///
/// Rounds: ceil(lg p). Volume: every rank sends p - 1 of p blocks. Both are lower bounds, for every p. The
/// longest messages go farthest. Cost: ceil(lg p) alpha + (p - 1) m beta, m being the length of a block.
/// Order: nothing is folded. Restrictions: none.
/// Source: Bruck, Ho, Kipnis, Upfal and Weathersby 1997, section 4 (the concatenation, one port); the cost as
/// in Thakur and Gropp 2003.
class allgather_bruck {
public:
    constexpr explicit allgather_bruck(place at) : at_(checked(at)) {}

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
        // Example with 5 ranks: rank 3 sends 3 to rank 2 and gets 4 from rank 4; sends 3,4 to rank 1 and gets
        // 0,1 from rank 0; sends 3 to rank 4 and gets 2 from rank 2.
        const auto distance = static_cast<rank_type>(rank_type{1} << i);
        const rank_type missing = at_.size - distance;
        const block_index count = distance < missing ? distance : missing;
        const rank_type from = ahead(at_.rank, distance, at_.size);
        sink(step::send(behind(at_.rank, distance, at_.size), {.first = at_.rank, .count = count}));
        sink(step::recv(from, {.first = from, .count = count}));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::allgather>, const bruck&, place at) {
    return allgather_bruck(at);
}

} // namespace tutti
