// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/request.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>

#include "support/calls_in_flight.hpp"
#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using support::many_at_once;
using support::numbers;
using tutti::rank_type;
using tutti::request;

/// In flight: moves or is over as a test wants, and counts what is asked of it.
class asked_in_flight final : public tutti::detail::in_flight {
public:
    explicit asked_in_flight(bool moves) : moves_(moves) { join(); }

    bool run() noexcept override { return moves_; }
    bool progress() noexcept override { return moves_; }
    void idle(std::uint32_t) noexcept override {}
    void yield() noexcept override { ++yields; }
    void leave() noexcept override {}
    void land() override { ++landings; }
    void give_up() noexcept override {}
    void end() noexcept { over_ = true; }

    int yields = 0;
    int landings = 0;

private:
    bool moves_;
};

} // namespace

TEST_CASE("many in flight, of all collectives, ended in any order: over threads", "[execute][request]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5);
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) { heard.add(comm.rank(), many_at_once(comm, 300, 5)); });
    CHECK(heard.all() == "");
}

TEST_CASE("many in flight, of all collectives, ended in any order: over the mock", "[execute][request]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 5);
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        for (const bool rendezvous : {false, true}) {
            support::complaints heard(size);
            tutti::mock::run(size, {.seed = seed, .rendezvous = rendezvous, .log = false}, [&](auto& comm) {
                heard.add(comm.rank(), many_at_once(comm, 40, static_cast<unsigned>(seed)));
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("what a rank has begun moves while it waits for something else", "[execute][request]") {
    // Rank 1 is in the middle of the first; the others get nowhere unless it moves on while it waits for the
    // second.
    support::complaints heard(3);
    const auto body = [&](auto& comm) {
        numbers a{1, 2}, b{3};
        request first = tutti::iallreduce(comm, a, tutti::sum{}, tutti::kary{.arity = 1});
        if (comm.rank() != 1) first.wait();
        tutti::allreduce(comm, b, tutti::sum{});
        first.wait();
        heard.add(comm.rank(), a == numbers{3, 6} && b == numbers{9} ? "" : "wrong");
    };
    SECTION("over threads") { tutti::threads::run(3, body); }
    SECTION("over the mock") { tutti::mock::run(3, {.seed = 4}, body); }
    CHECK(heard.all() == "");
}

TEST_CASE("a request is ready that was never started, or is over and not yet waited for",
          "[execute][request]") {
    CHECK(request{}.ready());
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        numbers a{1};
        request first = tutti::iallreduce(comm, a, tutti::sum{});
        // Whoever tests a later one moves it, too, until it is over on both.
        for (numbers not_ready{1}; not_ready[0] > 0;) {
            not_ready[0] = first.ready() ? 0 : 1;
            request later = tutti::iallreduce(comm, not_ready, tutti::sum{});
            while (!later.test()) {
            }
        }
        std::string text;
        if (first.over()) text += "waited for by nobody, and over; ";
        first.wait();
        if (!first.ready() || !first.over() || a != numbers{2}) text += "not over";
        heard.add(comm.rank(), text);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("test lets other ranks run where nothing moves, and not where something does or all is over",
          "[execute][request]") {
    asked_in_flight stuck(false);
    request of_stuck(stuck);
    CHECK_FALSE(of_stuck.test());
    CHECK(stuck.yields == 1);
    {
        asked_in_flight moving(true);
        request of_moving(moving);
        CHECK_FALSE(of_moving.test());
        CHECK_FALSE(of_stuck.test()); // the other one moves
        CHECK(moving.yields + stuck.yields == 1);
        moving.end();
        CHECK(of_moving.test());
        CHECK(of_moving.over());
        CHECK(moving.yields == 0);
        CHECK(moving.landings == 1);
    }
    CHECK_FALSE(of_stuck.test());
    CHECK(stuck.yields == 2);
    stuck.end();
    CHECK(of_stuck.test());
    CHECK(stuck.yields == 2);
    CHECK(stuck.landings == 1);
}

TEST_CASE("wait_any tells of each once, wait_some of all that are over, wait_all ends all",
          "[execute][request]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) { heard.add(comm.rank(), support::waits_for_several(comm)); });
    CHECK(heard.all() == "");
}

TEST_CASE("a plan is begun and waited for again and again", "[execute][request][plan]") {
    support::complaints heard(4);
    const auto body = [&](auto& comm) {
        numbers in(50), out(50);
        auto again = tutti::plan_allreduce(comm, in, out, tutti::sum{});
        for (std::int64_t i = 0; i < 20; ++i) {
            in.assign(50, i + comm.rank());
            again.start();
            tutti::barrier(comm);
            again.wait();
            heard.add(comm.rank(), out == numbers(50, 4 * i + 6) ? "" : "run " + std::to_string(i));
        }
        again.start();
        heard.add(comm.rank(),
                  support::error_of([&] { again.start(); }).find("before it is over") != std::string::npos
                      ? ""
                      : "begun twice");
        again.wait();
    };
    SECTION("over threads") { tutti::threads::run(4, body); }
    SECTION("over the mock") { tutti::mock::run(4, {.seed = 2}, body); }
    CHECK(heard.all() == "");
}

TEST_CASE("one that is destroyed before it is over is an error on all ranks that wait for it",
          "[execute][request]") {
    // Folds go from rank 2 by rank 1 to rank 0, the result comes back that way: rank 2 waits in any case,
    // rank 0 only if rank 1 had not come so far.
    support::complaints heard(3);
    const auto body = [&](auto& comm) {
        numbers v{1};
        if (comm.rank() == 1) {
            {
                const request lost = tutti::iallreduce(comm, v, tutti::sum{}, tutti::kary{.arity = 1});
            }
            return heard.add(1, "");
        }
        const std::string error =
            support::error_of([&] { tutti::allreduce(comm, v, tutti::sum{}, tutti::kary{.arity = 1}); });
        const bool right = support::contains(error, "rank 1 has given up allreduce");
        heard.add(comm.rank(), right || (comm.rank() == 0 && error.empty()) ? "" : "hears: " + error);
    };
    SECTION("over threads") { tutti::threads::run(3, body); }
    SECTION("over the mock") { // which may complain of what nobody has received
        support::error_of([&] { tutti::mock::run(3, {.seed = 3}, body); });
    }
    CHECK(heard.all() == "");
}

TEST_CASE("a failure is kept until somebody waits, and then it is over", "[execute][request]") {
    support::complaints heard(2);
    tutti::mock::world group(
        2, {.faults = {tutti::mock::fault::message(tutti::mock::fault_kind::truncate, 0, 1, 0)}});
    CHECK_THROWS_AS(tutti::mock::run(group,
                                     [&](auto& comm) {
                                         numbers v(10, 1);
                                         request one = tutti::ibcast(comm, v);
                                         const std::string error = support::error_of([&] {
                                             while (!one.test()) {
                                             }
                                         });
                                         const bool right =
                                             comm.rank() == 0
                                             || (support::contains(error, "bcast failed on rank 1")
                                                 && one.over() && one.test());
                                         heard.add(comm.rank(), right ? "" : "hears: " + error);
                                         if (!error.empty()) throw std::runtime_error("as expected");
                                     }),
                    std::exception);
    CHECK(heard.all() == "");
}

TEST_CASE("of several that fail the first in the list is told of, and all are over", "[execute][request]") {
    support::complaints heard(2);
    tutti::threads::run(2, [&](auto& comm) {
        std::vector<numbers> data(3);
        std::vector<request> all;
        all.push_back(tutti::ibarrier(comm));
        for (const std::size_t count : {1U, 3U}) { // and one more on rank 1
            data[count / 2].assign(count + (comm.rank() == 1 ? 1 : 0), 1);
            all.push_back(tutti::iallreduce(comm, data[count / 2], tutti::sum{}));
        }
        const std::string error = support::error_of([&] { tutti::wait_all(all); });
        std::string text =
            support::contains(error, "allreduce of 1 element of 8 bytes") ? "" : "hears: " + error;
        for (const request& one : all) text += one.over() ? "" : "not over; ";
        heard.add(comm.rank(), text);
    });
    CHECK(heard.all() == "");
}

TEST_CASE("two that overlap are right in every interleaving of two ranks", "[execute][request][explore]") {
    std::string trouble;
    const auto explored = tutti::mock::explore(2, [&](tutti::mock::transport& wires) {
        tutti::communicator<tutti::mock::transport> comm(wires);
        numbers a{comm.rank() + 1}, b{10 * (comm.rank() + 1)};
        request first = tutti::iallreduce(comm, a, tutti::sum{}, tutti::recursive_doubling{});
        request second = tutti::iallreduce(comm, b, tutti::sum{}, tutti::recursive_doubling{});
        if (comm.rank() == 0)
            first.wait(), second.wait();
        else
            second.wait(), first.wait();
        if (a != numbers{3} || b != numbers{30}) trouble += "wrong; ";
    });
    CHECK(explored.complete);
    CHECK(trouble == "");
}
