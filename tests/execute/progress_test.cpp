// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/late_ranks.hpp"
#include "support/outcomes.hpp"

/// What a rank has begun goes on while it is elsewhere.
namespace {

using support::numbers;
using support::wait_for;
using tutti::progress_mode;
using tutti::rank_type;
using tutti::request;

constexpr progress_mode by_others[] = {progress_mode::on_arrival, progress_mode::by_thread};

} // namespace

TEST_CASE("a rank in the middle of a chain that never calls tutti again holds nobody up",
          "[execute][threads][progress]") {
    for (const progress_mode mode : by_others)
        for (const std::size_t count : {1U, 30U, 700U, 5000U}) {
            INFO("mode " << static_cast<int>(mode) << ", " << count << " elements");
            std::atomic<bool> begun{false}, over{false};
            numbers result;
            tutti::threads::run(3, [&](auto& comm) {
                comm.set_progress(mode);
                const numbers in(count, comm.rank() + 1);
                numbers out(count);
                if (comm.rank() == 1) {
                    request r = tutti::ireduce(comm, in, out, tutti::sum{}, 0, tutti::chain{});
                    begun = true;
                    wait_for(over); // of rank 0, which needs what rank 1 folds
                    r.wait();
                } else {
                    wait_for(begun);
                    tutti::reduce(comm, in, out, tutti::sum{}, 0, tutti::chain{});
                    if (comm.rank() == 0) {
                        result = out;
                        over = true;
                    }
                }
            });
            CHECK(result == numbers(count, 6));
        }
}

TEST_CASE("ranks that have begun a bcast and are away hold none of those below them up",
          "[execute][threads][progress]") {
    // Binomial tree of 8 ranks: 1, 3, 5 and 7 are leaves; 4 sends to 6, which sends to 7.
    constexpr rank_type p = 8;
    for (const progress_mode mode : by_others)
        for (const std::size_t count : {1U, 30U, 700U, 5000U}) {
            INFO("mode " << static_cast<int>(mode) << ", " << count << " elements");
            std::atomic<int> away{0}, leaves{0};
            support::complaints all(p);
            tutti::threads::run(p, [&](auto& comm) {
                comm.set_progress(mode);
                const rank_type me = comm.rank();
                numbers data(count, me == 0 ? 7 : -1);
                if (me == 0) wait_for(away, 3);
                request r = tutti::ibcast(comm, data, 0, tutti::fnomial{});
                if (me != 0 && me % 2 == 0) {
                    away.fetch_add(1);
                    wait_for(leaves, 4);
                }
                r.wait();
                if (me % 2 == 1) leaves.fetch_add(1);
                all.add(me, data == numbers(count, 7) ? "" : "wrong data");
            });
            CHECK(all.all() == "");
        }
}

TEST_CASE("ranks that have begun a barrier or an allreduce and are away do not hold up the last one to come",
          "[execute][threads][progress]") {
    const bool folds = GENERATE(false, true);
    const bool upwards = GENERATE(false, true);
    for (const progress_mode mode : by_others)
        for (const rank_type p : {3, 4, 7, 8}) {
            INFO("mode " << static_cast<int>(mode) << ", " << p << " ranks, folds " << folds << ", upwards "
                         << upwards);
            std::atomic<int> away{0};
            std::atomic<bool> over{false};
            support::complaints all(p);
            tutti::threads::run(p, [&](auto& comm) {
                comm.set_progress(mode);
                const numbers in(3, comm.rank());
                numbers out(3, folds ? -1 : p * (p - 1) / 2);
                // One after the other: what is brought in the very moment in which a rank leaves may lie
                // until more is brought. Upwards what rank 0 waits for in an allreduce is sent by ranks that
                // are away by then, downwards what it waits for in a barrier.
                wait_for(away, upwards ? (comm.rank() + p - 1) % p : p - 1 - comm.rank());
                request r = folds
                                ? tutti::iallreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{})
                                : tutti::ibarrier(comm);
                away.fetch_add(1);
                if (comm.rank() > 0) wait_for(over);
                r.wait();
                over = true;
                all.add(comm.rank(), out == numbers(3, p * (p - 1) / 2) ? "" : "a sum is wrong");
            });
            CHECK(all.all() == "");
        }
}

