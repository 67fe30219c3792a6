// SPDX-License-Identifier: BSL-1.0
// labels: processes
#include <tutti/collectives/bypass.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/late_ranks.hpp"
#include "support/outcomes.hpp"

namespace {

using support::numbers;
using support::wait_for;
using tutti::bypass_options;
using tutti::fnomial;
using tutti::rank_type;
using tutti::request;
using tutti::sum;

/// Rank r gives 100 * turn + r.
std::int64_t total(std::int64_t turn, rank_type size) {
    return 100 * turn * size + std::int64_t{size} * (size - 1) / 2;
}

/// Many reductions one after the other, everybody late now and then, the input written again at once.
template <class Comm>
std::string many(Comm& comm, std::uint32_t seed, std::size_t count, const bypass_options& options,
                 int turns) {
    std::mt19937 same(seed), own(seed * 64 + static_cast<std::uint32_t>(comm.rank()));
    numbers in(count), out(count);
    std::string trouble;
    for (int turn = 0; turn < turns; ++turn) {
        const auto root = static_cast<rank_type>(same() % static_cast<std::uint32_t>(comm.size()));
        in.assign(count, 100 * turn + comm.rank());
        for (auto late = own() % 20; late > 0; --late) std::this_thread::yield();
        tutti::bypass_reduce(comm, in, out, sum{}, root, fnomial{}, options);
        in.assign(count, -1000000);
        if (comm.rank() == root && out != numbers(count, total(turn, comm.size())))
            trouble += "turn " + std::to_string(turn) + " is wrong; ";
        if (same() % 8 == 0) tutti::barrier(comm);
    }
    tutti::finish_bypassed(comm);
    return trouble;
}

} // namespace

TEST_CASE("a rank whose child is late leaves a bypass_reduce, and whoever brings the rest folds it",
          "[execute][threads][bypass]") {
    // Binomial tree of 4 to root 0: rank 2 folds what rank 3 sends.
    for (const std::size_t count : {1U, 20U, 1000U, 30000U}) {
        INFO(count << " elements");
        std::atomic<bool> left{false}, over{false};
        numbers result(count);
        tutti::threads::run(4, [&](auto& comm) {
            numbers in(count, comm.rank() + 1), out(count);
            if (comm.rank() == 3) wait_for(left); // late: rank 2 must be out by then
            tutti::bypass_reduce(comm, in, out, sum{}, 0, fnomial{});
            in.assign(count, -1);
            if (comm.rank() == 2) {
                left = true;
                wait_for(over); // and calls tutti no more
            }
            if (comm.rank() == 0) {
                result = out;
                over = true;
            }
        });
        CHECK(result == numbers(count, 10));
    }
}

TEST_CASE("overlapping bypass_reduces keep their messages apart", "[execute][threads][bypass]") {
    const bool any_order = GENERATE(false, true);
    const std::size_t outstanding = GENERATE(1U, 3U, 64U);
    for (const rank_type p : {2, 3, 6, 9})
        for (const std::size_t count : {1U, 25U, 600U, 9000U}) {
            INFO(p << " ranks, " << count << " elements");
            support::complaints all(p);
            tutti::threads::run(p, [&](auto& comm) {
                all.add(comm.rank(),
                        many(comm, static_cast<std::uint32_t>(p + static_cast<rank_type>(count)), count,
                             {.fold_in_arrival_order = any_order, .outstanding = outstanding}, 30));
            });
            CHECK(all.all() == "");
        }
}

TEST_CASE("bypass_reduce over the mock, in whatever order messages come", "[execute][mock][bypass]") {
    const std::uint64_t seed = GENERATE(take(20, random(std::uint64_t{1}, std::uint64_t{1000000})));
    INFO("seed " << seed);
    for (const rank_type p : {2, 4, 7}) {
        support::complaints all(p);
        tutti::mock::run(p, {.seed = seed}, [&](auto& comm) {
            all.add(comm.rank(),
                    many(comm, 5, 3, {.fold_in_arrival_order = seed % 2 == 0, .outstanding = 4}, 12));
        });
        CHECK(all.all() == "");
    }
}

TEST_CASE("the root of a split-phase bypass_reduce waits when it likes", "[execute][threads][bypass]") {
    support::complaints all(4);
    tutti::threads::run(4, [&](auto& comm) {
        const numbers in(5, comm.rank());
        std::vector<numbers> out(3, numbers(5));
        std::vector<request> under_way;
        for (numbers& one : out)
            under_way.push_back(tutti::ibypass_reduce(comm, in, one, sum{}, 1, fnomial{}));
        bool right = true;
        for (request& r : under_way) {
            right = right && (comm.rank() == 1 || r.over());
            r.wait();
        }
        for (const numbers& one : out) right = right && (comm.rank() != 1 || one == numbers(5, 6));
        all.add(comm.rank(), right ? "" : "wrong");
    });
    CHECK(all.all() == "");
}

