// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>

#include "support/catch2.hpp"

namespace tutti::testing {

enum class pauses { some, none };

/// The active rounds of a rank begin with the first in which it has something to do, and end with the last;
/// without pauses, it has something to do in all of them. At all sizes up to `largest`, from root 0.
template <collective C, class Algorithm>
void check_active_rounds(rank_type largest, pauses between = pauses::some) {
    for (rank_type size = 1; size <= largest; ++size)
        for (const block_index segments : {1, 2, 4, 7})
            for (rank_type rank = 0; rank < size; ++rank) {
                CAPTURE(size, segments, rank);
                const auto g = generate(of<C>, Algorithm{segments}, {rank, size, 0});
                round_range busy;
                for (round_index i = 0; i < g.rounds(); ++i) {
                    const round_range before = busy;
                    g.emit(i, [&](const step&) { busy = hull(before, {i, i + 1}); });
                    if (between == pauses::none) REQUIRE((busy != before) == g.active().contains(i));
                }
                REQUIRE((g.active() == busy || (busy.empty() && g.active().empty())));
            }
}

} // namespace tutti::testing
