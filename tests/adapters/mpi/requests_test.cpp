// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <string>

#include <tutti/execute/communicator.hpp>
#include <tutti/execute/request.hpp>
#include <tutti/mpi/node_transport.hpp>

#include "support/calls_in_flight.hpp"
#include "support/catch2.hpp"
#include "support/faked_nodes.hpp"
#include "support/mpi_world.hpp"

using tutti::rank_type;

TEST_CASE("many in flight, of all collectives, short and long, ended in any order: over MPI", "[mpi]") {
    for (const rank_type size : {1, 2, 3, 5})
        CHECK(support::on_ranks(size,
                                [](MPI_Comm group) {
                                    tutti::mpi::transport wires(group);
                                    tutti::communicator comm(wires);
                                    return support::many_at_once(comm, 150, 5);
                                })
              == "");
}

TEST_CASE("many in flight among ranks on several nodes", "[mpi]") {
    for (const support::faked& nodes : support::fakes)
        if (nodes.size < 8)
            CHECK(support::on_nodes(nodes,
                                    [](tutti::mpi::node_transport& wires) {
                                        tutti::communicator comm(wires);
                                        return support::many_at_once(comm, 100, 7);
                                    })
                  == "");
}

TEST_CASE("requests over MPI are waited for one at a time, some at a time and all at once", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                return support::waits_for_several(comm);
                            })
          == "");
}

TEST_CASE("plans over MPI are begun side by side, and ended in another order, again and again", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                support::numbers few(5), many(5000), all(3);
                                const support::numbers mine{comm.rank()};
                                auto sum_of_few = tutti::plan_allreduce(comm, few, tutti::sum{});
                                auto sum_of_many = tutti::plan_allreduce(comm, many, tutti::sum{});
                                auto gathered = tutti::plan_allgather(comm, mine, all);
                                for (std::int64_t i = 0; i < 50; ++i) {
                                    few.assign(5, i);
                                    many.assign(5000, i + comm.rank());
                                    all.assign(3, -1);
                                    sum_of_few.start();
                                    sum_of_many.start();
                                    gathered.start();
                                    gathered.wait();
                                    (comm.rank() == 1 ? sum_of_few : sum_of_many).wait();
                                    (comm.rank() == 1 ? sum_of_many : sum_of_few).wait();
                                    if (few != support::numbers(5, 3 * i)
                                        || many != support::numbers(5000, 3 * i + 3)
                                        || all != support::numbers{0, 1, 2})
                                        return "run " + std::to_string(i) + " is wrong";
                                }
                                return "";
                            })
          == "");
}
