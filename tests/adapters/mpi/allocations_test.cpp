// SPDX-License-Identifier: BSL-1.0
// labels: alone
#include <tutti/mpi/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"
#include "support/own_new.hpp"

// Every allocation by new of this program is counted. MPI's own are by malloc.
namespace {
std::int64_t allocations = 0;
} // namespace

void support::allocates(std::size_t, std::size_t) { ++allocations; }

namespace {

using tutti::rank_type;
using tutti::sum;
using tutti::mpi::short_messages;
using vec = std::vector<std::int64_t>;

/// Memory for what is under way may have to grow by as much as that once, whenever ranks are so late that it
/// is too little. Something that every run of a plan, or every other, has to allocate is more by far.
constexpr int runs = 400;
constexpr std::int64_t grown = 100;

/// "" if run(), which is called again and again, allocates nothing; else `what` does.
template <class Run>
std::string unless_frugal(const std::string& what, const Run& run) {
    for (int i = 0; i < 20; ++i) run();
    const std::int64_t before = allocations;
    for (int i = 0; i < runs; ++i) run();
    const std::int64_t made = allocations - before;
    return made <= grown ? "" : what + " allocates " + std::to_string(made) + " times; ";
}

std::string plans(MPI_Comm group, std::size_t count) {
    tutti::mpi::transport wires(group);
    tutti::communicator comm(wires);
    const auto ranks = static_cast<std::size_t>(comm.size());
    vec in(count), out(count), blocks(count * ranks), others(count * ranks);
    std::string text;
    const auto again = [&](const std::string& what, auto plan) {
        text += unless_frugal(what + " of " + std::to_string(count), [&] { plan.run(); });
    };
    for (const char* name : {"recursive_doubling", "ring", "halving_doubling", "circulant", "fnomial"})
        again(std::string("allreduce by ") + name,
              tutti::plan_allreduce(comm, in, out, sum{}, tutti::named{name}));
    again("allreduce", tutti::plan_allreduce(comm, in, out, sum{}));
    again("reduce", tutti::plan_reduce(comm, in, out, sum{}));
    again("bcast", tutti::plan_bcast(comm, in));
    again("scan", tutti::plan_scan(comm, in, out, sum{}));
    again("exscan", tutti::plan_exscan(comm, in, out, sum{}));
    again("reduce_scatter", tutti::plan_reduce_scatter(comm, blocks, out, sum{}));
    again("allgather", tutti::plan_allgather(comm, in, blocks));
    again("alltoall", tutti::plan_alltoall(comm, blocks, others));
    again("gather", tutti::plan_gather(comm, in, blocks));
    again("scatter", tutti::plan_scatter(comm, blocks, out));
    again("barrier", tutti::plan_barrier(comm));

    // Side by side, so that messages of one come before the other's that are asked for.
    auto first = tutti::plan_allreduce(comm, in, out, sum{}, tutti::named{"recursive_doubling"});
    auto second = tutti::plan_allgather(comm, in, blocks, tutti::named{"ring"});
    text += unless_frugal("two plans of " + std::to_string(count), [&] {
        first.start();
        second.start();
        second.wait();
        first.wait();
    });
    return text;
}

/// How often it allocates to take a message, and then so many of another channel that came before it.
std::int64_t allocations_behind(short_messages& wires, rank_type peer, std::size_t many) {
    for (std::size_t i = 0; i < many; ++i) wires.post(peer, {.channel = 1}, {});
    wires.post(peer, {.channel = 2}, {});
    const auto take = [&](tutti::channel_type channel) {
        while (wires.take(peer, channel) == nullptr) std::this_thread::yield();
        wires.release(peer);
    };
    const std::int64_t before = allocations;
    take(2);
    for (std::size_t i = 0; i < many; ++i) take(1);
    return allocations - before;
}

std::string early_messages(MPI_Comm group) {
    constexpr std::size_t many = 100, kept = short_messages::depth;
    short_messages wires(group, 3, 2);
    rank_type rank = 0;
    MPI_Comm_rank(group, &rank);
    allocations_behind(wires, 1 - rank, many);
    const std::int64_t again = allocations_behind(wires, 1 - rank, many);
    const std::int64_t of_few = allocations_behind(wires, 1 - rank, kept);
    while (!wires.all_gone()) std::this_thread::yield();
    MPI_Barrier(group);
    wires.stop_listening();
    return again == std::int64_t{many - kept} && of_few == 0
               ? ""
               : std::to_string(again) + " of many, " + std::to_string(of_few) + " of few";
}

} // namespace

TEST_CASE("of the memory for messages that came early no more is kept than for a few", "[mpi]") {
    CHECK(support::on_ranks(2, early_messages) == "");
}

TEST_CASE("plans over MPI that have run allocate nothing for another run", "[mpi][plan]") {
    for (const rank_type size : {2, 4})
        for (const std::size_t count : {std::size_t{20}, std::size_t{3000}})
            CHECK(support::on_ranks(size, [&](MPI_Comm group) { return plans(group, count); }) == "");
}
