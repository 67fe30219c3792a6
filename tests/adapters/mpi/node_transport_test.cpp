// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/node_transport.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/conformance.hpp>

#include "support/catch2.hpp"
#include "support/faked_nodes.hpp"
#include "support/mpi_world.hpp"

using namespace tutti;

namespace {

constexpr conformance::settings moderate{
    .most_ranks = 8, .longest = std::size_t{1} << 20, .repeats = 20, .deadline = std::chrono::seconds(60)};

/// The first so many ranks on one node, the others on another.
node_map first_ranks_apart(rank_type first, rank_type size) {
    return size <= first ? node_map::of_sizes({size}) : node_map::of_sizes({first, size - first});
}
node_map in_turn(rank_type size) {
    std::vector<rank_type> name_of;
    for (rank_type r = 0; r < size; ++r) name_of.push_back(r % 2);
    return node_map(name_of);
}

template <class Nodes>
auto over(const Nodes& nodes) {
    return [nodes](rank_type size, const auto& body) {
        const std::string complaints = support::on_ranks(size, [&](MPI_Comm group) {
            mpi::node_transport wires(group, nodes(size));
            body(wires);
            return std::string();
        });
        if (!complaints.empty()) throw std::runtime_error(complaints);
    };
}

template <class Run>
void check_conforms(const Run& run) {
    conformance::for_each_check([&](const auto& one) {
        INFO(one.name);
        if (one.name != "goes on after an abandoned send")
            CHECK(support::error_of([&] { one(run, moderate); }) == "");
    });
}

} // namespace

TEST_CASE("over nodes of 3 and 5 ranks, the transport conforms, but that MPI cannot take sends back",
          "[mpi]") {
    check_conforms(over([](rank_type size) { return first_ranks_apart(3, size); }));
}
TEST_CASE("over nodes of 1 and 7 ranks, the transport conforms, but that MPI cannot take sends back",
          "[mpi]") {
    check_conforms(over([](rank_type size) { return first_ranks_apart(1, size); }));
}
TEST_CASE("over nodes of 2 and 2 ranks, the transport conforms, but that MPI cannot take sends back",
          "[mpi]") {
    check_conforms(over([](rank_type size) { return first_ranks_apart(2, size); }));
}
TEST_CASE("over ranks that are dealt to 2 nodes, the transport conforms, but that MPI cannot take sends back",
          "[mpi]") {
    check_conforms(over(in_turn));
}

TEST_CASE("a failure on one node is an error on all", "[mpi]") {
    for (const support::faked& one : support::fakes)
        for (rank_type failing = 0; failing < one.size; ++failing) {
            const std::string heard = support::on_nodes(one, [&](mpi::node_transport& wires) -> std::string {
                communicator comm(wires);
                barrier(comm);
                if (comm.rank() == failing) throw std::runtime_error("no more paper");
                std::vector<int> x(10);
                for (;;) allreduce(comm, x, sum{});
            });
            for (rank_type r = 0; r < one.size; ++r) {
                INFO(heard);
                CHECK(heard.find("rank " + std::to_string(r) + " of ") != std::string::npos);
            }
        }
}

TEST_CASE("a root that differs is an error on all ranks, whichever way they wait", "[mpi]") {
    const support::faked one =
        GENERATE(support::faked{"4", 4}, support::faked{"2,2", 4}, support::faked{"1,3", 4});
    const std::string heard = support::on_nodes(one, [](mpi::node_transport& wires) -> std::string {
        communicator comm(wires);
        std::vector<int> v(1000, comm.rank());
        bcast(comm, v, comm.rank() == 2 ? 1 : 0, fnomial{});
        barrier(comm); // ranks 0, 1 and 3 are here, and wait for rank 2
        return "has not failed";
    });
    INFO(heard);
    CHECK(heard.find("has not failed") == std::string::npos);
    CHECK(heard.find("rank 2 waits for a message of rank 1, which is through with this")
          != std::string::npos);
    for (rank_type r = 0; r < 4; ++r)
        CHECK(heard.find("rank " + std::to_string(r) + " of 4: threw tutti: ") != std::string::npos);
}