TEST_CASE("several collectives of a rank that is away go on, whoever brings their messages",
          "[execute][threads][progress]") {
    for (const progress_mode mode : by_others) {
        constexpr rank_type p = 4;
        std::atomic<int> begun{0};
        std::atomic<bool> over{false};
        support::complaints all(p);
        tutti::threads::run(p, [&](auto& comm) {
            comm.set_progress(mode);
            const rank_type me = comm.rank();
            const numbers in(40, me + 1);
            std::vector<numbers> out(5, numbers(40));
            std::vector<request> some;
            for (numbers& one : out)
                some.push_back(tutti::iallreduce(comm, in, one, tutti::sum{}, tutti::recursive_doubling{}));
            begun.fetch_add(1);
            if (me == 0) {
                wait_for(begun, p);
                tutti::wait_all(some); // both rounds of the others move without them
                over = true;
            } else {
                wait_for(over);
                tutti::wait_all(some);
            }
            for (const numbers& one : out) all.add(me, one == numbers(40, 10) ? "" : "a sum is wrong");
        });
        CHECK(all.all() == "");
    }
}

TEST_CASE("what fails while a rank is away is told when it asks", "[execute][threads][progress]") {
    for (const progress_mode mode : by_others) {
        std::atomic<bool> begun{false}, over{false};
        std::string told;
        CHECK_THROWS(tutti::threads::run(2, [&](auto& comm) {
            comm.set_progress(mode);
            const numbers in(comm.rank() == 0 ? 1 : 2, 1);
            numbers out(in.size());
            if (comm.rank() == 1) {
                request r = tutti::iallreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{});
                begun = true;
                wait_for(over);
                try {
                    r.wait();
                } catch (const tutti::collective_error& e) {
                    told = e.what();
                    throw;
                }
            } else {
                wait_for(begun);
                request r = tutti::iallreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{});
                over = true;
                r.wait();
            }
        }));
        CHECK(told.find("allreduce") != std::string::npos);
    }
}

TEST_CASE("ranks that come and go: random collectives in flight, each with its own kind of progress",
          "[execute][threads][progress]") {
    const std::uint32_t seed = GENERATE(1U, 2U, 3U);
    INFO("seed " << seed);
    constexpr rank_type p = 5;
    support::complaints all(p);
    tutti::threads::run(p, [&](auto& comm) {
        std::mt19937 same(seed), own(seed * 100 + static_cast<std::uint32_t>(comm.rank()));
        const rank_type me = comm.rank();
        struct call {
            numbers in, out, expected;
            request under_way;
        };
        for (int turn = 0; turn < 40; ++turn) {
            comm.set_progress(static_cast<progress_mode>(own() % 3));
            std::vector<call> calls(1 + same() % 6);
            for (call& c : calls) {
                const std::size_t count = std::size_t{1} << (same() % 13);
                const auto root = static_cast<rank_type>(same() % p);
                const auto salt = static_cast<std::int64_t>(same() % 1000);
                c.in.assign(count, salt + me);
                c.out.assign(count, -1);
                c.expected.assign(count, p * salt + p * (p - 1) / 2);
                switch (same() % 4) {
                case 0: c.under_way = tutti::iallreduce(comm, c.in, c.out, tutti::sum{}); break;
                case 1:
                    c.under_way = tutti::ireduce(comm, c.in, c.out, tutti::sum{}, root);
                    if (me != root) c.expected = c.out;
                    break;
                case 2:
                    c.out.assign(count, me == root ? salt : -1);
                    c.expected.assign(count, salt);
                    c.under_way = tutti::ibcast(comm, c.out, root);
                    break;
                default:
                    c.out.assign(p * count, -1);
                    c.expected.clear();
                    for (rank_type r = 0; r < p; ++r) c.expected.insert(c.expected.end(), count, salt + r);
                    c.under_way = tutti::iallgather(comm, c.in, c.out);
                }
                for (auto i = own() % 3; i > 0; --i) std::this_thread::yield();
                if (own() % 4 == 0) tutti::progress();
            }
            std::shuffle(calls.begin(), calls.end(), own);
            for (call& c : calls) {
                if (own() % 2 == 0) std::this_thread::yield();
                c.under_way.wait();
                all.add(me, c.out == c.expected ? "" : "wrong in turn " + std::to_string(turn));
            }
            if (same() % 4 == 0) tutti::barrier(comm);
        }
    });
    CHECK(all.all() == "");
}
