// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti::detail {

/// One round of an all-to-all: to the rank so far ahead its block, from the one so far behind ours.
struct cyclic_shift {
    rank_type distance = 1; ///< 1 .. p - 1
};

class alltoall_shift {
public:
    constexpr alltoall_shift(place at, rank_type distance) : at_(checked(at)), distance_(distance) {}

    constexpr round_index rounds() const noexcept { return 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }
    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.reads_input = true, .max_outstanding = 2, .rounds = 1, .sent_blocks = 1, .uniform_rounds = 1});
    }

    template <class Sink>
    constexpr void emit(round_index, Sink&& sink) const {
        // Example with 5 ranks: at distance 2 rank 4 sends to rank 1 and receives from rank 2.
        const rank_type to = ahead(at_.rank, distance_, at_.size);
        const rank_type from = behind(at_.rank, distance_, at_.size);
        sink(step::send(to, {.first = to, .count = 1}, buffer_name::input));
        sink(step::recv(from, {.first = from, .count = 1}));
    }

private:
    place at_;
    rank_type distance_;
};

constexpr auto generate(collective_constant<collective::alltoall>, const cyclic_shift& how, place at) {
    return alltoall_shift(at, how.distance);
}

} // namespace tutti::detail
