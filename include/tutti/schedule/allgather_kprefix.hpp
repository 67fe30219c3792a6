// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by prefix-send inside partitions of k ranks and a ring of partitions.
///
/// Lane l of a partition is its rank number l. An iteration has k rounds: in its phases 1 .. k-1 lanes l and
/// l xor phase of every partition exchange the blocks that they hold, their own at first; in the last round
/// every rank passes the block that it holds to its lane in the next partition. After ceil(p/k) iterations,
/// the last without ring, everybody has everything.
///
/// If k does not divide p, the last partition has t = p mod k ranks only, and
///  - the rings of the lanes >= t, which it lacks, pass it by: they close one iteration sooner, so that each
///    rank on them has one iteration in which it holds nothing, partition after partition;
///  - in that iteration the rank is deputy for its lane of the last partition: it sends its own block to the
///    lanes there that lane l would have sent to.
/// So no rank ever sends or receives more than one block in a round, nothing is sent twice, and a block
/// always goes to the lane that the round says. On the first p nodes of a full tree under d-mod-k every round
/// is free of contention, for any p and k: what leaves a sub-tree in a round leaves it for different lanes of
/// one partition.
///
/// Rounds: k ceil(p/k) - 1, which is p - 1 if k divides p. Volume: every rank receives p - 1 of p blocks and
/// sends as many if k divides p or p < k; else the lanes that all partitions have send k ceil(p/k) - 1.
/// Cost: (p - 1)(alpha + m beta) + (p/k) m delta + L if k divides p (equation 9).
/// Order: nothing is folded. Restrictions: none on p; k is a power of two. More than p ranks in a partition
/// are as good as the least power of two that holds them.
/// Source: Kumar and Kalé 2004, section 4.4, for multiples of k.
class allgather_kprefix {
public:
    constexpr allgather_kprefix(place at, rank_type k) : at_(checked(at)) {
        if (k < 1 || floor_pow2(k) != k) detail::throw_argument("k", k, "a power of two, at least 1");
        const std::int64_t enough = std::int64_t{1} << ceil_log2(at.size);
        k_ = k < enough ? k : enough;
        whole_ = at.size / k_;
        tail_ = at.size % k_;
        iterations_ = whole_ + (tail_ > 0 ? 1 : 0);
        partition_ = at.rank / k_;
        lane_ = at.rank % k_;
    }

    constexpr round_index rounds() const noexcept { return iterations_ * k_ - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        return {.order_preserving = true,
                .same_bits_on_all_ranks = true,
                .max_outstanding = outstanding(1),
                .rounds = rounds(),
                .sent_blocks = iterations_ == 1 ? at_.size - 1 : rounds(),
                .reduced_blocks = 0};
    }

    /// The rounds of one iteration do not need each other (see flow_control.hpp).
    constexpr round_index stage() const noexcept { return k_; }
    /// Rank 0 has both its messages in every round of the first iteration, or else has all there are.
    constexpr std::int64_t outstanding(round_index width) const noexcept {
        const std::int64_t most = k_ < at_.size ? k_ : at_.size - 1;
        return 2 * (width < most ? width : most);
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        const round_index iteration = i / k_;
        const round_index phase = i % k_ + 1;
        if (phase < k_)
            emit_prefix(iteration, phase, sink);
        else
            emit_ring(iteration, sink);
    }

private:
    static constexpr std::int64_t nobody = -1;

    /// Example with 5 ranks, k = 4: partition 0 is 0..3, partition 1 is rank 4, which lacks the lanes 1,
    /// 2, 3. In iteration 0 ranks 0..3 exchange their blocks; in iteration 1 rank 0 sends on block 4 to 1, 2,
    /// 3 and, as deputies, ranks 1, 2, 3 send their own blocks to rank 4, in phases 1, 2, 3.
    template <class Sink>
    constexpr void emit_prefix(round_index iteration, round_index phase, Sink& sink) const {
        const bool deputy = lacks(lane_) && iteration == partition_ + 1;
        const std::int64_t there = deputy ? whole_ : partition_;
        message(sink, step_kind::send, rank_at(there, lane_ ^ phase), held(there, lane_, iteration));
        const std::int64_t lane = lane_ ^ phase;
        message(sink, step_kind::recv, player(partition_, lane, iteration),
                held(partition_, lane, iteration));
    }

    /// Example with 5 ranks, k = 2: the ring of lane 0 is 0, 2, 4; that of lane 1, which rank 4's partition
    /// lacks, is 1, 3. In iteration 1 rank 2 passes block 0 on to rank 4; rank 1 has nothing to pass on.
    template <class Sink>
    constexpr void emit_ring(round_index iteration, Sink& sink) const {
        const std::int64_t length = lacks(lane_) ? whole_ : iterations_;
        const std::int64_t next = partition_ == length - 1 ? 0 : partition_ + 1;
        const std::int64_t before = partition_ == 0 ? length - 1 : partition_ - 1;
        const std::int64_t mine = held(partition_, lane_, iteration);
        const std::int64_t theirs = held(before, lane_, iteration);
        // A shorter ring has come round when the others have one more hop to go.
        if (mine != rank_at(next, lane_)) message(sink, step_kind::send, rank_at(next, lane_), mine);
        if (theirs != at_.rank) message(sink, step_kind::recv, rank_at(before, lane_), theirs);
    }

    /// Whether the last partition lacks a lane that the others have.
    constexpr bool lacks(std::int64_t lane) const noexcept { return tail_ > 0 && lane >= tail_; }

    constexpr std::int64_t rank_at(std::int64_t partition, std::int64_t lane) const noexcept {
        const std::int64_t rank = partition * k_ + lane;
        return rank < at_.size ? rank : nobody;
    }

    /// Who acts as a lane of a partition.
    constexpr std::int64_t player(std::int64_t partition, std::int64_t lane,
                                  round_index iteration) const noexcept {
        const std::int64_t rank = rank_at(partition, lane);
        return rank == nobody && iteration > 0 ? rank_at(iteration - 1, lane) : rank;
    }

    /// Whose block it has to send.
    constexpr std::int64_t held(std::int64_t partition, std::int64_t lane,
                                round_index iteration) const noexcept {
        if (rank_at(partition, lane) == nobody) return player(partition, lane, iteration);
        const std::int64_t origin = partition - iteration;
        return rank_at(origin < 0 ? origin + iterations_ : origin, lane);
    }

    template <class Sink>
    constexpr void message(Sink& sink, step_kind kind, std::int64_t peer, std::int64_t block) const {
        if (peer == nobody || block == nobody) return;
        const block_set what{.first = block, .count = 1};
        const auto rank = static_cast<rank_type>(peer);
        sink(kind == step_kind::send ? step::send(rank, what) : step::recv(rank, what));
    }

    place at_;
    std::int64_t k_ = 1;          // ranks in a whole partition
    std::int64_t whole_ = 1;      // whole partitions
    std::int64_t tail_ = 0;       // ranks in a partition behind them
    std::int64_t iterations_ = 1; // partitions, whole or not
    std::int64_t partition_ = 0;  // of this rank
    std::int64_t lane_ = 0;       // of this rank
};

constexpr auto generate(collective_constant<collective::allgather>, const kprefix& how, place at) {
    return allgather_kprefix(at, how.k);
}

} // namespace tutti
