// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/math.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Smallest c with c * c >= n, for 1 <= n < 2^32.  Example: ceil_sqrt(5) == 3.
constexpr std::int64_t ceil_sqrt(std::int64_t n) noexcept {
    std::int64_t below = 0; // the largest number whose square is less than n, bit by bit
    for (std::int64_t bit = std::int64_t{1} << 15; bit > 0; bit /= 2)
        if ((below | bit) * (below | bit) < n) below |= bit;
    return below + 1;
}

/// Any number of ranks as the rows of a square mesh, row after row. Where there is no rank is a hole. Rows
/// without a rank are left out, so all holes are at the end of the last row.
///
/// Whoever has a message for column k of its row, and finds a hole there, turns to the hole's stand-in in the
/// same column; the column of the sender says which, so that all ranks of the hole's column share the work.
/// Source: Kumar and Kalé 2004, section 3.1.
///
/// Example with 5 ranks: rows 0,1,2 and 3,4; there is a hole at row 1, column 2, and rank 2 stands in for it.
class mesh {
public:
    constexpr explicit mesh(rank_type size) noexcept
        : columns_(static_cast<rank_type>(ceil_sqrt(size))), rows_(ceil_div(size, columns_)),
          last_row_(size - (rows_ - 1) * columns_) {}

    /// ceil(sqrt(size)): the ranks of a full row.
    constexpr rank_type columns() const noexcept { return columns_; }
    /// Those that have a rank: columns() or one less.
    constexpr rank_type rows() const noexcept { return rows_; }
    /// Whether the last row is not full.
    constexpr bool holes() const noexcept { return last_row_ < columns_; }

    /// Example with 5 ranks: rank 4 is in row 1, column 1.
    constexpr rank_type row_of(rank_type rank) const noexcept { return rank / columns_; }
    /// Where it is in its row, from 0.
    constexpr rank_type column_of(rank_type rank) const noexcept { return rank % columns_; }

    /// Ranks in a row: holes do not count.  Example with 5 ranks: row 1 has 2.
    constexpr rank_type width(rank_type row) const noexcept {
        return row == rows_ - 1 ? last_row_ : columns_;
    }
    /// Ranks in a column: holes do not count.  Example with 5 ranks: column 2 has 1.
    constexpr rank_type height(rank_type column) const noexcept {
        return column < last_row_ ? rows_ : rows_ - 1;
    }

    /// no_rank for a hole.  Example with 5 ranks: row 1, column 0 is rank 3.
    constexpr rank_type rank_at(rank_type row, rank_type column) const noexcept {
        return column < width(row) ? row * columns_ + column : no_rank;
    }

    /// Who is told by the rank at column `from` of the last row what the hole at `column` should be told.
    /// Example with 14 ranks (4 rows): 12, at column 0, tells 2 and 3; 13, at column 1, tells 6 and 7.
    /// Example with 5 ranks: 3 and 4 tell 2.
    constexpr rank_type stand_in(rank_type from, rank_type column) const noexcept {
        return from % (rows_ - 1) * columns_ + column;
    }

    /// The ranks of a row.  Example with 5 ranks: row 1 is 3,4.
    constexpr block_set row(rank_type row) const noexcept {
        return {.first = block_index{row} * columns_, .count = width(row)};
    }

    /// The ranks of the last row that tell the stand-ins in `row`, in any column with a hole: every
    /// (rows - 1)th one. Example with 14 ranks: 12 tells those of row 0, 13 those of row 1. Example with 5
    /// ranks: row 0 is told by 3,4.
    constexpr block_set told_by(rank_type row) const noexcept {
        const rank_type others = rows_ - 1;
        return {.first = block_index{others} * columns_ + row,
                .count = row < last_row_ ? ceil_div(last_row_ - row, others) : 0,
                .run = 1,
                .stride = others};
    }

private:
    rank_type columns_;
    rank_type rows_;
    rank_type last_row_; // ranks in it, at least 1
};

} // namespace tutti
