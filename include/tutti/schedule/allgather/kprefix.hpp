// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/meeting_orders.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by prefix-send inside partitions of k slots and a ring of partitions, for ranks on slots some of
/// which may be holes.
///
/// Lane l of a partition is its slot number l. An iteration has k rounds: in its phases 1 .. k-1 lanes l and
/// l xor phase of every partition exchange the blocks that they hold, their own at first; in the last round
/// every rank passes the block that it holds to its lane in the next partition. In iteration s of J, one for
/// each partition and the last without ring, partition j holds the blocks of partition j - s, cyclically.
///
/// Holes:
///  - the ring of a lane passes over them, so that blocks come round sooner than they are needed;
///  - a rank on the same lane, s partitions behind a hole, has in iteration s no block to hold, the hole's.
///    There it is the hole's deputy: it sends its own block to the lanes of the hole's partition, which get
///    from one deputy after the other what the hole would have passed on.
/// So no rank ever sends or receives more than one block in a round, nothing is sent twice, and a block
/// always goes to the lane that the round says. On the nodes of a full tree whose arity is a power of two
/// every round is free of congestion under d-mod-k and s-mod-k, for any k and wherever the holes are.
///
/// Rounds: k ceil(slots/k) - 1, less if there are fewer than k slots. Volume: every rank receives p - 1 of p
/// blocks; how many it sends depends on the holes.
/// Order: nothing is folded. Restrictions: k is a power of two.
/// Source: Kumar and Kalé 2004, section 4.4, for multiples of k without holes.
template <class Slots>
class allgather_kprefix_on {
public:
    constexpr allgather_kprefix_on(Slots slots, rank_type rank, rank_type k)
        : slots_(std::move(slots)), rank_(rank), lanes_(slots_.slots(), k),
          partition_(lanes_.partition(slots_.slot_of(rank))), lane_(lanes_.lane(slots_.slot_of(rank))) {
        next_ = before_ = partition_;
        do next_ = lanes_.after(next_, 1);
        while (rank_at(next_, lane_) == no_rank);
        do before_ = lanes_.before(before_, 1);
        while (rank_at(before_, lane_) == no_rank);
    }

    constexpr round_index rounds() const noexcept { return lanes_.partitions() * lanes_.k() - 1; }
    constexpr block_index blocks() const noexcept { return slots_.ranks(); }
    constexpr capabilities claims() const noexcept { return moving_only({.rounds = rounds()}); }

    /// The rounds of one iteration do not need each other (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return lanes_.k(); }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const round_index iteration = lanes_.partition(i);
        const round_index phase = lanes_.lane(i) + 1;
        if (phase < lanes_.k())
            emit_prefix(iteration, phase, sink);
        else
            emit_ring(iteration, sink);
    }

