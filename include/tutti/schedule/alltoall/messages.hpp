// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>

#include <tutti/core/generator.hpp>
#include <tutti/core/rank.hpp>

namespace tutti::detail {

/// Some messages, at most one between two ranks, as an alltoall of one round in which nobody has anything for
/// the others: what they carry says the layout of an alltoallv.
/// Example with 5 ranks: of rank 3 to ranks {0, 4} and from rank {1}, blocks 0 and 4 of its input go, and
/// block 1 of its result comes.
class alltoall_messages {
public:
    alltoall_messages(place at, std::span<const rank_type> to, std::span<const rank_type> from) noexcept
        : at_(at), to_(to), from_(from) {}

    round_index rounds() const noexcept { return 1; }
    block_index blocks() const noexcept { return at_.size; }
    /// Ranks may have different numbers of messages, of which none knows those of others.
    capabilities claims() const noexcept { return moving_only({.reads_input = true, .rounds = 1}); }

    template <class Sink>
    void emit(round_index, Sink&& sink) const {
        for (const rank_type to : to_) sink(step::send(to, {.first = to, .count = 1}, buffer_name::input));
        for (const rank_type from : from_) sink(step::recv(from, {.first = from, .count = 1}));
    }

private:
    place at_;
    std::span<const rank_type> to_;
    std::span<const rank_type> from_;
};

} // namespace tutti::detail
