// SPDX-License-Identifier: BSL-1.0
// labels: processes
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/processes.hpp>
#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/plain_transport.hpp"

// Communicators one after the other over the same wires, of one context: calls of one are not those of
// another.
namespace {

using tutti::rank_type;
using numbers = std::vector<double>;

constexpr rank_type ranks = 3;

/// A right allreduce on a communicator of its own: "" if it gives the right number.
template <class Wires>
std::string anew(Wires& wires, std::size_t count = 5) {
    tutti::communicator<Wires> comm(wires);
    numbers data(count, wires.rank() + 1.0);
    tutti::allreduce(comm, data, tutti::sum{});
    return data == numbers(count, 6.0) ? "" : "a new communicator gives " + std::to_string(data.at(0));
}

/// Another call than anew() makes, with the same number where calls are counted from 0.
template <class Wires>
void other_call(Wires& wires) {
    tutti::communicator<Wires> comm(wires);
    tutti::barrier(comm);
}

/// One rank refuses its part of the first call of a communicator, and the others begin it.
template <class Wires>
std::string slip(Wires& wires) {
    tutti::communicator<Wires> comm(wires);
    numbers in(5, 1.0), out(wires.rank() == 1 ? 4 : 5);
    return support::error_of([&] { tutti::allreduce(comm, in, out, tutti::sum{}); });
}

} // namespace

TEST_CASE("a rank that is late for a new communicator makes no other call", "[collectives][communicator]") {
    const auto late = [](auto& wires) {
        other_call(wires);
        if (wires.rank() == 1)
            std::this_thread::sleep_for(std::chrono::milliseconds(100)); // others look, and look
        return anew(wires);
    };
    support::complaints heard(ranks);
    tutti::threads::run_transports(ranks, [&](auto& wires) { heard.add(wires.rank(), late(wires)); });
    CHECK(heard.all() == "");
    CHECK(support::error_of([&] {
              tutti::processes::run_transports(ranks, [&](auto& wires) {
                  if (const std::string what = late(wires); !what.empty()) throw tutti::error(what);
              });
          })
          == "");
}

TEST_CASE("after a call that failed a new communicator is right", "[collectives][communicator][slips]") {
    support::complaints heard(ranks);
    const auto go_on = [&](auto& wires) {
        for (int i = 0; i < 3; ++i) {
            heard.add(wires.rank(), slip(wires).empty() ? "nobody told" : "");
            for (const std::size_t count : {1U, 5U, 20000U}) heard.add(wires.rank(), anew(wires, count));
        }
    };
    tutti::threads::run_transports(ranks, go_on);
    CHECK(heard.all() == "");
    for (std::uint32_t seed = 0; seed < 4; ++seed)
        tutti::mock::run_transports(ranks, {.seed = seed, .rendezvous = seed % 2 == 0}, go_on);
    CHECK(heard.all() == "");
}

TEST_CASE("what failed in a world's last run does not come back", "[collectives][communicator][slips]") {
    support::complaints heard(ranks);
    tutti::threads::world group(ranks);
    for (int run = 0; run < 3; ++run) {
        tutti::threads::for_each_rank(group, [&](auto& wires) {
            if (wires.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
            for (const std::size_t count : {5U, 20000U}) heard.add(wires.rank(), anew(wires, count));
            heard.add(wires.rank(), slip(wires).empty() ? "nobody told" : "");
            if (wires.rank() == 2) // one call more than the others make
                heard.add(2,
                          support::error_of([&] { other_call(wires); }).empty() ? "alone, it is over" : "");
        });
        CHECK(heard.all() == "");
    }
}

TEST_CASE("on the mock, nobody is held to the calls of an earlier run", "[collectives][communicator]") {
    tutti::mock::world group(2);
    tutti::mock::for_each_rank(group, [](auto& wires) { other_call(wires); });
    const std::string told = support::error_of([&] {
        tutti::mock::for_each_rank(group, [](auto& wires) {
            if (wires.rank() == 0) anew(wires);
        });
    });
    CHECK(support::contains(told, "rank 1 has returned"));
    CHECK(!support::contains(told, "barrier"));
}

TEST_CASE("calls are numbered on where the wires count them", "[collectives][communicator]") {
    const auto first_of = [](auto& wires, std::uint32_t context) {
        tutti::communicator<std::remove_reference_t<decltype(wires)>> comm(wires, context);
        const tutti::channel_type first = comm.next_channel();
        comm.next_channel();
        return first;
    };
    constexpr tutti::channel_type second_context = 1U << tutti::channel_counter_bits;
    tutti::threads::world threads(1);
    auto counting = threads.transport(0);
    CHECK(first_of(counting, 0) == 0);
    CHECK(first_of(counting, 0) == 2);
    CHECK(first_of(counting, 1) == second_context);
    CHECK(first_of(counting, 0) == 4);
    CHECK(first_of(counting, 1) == second_context + 2);
    {
        tutti::communicator one(counting), two(counting); // in turns
        CHECK(one.next_channel() == 6);
        CHECK(two.next_channel() == 7);
        tutti::communicator moved = std::move(one);
        CHECK(moved.next_channel() == 8);
    }
    auto again = threads.transport(0);
    CHECK(first_of(again, 0) == 9);
    again.calls_made(0) = second_context - 1; // numbers wrap round, and stay in their context
    CHECK(first_of(again, 0) == second_context - 1);
    CHECK(first_of(again, 0) == 1);

    support::plain::network net{.size = 1};
    support::plain::transport plain(net, 0);
    CHECK(first_of(plain, 0) == 0);
    CHECK(first_of(plain, 0) == 0);
}
