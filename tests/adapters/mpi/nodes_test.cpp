// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/nodes.hpp>

#include <string>

#include <tutti/mpi/node_transport.hpp>

#include "support/catch2.hpp"
#include "support/faked_nodes.hpp"
#include "support/mpi_world.hpp"

using namespace tutti;

TEST_CASE("nodes are those of the machine unless TUTTI_NODES says otherwise", "[mpi]") {
    CHECK(support::on_ranks(4,
                            [](MPI_Comm group) -> std::string {
                                mpi::node_transport wires(group);
                                return wires.nodes() == node_map::of_sizes({4}) && wires.is_near(3)
                                           ? ""
                                           : "differ";
                            })
          == "");
    CHECK(support::on_nodes({"1,3", 4},
                            [](mpi::node_transport& wires) -> std::string {
                                const bool is_first = wires.rank() == 0;
                                return wires.nodes() == node_map::of_sizes({1, 3})
                                               && wires.is_near(3) == !is_first && !wires.is_near(0)
                                           ? ""
                                           : "differ";
                            })
          == "");
    CHECK(mpi::nodes_from("TUTTI_NODES", "2x2", 4) == node_map::of_sizes({2, 2}));
    for (const char* wrong : {"3,3", "4,", "", "0,4", "-1,5", "four", "2,2,2", "1,2", "99999999999"})
        CHECK(support::error_of([&] { mpi::nodes_from("TUTTI_NODES", wrong, 4); })
              == "tutti: TUTTI_NODES is \"" + std::string(wrong)
                     + "\"; allowed: numbers of ranks, with commas, that are 4 in all, as the communicator "
                       "has");
    const std::string heard = support::on_nodes({"2,3", 4}, [](mpi::node_transport&) { return "was made"; });
    CHECK(heard.find("was made") == std::string::npos);
    CHECK(heard.find("rank 3 of 4: threw tutti: TUTTI_NODES is \"2,3\"") != std::string::npos);
}
