// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/transport.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <tutti/collectives/allgather.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/barrier.hpp>
#include <tutti/collectives/bcast.hpp>
#include <tutti/execute/communicator.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

// A slip of one rank is an error on all that wait for it, and afterwards nothing is under way: the
// transport's end waits for all, and a new one on the same ranks works.

using support::contains;
using tutti::rank_type;

namespace {

/// Runs `slip(comm)` on `size` ranks. It must fail on all of them, with a text that `is_due(rank, text)`
/// likes; then a new transport must work.
template <class Slip, class IsDue>
std::string all_fail(rank_type size, const Slip& slip, const IsDue& is_due) {
    return support::on_ranks(size, [&](MPI_Comm group) -> std::string {
        std::string troubles;
        rank_type rank = 0;
        const std::string text = support::error_of([&] {
            tutti::mpi::transport wires(group);
            tutti::communicator comm(wires);
            rank = comm.rank();
            slip(comm);
        });
        if (!is_due(rank, text)) troubles += "the error is '" + text + "'; ";
        tutti::mpi::transport again(group);
        tutti::communicator comm(again);
        std::vector<int> v(100000, 1);
        tutti::allreduce(comm, v, tutti::sum{});
        if (v.back() != size) troubles += "a new transport does not work";
        return troubles;
    });
}

} // namespace

TEST_CASE("a count that differs is an error on all ranks, told with both lengths and who has it", "[mpi]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 10, 1000, 100000);
    const std::size_t other = GENERATE(as<std::size_t>{}, 9, 30);
    const char* const algorithm = GENERATE("recursive_doubling", "serial", "fnomial");
    CAPTURE(count, other, algorithm);
    const std::string right = std::to_string(count * 8);
    const std::string wrong = std::to_string(count * other / 10 * 8);
    CHECK(all_fail(
              5,
              [&](auto& comm) {
                  std::vector<double> v(comm.rank() == 2 ? count * other / 10 : count);
                  tutti::allreduce(comm, v, tutti::sum{}, tutti::named{algorithm});
              },
              [&](rank_type, const std::string& text) {
                  return text.starts_with("tutti: allreduce failed on rank ") && contains(text, right)
                         && contains(text, wrong);
              })
          == "");
}

TEST_CASE("an argument that one rank refuses is an error on those that wait for it", "[mpi]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 100000);
    CHECK(all_fail(
              4,
              [&](auto& comm) {
                  const std::vector<double> in(count);
                  std::vector<double> out(comm.rank() == 1 ? count + 7 : count);
                  tutti::allreduce(comm, in, out, tutti::sum{});
              },
              [&](rank_type rank, const std::string& text) {
                  return contains(text, rank == 1 ? "tutti: allreduce on rank 1: out is "
                                                  : "rank 1 has left with an exception");
              })
          == "");
}

TEST_CASE("a rank that leaves with an exception is an error on those that wait for it", "[mpi]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 100000); // buffered by MPI, and not
    CHECK(all_fail(
              3,
              [&](auto& comm) {
                  std::vector<double> v(count);
                  if (comm.rank() == 1) throw tutti::error("nothing to do");
                  tutti::allreduce(comm, v, tutti::sum{}, tutti::named{"recursive_doubling"});
              },
              [&](rank_type rank, const std::string& text) {
                  return rank == 1 ? text == "nothing to do"
                                   : contains(text, "allreduce failed on rank")
                                         && contains(text, "rank 1 has left with an exception");
              })
          == "");
}

TEST_CASE("a rank that does not make a call in which it is sent to says so", "[mpi]") {
    CHECK(support::on_ranks(
              3,
              [](MPI_Comm group) -> std::string {
                  const std::vector<double> in(1000);
                  std::vector<double> out(3000);
                  const std::string text = support::error_of([&] {
                      tutti::mpi::transport wires(group);
                      tutti::communicator comm(wires);
                      tutti::barrier(comm);
                      if (comm.rank() != 1) tutti::allgather(comm, in, out, tutti::named{"direct"});
                  });
                  const bool is_well =
                      support::world_rank() == 1
                          ? text.empty()
                          : contains(text, "has sent it a message of a collective that it does not call");
                  return is_well ? "" : "the error is '" + text + "'";
              })
          == "");
}

