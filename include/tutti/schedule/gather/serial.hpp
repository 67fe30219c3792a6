// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Gather in one round: every rank sends its block straight to the root.
///
/// Rounds: 1 (0 for one rank). Volume: every rank but the root sends 1 of p blocks; the root receives p - 1,
/// each as a message. Order: nothing is folded. Restrictions: none.
/// Source: Moody, Fernandez, Petrini and Panda 2003, section 4.1, which reduces so.
class gather_serial {
public:
    constexpr explicit gather_serial(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.max_outstanding = at_.size - 1, .rounds = rounds(), .sent_blocks = at_.size == 1 ? 0 : 1});
    }

    /// Example with 5 ranks: root 3 receives from 4, 0, 1, 2.
    template <class Sink>
    TUTTI_INLINE constexpr void emit(round_index, Sink&& sink) const {
        if (at_.rank != at_.root) return sink(send());
        for (rank_type distance = 1; distance < at_.size; ++distance) sink(recv(distance));
    }
    /// The same, last first.
    template <class Sink>
    TUTTI_INLINE constexpr void emit_last_first(round_index, Sink&& sink) const {
        if (at_.rank != at_.root) return sink(send());
        for (rank_type distance = at_.size - 1; distance > 0; --distance) sink(recv(distance));
    }

private:
    constexpr step send() const noexcept { return step::send(at_.root, {.first = at_.rank, .count = 1}); }
    constexpr step recv(rank_type distance) const noexcept {
        const rank_type from = ahead(at_.rank, distance, at_.size);
        return step::recv(from, {.first = from, .count = 1});
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::gather>, const serial&, place at) {
    return gather_serial(at);
}

} // namespace tutti
