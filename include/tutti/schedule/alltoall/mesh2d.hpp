// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tutti/core/collective.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/pattern/mesh.hpp>
#include <tutti/pattern/skips.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/one_message.hpp>

namespace tutti {

/// All-to-all over a square mesh: every rank sends to each rank of its row what is for the ranks of that
/// one's column, each time to the next one first, then to the one after that, and so on; then along the
/// columns what is for each rank of them.
///
/// There are c = ceil(sqrt p) columns and r = ceil(p/c) rows. What a hole at the end of the last row should
/// pass on goes to a rank of the same column, as pattern/mesh.hpp says; it may get two messages in one round.
///
/// What is on its way lies in scratch: what came from column a for row x at (x, a), which with what comes
/// from the rank's own column, still in its input, is a row that ascends. For the last row, which has no
/// place for all of them, the second scratch has them at a; there a stand-in has what came from the last row,
/// at (x+1, a).
///
/// Rounds: c + r - 2, so about 2 sqrt(p) - 2; 1 for one rank, which copies its block. Volume: p - r + (r-1) c
/// blocks, less than twice the least; if there are h holes, p - (r-1) + (r-2) (c + ceil((c-h)/(r-1))) if that
/// is more: above a hole a rank has one rank less to send to, but may have more to send.
/// Order: nothing is folded. Restrictions: blocks of one length.
/// Source: Kalé, Kumar and Varadarajan 2003 ("A framework for collective personalized communication", mesh);
/// holes as in Kumar and Kalé 2004, section 3.1.
class alltoall_mesh2d {
public:
    constexpr explicit alltoall_mesh2d(place at)
        : at_(checked(at)), mesh_(at.size), row_(mesh_.row_of(at.rank)), column_(mesh_.column_of(at.rank)) {}

    constexpr round_index rounds() const noexcept {
        return at_.size == 1 ? 1 : row_rounds() + mesh_.rows() - 1;
    }
    constexpr block_index blocks() const noexcept { return at_.size; }

    constexpr capabilities claims() const noexcept {
        const block_index rows = mesh_.rows();
        const block_index columns = mesh_.columns();
        block_index sent = at_.size - rows + (rows - 1) * columns;
        block_index kept = (columns - 1) * (rows - 1);
        if (mesh_.holes()) {
            const block_index told = mesh_.told_by(0).count;
            sent = std::max(sent, at_.size - (rows - 1) + (rows - 2) * (columns + told));
            kept = std::max(kept, (columns - 1 + told) * (rows - 2));
        }
        return moving_only({.moves_blocks = at_.size > 1,
                            .reads_input = columns > 2,
                            .scratch_blocks = kept,
                            .max_outstanding = at_.size == 1   ? 0
                                               : mesh_.holes() ? 3
                                                               : 2,
                            .rounds = rounds(),
                            .sent_blocks = sent,
                            .uniform_rounds = mesh_.holes() ? 0 : rounds()});
    }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i >= row_rounds())
            along_column(static_cast<rank_type>(i - row_rounds() + 1), sink);
        else
            along_row(static_cast<rank_type>(i + 1), sink);
        if (i == 0) sink(step::copy({.first = at_.rank, .count = 1}, buffer_name::input, buffer_name::work));
    }

