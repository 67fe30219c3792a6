// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>

namespace tutti {

/// Gather in one round: every rank sends its block straight to the root.
/// Rounds: 1 (0 for one rank). Volume: every rank but the root sends 1 of p blocks; the root receives p - 1.
class gather_direct {
public:
    constexpr explicit gather_direct(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return at_.size == 1 ? 0 : 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.max_outstanding = at_.size - 1, .rounds = rounds(), .sent_blocks = at_.size == 1 ? 0 : 1});
    }

    template <class Sink>
    constexpr void emit(round_index, Sink&& sink) const {
        if (at_.rank != at_.root) return sink(step::send(at_.root, {.first = at_.rank, .count = 1}));
        // Example with 5 ranks: root 3 receives from 4,0,1,2.
        for (rank_type distance = 1; distance < at_.size; ++distance) {
            const rank_type from = ahead(at_.rank, distance, at_.size);
            sink(step::recv(from, {.first = from, .count = 1}));
        }
    }

private:
    place at_;
};

} // namespace tutti
