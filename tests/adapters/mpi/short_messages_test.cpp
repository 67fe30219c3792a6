// SPDX-License-Identifier: BSL-1.0
#include <tutti/mpi/short_messages.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "support/catch2.hpp"
#include "support/mpi_world.hpp"

using tutti::channel_type;
using tutti::rank_type;
using tutti::mpi::short_message;
using tutti::mpi::short_messages;

namespace {

std::vector<std::byte> content(std::size_t length, unsigned seed) {
    std::vector<std::byte> all(length);
    for (std::size_t i = 0; i < length; ++i) all[i] = static_cast<std::byte>(seed * 31 + i * 7);
    return all;
}

void post(short_messages& to, rank_type peer, channel_type channel, const std::vector<std::byte>& all) {
    const std::span<const std::byte> parts[]{
        std::span(all).first(all.size() / 3), {}, std::span(all).subspan(all.size() / 3)};
    to.post(peer, {.channel = channel, .bytes = all.size()}, parts);
}

const short_message& wait_for(short_messages& from, rank_type peer, channel_type channel) {
    for (;;) {
        if (const short_message* const one = from.take(peer, channel)) return *one;
        std::this_thread::yield();
    }
}

/// Two ranks on which all that was sent is gone in the end, and nothing is left.
template <class Body>
std::string on_two(const Body& body) {
    return support::on_ranks(2, [&](MPI_Comm group) -> std::string {
        rank_type rank = 0;
        MPI_Comm_rank(group, &rank);
        short_messages wires(group, 3, 2);
        const std::string complaint = body(wires, rank, group);
        while (!wires.all_gone()) std::this_thread::yield();
        MPI_Barrier(group);
        const rank_type left = wires.drop_any();
        wires.stop_listening();
        return left == tutti::no_rank ? complaint : complaint + "something is left";
    });
}

} // namespace

TEST_CASE("short messages of all lengths arrive in order, more at once than receives are posted", "[mpi]") {
    const std::size_t many = GENERATE(as<std::size_t>{}, 1, 5, 40);
    CHECK(on_two([&](short_messages& wires, rank_type rank, MPI_Comm) -> std::string {
              unsigned wrong = 0;
              for (std::size_t length = 0; length <= short_message::most; length += 61)
                  for (std::size_t i = 0; i < many; ++i)
                      post(wires, 1 - rank, 7, content(length, static_cast<unsigned>(i)));
              post(wires, 1 - rank, 7, content(short_message::most, 9));
              const auto take = [&](std::size_t length, unsigned seed) {
                  const std::span<const std::byte> came = wait_for(wires, 1 - rank, 7).whole();
                  const std::vector<std::byte> expected = content(length, seed);
                  if (!std::equal(came.begin(), came.end(), expected.begin(), expected.end())) ++wrong;
                  wires.release(1 - rank);
              };
              for (std::size_t length = 0; length <= short_message::most; length += 61)
                  for (std::size_t i = 0; i < many; ++i) take(length, static_cast<unsigned>(i));
              take(short_message::most, 9);
              return wrong == 0 ? "" : std::to_string(wrong) + " are wrong";
          })
          == "");
}

TEST_CASE("messages of a channel do not wait for those of another, and keep their order", "[mpi]") {
    CHECK(on_two([&](short_messages& wires, rank_type rank, MPI_Comm) -> std::string {
              for (unsigned i = 0; i < 60; ++i) post(wires, 1 - rank, i % 3, content(8 + i, i));
              std::string wrong;
              for (const unsigned channel : {2U, 0U, 1U})
                  for (unsigned i = channel; i < 60; i += 3) {
                      const std::span<const std::byte> came = wait_for(wires, 1 - rank, channel).whole();
                      const std::vector<std::byte> expected = content(8 + i, i);
                      if (!std::equal(came.begin(), came.end(), expected.begin(), expected.end()))
                          wrong += " " + std::to_string(i);
                      wires.release(1 - rank);
                  }
              return wrong;
          })
          == "");
}

TEST_CASE("an announcement has no content, and long messages are numbered for each peer", "[mpi]") {
    CHECK(on_two([&](short_messages& wires, rank_type rank, MPI_Comm) -> std::string {
              const rank_type peer = 1 - rank;
              const std::uint32_t first = wires.next_number(peer);
              if (wires.next_number(peer) != first + 1 || wires.next_number(rank) != first)
                  return "numbers are wrong";
              wires.post(peer, {.channel = 4, .number = 17, .bytes = short_message::most + 1}, {});
              const short_message& one = wait_for(wires, peer, 4);
              const bool right = one.is_announcement() && one.whole().empty() && one.about.number == 17
                                 && one.about.bytes == short_message::most + 1;
              wires.release(peer);
              return right ? "" : "the announcement is wrong";
          })
          == "");
}

TEST_CASE("a sender hears that its receiver is two stretches behind, and that it has caught up", "[mpi]") {
    CHECK(on_two([&](short_messages& wires, rank_type rank, MPI_Comm group) -> std::string {
              const rank_type peer = 1 - rank;
              std::string wrong;
              // The probe is between two stretches, and later the first of what follows.
              for (const std::size_t ahead : {2 * short_messages::stretch + 1, short_messages::stretch + 1}) {
                  for (unsigned i = 0; i < ahead; ++i) {
                      if (wires.is_behind(peer)) wrong += "behind by " + std::to_string(i) + "; ";
                      post(wires, peer, 1, content(i, i));
                  }
                  if (!wires.is_behind(peer)) wrong += "not behind; ";
                  if (wires.try_post(peer, {.channel = 2}, {})) wrong += "try_post goes on; ";
                  wires.post(peer, {.channel = 2}, {}); // post does
                  MPI_Barrier(group);
                  for (unsigned i = 0; i < ahead; ++i) {
                      if (wait_for(wires, peer, 1).whole().size() != i) wrong += "another message; ";
                      wires.release(peer);
                  }
                  wait_for(wires, peer, 2);
                  wires.release(peer);
                  while (wires.is_behind(peer)) std::this_thread::yield();
              }
              return wrong;
          })
          == "");
}

TEST_CASE("what nobody has taken is found in the end, and try_post refuses only what MPI keeps", "[mpi]") {
    CHECK(on_two([&](short_messages& wires, rank_type rank, MPI_Comm) -> std::string {
              const rank_type peer = 1 - rank;
              const std::vector<std::byte> all = content(100, 1);
              const std::span<const std::byte> piece(all);
              for (std::size_t i = 0; i < short_messages::depth; ++i)
                  if (!wires.try_post(peer, {.channel = i == 3 ? 1U : 2U, .bytes = 100}, {&piece, 1}))
                      return "refused number " + std::to_string(i);
              wait_for(wires, peer, 1); // three lie aside
              wires.release(peer);
              for (std::size_t left = short_messages::depth - 1; left > 0;) {
                  const rank_type from = wires.drop_any();
                  if (from == peer) --left;
                  if (from != peer && from != tutti::no_rank) return "from where?";
              }
              return "";
          })
          == "");
}