TEST_CASE("a rank whose messages others wait for, and that has left, is found out", "[mpi]") {
    CHECK(support::on_ranks(
              3,
              [](MPI_Comm group) -> std::string {
                  std::vector<double> v(1000);
                  const std::string text = support::error_of([&] {
                      tutti::mpi::transport wires(group);
                      tutti::communicator comm(wires);
                      if (comm.rank() != 1) tutti::bcast(comm, v, 1);
                  });
                  const bool is_well =
                      support::world_rank() == 1
                          ? text.empty()
                          : contains(
                              text, "a message of rank 1, which is through with this collective or has left");
                  return is_well ? "" : "the error is '" + text + "'";
              })
          == "");
}

TEST_CASE("of two calls that wait for a rank at once, the one that it is through with is found out",
          "[mpi]") {
    CHECK(support::on_ranks(
              2,
              [](MPI_Comm group) -> std::string {
                  constexpr tutti::channel_type passed = 7, not_begun = 8;
                  const std::string text = support::error_of([&] {
                      tutti::mpi::transport wires(group);
                      tutti::mpi::transport::incoming message;
                      if (wires.rank() == 1) wires.close(passed);
                      for (std::uint32_t turns = 0;; ++turns) {
                          if (wires.rank() == 0)
                              for (const auto channel : {passed, not_begun})
                                  static_cast<void>(wires.take(1, channel, message)); // there is none
                          wires.idle(turns);
                      }
                  });
                  const bool is_well =
                      support::world_rank() == 1
                          ? contains(text, "rank 0 has failed")
                          : contains(
                              text, "a message of rank 1, which is through with this collective or has left");
                  return is_well ? "" : "the error is '" + text + "'";
              })
          == "");
}

TEST_CASE("a root that differs is an error on all ranks, whatever they wait for meanwhile", "[mpi]") {
    CHECK(all_fail(
              4,
              [](auto& comm) {
                  std::vector<int> v(1000, comm.rank());
                  tutti::bcast(comm, v, comm.rank() == 2 ? 1 : 0, tutti::named{"fnomial"});
                  tutti::barrier(comm); // ranks 0, 1 and 3 are here, and wait for rank 2
              },
              [](rank_type rank, const std::string& text) {
                  return text.starts_with(rank == 2 ? "tutti: bcast failed on rank 2" : "tutti: ")
                         && contains(text,
                                     "rank 2 waits for a message of rank 1, which is through with this");
              })
          == "");
}

TEST_CASE("a rank that is late is waited for, however often it is asked whether it is there", "[mpi]") {
    CHECK(support::on_ranks(3,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                if (comm.rank() == 1)
                                    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
                                std::vector<int> v(1000, comm.rank());
                                tutti::bcast(comm, v, 1);
                                return v.back() == 1 ? "" : "wrong";
                            })
          == "");
}

TEST_CASE("after a failure a transport refuses, with the reason", "[mpi]") {
    CHECK(support::on_ranks(2,
                            [](MPI_Comm group) -> std::string {
                                tutti::mpi::transport wires(group);
                                tutti::communicator comm(wires);
                                std::vector<int> v(comm.rank() == 0 ? 10 : 11);
                                const auto call = [&] { tutti::allreduce(comm, v, tutti::sum{}); };
                                const std::string first = support::error_of(call);
                                const std::string second = support::error_of(call);
                                if (!contains(first, "40") || !contains(first, "44"))
                                    return "first: " + first;
                                if (!contains(second, "a collective has failed")
                                    && !contains(second, "has failed: allreduce"))
                                    return "second: " + second;
                                return wires.is_spent() ? "" : "is not spent";
                            })
          == "");
}
