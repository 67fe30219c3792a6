// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include <tutti/conformance.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using tutti::rank_type;

namespace {

constexpr tutti::conformance::settings moderate{
    .most_ranks = 5, .longest = std::size_t{1} << 20, .repeats = 50, .deadline = std::chrono::seconds(60)};

constexpr auto over_mpi = [](rank_type size, const auto& body) {
    const std::string complaints = support::on_ranks(size, [&](MPI_Comm group) {
        tutti::mpi::transport wires(group);
        body(wires);
        return std::string();
    });
    if (!complaints.empty()) throw std::runtime_error(complaints);
};

} // namespace

TEST_CASE("the MPI transport conforms, strictly, but that MPI cannot take sends back", "[mpi]") {
    tutti::conformance::for_each_check([](const auto& one) {
        INFO(one.name);
        if (one.name != "goes on after an abandoned send")
            CHECK(support::error_of([&] { one(over_mpi, moderate); }) == "");
    });
}

TEST_CASE("a communicator that is none is refused, and MPI's own errors are told in its words", "[mpi]") {
    const auto refusal = [](MPI_Comm group) {
        return support::error_of([&] { tutti::mpi::transport wires(group); });
    };
    CHECK(refusal(MPI_COMM_NULL)
          == "tutti: communicator is MPI_COMM_NULL; allowed: one that this rank belongs to");
    CHECK(
        support::on_ranks(
            2,
            [&](MPI_Comm group) -> std::string {
                int rank = 0;
                MPI_Comm_rank(group, &rank);
                MPI_Comm alone = MPI_COMM_NULL;
                MPI_Comm_split(group, rank, 0, &alone);
                const tutti::mpi::owned_comm mine(alone);
                MPI_Comm between = MPI_COMM_NULL;
                MPI_Intercomm_create(alone, 0, group, 1 - rank, 1, &between);
                const tutti::mpi::owned_comm both(between);
                const std::string said = refusal(between);
                return said == "tutti: communicator is one between two groups; allowed: one of a single group"
                           ? ""
                           : said;
            })
        == "");
    CHECK(support::error_of([] { tutti::mpi::check(MPI_ERR_TAG, "MPI_Isend", 3); })
          == "MPI_Isend: " + tutti::mpi::text_of(MPI_ERR_TAG));
    CHECK(tutti::mpi::text_of(MPI_ERR_TAG).find("tag") != std::string::npos);
}

TEST_CASE("transports on the same ranks do not meet each other's messages, nor the program's", "[mpi]") {
    CHECK(support::on_ranks(
              2,
              [](MPI_Comm group) -> std::string {
                  tutti::mpi::transport one(group);
                  tutti::mpi::transport two(group);
                  const int peer = 1 - one.rank();
                  const auto at = [](const int& value) {
                      return std::span(reinterpret_cast<const std::byte*>(&value), sizeof value);
                  };
                  const int values[]{1, 2, 3};
                  const auto a = at(values[0]);
                  const auto b = at(values[1]);
                  auto sent_by_one = one.start_send(peer, 0, {&a, 1});
                  auto sent_by_two = two.start_send(peer, 0, {&b, 1});
                  MPI_Request sent = MPI_REQUEST_NULL;
                  MPI_Isend(&values[2], 1, MPI_INT, peer, 0, group, &sent);
                  // Received in another order than they were sent.
                  int got[3]{};
                  MPI_Recv(&got[2], 1, MPI_INT, peer, 0, group, MPI_STATUS_IGNORE);
                  MPI_Wait(&sent, MPI_STATUS_IGNORE);
                  const auto receive = [&](tutti::mpi::transport& t, int& into) {
                      const auto piece = std::as_writable_bytes(std::span(&into, 1));
                      auto h = t.start_recv(peer, 0, {&piece, 1});
                      for (std::uint32_t turns = 0; !t.test(h); ++turns) t.idle(turns);
                  };
                  receive(two, got[1]);
                  receive(one, got[0]);
                  for (std::uint32_t turns = 0; !one.test(sent_by_one) || !two.test(sent_by_two); ++turns)
                      one.idle(turns);
                  return got[0] == 1 && got[1] == 2 && got[2] == 3 ? "" : "messages met";
              })
          == "");
}
