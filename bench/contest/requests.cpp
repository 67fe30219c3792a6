// SPDX-License-Identifier: BSL-1.0
//
// contest_requests [ROUNDS], under mpirun with two ranks: what one exchange takes, a message each way and
// both waited for, by each way that MPI has for it. The ways take turns; medians of the slower rank. The
// adapter keeps to the first one, and starts persistent receives for short messages alone, where they are
// posted before anybody asks.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "../clock.hpp"

namespace {

struct buffers {
    std::vector<char> in, out;
    int bytes, peer;
};
using pair_of_requests = std::array<MPI_Request, 2>;
const MPI_Comm world = MPI_COMM_WORLD;

pair_of_requests both_started(buffers& b) {
    pair_of_requests open;
    MPI_Irecv(b.in.data(), b.bytes, MPI_BYTE, b.peer, 0, world, &open[0]);
    MPI_Isend(b.out.data(), b.bytes, MPI_BYTE, b.peer, 0, world, &open[1]);
    return open;
}
void test_all(pair_of_requests& open) {
    for (int done = 0; done == 0;) MPI_Testall(2, open.data(), &done, MPI_STATUSES_IGNORE);
}
void test_some(pair_of_requests& open) {
    for (int left = 2, ended = 0; left > 0; left -= ended) {
        std::array<int, 2> which;
        MPI_Testsome(2, open.data(), &ended, which.data(), MPI_STATUSES_IGNORE);
    }
}
void test_each(pair_of_requests& open) {
    for (MPI_Request& one : open)
        for (int done = 0; done == 0;) MPI_Test(&one, &done, MPI_STATUS_IGNORE);
}

void compare(int bytes, int rank, int rounds) {
    buffers b{std::vector<char>(static_cast<std::size_t>(bytes)), {}, bytes, 1 - rank};
    b.out = b.in;
    pair_of_requests kept;
    MPI_Recv_init(b.in.data(), bytes, MPI_BYTE, b.peer, 1, world, &kept[0]);
    MPI_Send_init(b.out.data(), bytes, MPI_BYTE, b.peer, 1, world, &kept[1]);
    const std::vector<std::pair<const char*, std::function<void()>>> ways{
        {"MPI_Test each",
         [&] {
             auto open = both_started(b);
             test_each(open);
         }},
        {"MPI_Testall",
         [&] {
             auto open = both_started(b);
             test_all(open);
         }},
        {"MPI_Testsome",
         [&] {
             auto open = both_started(b);
             test_some(open);
         }},
        {"persistent",
         [&] {
             MPI_Startall(2, kept.data());
             test_all(kept);
         }},
        {"MPI_Sendrecv", [&] {
             MPI_Sendrecv(b.out.data(), bytes, MPI_BYTE, b.peer, 2, b.in.data(), bytes, MPI_BYTE, b.peer, 2,
                          world, MPI_STATUS_IGNORE);
         }}};
    const int batch = std::clamp(4'000'000 / (bytes + 2000), 8, 2000);
    std::vector<std::vector<double>> taken(ways.size());
    for (int round = -1; round < rounds; ++round) // the first one is none
        for (std::size_t w = 0; w < ways.size(); ++w) {
            MPI_Barrier(world);
            const double start = bench::now();
            for (int k = 0; k < batch; ++k) ways[w].second();
            double each = (bench::now() - start) / batch;
            MPI_Allreduce(MPI_IN_PLACE, &each, 1, MPI_DOUBLE, MPI_MAX, world);
            if (round >= 0) taken[w].push_back(each);
        }
    for (MPI_Request& one : kept) MPI_Request_free(&one);
    if (rank != 0) return;
    const double first = bench::median(taken[0]);
    std::printf("%8d B  %s %.0f ns", bytes, ways[0].first, first * 1e9);
    for (std::size_t w = 1; w < ways.size(); ++w)
        std::printf("   %s %.2f", ways[w].first, first / bench::median(taken[w]));
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
    if (size != 2 || rounds < 1) {
        if (rank == 0)
            std::fprintf(stderr, "contest_requests: %d ranks, %d rounds; needs 2, and at least 1\n", size,
                         rounds);
        MPI_Finalize(); // not MPI_Abort: another rank's may end the one that tells
        return 2;
    }
    if (rank == 0) std::printf("one exchange; others as speed relative to the first\n");
    for (const int bytes : {8, 1 << 10, 1 << 14, 1 << 18, 1 << 22}) compare(bytes, rank, rounds);
    MPI_Finalize();
}
