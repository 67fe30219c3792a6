// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

// The Fourier transform of a square grid: ranks transform their rows, transpose by an alltoall, and transform
// what were columns. Compared with the direct sum.

using complex = std::complex<double>;

complex root_of_unity(std::size_t i, std::size_t n) {
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i % n) / static_cast<double>(n));
}

/// Of 2^k values.
void transform(std::span<complex> x) {
    if (x.size() == 1) return;
    const std::size_t half = x.size() / 2;
    std::vector<complex> parts(x.size()); // even ones, odd ones
    for (std::size_t i = 0; i < x.size(); ++i) parts[i / 2 + i % 2 * half] = x[i];
    for (const std::size_t begin : {std::size_t{0}, half}) transform(std::span(parts).subspan(begin, half));
    for (std::size_t i = 0; i < half; ++i) {
        const complex odd = root_of_unity(i, x.size()) * parts[i + half];
        x[i] = parts[i] + odd;
        x[i + half] = parts[i] - odd;
    }
}

/// Of n columns.  Example with 2 ranks of one row each: (a b), (c d) become (a c), (b d).
template <class Communicator>
std::vector<complex> transposed(Communicator& comm, const std::vector<complex>& mine, std::size_t n) {
    const std::size_t rows = mine.size() / n; // on every rank
    std::vector<complex> parts(mine.size()), come(mine.size()), result(mine.size());
    for (std::size_t r = 0; r < rows; ++r) // column c of all ranks' rows is for rank c / rows
        for (std::size_t c = 0; c < n; ++c) parts[c * rows + r] = mine[r * n + c];
    tutti::alltoall(comm, parts, come);
    for (std::size_t at = 0; at < come.size(); ++at) { // from rank, column, row in it
        const std::size_t from = at / (rows * rows), column = at / rows % rows;
        result[column * n + from * rows + at % rows] = come[at];
    }
    return result;
}

complex value(std::size_t x, std::size_t y) {
    return {static_cast<double>(x * x % 7), static_cast<double>(y % 5)};
}

complex direct_sum(std::size_t u, std::size_t v, std::size_t n) {
    complex sum = 0;
    for (std::size_t x = 0; x < n; ++x)
        for (std::size_t y = 0; y < n; ++y) sum += value(x, y) * root_of_unity(u * x + v * y, n);
    return sum;
}

constexpr auto on_each_rank = [](auto& comm) {
    constexpr std::size_t n = 16;
    const std::size_t rows = n / static_cast<std::size_t>(comm.size());
    const std::size_t first = static_cast<std::size_t>(comm.rank()) * rows;
    std::vector<complex> grid;
    for (std::size_t i = 0; i < rows * n; ++i) grid.push_back(value(first + i / n, i % n));
    for (int dimension = 0; dimension < 2; ++dimension) { // the second transposition undoes the first
        for (std::size_t r = 0; r < rows; ++r) transform(std::span(grid).subspan(r * n, n));
        grid = transposed(comm, grid, n);
    }
    double error = 0;
    for (std::size_t i = 0; i < rows * n; ++i)
        error = std::max(error, std::abs(grid[i] - direct_sum(first + i / n, i % n, n)));
    const char* said = tutti::allreduce(comm, error, tutti::max{}) < 1e-10 ? "as the direct sum" : "wrong";
    if (comm.rank() == 0) std::printf("a grid of 16 x 16 on %d ranks: %s\n", comm.size(), said);
};

int main() {
    tutti::threads::run(4, on_each_rank); // over MPI: tutti::mpi::run(argc, argv, on_each_rank)
}
