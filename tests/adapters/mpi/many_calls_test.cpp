// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
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

TEST_CASE("a rank that only sends waits for one that is late by many calls", "[mpi]") {
    using clock = std::chrono::steady_clock;
    for (const std::size_t bytes : {8U, 3000U, 4000U}) // MPI may take all of these off the sender's hands
        CHECK(support::on_ranks(2,
                                [&](MPI_Comm group) -> std::string {
                                    constexpr int calls = 2000;
                                    tutti::mpi::transport wires(group);
                                    tutti::communicator comm(wires);
                                    std::vector<std::uint8_t> content(bytes);
                                    if (comm.rank() == 0) {
                                        for (int i = 0; i < calls; ++i) {
                                            MPI_Send(&i, 1, MPI_INT, 1, 0, group); // so far it is
                                            content.back() = static_cast<std::uint8_t>(i);
                                            tutti::bcast(comm, content);
                                        }
                                        return "";
                                    }
                                    int far = -1;
                                    for (auto since = clock::now();
                                         clock::now() - since < std::chrono::milliseconds(200);) {
                                        int there = 0;
                                        MPI_Iprobe(0, 0, group, &there, MPI_STATUS_IGNORE);
                                        if (there == 0) continue;
                                        MPI_Recv(&far, 1, MPI_INT, 0, 0, group, MPI_STATUS_IGNORE);
                                        since = clock::now();
                                    }
                                    const int ahead = far;
                                    for (int i = 0; i < calls; ++i) {
                                        tutti::bcast(comm, content);
                                        if (content.back() != static_cast<std::uint8_t>(i))
                                            return "call " + std::to_string(i) + " is wrong";
                                    }
                                    while (far < calls - 1)
                                        MPI_Recv(&far, 1, MPI_INT, 0, 0, group, MPI_STATUS_IGNORE);
                                    return ahead <= 3 * static_cast<int>(tutti::mpi::short_messages::stretch)
                                               ? ""
                                               : std::to_string(ahead) + " calls ahead";
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

TEST_CASE("calls of a communicator that is gone are not those of the next one", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                {
                                    tutti::communicator gone(wires);
                                    for (int i = 0; i < 10; ++i) tutti::barrier(gone);
                                }
                                tutti::communicator other(wires, 1), next(wires);
                                const int me = next.rank();
                                int sum = me, sent = me;
                                const auto hear = [&] {
                                    tutti::bcast(other, std::span(&sent, 1), 2, tutti::named{"serial"});
                                };
                                // Rank 0 asks rank 1, which waits for rank 2, whether it still comes.
                                if (me == 2) std::this_thread::sleep_for(std::chrono::milliseconds(2500));
                                if (me != 0) hear();
                                tutti::allreduce(next, std::span(&sum, 1), tutti::sum{});
                                if (me == 0) hear();
                                return sum == 3 && sent == 2 ? "" : "wrong numbers";
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
