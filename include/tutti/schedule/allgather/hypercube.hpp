// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather by dimensional exchange in a hypercube, lowest dimension first; the last `zeta` dimensions are
/// served by direct messages instead, each rank sending all it has by then to every other rank of its
/// sub-cube: the same message again and again.
///
/// The cube has 2^L ranks, L = floor(lg p). An extra rank r >= 2^L gives its block to rank r - 2^L first,
/// whose messages then carry both, and gets all the others from it last.
///
/// Rounds: L - zeta + 2^zeta - 1, and 2 more if there are e = p - 2^L > 0 extra ranks. zeta > L means L.
/// Volume: p - 1 of p blocks if e = 0, whatever zeta; else rank 0, the busiest, sends 2^i + min(2^i, e)
/// blocks in exchange i = 0 .. L - zeta - 1 and, i = L - zeta, in each of the direct messages, then p - 1.
/// Cost, m being the length of a block:
/// - equation 4 (e = 0, zeta = 0): lg p alpha + (p - 1) m beta. Exact.
/// - equation 5 (e > 0, zeta = 0): (lg p + 1) alpha + 2 (p - 1) m beta. Messages exact with lg p rounded up;
///   blocks exact for p = 2^k - 1, else up to a fifth more.
/// - equation 6 (e = 0, p' = p/2^zeta): lg p alpha + p' m beta + (p - p') m beta_em. The text counts messages
///   as above; p' stands for p' - 1 blocks.
/// Order: nothing is folded. Restrictions: zeta is 0..30.
/// Source: Kumar and Kalé 2004, section 3.2.
class allgather_hypercube {
public:
    constexpr allgather_hypercube(place at, int zeta)
        : at_(checked(at)), cube_(floor_pow2(at.size)), extra_(at.size - cube_) {
        if (zeta < 0 || zeta > 30) detail::throw_argument("zeta", zeta, "0..30");
        const int dimensions = floor_log2(cube_);
        direct_ = zeta < dimensions ? zeta : dimensions;
        exchanges_ = dimensions - direct_;
    }

    constexpr round_index rounds() const noexcept {
        return (extra_ > 0 ? 2 : 0) + exchanges_ + (round_index{1} << direct_) - 1;
    }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        // Of all sub-cubes those of rank 0 have most ranks beyond the cube.
        block_index sent = 0;
        for (int i = 0; i < exchanges_; ++i) sent += held(0, i).total();
        sent += held(0, exchanges_).total() * ((block_index{1} << direct_) - 1);
        return moving_only({.max_outstanding = at_.size == 1 ? 0 : 2,
                            .rounds = rounds(),
                            .sent_blocks = sent + (extra_ > 0 ? at_.size - 1 : 0),
                            .uniform_rounds = extra_ > 0 ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (extra_ > 0) {
            if (i == 0) return enter(sink);
            if (i == rounds() - 1) return leave(sink);
            if (at_.rank >= cube_) return;
            --i;
        }
        // Example with 5 ranks, zeta 0: 1 meets 0, then 3. With zeta 2: 1 sends 1 to 0, 3, 2 one after the
        // other.
        const bool directly = i >= exchanges_;
        const int done = directly ? exchanges_ : static_cast<int>(i);
        const auto step_over = static_cast<rank_type>(directly ? i - exchanges_ + 1 : 1);
        const rank_type partner = at_.rank ^ (step_over << done);
        message(
            held(at_.rank, done), [&](const block_set& part) { return step::send(partner, part); }, sink);
        message(
            held(partner, done), [&](const block_set& part) { return step::recv(partner, part); }, sink);
    }

private:
    /// Blocks of a sub-cube, and of the ranks beyond that gave theirs to it.
    struct share {
        block_set inside;
        block_set beyond;
        constexpr block_index total() const noexcept { return inside.count + beyond.count; }
    };

    /// What `rank` has after the exchanges in dimensions 0 .. done - 1.
    /// Example with 5 ranks: rank 1 has 0,1 and 4 after one exchange, rank 3 has 2,3.
    constexpr share held(rank_type rank, int done) const noexcept {
        const rank_type first = rank >> done << done;
        const rank_type length = rank_type{1} << done;
        const rank_type beyond = first < extra_ ? extra_ - first : 0;
        return {
            .inside = {.first = first, .count = length},
            .beyond = {.first = beyond > 0 ? cube_ + first : 0, .count = beyond < length ? beyond : length}};
    }

    template <class Piece, class Sink>
    static constexpr void message(const share& what, const Piece& piece, Sink& sink) {
        if (what.beyond.count == 0) return sink(piece(what.inside));
        sink(piece(what.inside).and_next());
        sink(piece(what.beyond));
    }

    /// Example with 5 ranks: 4 sends its block to 0.
    template <class Sink>
    constexpr void enter(Sink& sink) const {
        if (at_.rank >= cube_)
            sink(step::send(at_.rank - cube_, {.first = at_.rank, .count = 1}));
        else if (at_.rank < extra_)
            sink(step::recv(at_.rank + cube_, {.first = at_.rank + cube_, .count = 1}));
    }

    /// Example with 5 ranks: 0 sends 0,1,2,3 to 4. With 6 ranks 1 sends 0,1,2,3,4 to 5 and 0 sends 5,0,1,2,3
    /// to 4.
    template <class Sink>
    constexpr void leave(Sink& sink) const {
        if (at_.rank < cube_ && at_.rank >= extra_) return;
        const rank_type outside = at_.rank < cube_ ? at_.rank + cube_ : at_.rank;
        const block_set rest{.first = outside + 1 == at_.size ? 0 : outside + 1, .count = at_.size - 1};
        sink(at_.rank == outside ? step::recv(outside - cube_, rest) : step::send(outside, rest));
    }

    place at_;
    rank_type cube_;  // ranks in the cube
    rank_type extra_; // ranks beyond it
    int direct_ = 0;
    int exchanges_ = 0;
};

constexpr auto generate(collective_constant<collective::allgather>, const hypercube& how, place at) {
    return allgather_hypercube(at, how.zeta);
}

} // namespace tutti
