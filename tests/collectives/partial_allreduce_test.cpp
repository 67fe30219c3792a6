// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/partial_allreduce.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/late_ranks.hpp"
#include "support/outcomes.hpp"
#include "support/partial_rounds.hpp"

namespace {

using support::given;
using support::numbers;
using support::sum_of_contributors;
using support::wait_for;
using tutti::partial_allreduce;
using tutti::partial_kind;
using tutti::rank_type;
using tutti::sum;

/// Reads in place what it has overwritten.
struct reads_its_input {};
auto generate(tutti::collective_constant<tutti::collective::allreduce> what, reads_its_input,
              tutti::place at) {
    const auto plain = tutti::generate(what, tutti::recursive_doubling{}, at);
    tutti::capabilities claims = plain.claims();
    claims.reads_input = true;
    return tutti::claiming(plain, claims);
}

} // namespace

TEST_CASE("who comes alone gets its own vector, and the others learn that they are not in it",
          "[collectives][mock]") {
    for (const rank_type size : {1, 2, 3, 5, 8, 13})
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            INFO(size << " ranks, seed " << seed);
            support::complaints heard(size);
            tutti::mock::run(size, {.seed = seed}, [&](auto& comm) {
                const rank_type first = size / 2;
                partial_allreduce all(comm, 3, sum{}, 0);
                std::string wrong;
                for (int round = 1; round <= 3; ++round) {
                    if (comm.rank() == first && !all.contribute(std::vector<int>(3, round)))
                        wrong += "the first one is late; ";
                    while (!all.test()) {
                    }
                    if (comm.rank() != first && all.contribute(std::vector<int>(3, 100)))
                        wrong += "in time when all is over; ";
                    const auto result = all.wait();
                    if (std::vector<int>(result.begin(), result.end()) != std::vector<int>(3, round))
                        wrong += "another sum; ";
                    if (all.contributors() != 1 || !all.contributed(first)) wrong += "others are in it; ";
                }
                heard.add(comm.rank(), wrong);
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("every rank has the sum of those that it names, and all name the same", "[collectives][mock]") {
    const partial_kind kind = GENERATE(partial_kind::solo, partial_kind::majority);
    std::size_t some_in = 0, all_in = 0, alone = 0;
    for (const rank_type size : {1, 2, 3, 4, 7})
        for (const std::size_t count : {0U, 1U, 40U})
            for (std::uint32_t seed = 1; seed <= 12; ++seed) {
                INFO(size << " ranks, " << count << " elements, seed " << seed);
                support::complaints heard(size);
                std::vector<std::uint32_t> first; // what rank 0 saw
                tutti::mock::run(size, {.seed = seed}, [&](auto& comm) {
                    std::vector<std::uint32_t> who;
                    heard.add(comm.rank(), support::partial_rounds(comm, count, kind, seed, 6, who));
                    if (comm.rank() == 0) first = who;
                });
                CHECK(heard.all() == "");
                for (const std::uint32_t who : first)
                    ++(who == (1U << size) - 1 ? all_in : (who & (who - 1)) == 0 ? alone : some_in);
            }
    CHECK(some_in > 0); // all of it has happened
    CHECK(all_in > 0);
    CHECK(alone > 0);
}

TEST_CASE("a round that both of two ranks begin is right in every interleaving",
          "[collectives][mock][explore]") {
    // Ranks take turns where they wait, and both contribute before they do: both are in time. Others are late
    // at random above.
    const tutti::mock::exploration seen =
        tutti::mock::explore(2,
                             [](tutti::mock::transport& wires) {
                                 tutti::communicator<tutti::mock::transport> comm(wires);
                                 partial_allreduce all(comm, 1, sum{}, std::int64_t{0}, partial_kind::solo, 0,
                                                       tutti::recursive_doubling{});
                                 if (!all.contribute(numbers{given(comm.rank(), 0)}))
                                     throw tutti::error("late");
                                 if (all.wait().front() != given(0, 0) + given(1, 0))
                                     throw tutti::error("another sum");
                                 if (all.contributors() != 2) throw tutti::error("somebody is missing");
                             },
                             20000, {.rendezvous = false});
    CHECK(seen.complete);
    CHECK(seen.runs > 1);
}

TEST_CASE("a majority waits for the rank that is drawn, and all draw the same", "[collectives][mock]") {
    support::complaints heard(4);
    std::vector<int> drawn(4, 0);
    tutti::mock::run(4, {.seed = 5}, [&](auto& comm) {
        partial_allreduce all(comm, 1, sum{}, 0, partial_kind::majority, 77);
        std::string wrong;
        for (int round = 0; round < 40; ++round) {
            const rank_type last = all.awaited_rank();
            if (comm.rank() == 0) ++drawn[static_cast<std::size_t>(last)];
            if (comm.rank() != last && !all.contribute(std::vector<int>{1})) wrong += "begun too early; ";
            for (int looks = 0; looks < 5; ++looks)
                if (comm.rank() == last && all.test()) wrong += "begun without the drawn one; ";
            tutti::barrier(comm); // now all others have come
            if (comm.rank() == last && !all.contribute(std::vector<int>{1})) wrong += "begun by others; ";
            if (all.wait().front() != 4 || all.contributors() != 4) wrong += "somebody is missing; ";
        }
        heard.add(comm.rank(), wrong);
    });
    CHECK(heard.all() == "");
    for (const int times : drawn) CHECK(times > 0);
}

TEST_CASE("what came too late for one round goes into the next, and nothing is lost", "[collectives][mock]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        support::complaints heard(5);
        std::int64_t summed = 0, kept = 0;
        tutti::mock::run(5, {.seed = seed}, [&](auto& comm) {
            partial_allreduce all(comm, 1, sum{}, std::int64_t{0});
            std::int64_t open = 0, seen = 0;
            for (int round = 0; round < 8; ++round) {
                open += given(comm.rank(), round);
                if (all.contribute(numbers{open})) open = 0;
                seen += all.wait().front();
            }
            const std::int64_t left = tutti::allreduce(comm, open, sum{});
            if (comm.rank() == 0) {
                summed = seen;
                kept = left;
            }
        });
        std::int64_t all_given = 0;
        for (rank_type r = 0; r < 5; ++r)
            for (int round = 0; round < 8; ++round) all_given += given(r, round);
        CHECK(summed + kept == all_given);
    }
}

TEST_CASE("a rank that computes is passed by, and its part is done by whoever brings it",
          "[collectives][threads]") {
    for (const std::size_t count : {1U, 600U, 20000U})
        for (int turn = 0; turn < 5; ++turn) {
            INFO(count << " elements");
            std::atomic<int> over{0};
            support::complaints heard(5);
            tutti::threads::run(5, [&](auto& comm) {
                partial_allreduce all(comm, count, sum{}, std::int64_t{0});
                std::string wrong;
                const bool late = comm.rank() == 3;
                if (late) wait_for(over, 4); // without a call of tutti
                const bool in_time = all.contribute(numbers(count, given(comm.rank(), 0)));
                const auto result = all.wait();
                if (late && in_time) wrong += "in time after all others have ended; ";
                if (all.contributed(3) || all.contributed(comm.rank()) != in_time) wrong += "who is wrong; ";
                if (numbers(result.begin(), result.end()) != numbers(count, sum_of_contributors(all, 5, 0)))
                    wrong += "another sum; ";
                if (!late) ++over;
                heard.add(comm.rank(), wrong);
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("many rounds over threads, everybody late now and then", "[collectives][threads]") {
    const partial_kind kind = GENERATE(partial_kind::solo, partial_kind::majority);
    for (const rank_type size : {2, 5})
        for (const std::size_t count : {1U, 2000U}) {
            INFO(size << " ranks, " << count << " elements");
            support::complaints heard(size);
            tutti::threads::run(size, [&](auto& comm) {
                std::vector<std::uint32_t> who;
                heard.add(comm.rank(), support::partial_rounds(comm, count, kind, 9, 60, who));
            });
            CHECK(heard.all() == "");
        }
}

TEST_CASE("a partial_allreduce refuses what it cannot do", "[collectives][mock]") {
    tutti::mock::run(3, {.seed = 1}, [&](auto& comm) {
        partial_allreduce all(comm, 2, sum{}, 0);
        CHECK_THROWS_AS(all.contribute(std::vector<int>(3)), tutti::argument_error);
        all.contribute(std::vector<int>(2));
        CHECK_THROWS_AS(all.contribute(std::vector<int>(2)), tutti::argument_error);
        all.wait();
        try {
            partial_allreduce(comm, 2, sum{}, 0, partial_kind::solo, 0, reads_its_input{});
            FAIL("an algorithm that needs a copy of its input is taken");
        } catch (const tutti::argument_error& e) {
            CHECK(support::contains(e.what(), "copies its input"));
            CHECK(support::contains(e.what(), "reads_its_input"));
            CHECK(support::contains(e.what(), "an allreduce that works in place"));
        }
    });
}

TEST_CASE("an operation that fails ends the round everywhere", "[collectives][mock]") {
    struct failing {
        int operator()(int a, int b) const {
            if (a == 13 || b == 13) throw std::runtime_error("thirteen");
            return a + b;
        }
    };
    int failed = 0, again = 0;
    tutti::mock::run(4, {.seed = 3}, [&](auto& comm) {
        partial_allreduce all(comm, 1, tutti::commutative(failing{}), 0);
        if (comm.rank() == 2) all.contribute(std::vector<int>{13});
        for (int* const count : {&failed, &again}) try {
                all.wait();
            } catch (const std::runtime_error&) {
                ++*count;
            }
    });
    CHECK(failed == 4);
    CHECK(again == 4);
}

TEST_CASE("whichever round fails on one rank, all hear of it, and their next calls are right",
          "[collectives][mock][threads]") {
    struct fussy {
        int* folds_left;
        int operator()(int a, int b) const {
            if ((*folds_left)-- == 0) throw std::runtime_error("enough");
            return a + b;
        }
    };
    constexpr rank_type ranks = 5;
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 3000);
    const int folds = GENERATE(0, 1, 4, 9);
    support::complaints heard(ranks);
    const auto body = [&](auto& comm) {
        int left = comm.rank() == 2 ? folds * static_cast<int>(count) : -1;
        partial_allreduce all(comm, count, tutti::commutative(fussy{&left}), 0);
        std::string told;
        for (int round = 0; told.empty() && round < 30; ++round) try {
                all.contribute(std::vector<int>(count, 1));
                all.wait();
            } catch (const std::exception& e) {
                told = e.what();
            }
        heard.add(comm.rank(), support::contains(told, "enough") ? "" : "not told: " + told);
        try {
            int sum_of_ranks = comm.rank();
            tutti::allreduce(comm, std::span(&sum_of_ranks, 1), sum{});
            heard.add(comm.rank(), sum_of_ranks == 10 ? "" : "a wrong number");
            all.wait();
            heard.add(comm.rank(), "it goes on after a failure");
        } catch (const std::exception& e) {
            heard.add(comm.rank(), e.what() == told ? "" : std::string("later: ") + e.what());
        }
    };
    tutti::threads::run(ranks, body);
    for (std::uint32_t seed = 0; seed < 5; ++seed)
        tutti::mock::run(ranks, {.seed = seed, .rendezvous = seed % 2 == 0}, body);
    CHECK(heard.all() == "");
}

TEST_CASE("a rank that is lost in the midst of a round is named as one that the allreduce waits for",
          "[collectives][mock][fault]") {
    int in_allreduce = 0;
    for (std::int64_t step = 0; step < 10; ++step) {
        std::string wrong;
        const tutti::mock::options how{.seed = 1, .faults = {tutti::mock::fault::kill(1, step)}};
        CHECK_THROWS(tutti::mock::run(3, how, [&](auto& comm) {
            partial_allreduce all(comm, 1, sum{}, 0);
            all.contribute(std::vector<int>{1});
            try {
                all.wait();
            } catch (const tutti::collective_error& e) {
                ++in_allreduce;
                if (e.where().collective != "allreduce" || e.where().peer < 0) wrong += e.what();
            } catch (const tutti::transport_error& e) { // the round has not begun
                if (!support::contains(e.what(),
                                       "rank 1 takes no part in partial_allreduce: rank 1 was killed"))
                    wrong += e.what();
            }
        }));
        CAPTURE(step);
        CHECK(wrong == "");
    }
    CHECK(in_allreduce > 0);
}