private:
    constexpr round_index row_rounds() const noexcept { return mesh_.columns() - 1; }
    constexpr rank_type last_row() const noexcept { return mesh_.rows() - 1; }

    /// Whether there is a hole below, in the last row.
    constexpr bool above_hole() const noexcept { return mesh_.height(column_) < mesh_.rows(); }

    /// Places in one column of a plane of blocks, from row `begin` to `end` - 1.
    /// Example with 5 ranks: column 1, rows 0 and 1, is 1 and 4.
    constexpr block_set down(rank_type column, rank_type begin, rank_type end) const noexcept {
        const rank_type count = std::max(end - begin, 0);
        return {.first = count == 0 ? 0 : block_index{begin} * mesh_.columns() + column,
                .count = count,
                .run = count > 1 ? 1 : 0,
                .stride = count > 1 ? mesh_.columns() : 0};
    }

    /// Example with 5 ranks (rows 0,1,2 and 3,4), d = 1: 0 sends to 1 what is for 1 and 4, 1 to 2 what is for
    /// 2, 2 to 0 what is for 0 and 3, 3 to 4 what is for 1 and 4; 4 has no right neighbour and sends what is
    /// for 2 to 2, which stands in.
    template <class Sink>
    constexpr void along_row(rank_type d, Sink& sink) const {
        const rank_type to = ahead(column_, d, mesh_.columns());
        const rank_type from = behind(column_, d, mesh_.columns());
        const rank_type peer = mesh_.rank_at(row_, to);
        sink(step::send(peer != no_rank ? peer : mesh_.stand_in(column_, to), down(to, 0, mesh_.height(to)),
                        buffer_name::input));
        if (const rank_type sender = mesh_.rank_at(row_, from); sender != no_rank) {
            detail::one_message all(sink);
            all.add(step::recv(sender, down(from, 0, row_), buffer_name::scratch));
            all.add(step::recv(sender, {.first = sender, .count = 1}));
            all.add(step::recv(sender, down(from, row_ + 1, last_row()), buffer_name::scratch));
            if (row_ < last_row() && !above_hole())
                all.add(step::recv(sender, down(from, 0, 1), buffer_name::scratch_1));
            all.end();
        }
        if (!above_hole()) return;
        // Instead of the hole below.
        const rank_type teller = mesh_.rank_at(last_row(), from);
        if (teller == no_rank || mesh_.stand_in(from, column_) != at_.rank) return;
        detail::one_message all(sink);
        all.add(step::recv(teller, down(from, 1, row_ + 1), buffer_name::scratch_1));
        all.add(step::recv(teller, {.first = teller, .count = 1}));
        all.add(step::recv(teller, down(from, row_ + 2, last_row() + 1), buffer_name::scratch_1));
        all.end();
    }

    /// Example with 5 ranks, d = 1: 0 sends to 3 the blocks that 0, 1 and 2 have for it and gets those of 3
    /// and
    /// 4. 2 is alone in its column.
    template <class Sink>
    constexpr void along_column(rank_type d, Sink& sink) const {
        const rank_type height = mesh_.height(column_);
        if (d >= height) return;
        const rank_type to = ahead(row_, d, height);
        const rank_type from = behind(row_, d, height);
        const rank_type receiver = mesh_.rank_at(to, column_);
        const rank_type sender = mesh_.rank_at(from, column_);
        const bool to_last = to == last_row();
        const block_index begin = to_last ? 0 : block_index{to} * mesh_.columns();
        const buffer_name plane = to_last ? buffer_name::scratch_1 : buffer_name::scratch;

        detail::one_message sent(sink);
        sent.add(step::send(receiver, {.first = begin, .count = column_}, plane));
        sent.add(step::send(receiver, {.first = receiver, .count = 1}, buffer_name::input));
        sent.add(step::send(receiver,
                            {.first = begin + column_ + 1, .count = mesh_.width(row_) - column_ - 1}, plane));
        if (above_hole()) {
            block_set told = mesh_.told_by(row_);
            told.first = block_index{to + 1} * mesh_.columns() + row_;
            sent.add(step::send(receiver, told, buffer_name::scratch_1));
        }
        sent.end();

        detail::one_message received(sink);
        received.add(step::recv(sender, mesh_.row(from)));
        if (above_hole()) received.add(step::recv(sender, mesh_.told_by(from)));
        received.end();
    }

    place at_;
    mesh mesh_;
    rank_type row_;
    rank_type column_;
};

static_assert(generator<alltoall_mesh2d>);

constexpr auto generate(collective_constant<collective::alltoall>, const mesh2d&, place at) {
    return alltoall_mesh2d(at);
}

} // namespace tutti
