// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Many-to-many multicast in which everybody sends its message straight to all who want it, at once.
///
/// Rounds: 1, or 0 if nobody sends. Volume: a rank sends as many blocks as it has targets; in all there are
/// as many messages as pairs in the relation. Emitting them costs no more than they, however many ranks there
/// are. Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 1 (the pattern), section 3 (direct messages).
class multicast_serial {
public:
    multicast_serial(relation who, place at) : who_(std::move(who)), at_(checked(at)) {}

    round_index rounds() const noexcept { return who_.pairs() == 0 ? 0 : 1; }
    block_index blocks() const noexcept { return at_.size; }

    capabilities claims() const noexcept {
        return moving_only({.max_outstanding = who_.most_partners(),
                            .rounds = rounds(),
                            .sent_blocks = who_.most_targets(),
                            .uniform_rounds = who_.is_all_to_all() ? rounds() : 0});
    }

    template <class Sink>
    void emit(round_index, Sink&& sink) const {
        // Everybody begins with the next rank, so that not all send to rank 0 first. Receives are listed the
        // other way round, so that what is sent first is expected first.
        // Example with 5 ranks, all of which want all: rank 3 sends to 4, 0, 1, 2 and receives from
        // 2, 1, 0, 4.
        const std::span<const rank_type> to = who_.targets(at_.rank);
        const std::size_t next = below(to);
        for (const rank_type r : to.subspan(next)) sink(step::send(r, own(at_.rank)));
        for (const rank_type r : to.first(next)) sink(step::send(r, own(at_.rank)));
        const std::span<const rank_type> from = who_.sources(at_.rank);
        const std::size_t last = below(from);
        for (std::size_t i = last; i-- > 0;) sink(step::recv(from[i], own(from[i])));
        for (std::size_t i = from.size(); i-- > last;) sink(step::recv(from[i], own(from[i])));
    }

private:
    /// How many of the ranks in ascending order lie below this one.
    std::size_t below(std::span<const rank_type> ranks) const noexcept {
        return static_cast<std::size_t>(std::lower_bound(ranks.begin(), ranks.end(), at_.rank)
                                        - ranks.begin());
    }
    static constexpr block_set own(rank_type r) noexcept { return {.first = r, .count = 1}; }

    relation who_;
    place at_;
};

} // namespace tutti
