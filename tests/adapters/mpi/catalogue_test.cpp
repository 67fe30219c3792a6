// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <cstdint>
#include <string>

#include <tutti/execute/communicator.hpp>
#include <tutti/tune/experience.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using tutti::rank_type;

TEST_CASE("every algorithm gives the right result over MPI, for messages on both sides of the eager limit",
          "[mpi]") {
    for (const rank_type size : {1, 2, 3, 4, 5, 7, 8})
        CHECK(support::on_ranks(
                  size,
                  [](MPI_Comm group) {
                      tutti::mpi::transport wires(group);
                      tutti::communicator comm(wires);
                      std::string troubles;
                      constexpr auto most = static_cast<std::int64_t>(tutti::mpi::transport::eager_bytes())
                                            / std::int64_t{sizeof(int)};
                      for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7},
                                                       most, most + 1, std::int64_t{20000}}) {
                          troubles += support::run_catalogue<int>(comm, count, tutti::sum{});
                          if (count <= most) // four times as long, and not commutative
                              troubles +=
                                  support::run_catalogue<support::matrix>(comm, count, support::multiply{});
                      }
                      return troubles;
                  })
              == "");
}

TEST_CASE("ranks over MPI find out by experience what is the fastest there", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                comm.choose_by(tutti::by_experience(comm));
                                std::string troubles;
                                for (int call = 0; call < 20; ++call)
                                    for (const std::int64_t count : {3, 20000})
                                        troubles += support::run_automatic<double>(comm, count, tutti::sum{});
                                return troubles;
                            })
          == "");
}

TEST_CASE("the algorithm that is chosen gives the right result over MPI", "[mpi]") {
    for (const rank_type size : {1, 2, 3, 5, 8})
        CHECK(support::on_ranks(size,
                                [](MPI_Comm group) {
                                    tutti::mpi::transport wires(group);
                                    tutti::communicator comm(wires);
                                    std::string troubles;
                                    for (const std::int64_t count : {0, 1, 7, 1000, 100000}) {
                                        troubles += support::run_automatic<double>(comm, count, tutti::sum{});
                                        troubles += support::run_automatic<support::moments>(
                                            comm, count, tutti::commutative(support::merge_moments{}));
                                    }
                                    return troubles;
                                })
              == "");
}