private:
    /// Example with 5 ranks, k = 4: partition 0 is 0..3, partition 1 is rank 4 and three holes. In iteration
    /// 0 ranks 0..3 exchange their blocks; in iteration 1 rank 0 sends block 4 to 1, 2, 3 and ranks 1, 2, 3,
    /// the deputies, their own blocks to rank 4, in phases 1, 2, 3.
    template <class Sink>
    constexpr void emit_prefix(round_index iteration, round_index phase, Sink& sink) const {
        const std::int64_t other = lane_ ^ phase;
        const std::int64_t from = lanes_.before(partition_, iteration);
        if (const rank_type held = rank_at(from, lane_); held != no_rank)
            message(sink, step_kind::send, rank_at(partition_, other), held);
        else
            message(sink, step_kind::send, rank_at(from, other), rank_);

        if (const rank_type neighbour = rank_at(partition_, other); neighbour != no_rank) {
            message(sink, step_kind::recv, neighbour, rank_at(from, other));
        } else {
            const rank_type deputy = rank_at(lanes_.after(partition_, iteration), other);
            message(sink, step_kind::recv, deputy, deputy);
        }
    }

    /// Example with 5 ranks, k = 2: the ring of lane 0 is 0, 2, 4; that of lane 1, which has a hole beside
    /// rank 4, is 1, 3. In iteration 1 rank 2 passes block 0 on to rank 4; rank 1 has nothing to pass on.
    template <class Sink>
    constexpr void emit_ring(round_index iteration, Sink& sink) const {
        const rank_type to = rank_at(next_, lane_);
        const rank_type from = rank_at(before_, lane_);
        const rank_type mine = rank_at(lanes_.before(partition_, iteration), lane_);
        const rank_type theirs = rank_at(lanes_.before(before_, iteration), lane_);
        // Its owner does not need a block that has come round.
        if (mine != to) message(sink, step_kind::send, to, mine);
        if (theirs != rank_) message(sink, step_kind::recv, from, theirs);
    }

    /// no_rank for a hole; there are holes behind the last slot, too.
    constexpr rank_type rank_at(std::int64_t partition, std::int64_t lane) const noexcept {
        const std::int64_t slot = lanes_.slot(partition, lane);
        return slot < slots_.slots() ? slots_.rank_at(static_cast<rank_type>(slot)) : no_rank;
    }

    template <class Sink>
    static constexpr void message(Sink& sink, step_kind kind, rank_type peer, rank_type block) {
        if (peer == no_rank || block == no_rank) return;
        const block_set what{.first = block, .count = 1};
        sink(kind == step_kind::send ? step::send(peer, what) : step::recv(peer, what));
    }

    Slots slots_;
    rank_type rank_;
    lanes lanes_;
    std::int64_t partition_;  // of this rank
    std::int64_t lane_;       // of this rank
    std::int64_t next_ = 0;   // partition with a rank on this lane
    std::int64_t before_ = 0; // the same the other way round
};

namespace detail {

/// As many slots as ranks: no holes.
struct no_holes {
    rank_type size = 1;

    constexpr rank_type slots() const noexcept { return size; }
    constexpr rank_type ranks() const noexcept { return size; }
    constexpr rank_type slot_of(rank_type rank) const noexcept { return rank; }
    constexpr rank_type rank_at(rank_type slot) const noexcept { return slot; }
};

} // namespace detail

/// The same without holes, but for those in the last partition if k does not divide p. On the first p nodes
/// of such a tree every round is free of congestion, for any p and k.
///
/// Rounds: k ceil(p/k) - 1, which is p - 1 if k divides p. Volume: every rank receives p - 1 of p blocks and
/// sends as many if k divides p or p < k; else the lanes that all partitions have send k ceil(p/k) - 1.
/// Cost: (p - 1)(alpha + m beta) + (p/k) m delta + L if k divides p (equation 9).
/// Order: nothing is folded. Restrictions: k is a power of two.
/// Source: Kumar and Kalé 2004, section 4.4, for multiples of k.
class allgather_kprefix : public allgather_kprefix_on<detail::no_holes> {
public:
    constexpr allgather_kprefix(place at, rank_type k)
        : allgather_kprefix_on({.size = checked(at).size}, at.rank, k) {}

    constexpr capabilities claims() const noexcept {
        capabilities c = allgather_kprefix_on::claims();
        c.max_outstanding = outstanding(1);
        c.sent_blocks = stage() < blocks() ? rounds() : blocks() - 1;
        if (blocks() % stage() == 0) c.uniform_rounds = rounds(); // every lane has a rank everywhere
        if (blocks() > 2 * stage()) c.bounded_from = 0;
        return c;
    }
    /// On lane 0: in iteration 1 rank 0 holds blocks of the last partition, which may have holes; so rank k.
    /// Example with 5 ranks, k = 2: rank 2 in rounds 2 and 3, else rank 0.
    constexpr rank_type busiest(round_index i) const noexcept {
        return i / stage() == 1 ? static_cast<rank_type>(stage()) : 0;
    }
    constexpr bool same_busiest(round_index) const noexcept { return true; }

    /// Rank 0 has both its messages in every round of the first iteration, or else has all there are.
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        const std::int64_t most = stage() < blocks() ? stage() : blocks() - 1;
        return 2 * (width < most ? width : most);
    }
};

constexpr auto generate(collective_constant<collective::allgather>, const kprefix& how, place at) {
    return allgather_kprefix(at, how.k);
}

} // namespace tutti
