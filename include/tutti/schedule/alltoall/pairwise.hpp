// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// All-to-all in which every block goes straight to its receiver, at a distance that grows by one per round.
///
/// Rounds: p - 1; 1 for one rank, which copies its block. Volume: every rank sends p - 1 of p blocks, the
/// least possible. Order: nothing is folded. Restrictions: blocks of one length, or one for
/// each pair of ranks (alltoallv). Source: the shift form of
/// pairwise exchange, see Thakur and Gropp 2003.
class alltoall_pairwise {
public:
    /// For whoever makes longer messages of them: see alltoall/by_nodes.hpp.
    static constexpr bool sends_straight = true;

    constexpr explicit alltoall_pairwise(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 1 : at_.size - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only({.moves_blocks = true,
                            .reads_input = true,
                            .max_outstanding = outstanding(1),
                            .rounds = rounds(),
                            .sent_blocks = at_.size - 1,
                            .uniform_rounds = rounds()});
    }

    /// No round needs what another one brought (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return at_.size; }
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        return 2 * (width < at_.size - 1 ? width : at_.size - 1);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (at_.size > 1) {
            // Example with 5 ranks: in round 1 rank 4 sends input block 1 to rank 1 and receives block 2 from
            // rank 2.
            const auto distance = static_cast<rank_type>(i + 1);
            const rank_type to = ahead(at_.rank, distance, at_.size);
            const rank_type from = behind(at_.rank, distance, at_.size);
            sink(step::send(to, {.first = to, .count = 1}, buffer_name::input));
            sink(step::recv(from, {.first = from, .count = 1}));
        }
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
    }

private:
    place at_;
};

constexpr auto generate(collective_constant<collective::alltoall>, const pairwise&, place at) {
    return alltoall_pairwise(at);
}

} // namespace tutti
