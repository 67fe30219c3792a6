// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Barrier by empty messages: in round k every rank tells the ranks r^k, 2 r^k, ..., (r-1) r^k above it,
/// cyclically, that it has heard of the r^k ranks up to itself. Radix 2 is for one port, radix r for r - 1.
/// Rounds: ceil(log_r p), of at most r - 1 messages each.
/// Volume: none.
/// Any size, any r >= 2.
/// Source: Hensgen, Finkel and Manber 1988, "Two algorithms for barrier synchronization"; Hoefler, Mehlan,
/// Mietke and Rehm 2006 for more than one message in a round (n-way dissemination).
class dissemination_barrier {
public:
    constexpr explicit dissemination_barrier(place at, rank_type radix = 2)
        : at_(checked(at)), radix_(radix) {
        if (radix < 2) detail::throw_argument("radix", radix, "at least 2");
    }

    constexpr round_index rounds() const noexcept { return ceil_log(radix_, at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }
    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = std::int64_t{2} * std::min(radix_ - 1, at_.size - 1),
                            .rounds = rounds(),
                            .sent_blocks = 0,
                            .uniform_rounds = rounds()});
    }

    /// Example with 5 ranks: rank 1 sends to 2, 3, 0 and hears from 0, 4, 2. With radix 3 it sends to 2 and 3
    /// and hears from 0 and 4, then it sends to 4 and hears from 3.
    template <class Sink>
    constexpr void emit(round_index k, Sink&& sink) const {
        const std::int64_t nearest = power(radix_, static_cast<int>(k));
        const std::int64_t most = std::min<std::int64_t>((radix_ - 1) * nearest, at_.size - 1);
        for (std::int64_t d = nearest; d <= most; d += nearest)
            sink(step::send(cyclic(at_.rank + d - at_.size), {}));
        for (std::int64_t d = nearest; d <= most; d += nearest) sink(step::recv(cyclic(at_.rank - d), {}));
    }

private:
    /// For ranks from -p on: less than once round, and a division would take longer than all the rest.
    constexpr rank_type cyclic(std::int64_t rank) const noexcept {
        return static_cast<rank_type>(rank < 0 ? rank + at_.size : rank);
    }

    place at_;
    rank_type radix_;
};

constexpr auto generate(collective_constant<collective::barrier>, const dissemination& how, place at) {
    return dissemination_barrier(at, how.radix);
}

} // namespace tutti
