// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include <tutti/tutti.hpp>

// k-means: each rank has some of the points, and all agree on the centres by one allreduce in every round.

struct point {
    double x = 0;
    double y = 0;
    friend bool operator==(const point&, const point&) = default;
};

struct cluster { // the sum of its points, and how many they are
    point sum;
    std::int64_t points = 0;
    point centre() const {
        const auto n = static_cast<double>(points);
        return {sum.x / n, sum.y / n};
    }
};

cluster merge(const cluster& a, const cluster& b) {
    return {{a.sum.x + b.sum.x, a.sum.y + b.sum.y}, a.points + b.points};
}

using centres = std::array<point, 4>;

/// Round about (1, 1), (9, 1), (1, 9) and (9, 9); of 12000, every size-th.
std::vector<point> points_of(tutti::rank_type rank, tutti::rank_type size) {
    std::mt19937 random(1);
    const auto noise = [&random] { return static_cast<double>(random()) / 4294967296.0 * 8 - 4; };
    std::vector<point> mine;
    for (int i = 0; i < 12000; ++i) {
        const point one{(i % 2 != 0 ? 9 : 1) + noise(), (i % 4 > 1 ? 9 : 1) + noise()};
        if (i % size == rank) mine.push_back(one);
    }
    return mine;
}

std::size_t nearest(const centres& all, const point& p) {
    const auto distance = [&p](const point& c) {
        return (c.x - p.x) * (c.x - p.x) + (c.y - p.y) * (c.y - p.y);
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        if (distance(all[i]) < distance(all[best])) best = i;
    return best;
}

constexpr auto on_each_rank = [](auto& comm) {
    const std::vector<point> mine = points_of(comm.rank(), comm.size());
    centres now{{{4, 4}, {6, 4}, {4, 6}, {6, 6}}}; // a guess, the same everywhere
    std::array<cluster, now.size()> clusters;
    int rounds = 0;
    for (centres before{}; now != before; ++rounds) {
        clusters = {};
        for (const point& p : mine) {
            cluster& near = clusters[nearest(now, p)];
            near = merge(near, {p, 1});
        }
        tutti::allreduce(comm, clusters, tutti::commutative(merge)); // the same bits on all ranks
        before = now;
        for (std::size_t i = 0; i < now.size(); ++i) now[i] = clusters[i].centre();
    }
    if (comm.rank() != 0) return;
    std::printf("after %d rounds:", rounds);
    for (const cluster& c : clusters)
        std::printf(" %d points about (%.1f, %.1f)", static_cast<int>(c.points), c.centre().x, c.centre().y);
    std::printf("\n");
};

int main() {
    tutti::threads::run(4, on_each_rank); // over MPI: tutti::mpi::run(argc, argv, on_each_rank)
}
