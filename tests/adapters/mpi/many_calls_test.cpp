// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"
#include "support/partial_rounds.hpp"

TEST_CASE("channels wrap round after 2^20 calls", "[mpi]") {
    CHECK(support::on_ranks(2,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                std::uint32_t value = 0;
                                auto sum = tutti::plan_allreduce(comm, std::span(&value, 1), tutti::sum{},
                                                                 tutti::named{"recursive_doubling"});
                                for (std::uint32_t i = 0; i < (1U << 20) + 1000; ++i) {
                                    value = i + static_cast<std::uint32_t>(comm.rank());
                                    sum.run();
                                    if (value != 2 * i + 1) return "call " + std::to_string(i) + " is wrong";
                                }
                                return "";
                            })
          == "");
}

TEST_CASE("communicators of several contexts on one transport do not mix", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator first(wires);
                                tutti::communicator second(wires, 4095);
                                for (int i = 0; i < 1000; ++i) {
                                    std::vector<int> a(10, i + first.rank());
                                    std::vector<int> b(3, -i);
                                    tutti::allreduce(first, a, tutti::sum{}, tutti::named{"circulant"});
                                    tutti::allreduce(second, b, tutti::sum{}, tutti::named{"circulant"});
                                    if (a[9] != 3 * i + 3 || b[2] != -3 * i)
                                        return "round " + std::to_string(i) + " is wrong";
                                }
                                return "";
                            })
          == "");
}

TEST_CASE("many rounds of a partial_allreduce, everybody late now and then", "[mpi]") {
    for (const auto kind : {tutti::partial_kind::solo, tutti::partial_kind::majority})
        for (const std::size_t count : {1U, 2000U})
            CHECK(support::on_ranks(4,
                                    [&](MPI_Comm group) {
                                        tutti::mpi::transport wires(group);
                                        tutti::communicator comm(wires);
                                        std::vector<std::uint32_t> who;
                                        return support::partial_rounds(comm, count, kind, 9, 60, who);
                                    })
                  == "");
}