TEST_CASE("a rank stays for the exit delay, and leaves then", "[execute][threads][bypass]") {
    std::atomic<bool> left{false};
    numbers result(1);
    tutti::threads::run(4, [&](auto& comm) {
        const numbers in(1, 1);
        numbers out(1);
        if (comm.rank() == 3) wait_for(left);
        tutti::bypass_reduce(comm, in, out, sum{}, 0, fnomial{},
                             {.exit_delay = std::chrono::milliseconds(2)});
        if (comm.rank() == 2) left = true;
        if (comm.rank() == 0) result = out;
    });
    CHECK(result == numbers(1, 4));
}

TEST_CASE("arguments that a bypass_reduce refuses", "[execute][bypass]") {
    tutti::threads::run(1, [](auto& comm) {
        const numbers in(1, 1);
        numbers out(1);
        const auto last = [](std::int64_t, std::int64_t b) { return b; };
        CHECK_THROWS_AS(
            tutti::bypass_reduce(comm, in, out, last, 0, fnomial{}, {.fold_in_arrival_order = true}),
            tutti::argument_error);
        CHECK_THROWS_AS(tutti::bypass_reduce(comm, in, out, sum{}, 0, fnomial{}, {.outstanding = 0}),
                        tutti::argument_error);
        CHECK_THROWS_AS(tutti::bypass_reduce(comm, in, out, sum{}, 1), tutti::argument_error);
        tutti::bypass_reduce(comm, in, out, sum{});
        CHECK(out == in);
    });
}

TEST_CASE("what fails after a rank has left is told by its next bypass_reduce",
          "[execute][threads][bypass]") {
    std::string told;
    const auto fails = [](std::int64_t a, std::int64_t b) -> std::int64_t {
        if (a + b > 0) throw std::runtime_error("the operation fails");
        return 0;
    };
    std::atomic<bool> left{false}, folded{false};
    CHECK_THROWS(tutti::threads::run(3, [&](auto& comm) { // the chain 2 -> 1 -> 0
        const numbers in(1, 1);
        numbers out(1);
        if (comm.rank() == 2) wait_for(left);
        tutti::bypass_reduce(comm, in, out, tutti::commutative(fails), 0, tutti::chain{});
        if (comm.rank() == 2) folded = true; // it ran rank 1's fold
        if (comm.rank() == 1) {
            left = true;
            wait_for(folded);
            try {
                tutti::finish_bypassed(comm);
            } catch (const std::runtime_error& e) {
                told = e.what();
                throw;
            }
        }
    }));
    CHECK(told == "the operation fails");
}

TEST_CASE("a bypass_reduce that tells what failed before is a call of all ranks all the same",
          "[execute][threads][bypass]") {
    const auto fails = [](std::int64_t, std::int64_t) -> std::int64_t {
        throw std::runtime_error("the operation fails");
    };
    std::atomic<bool> left{false}, folded{false};
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) { // the chain 2 -> 1 -> 0
        const numbers in(1, 1);
        numbers out(1);
        if (comm.rank() == 2) wait_for(left);
        const std::string first = support::error_of(
            [&] { tutti::bypass_reduce(comm, in, out, tutti::commutative(fails), 0, tutti::chain{}); });
        if (comm.rank() == 2) folded = true; // it ran rank 1's fold
        if (comm.rank() == 1) {
            left = true;
            wait_for(folded);
        }
        const std::string second =
            support::error_of([&] { tutti::bypass_reduce(comm, in, out, sum{}, 0, tutti::chain{}); });
        support::error_of([&] { tutti::finish_bypassed(comm); });
        if (comm.rank() == 1) heard.add(1, second == "the operation fails" ? "" : "told: " + second);
        if (comm.rank() == 0)
            heard.add(0, first.find("the operation fails") != std::string::npos
                                 && second.find("the operation fails") != std::string::npos
                             ? ""
                             : "told: " + first + "; " + second);
        numbers all(1, 1);
        tutti::allreduce(comm, all, sum{});
        heard.add(comm.rank(), all == numbers(1, 3) ? "" : "a wrong sum");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("finish_bypassed waits for the last reduction that was left, too", "[execute][mock][bypass]") {
    bool left = false, over = false;
    tutti::mock::run(3, {.log = false}, [&](auto& comm) { // the chain 2 -> 1 -> 0
        auto& wires = comm.transport();
        const numbers in(1, 1);
        numbers out(1);
        const tutti::channel_type ours = comm.next_channel();
        if (comm.rank() == 2) { // not before rank 1 has left
            auto word = wires.start_recv(1, ours, {});
            for (std::uint32_t turns = 0; !wires.test(word); ++turns) wires.idle(turns);
        }
        tutti::bypass_reduce(comm, in, out, sum{}, 0, tutti::chain{});
        if (comm.rank() == 1) {
            left = comm.bypassed().first() != nullptr;
            auto word = wires.start_send(2, ours, {});
            tutti::finish_bypassed(comm);
            over = comm.bypassed().first() == nullptr;
            for (std::uint32_t turns = 0; !wires.test(word); ++turns) wires.idle(turns);
        }
    });
    CHECK(left);
    CHECK(over);
}
