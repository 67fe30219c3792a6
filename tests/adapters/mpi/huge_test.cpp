// SPDX-License-Identifier: BSL-1.0
// labels: huge
// Messages of more than 2^31 bytes: takes some 10 GB of memory, so only `tests/run --mpi --huge` runs it.
#include <tutti/mpi/transport.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

namespace {

constexpr std::size_t bytes = (std::size_t{1} << 31) + 5;

unsigned char value_at(std::size_t i) { return static_cast<unsigned char>(i * 2654435761U >> 13); }

} // namespace

TEST_CASE("2^31 + 5 bytes travel as one message", "[mpi]") {
    CHECK(support::on_ranks(2,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                std::vector<unsigned char> v(bytes);
                                if (comm.rank() == 0)
                                    for (std::size_t i = 0; i < bytes; ++i) v[i] = value_at(i);
                                tutti::bcast(comm, v, 0, tutti::named{"fnomial"});
                                for (std::size_t i = 0; i < bytes; ++i)
                                    if (v[i] != value_at(i)) return "byte " + std::to_string(i) + " is wrong";
                                return "";
                            })
          == "");
}

TEST_CASE("2^31 + 5 bytes are folded, whole and in halves", "[mpi]") {
    const char* const algorithm = GENERATE("recursive_doubling", "circulant");
    CHECK(support::on_ranks(2,
                            [&](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                std::vector<unsigned char> v(bytes);
                                for (std::size_t i = 0; i < bytes; ++i)
                                    v[i] = static_cast<unsigned char>(value_at(i) + comm.rank());
                                tutti::allreduce(comm, v, tutti::sum{}, tutti::named{algorithm});
                                for (std::size_t i = 0; i < bytes; ++i)
                                    if (v[i] != static_cast<unsigned char>(2 * value_at(i) + 1))
                                        return "byte " + std::to_string(i) + " is wrong";
                                return "";
                            })
          == "");
}
