// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// All-to-all by dimensional exchange in a hypercube, lowest dimension first: a block goes where its receiver
/// differs from the rank that has it, with all others of that dimension in one message to the neighbour
/// there. What is left of its way it goes at once, by direct messages.
///
/// There are as many dimensions as p can be halved, p = 2^L m with an odd m; the last `zeta` of them and the
/// m cubes side by side are served directly, 2^zeta m groups of 2^(L-zeta) ranks, which meet in pairs. So
/// every p has a cube without holes, if a small one: for an odd p all is direct. zeta > L means L.
///
/// No block needs a place of its own on its way. It lies in its sender's input, at its receiver's place,
/// until it first moves; then, on a rank r that has it, in r's result, among the places of its receiver's
/// group, at the number that differs from r's where sender and receiver differ. The direct message brings it
/// among those of its sender's group, where that number is the sender's. So what a peer is sent leaves room
/// for what comes from there, in the same places and the same order.
///
/// Rounds: L - zeta + 2^zeta m - 1, and 1 more if m > 1, where every rank is idle in one of the direct ones;
/// 1 for one rank, which copies its block. Volume: p/2 blocks in each of the L - zeta exchanges, 2^(L-zeta)
/// in each of 2^zeta m - 1 direct messages: p/2 lg p for a power of two and zeta = 0, p - 1 for an odd p.
/// Order: nothing is folded. Restrictions: blocks of one length; zeta is 0..30.
/// Source: Kalé, Kumar and Varadarajan 2003 ("A framework for collective personalized communication",
/// hypercube); zeta as in Kumar and Kalé 2004, section 3.2, for a multicast.
class alltoall_hypercube {
public:
    constexpr alltoall_hypercube(place at, int zeta) : at_(checked(at)) {
        if (zeta < 0 || zeta > 30) detail::throw_argument("zeta", zeta, "0..30");
        const int halvings = std::countr_zero(static_cast<std::uint32_t>(at.size));
        odd_ = at.size >> halvings;
        exchanges_ = zeta < halvings ? halvings - zeta : 0;
        direct_ = rank_type{1} << (halvings - exchanges_);
    }

    constexpr round_index rounds() const noexcept {
        return at_.size == 1 ? 1 : exchanges_ + groups() - (odd_ == 1 ? 1 : 0);
    }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return moving_only(
            {.moves_blocks = at_.size > 1,
             .max_outstanding = at_.size == 1 ? 0 : 2,
             .rounds = rounds(),
             .sent_blocks = block_index{exchanges_} * (at_.size / 2) + block_index{groups() - 1} * group(),
             .uniform_rounds = odd_ == 1 ? rounds() : exchanges_,
             .bounded_from = odd_ == 1 ? unstated : exchanges_});
    }
    /// A rank of a group that meets another one then.
    constexpr rank_type busiest(round_index i) const noexcept {
        return i == exchanges_ && odd_ > 1 ? direct_ * group() : 0;
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
        if (i < exchanges_)
            exchange(rank_type{1} << i, sink);
        else if (at_.size > 1)
            meet(static_cast<rank_type>(i - exchanges_ + (odd_ == 1 ? 1 : 0)), sink);
    }

private:
    constexpr rank_type group() const noexcept { return rank_type{1} << exchanges_; }
    constexpr rank_type groups() const noexcept { return at_.size >> exchanges_; }

    /// What is at the places that differ in this bit, whatever group it is for. In pieces of `bit` places,
    /// of which one has not moved yet.
    /// Example with 6 ranks, bit 1: 0 sends what it has for 1, 3, 5 to 1 and gets what 1 has for 0, 2, 4.
    template <class Sink>
    constexpr void exchange(rank_type bit, Sink& sink) const {
        const rank_type period = 2 * bit;
        pieces(at_.rank ^ bit, (at_.rank & bit) ^ bit, bit, at_.size / period, sink);
    }

    /// All that is for the ranks of another group goes to the one that differs in nothing else. Groups meet
    /// as the numbers below `direct_`, by xor, and the odd number of those, by a sum: in pairs either way.
    /// Example with 5 ranks, turn 1: 0 and 1 exchange, and 2 and 4; 3 is idle.
    template <class Sink>
    constexpr void meet(rank_type turn, Sink& sink) const {
        const rank_type mine = at_.rank >> exchanges_;
        const rank_type sum = behind(turn / direct_, mine / direct_, odd_);
        const rank_type other = sum * direct_ + ((mine ^ turn) & (direct_ - 1));
        if (other == mine) return;
        const rank_type first = other << exchanges_;
        pieces(first + (at_.rank & (group() - 1)), first, group(), 1, sink);
    }

    /// Exchanges with `peer` the places first .. first + run - 1, and as many again `2 run` further on, and
    /// so on, `count` times. Those that differ from this rank in no bit below `run` are still in the input.
    template <class Sink>
    constexpr void pieces(rank_type peer, rank_type first, rank_type run, rank_type count, Sink& sink) const {
        const rank_type own = at_.rank & (run - 1);
        const auto strip = [&](rank_type from, rank_type length) {
            const bool many = count > 1; // one piece is contiguous, and looked up as that
            return block_set{.first = first + from,
                             .count = block_index{length} * count,
                             .run = many ? length : 0,
                             .stride = many ? 2 * run : 0};
        };
        const block_set below = strip(0, own);
        const block_set above = strip(own + 1, run - own - 1);
        const block_set fresh = strip(own, 1);
        detail::one_message sent(sink);
        sent.add(step::send(peer, fresh, buffer_name::input));
        sent.add(step::send(peer, below));
        sent.add(step::send(peer, above));
        sent.end();

        detail::one_message received(sink);
        received.add(step::recv(peer, fresh));
        received.add(step::recv(peer, below));
        received.add(step::recv(peer, above));
        received.end();
    }

    place at_;
    rank_type odd_ = 1;    // p's largest odd divisor
    rank_type direct_ = 1; // 2^zeta, if the cube is so large
    int exchanges_ = 0;
};

static_assert(generator<alltoall_hypercube>);

constexpr auto generate(collective_constant<collective::alltoall>, const hypercube& how, place at) {
    return alltoall_hypercube(at, how.zeta);
}

} // namespace tutti
