// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/mesh.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>

namespace tutti {

/// Allgather over a square mesh: every rank sends its block to all ranks of its row, then what it has got to
/// all ranks of its column, each time to the next one first, then to the one after that, and so on.
///
/// There are c = ceil(sqrt p) columns and r = ceil(p/c) rows. What a hole at the end of the last row should
/// get goes to a rank of the same column, as pattern/mesh.hpp says; it may get two messages in one round.
///
/// Rounds: c + r - 2. Volume: p - 1 of p blocks without holes. With h of them
/// c - 1 + max((r - 1) c, (r - 2) (c + ceil((c - h)/(r - 1)))), less than p - 1 + c: above a hole a rank has
/// one rank less to send to, but may have more to send.
/// Cost, m being the length of a block: 2 sqrt(p) alpha + p m beta, about, holes or not (equation 3). For
/// squares it is 2 (sqrt(p) - 1) messages and p - 1 blocks; else there are less than 2 sqrt(p) messages, too.
/// Order: nothing is folded. Restrictions: none.
/// Source: Kumar and Kalé 2004, section 3.1 and Figure 1.
class allgather_mesh2d {
public:
    constexpr explicit allgather_mesh2d(place at)
        : at_(checked(at)), mesh_(at.size), row_(mesh_.row_of(at.rank)), column_(mesh_.column_of(at.rank)) {}

    constexpr round_index rounds() const noexcept { return row_rounds() + mesh_.rows() - 1; }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const block_index rows = mesh_.rows();
        const block_index columns = mesh_.columns();
        block_index down = (rows - 1) * columns;
        if (mesh_.holes()) {
            const block_index above_hole = (rows - 2) * (columns + mesh_.told_by(0).count);
            if (above_hole > down) down = above_hole;
        }
        return moving_only({.max_outstanding = at_.size == 1   ? 0
                                               : mesh_.holes() ? 3
                                                               : 2,
                            .rounds = rounds(),
                            .sent_blocks = columns - 1 + down,
                            .uniform_rounds = mesh_.holes() ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i < row_rounds())
            along_row(static_cast<rank_type>(i + 1), sink);
        else
            along_column(static_cast<rank_type>(i - row_rounds() + 1), sink);
    }

private:
    constexpr round_index row_rounds() const noexcept { return mesh_.columns() - 1; }

    /// Example with 5 ranks (rows 0,1,2 and 3,4), d = 1: 0 to 1, 1 to 2, 2 to 0; 3 to 4; 4 has no right
    /// neighbour and sends to 2, which stands in.
    template <class Sink>
    constexpr void along_row(rank_type d, Sink& sink) const {
        const rank_type to = ahead(column_, d, mesh_.columns());
        const rank_type from = behind(column_, d, mesh_.columns());
        const rank_type peer = mesh_.rank_at(row_, to);
        sink(step::send(peer != no_rank ? peer : mesh_.stand_in(column_, to),
                        {.first = at_.rank, .count = 1}));
        if (const rank_type sender = mesh_.rank_at(row_, from); sender != no_rank)
            sink(step::recv(sender, {.first = sender, .count = 1}));
        if (mesh_.height(column_) == mesh_.rows()) return;
        // Instead of the hole below.
        const rank_type teller = mesh_.rank_at(mesh_.rows() - 1, from);
        if (teller != no_rank && mesh_.stand_in(from, column_) == at_.rank)
            sink(step::recv(teller, {.first = teller, .count = 1}));
    }

    /// Example with 5 ranks, d = 1: 0 sends 0,1,2 to 3, and 3 sends 3,4 to 0. 2 is alone in its column.
    template <class Sink>
    constexpr void along_column(rank_type d, Sink& sink) const {
        const rank_type height = mesh_.height(column_);
        if (d >= height) return;
        const rank_type to = ahead(row_, d, height);
        const rank_type from = behind(row_, d, height);
        const rank_type receiver = mesh_.rank_at(to, column_);
        const rank_type sender = mesh_.rank_at(from, column_);
        gathered(
            row_, [&](const block_set& part) { return step::send(receiver, part); }, sink);
        gathered(
            from, [&](const block_set& part) { return step::recv(sender, part); }, sink);
    }

    /// One message: what the rank at `row` of this column has after the row phase.
    /// Example with 14 ranks: rank 2 has 0,1,2,3 and, for the hole at 14, 12.
    template <class Piece, class Sink>
    constexpr void gathered(rank_type row, const Piece& piece, Sink& sink) const {
        const block_set told = mesh_.told_by(row);
        if (mesh_.height(column_) == mesh_.rows() || told.count == 0) return sink(piece(mesh_.row(row)));
        sink(piece(mesh_.row(row)).and_next());
        sink(piece(told));
    }

    place at_;
    mesh mesh_;
    rank_type row_;
    rank_type column_;
};

constexpr auto generate(collective_constant<collective::allgather>, const mesh2d&, place at) {
    return allgather_mesh2d(at);
}

} // namespace tutti
