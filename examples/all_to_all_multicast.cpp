// SPDX-License-Identifier: BSL-1.0
//
// all_to_all_multicast [N [RANKS]]
//
// C = A * B for N x N matrices, N = 180 by default, on 1..16 threads that each hold a part: the use of
// all-to-all multicast that Kumar and Kalé (2004) begin with. Twice: by blocks of rows, where every rank
// multicasts its rows of B to all (allgatherv, with every strategy of the catalogue), and by square blocks,
// where it multicasts its block of A to its row of ranks and its block of B to its column (multicast, many to
// many). Every product is compared with a serial one: the numbers are small integers, so it must be the same
// to the last bit.
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/tutti.hpp>

namespace {

using matrix = std::vector<double>; // rows one after the other

/// A block of rows or columns for each of `parts`, as even as possible.
struct cut {
    std::int64_t n;
    tutti::rank_type parts;

    std::int64_t begin(tutti::rank_type part) const { return n * part / parts; }
    std::int64_t size(tutti::rank_type part) const { return begin(part + 1) - begin(part); }
};

double a_at(std::int64_t i, std::int64_t j) { return static_cast<double>((3 * i + 5 * j) % 17 - 8); }
double b_at(std::int64_t i, std::int64_t j) { return static_cast<double>((7 * i - 2 * j) % 13 + 4); }

/// The block [row, row + rows) x [column, column + columns) of a matrix given by its elements.
template <class At>
matrix block_of(At at, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
    matrix block;
    for (std::int64_t i = row; i < row + rows; ++i)
        for (std::int64_t j = column; j < column + columns; ++j) block.push_back(at(i, j));
    return block;
}

/// c += a * b, where a has rows x inner elements and b inner x columns.
void multiply_add(const double* a, const double* b, double* c, std::int64_t rows, std::int64_t inner,
                  std::int64_t columns) {
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < columns; ++j)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

/// This rank's rows of the product. Needs all of B: an all-to-all multicast.
template <class Communicator>
matrix rows_of_product(Communicator& comm, std::int64_t n, const tutti::named& strategy) {
    const cut rows{n, comm.size()};
    const std::int64_t mine = rows.size(comm.rank());
    const matrix a = block_of(a_at, rows.begin(comm.rank()), mine, 0, n);
    const matrix b_mine = block_of(b_at, rows.begin(comm.rank()), mine, 0, n);

    std::vector<std::int64_t> counts;
    for (tutti::rank_type r = 0; r < comm.size(); ++r) counts.push_back(rows.size(r) * n);
    matrix b(static_cast<std::size_t>(n * n));
    tutti::allgatherv(comm, b_mine, counts, b, strategy);

    matrix c(static_cast<std::size_t>(mine * n));
    multiply_add(a.data(), b.data(), c.data(), mine, n, n);
    return c;
}

bool equals(const matrix& part, const matrix& whole, std::int64_t n, std::int64_t row, std::int64_t rows,
            std::int64_t column, std::int64_t columns) {
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
            if (part[static_cast<std::size_t>(i * columns + j)]
                != whole[static_cast<std::size_t>((row + i) * n + column + j)])
                return false;
    return true;
}

/// Ranks as a square, row after row; rank (i, j) holds the blocks (i, j) of A and of B.
struct square {
    tutti::rank_type side;

    tutti::rank_type row(tutti::rank_type rank) const { return rank / side; }
    tutti::rank_type column(tutti::rank_type rank) const { return rank % side; }

