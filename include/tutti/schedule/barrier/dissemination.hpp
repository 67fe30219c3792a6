// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Barrier by empty messages: in round k every rank tells the rank 2^k above it, cyclically, that it has
/// heard of the 2^k ranks up to itself.
/// Rounds: ceil(log2 p).
/// Volume: none.
/// Any size.
/// Source: Hensgen, Finkel and Manber 1988, "Two algorithms for barrier synchronization".
class dissemination_barrier {
public:
    constexpr explicit dissemination_barrier(place at) : at_(checked(at)) {}

    constexpr round_index rounds() const noexcept { return ceil_log2(at_.size); }
    constexpr block_index blocks() const noexcept { return 1; }
    constexpr capabilities claims() const noexcept {
        return moving_only({.max_outstanding = at_.size > 1 ? 2 : 0,
                            .rounds = rounds(),
                            .sent_blocks = 0,
                            .uniform_rounds = rounds()});
    }

    /// Example with 5 ranks: rank 1 sends to 2, 3, 0 and hears from 0, 4, 2.
    template <class Sink>
    constexpr void emit(round_index k, Sink&& sink) const {
        const std::int64_t distance = std::int64_t{1} << k;
        sink(step::send(cyclic(at_.rank + distance), {}));
        sink(step::recv(cyclic(at_.rank - distance), {}));
    }

private:
    constexpr rank_type cyclic(std::int64_t rank) const noexcept {
        return static_cast<rank_type>(mod(rank, std::int64_t{at_.size}));
    }

    place at_;
};

constexpr auto generate(collective_constant<collective::barrier>, const dissemination&, place at) {
    return dissemination_barrier(at);
}

} // namespace tutti
