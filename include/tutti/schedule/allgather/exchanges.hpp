// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <tutti/core/generator.hpp>
#include <tutti/pattern/exchanges.hpp>
#include <tutti/pattern/survivors.hpp>
#include <tutti/schedule/butterfly.hpp>

namespace tutti {

/// Allgather by exchanges in which both partners send all they have, in the order that `Exchanges` says. If p
/// is not a power of two, of the first pairs the odd rank gives its block to the even one first and gets all
/// the others last (p' = 2^floor(lg p) ranks stay, r = p - p').
///
/// Rounds: lg p; floor(lg p) + 2 if p is not a power of two.
/// Volume: p - 1 of p blocks if p is a power of two; else the busiest rank, an even one of a pair, sends what
/// Exchanges::sent() says in the exchanges, about p' + r, and p - 1 at the end. No rank receives a block
/// twice.
/// Order: nothing is folded. Restrictions: none.
/// Source: the order's; ranks are removed as in Rabenseifner and Adamidis 2004, section 3.5.
template <class Exchanges>
class allgather_exchanges {
public:
    constexpr explicit allgather_exchanges(place at) : at_(checked(at)), group_(at.size) {}

    constexpr round_index rounds() const noexcept { return (group_.extra() > 0 ? 2 : 0) + group_.levels(); }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const bool uneven = group_.extra() > 0;
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = Exchanges::sent(group_) + (uneven ? at_.size - 1 : 0),
                            .uniform_rounds = uneven ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (group_.extra() > 0) {
            if (i == 0) return detail::give_own_block(group_, at_.rank, sink);
            if (i == rounds() - 1) return detail::give_other_blocks(group_, at_.rank, at_.size, sink);
            if (group_.removed(at_.rank)) return;
            --i;
        }
        // Example with 5 ranks, distances 1 and 2: 0,2,3,4 are numbered 0,1,2,3. Rank 0 sends 0,1 to rank 2
        // and gets 2, then sends 0,1,2 to rank 3 and gets 3,4.
        const auto k = static_cast<int>(i);
        const rank_type number = group_.number(at_.rank);
        const rank_type partner = Exchanges::partner(number, k, group_.levels());
        const rank_type peer = group_.rank_of(partner);
        as_one(step::send(peer, {}), Exchanges::held(number, k, group_), sink);
        as_one(step::recv(peer, {}), Exchanges::held(partner, k, group_), sink);
    }

private:
    template <class Sink>
    static constexpr void as_one(step message, const block_pieces& pieces, Sink& sink) {
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            message.blocks = pieces[k];
            sink(k + 1 < pieces.size() ? message.and_next() : message);
        }
    }

    place at_;
    survivors group_;
};

} // namespace tutti