    /// Everybody to the others in its row of ranks, or in its column.
    tutti::relation along(bool rows) const {
        std::vector<std::vector<tutti::rank_type>> targets(static_cast<std::size_t>(side * side));
        for (tutti::rank_type from = 0; from < side * side; ++from)
            for (tutti::rank_type to = 0; to < side * side; ++to)
                if (from != to && (rows ? row(from) == row(to) : column(from) == column(to)))
                    targets[static_cast<std::size_t>(from)].push_back(to);
        return {side * side, targets};
    }
};

/// This rank's block of the product. Needs a row of blocks of A and a column of blocks of B: two many-to-many
/// multicasts, which carry nothing else.
template <class Communicator>
matrix block_of_product(Communicator& comm, std::int64_t n, square ranks, const tutti::named& strategy) {
    const cut part{n, ranks.side};
    const tutti::rank_type i = ranks.row(comm.rank());
    const tutti::rank_type j = ranks.column(comm.rank());
    std::vector<std::int64_t> counts;
    std::vector<std::int64_t> first; // element of everybody's block
    std::int64_t total = 0;
    for (tutti::rank_type r = 0; r < comm.size(); ++r) {
        first.push_back(total);
        counts.push_back(part.size(ranks.row(r)) * part.size(ranks.column(r)));
        total += counts.back();
    }
    matrix a(static_cast<std::size_t>(total));
    matrix b(static_cast<std::size_t>(total));
    tutti::multicast(comm, block_of(a_at, part.begin(i), part.size(i), part.begin(j), part.size(j)), counts,
                     a, ranks.along(true), strategy);
    tutti::multicast(comm, block_of(b_at, part.begin(i), part.size(i), part.begin(j), part.size(j)), counts,
                     b, ranks.along(false), strategy);

    matrix c(static_cast<std::size_t>(part.size(i) * part.size(j)));
    for (tutti::rank_type k = 0; k < ranks.side; ++k)
        multiply_add(a.data() + first[static_cast<std::size_t>(i * ranks.side + k)],
                     b.data() + first[static_cast<std::size_t>(k * ranks.side + j)], c.data(), part.size(i),
                     part.size(k), part.size(j));
    return c;
}

/// Both products with one strategy; whether they are right on all ranks.
bool is_right(const tutti::named& strategy, const matrix& expected, std::int64_t n, tutti::rank_type size) {
    square ranks{1};
    while ((ranks.side + 1) * (ranks.side + 1) <= size) ++ranks.side;
    std::atomic<int> wrong = 0;
    tutti::threads::run(size, [&](auto& comm) {
        const cut rows{n, size};
        const matrix mine = rows_of_product(comm, n, strategy);
        if (!equals(mine, expected, n, rows.begin(comm.rank()), rows.size(comm.rank()), 0, n)) ++wrong;
        if (ranks.side * ranks.side != size) return; // no square: blocks of rows only
        const cut part{n, ranks.side};
        const tutti::rank_type i = ranks.row(comm.rank());
        const tutti::rank_type j = ranks.column(comm.rank());
        const matrix block = block_of_product(comm, n, ranks, strategy);
        if (!equals(block, expected, n, part.begin(i), part.size(i), part.begin(j), part.size(j))) ++wrong;
    });
    return wrong == 0;
}

/// `text` as a number in low..high.
std::int64_t number(const char* name, std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value < low || value > high)
        throw tutti::argument_error(name, std::string(text),
                                    std::to_string(low) + ".." + std::to_string(high));
    return value;
}

} // namespace

int main(int argc, char** argv) try {
    const std::int64_t n = argc > 1 ? number("N", argv[1], 0, 4000) : 180;
    std::vector<tutti::rank_type> sizes{1, 2, 3, 4, 7, 9, 12, 16};
    if (argc > 2) sizes = {static_cast<tutti::rank_type>(number("RANKS", argv[2], 1, 256))};

    const matrix a = block_of(a_at, 0, n, 0, n);
    const matrix b = block_of(b_at, 0, n, 0, n);
    matrix expected(static_cast<std::size_t>(n * n));
    multiply_add(a.data(), b.data(), expected.data(), n, n, n);

    int wrong = 0;
    for (const tutti::catalogue_entry& strategy : tutti::catalogue()) {
        if (strategy.what != tutti::collective::allgather) continue;
        std::printf("%-20.*s right on", static_cast<int>(strategy.name.size()), strategy.name.data());
        for (const tutti::rank_type size : sizes) {
            const bool right = is_right({strategy.name}, expected, n, size);
            wrong += right ? 0 : 1;
            std::printf(right ? " %d" : " (not on %d)", static_cast<int>(size));
        }
        std::printf(" ranks\n");
    }
    std::printf(wrong == 0 ? "all products equal the serial one\n" : "%d products are wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
} catch (const tutti::argument_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
} catch (const std::exception& e) {
    std::fprintf(stderr, "all_to_all_multicast: %s\n", e.what());
    return 1;
}
