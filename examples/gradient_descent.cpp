// SPDX-License-Identifier: BSL-1.0
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <tutti/tutti.hpp>

// Data-parallel gradient descent: each rank has some of the samples. The sum of a part of the gradient over
// all ranks is begun as soon as the part is there, and goes on while the next one is computed.

constexpr std::size_t weights = 64;
constexpr std::size_t parts = 4;
constexpr std::size_t samples = 500; // on each rank

double true_weight(std::size_t i) { return static_cast<double>(i % 7) - 3; }

struct data {
    std::vector<double> x; // a row for each sample
    std::vector<double> y;

    explicit data(tutti::rank_type rank) {
        std::mt19937 random(static_cast<unsigned>(rank) + 1);
        for (std::size_t s = 0; s < samples; ++s) {
            double sum = 0;
            for (std::size_t i = 0; i < weights; ++i) {
                x.push_back(static_cast<double>(random()) / 2147483648.0 - 1);
                sum += x.back() * true_weight(i);
            }
            y.push_back(sum);
        }
    }
    std::span<const double> row(std::size_t s) const { return std::span(x).subspan(s * weights, weights); }
};

constexpr auto on_each_rank = [](auto& comm) {
    const data mine(comm.rank());
    std::vector<double> w(weights), gradient(weights), errors(samples);
    std::vector<tutti::request> sums(parts);
    constexpr std::size_t length = weights / parts;
    const double rate = 1.5 / (static_cast<double>(samples) * comm.size());
    int steps = 0;
    for (double far = 1; far > 1e-9; ++steps) {
        for (std::size_t s = 0; s < samples; ++s)
            errors[s] = std::inner_product(w.begin(), w.end(), mine.row(s).begin(), -mine.y[s]);
        for (std::size_t part = 0; part < parts; ++part) {
            const std::span<double> g = std::span(gradient).subspan(part * length, length);
            for (std::size_t i = 0; i < length; ++i) {
                g[i] = 0;
                for (std::size_t s = 0; s < samples; ++s) g[i] += errors[s] * mine.row(s)[part * length + i];
            }
            sums[part] = tutti::iallreduce(comm, g, tutti::sum{});
        }
        tutti::wait_all(std::span(sums));
        far = 0;
        for (std::size_t i = 0; i < weights; ++i) { // the same bits on all ranks
            w[i] -= rate * gradient[i];
            far += std::abs(rate * gradient[i]);
        }
    }
    double worst = 0;
    for (std::size_t i = 0; i < weights; ++i) worst = std::max(worst, std::abs(w[i] - true_weight(i)));
    if (comm.rank() == 0)
        std::printf("%d steps: %zu weights %s\n", steps, weights, worst < 1e-8 ? "found" : "missed");
};

int main() {
    tutti::threads::run(4, on_each_rank); // over MPI: tutti::mpi::run(argc, argv, on_each_rank)
}
