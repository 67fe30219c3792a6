// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using tutti::mpi::transport;

namespace {

constexpr std::size_t half_mib = std::size_t{512} << 10;

std::byte value_at(std::size_t i) { return static_cast<std::byte>(i * 2654435761U >> 13); }

/// The whole as pieces of growing length, empty ones among them.
template <class Byte>
std::vector<std::span<Byte>> in_pieces(std::span<Byte> whole, std::size_t first) {
    std::vector<std::span<Byte>> pieces{{}};
    for (std::size_t length = first; !whole.empty(); length = 3 * length + 1) {
        const std::size_t n = std::min(length, whole.size());
        pieces.push_back(whole.first(n));
        pieces.push_back({});
        whole = whole.subspan(n);
    }
    return pieces;
}

/// Rank 0 sends `bytes` bytes to rank 1.
std::string send_in_pieces(MPI_Comm group, std::size_t bytes, std::size_t first_sent,
                           std::size_t first_received) {
    transport wires(group);
    std::vector<std::byte> v(bytes);
    if (wires.rank() == 0)
        for (std::size_t i = 0; i < bytes; ++i) v[i] = value_at(i);
    const auto out = in_pieces<const std::byte>(v, first_sent);
    const auto in = in_pieces<std::byte>(v, first_received);
    transport::handle h = wires.rank() == 0 ? wires.start_send(1, 7, out) : wires.start_recv(0, 7, in);
    for (std::uint32_t turns = 0; !wires.test(h); ++turns) wires.idle(turns);
    for (std::size_t i = 0; i < bytes; ++i)
        if (v[i] != value_at(i)) return "byte " + std::to_string(i) + " is wrong";
    return "";
}

} // namespace

TEST_CASE("long messages arrive as they were sent, however their ends have them in pieces", "[mpi]") {
    for (const std::size_t bytes :
         {transport::eager_bytes(), transport::eager_bytes() + 1, half_mib, 17 * half_mib + 1})
        for (const std::size_t sent : {bytes, std::size_t{1}})
            for (const std::size_t received : {bytes, std::size_t{1000}})
                CHECK(support::on_ranks(
                          2, [&](MPI_Comm group) { return send_in_pieces(group, bytes, sent, received); })
                      == "");
}

TEST_CASE("long vectors are folded over MPI", "[mpi]") {
    for (const tutti::rank_type size : {2, 3, 5})
        CHECK(support::on_ranks(size,
                                [](MPI_Comm group) {
                                    transport wires(group);
                                    tutti::communicator comm(wires);
                                    std::string troubles =
                                        support::run_automatic<double>(comm, 300'001, tutti::sum{});
                                    troubles += support::run_automatic<support::moments>(
                                        comm, 70'001, tutti::commutative(support::merge_moments{}));
                                    for (const char* const how : {"recursive_doubling", "serial", "ring"})
                                        troubles += support::run_and_check<support::moments>(
                                            comm, tutti::collective::allreduce, 70'001, 0,
                                            tutti::commutative(support::merge_moments{}), tutti::named{how},
                                            false);
                                    return troubles;
                                })
              == "");
}

TEST_CASE("long vectors of different lengths are an error on all ranks", "[mpi]") {
    const auto complaint = [](MPI_Comm group) -> std::string {
        const std::string said = support::error_of([&] {
            transport wires(group);
            tutti::communicator comm(wires);
            std::vector<double> v(comm.rank() == 1 ? 300'000 : 400'000, 1.0);
            tutti::allreduce(comm, v, tutti::sum{}, tutti::named{"recursive_doubling"});
        });
        return said.find("allreduce failed on rank") != std::string::npos ? "" : "said: " + said;
    };
    for (const tutti::rank_type size : {2, 4}) CHECK(support::on_ranks(size, complaint) == "");
}
