// SPDX-License-Identifier: BSL-1.0
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <tutti/mock.hpp>
#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/late_ranks.hpp"
#include "support/outcomes.hpp"

// A slip on one rank is an error, and never a number: calls that are refused on some ranks, and ranks that
// make different calls at the same time.
namespace {

using support::contains;
using tutti::rank_type;
using numbers = std::vector<double>;

constexpr rank_type ranks = 4;

struct over_threads {
    template <class Body>
    void operator()(const Body& body) const {
        tutti::threads::run(ranks, body);
    }
};
struct over_mock {
    std::uint32_t seed;
    bool rendezvous;
    template <class Body>
    void operator()(const Body& body) const {
        tutti::mock::run(ranks, {.seed = seed, .rendezvous = rendezvous}, body);
    }
};

/// Runs test(run) over threads and over the mock, both ways to send and in some orders.
template <class Test>
void on_both(const Test& test) {
    test(over_threads{});
    for (std::uint32_t seed = 0; seed < (support::sanitized ? 2U : 6U); ++seed)
        test(over_mock{seed, seed % 2 == 0});
}

/// What f throws; "" if it returns. Anything but an argument_error of this rank or a collective_error that
/// says where is a complaint.
template <class F>
std::string slip_of(const F& f) {
    try {
        f();
        return "";
    } catch (const tutti::argument_error& e) {
        return std::string("refused: ") + e.what();
    } catch (const tutti::collective_error& e) {
        return e.where().rank >= 0 && e.where().round >= 0 ? e.what()
                                                           : "without a place: " + std::string(e.what());
    }
}

/// A right allreduce: "" if it gives the right number.
template <class Comm>
std::string right_call(Comm& comm, std::size_t count) {
    numbers in(count, comm.rank() + 1.0), out(count);
    tutti::allreduce(comm, in, out, tutti::sum{});
    return out == numbers(count, 10.0) ? "" : "a right call after a slip gives " + std::to_string(out.at(0));
}

} // namespace

TEST_CASE("a call that one rank refuses fails on all that wait for it, and the next ones are right",
          "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 20, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            for (const rank_type culprit : {2, 0, 3}) {
                numbers in(count, comm.rank()), out(count + (comm.rank() == culprit ? 1 : 0));
                const std::string slip = slip_of([&] { tutti::allreduce(comm, in, out, tutti::sum{}); });
                const std::string allowed = "allowed: " + std::to_string(count);
                if (comm.rank() == culprit)
                    heard.add(comm.rank(),
                              slip.starts_with("refused: ") && contains(slip, allowed) ? "" : slip);
                else
                    heard.add(comm.rank(),
                              contains(slip, " failed on rank ")
                                      && contains(slip, "rank " + std::to_string(culprit)
                                                            + " takes no part in allreduce: out is ")
                                      && contains(slip, allowed)
                                  ? ""
                                  : "not told: " + slip);
                heard.add(comm.rank(), right_call(comm, 1));
                heard.add(comm.rank(), right_call(comm, count));
            }
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("a call that all ranks refuse is no matter", "[collectives][slips]") {
    on_both([](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            for (int i = 0; i < 50; ++i) { // more than a mailbox holds
                numbers data(3);
                const std::string slip = slip_of([&] { tutti::bcast(comm, data, ranks); });
                heard.add(comm.rank(), contains(slip, "refused: tutti: bcast on rank "
                                                          + std::to_string(comm.rank()) + ": root is 4")
                                           ? ""
                                           : slip);
            }
            heard.add(comm.rank(), right_call(comm, 7));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("a rank that refuses many calls in a row finds its place again", "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            for (int i = 0; i < 40; ++i) {
                numbers data(count, 1.0);
                const rank_type root = comm.rank() == 1 ? -1 : 0;
                const std::string slip = slip_of([&] { tutti::reduce(comm, data, tutti::sum{}, root); });
                // Who waits for nobody may never hear.
                if (comm.rank() <= 1 && slip.empty()) heard.add(comm.rank(), "no error");
                if (!slip.empty() && !contains(slip, "root is -1")) heard.add(comm.rank(), slip);
            }
            heard.add(comm.rank(), right_call(comm, 1));
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("messages that found no room before their call was called off leave no trace",
          "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 5000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            const std::size_t many = 3 * tutti::threads::transport::eager_depth();
            const bool slips = comm.rank() == 0;
            std::vector<numbers> data(many, numbers(count, 1.0));
            std::vector<tutti::request> sent;
            for (numbers& one : data) {
                const std::string slip = slip_of([&] {
                    sent.push_back(tutti::ireduce(comm, one, tutti::sum{}, slips ? -1 : 0, tutti::serial{}));
                });
                if (slips != slip.starts_with("refused")) heard.add(comm.rank(), slip);
            }
            for (std::size_t i = 0; i < sent.size(); i += 2)
                static_cast<void>(slip_of([&] { sent[i].wait(); }));
            numbers between(count, comm.rank() + 1.0);
            tutti::request right = tutti::iallreduce(comm, between, tutti::sum{});
            for (std::size_t i = 1; i < sent.size(); i += 2)
                static_cast<void>(slip_of([&] { sent[i].wait(); }));
            right.wait();
            heard.add(comm.rank(), between == numbers(count, 10.0) ? "" : "a wrong number in between");
            for (std::size_t i = 0; i < many; ++i) heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("ranks that make different calls are told of both, and the next ones are right",
          "[collectives][slips]") {
    struct difference {
        std::string odd;   ///< what one rank calls
        std::string other; ///< what the others call
    };
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 20, 50000);
    const std::string usual = std::to_string(count) + " element" + (count > 1 ? "s" : "");
    const auto call = [&](auto& comm, int kind, numbers& data) {
        std::vector<float> halves(2 * count);
        numbers out(count), longer(count + 1);
        std::vector<char> blocks(8 * count * std::size_t{ranks});
        switch (kind) {
        case 0: return tutti::allreduce(comm, data, out, tutti::sum{}, tutti::recursive_doubling{});
        case 1: return tutti::barrier(comm);
        case 2: return tutti::allreduce(comm, longer, tutti::sum{}, tutti::recursive_doubling{});
        case 3: return tutti::allreduce(comm, halves, tutti::sum{}, tutti::recursive_doubling{});
        case 4: return tutti::allreduce(comm, data, tutti::sum{}, tutti::ring{});
        case 5: return tutti::reduce(comm, data, tutti::sum{}, 1);
        case 6: return tutti::alltoall(comm, blocks);
        default: return tutti::iexscan(comm, data, out, tutti::sum{}).wait();
        }
    };
    const std::string kinds[] = {
        "allreduce of " + usual + " of 8 bytes",
        "barrier",
        "allreduce of " + std::to_string(count + 1) + " elements of 8 bytes",
        "allreduce of " + std::to_string(2 * count) + " elements of 4 bytes",
        "by another algorithm",
        "reduce of " + usual + " of 8 bytes with root 1",
        "alltoall of " + std::to_string(32 * count) + " elements of 1 byte",
        "exscan of " + usual + " of 8 bytes",
    };
    for (int odd = 1; odd < 8; ++odd)
        for (const bool many : {false, true}) // one rank makes the odd call, or all but one
            on_both([&](const auto& run) {
                support::complaints heard(ranks);
                run([&](auto& comm) {
                    for (const rank_type culprit : {2, 0}) {
                        numbers data(count, 1.0);
                        const bool mine = (comm.rank() == culprit) != many;
                        const std::string slip = slip_of([&] { call(comm, mine ? odd : 0, data); });
                        const bool named =
                            contains(slip, kinds[odd]) && (odd == 4 || contains(slip, kinds[0]));
                        // Who waits for nobody may never hear: a leaf of a reduce, rank 0 of an exscan.
                        if (!named && !(slip.empty() && mine && (odd == 5 || odd == 7)))
                            heard.add(comm.rank(), "call " + std::to_string(odd) + ": " + slip);
                        heard.add(comm.rank(), right_call(comm, 1));
                        heard.add(comm.rank(), right_call(comm, count));
                    }
                });
                CHECK(heard.all() == "");
            });
}

TEST_CASE("a rank that runs a plan once too often is told, and the plan's next run is right",
          "[collectives][slips]") {
    // Runs differ in their channel only: on one that is the plan's, the others' next run would go on with the
    // messages of the one too many.
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            numbers in(count, 1.0), out(count);
            auto planned = tutti::plan_allreduce(comm, in, out, tutti::sum{}, tutti::recursive_doubling{});
            planned.run();
            in.assign(count, 100.0); // of the run too many
            const std::string slip = slip_of([&] {
                if (comm.rank() == 2)
                    planned.run();
                else
                    tutti::barrier(comm);
            });
            heard.add(comm.rank(),
                      contains(slip, "barrier") && contains(slip, "allreduce") ? "" : "not told: " + slip);
            in.assign(count, comm.rank() + 1.0);
            planned.run();
            heard.add(comm.rank(), out == numbers(count, 10.0) ? "" : "the next run is wrong");
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("ranks that wait for each other in different calls do not wait for ever", "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            numbers data(count, 1.0);
            const rank_type root = comm.rank() % 2;
            const std::string slip =
                slip_of([&] { tutti::reduce(comm, data, tutti::sum{}, root, tutti::serial{}); });
            const bool both = contains(slip, "with root 0") && contains(slip, "with root 1");
            heard.add(comm.rank(), both || (slip.empty() && comm.rank() > 1) ? "" : "not told: " + slip);
            heard.add(comm.rank(), right_call(comm, 1));
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("ranks that gather to different roots, or parts of different lengths, are told",
          "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    const bool by_root = GENERATE(false, true);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            // Who sends and waits for nobody may never hear.
            const bool odd = comm.rank() == 1;
            const rank_type root = by_root && odd ? 1 : 0;
            const std::size_t length = !by_root && odd ? count + 1 : count;
            const std::string told =
                by_root ? "with root 1" : std::to_string(ranks * (count + 1)) + " elements";
            const numbers mine(length, 1.0);
            numbers all(comm.rank() == root ? length * ranks : 0), part(length);
            const std::string to_root =
                slip_of([&] { tutti::gather(comm, mine, all, root, tutti::serial{}); });
            if (!contains(to_root, told) && (comm.rank() == 0 || !to_root.empty() || (by_root && odd)))
                heard.add(comm.rank(), "gather: " + to_root);
            heard.add(comm.rank(), right_call(comm, 1));
            const std::string from_root =
                slip_of([&] { tutti::scatter(comm, all, part, root, tutti::serial{}); });
            // Here roots are those that wait for nobody, and whom theirs serves has what it should.
            if (!contains(from_root, told) && ((odd && !by_root) || !from_root.empty()))
                heard.add(comm.rank(), "scatter: " + from_root);
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("requests in flight fail one by one", "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            const bool slips = comm.rank() == 2;
            numbers one(count, 1.0), other(count, 1.0), third(count, 1.0), fourth(count, 1.0), w(count + 1);
            std::vector<tutti::request> all;
            all.push_back(tutti::iallreduce(comm, one, tutti::sum{}));
            const std::string refused = slip_of([&] {
                all.push_back(slips ? tutti::iallreduce(comm, other, w, tutti::sum{})
                                    : tutti::iallreduce(comm, other, tutti::sum{}));
            });
            if (slips) all.emplace_back();
            all.push_back(tutti::iallreduce(comm, third, tutti::sum{}));
            all.push_back(slips ? tutti::ibarrier(comm) : tutti::iallreduce(comm, fourth, tutti::sum{}));
            all.push_back(tutti::ibarrier(comm));
            const std::string last = slip_of([&] { all[3].wait(); });
            heard.add(comm.rank(), contains(last, "rank 2 calls barrier") || contains(last, "rank 2 barrier")
                                       ? ""
                                       : "not told: " + last);
            heard.add(comm.rank(), slips == refused.starts_with("refused") ? "" : refused);
            std::string second;
            for (std::size_t left = all.size(); left > 2;) { // wait_any never gets stuck at the wrong one
                const std::string what =
                    slip_of([&] { left = tutti::wait_any(all) < all.size() ? left : 0; });
                second += what;
                left = left == 0 ? 0 : left;
                if (!what.empty()) continue;
            }
            heard.add(comm.rank(),
                      slips || contains(second, "rank 2 takes no part in allreduce") ? "" : second);
            heard.add(comm.rank(), one == numbers(count, 4.0) && third == one ? "" : "a wrong number");
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("a begun call that was called off is over though its rank only makes other calls",
          "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            numbers in(count, 1.0), out(count + (comm.rank() == 2 ? 1 : 0));
            tutti::request begun;
            const std::string refused =
                slip_of([&] { begun = tutti::iallreduce(comm, in, out, tutti::sum{}); });
            heard.add(comm.rank(), right_call(comm, 1)); // behind which rank 2 has refused
            for (int looks = 0; !begun.ready() && looks < 1000; ++looks) tutti::progress();
            heard.add(comm.rank(), begun.ready() ? "" : "it still waits");
            const std::string told = slip_of([&] { begun.wait(); });
            if (comm.rank() != 2)
                heard.add(comm.rank(), contains(told, "rank 2 takes no part in allreduce") ? "" : told);
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("what a called-off call has not sent yet keeps no later message waiting", "[collectives][slips]") {
    constexpr std::size_t count = 1000; // 8 KB: no message is copied
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        std::atomic<int> filled{0};
        run([&](auto& comm) {
            std::size_t many = 20, refused = 17;
            if constexpr (requires { comm.transport().depth(); }) {
                refused = comm.transport().depth() + 1; // finds no room
                many = refused + 3;
                while (comm.rank() == 1 && filled < ranks - 1) std::this_thread::yield();
            }
            std::vector<numbers> in(many, numbers(count, 1.0)), out(many, numbers(count));
            std::vector<tutti::request> begun(many);
            const bool slips = comm.rank() == 2;
            if (slips) out[refused].emplace_back();
            for (std::size_t k = 0; k < many; ++k) {
                const std::string slip = slip_of([&] {
                    begun[k] = tutti::iallreduce(comm, in[k], out[k], tutti::sum{}, tutti::pairwise_ring{});
                });
                heard.add(comm.rank(), (slips && k == refused) == !slip.empty() ? "" : slip);
            }
            for (int looks = 0; looks < 100; ++looks) tutti::progress();
            ++filled;
            // The one that has failed is waited for when all others are over.
            for (std::size_t k = 0; k < many; ++k) {
                if (k == refused) continue;
                heard.add(comm.rank(), slip_of([&] { begun[k].wait(); }));
                heard.add(comm.rank(), out[k] == numbers(count, 4.0) ? "" : "a wrong number");
            }
            heard.add(comm.rank(), right_call(comm, count));
            const std::string told = slip_of([&] { begun[refused].wait(); });
            if (!slips)
                heard.add(comm.rank(), contains(told, "rank 2 takes no part in allreduce") ? "" : told);
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("ranks may let go of calls that failed in any order", "[collectives][slips]") {
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 1000, 50000);
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            constexpr std::size_t many = 6;
            std::vector<numbers> in(many, numbers(count, 1.0)), out(many, numbers(count));
            if (comm.rank() == 2)
                for (numbers& one : out) one.emplace_back(); // refused
            for (int turn = 0; turn < 10; ++turn) {
                std::vector<tutti::request> begun(many);
                for (std::size_t k = 0; k < many; ++k)
                    static_cast<void>(slip_of([&] {
                        begun[k] =
                            tutti::iallreduce(comm, in[k], out[k], tutti::sum{}, tutti::pairwise_ring{});
                    }));
                for (std::size_t i = 0; i < many; ++i) {
                    if (comm.rank() == 2) continue;
                    const std::string told = slip_of(
                        [&] { begun[(5 * i + static_cast<std::size_t>(comm.rank())) % many].wait(); });
                    heard.add(comm.rank(), contains(told, "rank 2 takes no part in allreduce") ? "" : told);
                }
            }
            heard.add(comm.rank(), right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("what was called off in one run of a mock world is forgotten in the next",
          "[collectives][slips][mock]") {
    for (const bool rendezvous : {true, false}) {
        tutti::mock::world group(ranks, {.seed = 5, .rendezvous = rendezvous});
        for (int pass = 0; pass < 3; ++pass) {
            support::complaints heard(ranks);
            tutti::mock::run(group, [&](auto& comm) {
                if (pass == 1) heard.add(comm.rank(), right_call(comm, 20));
                numbers in(20, 1.0), out(comm.rank() == 1 ? 21 : 20);
                const std::string slip = slip_of([&] { tutti::allreduce(comm, in, out, tutti::sum{}); });
                heard.add(comm.rank(), slip.empty() ? "not told" : "");
                heard.add(comm.rank(), right_call(comm, 20));
            });
            CHECK(heard.all() == "");
        }
    }
}

TEST_CASE("what ranks may do differently is no slip", "[collectives][slips]") {
    // In place or not, planned, begun or called, by name or chosen, all counts equal or listed as such.
    on_both([](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            const auto way = static_cast<std::size_t>(comm.rank());
            for (const std::size_t count :
                 {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{9000}}) {
                const numbers mine(count, comm.rank() + 1.0);
                numbers out = mine;
                if (way == 0) tutti::allreduce(comm, out, tutti::sum{});
                if (way == 1) tutti::plan_allreduce(comm, mine, out, tutti::sum{}).run();
                if (way == 2) tutti::iallreduce(comm, out, tutti::sum{}).wait();
                if (way == 3) tutti::allreduce(comm, mine, out, tutti::sum{});
                heard.add(comm.rank(), out == numbers(count, 10.0) ? "" : "wrong allreduce");

                out = mine;
                numbers none;
                if (way == 0) tutti::reduce(comm, out, tutti::sum{}, 1, tutti::serial{});
                if (way == 1) tutti::reduce(comm, mine, out, tutti::sum{}, 1, tutti::serial{});
                if (way >= 2) tutti::reduce(comm, mine, none, tutti::sum{}, 1, tutti::serial{});
                heard.add(comm.rank(), way != 1 || out == numbers(count, 10.0) ? "" : "wrong reduce");

                out.assign(count * ranks, -1.0);
                std::copy(mine.begin(), mine.end(), out.begin() + static_cast<std::ptrdiff_t>(way * count));
                const std::vector<std::int64_t> counts(ranks, static_cast<std::int64_t>(count));
                if (way == 0) tutti::allgather(comm, out, tutti::circulant{});
                if (way == 1) tutti::allgather(comm, mine, out, tutti::circulant{});
                if (way == 2) tutti::allgatherv(comm, mine, counts, out, tutti::circulant{});
                if (way == 3) tutti::plan_allgatherv(comm, out, counts, tutti::circulant{}).run();
                heard.add(comm.rank(),
                          count == 0 || (out.front() == 1.0 && out.back() == 4.0) ? "" : "wrong allgather");
            }
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("lists of counts that differ are told", "[collectives][slips]") {
    on_both([](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            const std::vector<std::vector<std::int64_t>> others{{3, 2, 1, 2}, {3, 1, 1, 3}};
            for (const std::vector<std::int64_t>& other : others) { // from the second count on, or the third
                const std::vector<std::int64_t> counts =
                    comm.rank() == 3 ? other : std::vector<std::int64_t>{3, 1, 2, 2};
                numbers all(8, comm.rank());
                const std::string slip =
                    slip_of([&] { tutti::allgatherv(comm, all, counts, tutti::ring{}); });
                heard.add(comm.rank(), contains(slip, "with other counts") ? "" : "not told: " + slip);
                heard.add(comm.rank(), right_call(comm, 5));
            }
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("lists of counts that differ are told by gatherv and scatterv", "[collectives][slips]") {
    on_both([](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            std::vector<std::int64_t> counts{3, 1, 2, 2};
            if (comm.rank() == 3) counts = {3, 2, 1, 2};
            const numbers mine(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
            numbers all(8), part(mine);
            const std::string to_root =
                slip_of([&] { tutti::gatherv(comm, mine, counts, all, 0, tutti::serial{}); });
            if (comm.rank() == 0 && !contains(to_root, "with other counts"))
                heard.add(0, "not told: " + to_root);
            heard.add(comm.rank(), right_call(comm, 5));
            const std::string from_root =
                slip_of([&] { tutti::scatterv(comm, all, counts, part, 0, tutti::serial{}); });
            if (comm.rank() == 3 && !contains(from_root, "with other counts"))
                heard.add(3, "not told: " + from_root);
            heard.add(comm.rank(), right_call(comm, 5));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("an operation that throws fails its call on all ranks, and no other", "[collectives][slips]") {
    struct fussy {
        bool ends;
        double operator()(double a, double b) const {
            if (ends) throw std::runtime_error("no more");
            return a + b;
        }
    };
    const std::size_t count = GENERATE(as<std::size_t>{}, 1, 50000);
    const bool waits_late = GENERATE(false, true); // rank 1, for what it has begun
    on_both([&](const auto& run) {
        support::complaints heard(ranks);
        run([&](auto& comm) {
            numbers data(count, 1.0);
            std::string slip;
            std::string next;
            try {
                const auto op = tutti::commutative(fussy{comm.rank() == 1});
                if (waits_late) {
                    tutti::request call = tutti::iallreduce(comm, data, op, tutti::recursive_doubling{});
                    if (comm.rank() == 1) next = right_call(comm, count);
                    call.wait();
                } else {
                    tutti::allreduce(comm, data, op, tutti::recursive_doubling{});
                }
            } catch (const std::exception& e) {
                slip = e.what();
            }
            const bool told =
                slip == "no more" || contains(slip, "rank 1 takes no part in allreduce: no more");
            heard.add(comm.rank(), told || slip.empty() ? "" : slip);
            if (slip.empty() && data != numbers(count, 4.0)) heard.add(comm.rank(), "a wrong number");
            heard.add(comm.rank(), waits_late && comm.rank() == 1 ? next : right_call(comm, count));
        });
        CHECK(heard.all() == "");
    });
}

TEST_CASE("who goes on after another rank has returned hears of that in every call", "[collectives][slips]") {
    const rank_type size = GENERATE(as<rank_type>{}, 3, 5, 8);
    const std::size_t length = GENERATE(as<std::size_t>{}, 1, 5000);
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        heard.add(comm.rank(), "");
        if (comm.rank() == size - 1) return;
        numbers x(length, 1), y(length);
        for (int k = 0; k < 3; ++k) {
            // Some do not wait for that rank themselves, but for those that do.
            const std::string sums = slip_of([&] { tutti::allreduce(comm, x, y, tutti::sum{}); });
            if (!contains(sums, "has returned")) heard.add(comm.rank(), "allreduce: " + sums);
            const std::string all = slip_of([&] { tutti::barrier(comm); });
            if (!contains(all, "has returned")) heard.add(comm.rank(), "barrier: " + all);
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a rank that comes late, but before the deadline, is waited for", "[collectives][slips]") {
    const std::size_t length = GENERATE(as<std::size_t>{}, 1, 5000);
    support::complaints heard(ranks);
    tutti::threads::run(ranks, [&](auto& comm) {
        comm.set_deadline(20);
        numbers x(length, 1), y(length);
        if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::string why = slip_of([&] { tutti::allreduce(comm, x, y, tutti::sum{}); });
        heard.add(comm.rank(), why + (y == numbers(length, ranks) ? "" : " a wrong sum"));
    });
    CHECK(heard.all() == "");
}

TEST_CASE("with a deadline, a rank that hangs is an error on all that wait, and then on it",
          "[collectives][slips]") {
    const std::size_t length = GENERATE(as<std::size_t>{}, 1, 5000);
    support::complaints heard(ranks);
    std::atomic<int> given_up{0};
    tutti::threads::run(ranks, [&](auto& comm) {
        heard.add(comm.rank(), "");
        comm.set_deadline(0.02);
        numbers x(length, 1), y(length);
        if (comm.rank() == 1) support::wait_for(given_up, ranks - 1);
        const std::string why = slip_of([&] { tutti::allreduce(comm, x, y, tutti::sum{}); });
        ++given_up;
        if (!contains(why, "nothing has come for 0.02")) heard.add(comm.rank(), why);
        comm.set_deadline(0);
        tutti::allreduce(comm, x, y, tutti::sum{});
        if (y != numbers(length, ranks)) heard.add(comm.rank(), "a wrong sum afterwards");
    });
    CHECK(heard.all() == "");
    tutti::threads::run(1,
                        [&](auto& comm) { CHECK_THROWS_AS(comm.set_deadline(-1), tutti::argument_error); });
}

TEST_CASE("whatever one rank gets wrong, no rank returns a wrong number, and none hangs",
          "[collectives][slips]") {
    // Every rank draws the same calls; the one that slips makes another one now and then. What returns is
    // right; after every round all make a right call.
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        support::complaints heard(ranks);
        const auto body = [&](auto& comm) {
            std::mt19937 random(seed);
            const auto draw = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
            std::string trouble;
            const auto one = [&](std::size_t kind, std::size_t count, rank_type root, bool odd) {
                numbers data(count, comm.rank() + 1.0), out(count, -1.0),
                    all(count * ranks, comm.rank() + 1.0);
                const auto check = [&](bool right) {
                    // What an odd call returns is its own affair.
                    if (!right && !odd) trouble += "wrong result of " + std::to_string(kind) + "; ";
                };
                switch (kind) {
                case 0: tutti::barrier(comm); break;
                case 1:
                    tutti::allreduce(comm, data, out, tutti::sum{});
                    check(out == numbers(count, 10.0));
                    break;
                case 2:
                    tutti::reduce(comm, data, out, tutti::sum{}, root);
                    check(comm.rank() != root || out == numbers(count, 10.0));
                    break;
                case 3:
                    tutti::bcast(comm, data, root);
                    check(data == numbers(count, root + 1.0));
                    break;
                case 4:
                    tutti::allgather(comm, all);
                    check(count == 0 || (all.front() == 1.0 && all.back() == 4.0));
                    break;
                case 5: tutti::reduce_scatter(comm, all, tutti::sum{}); break;
                case 6:
                    tutti::alltoall(comm, all);
                    check(count == 0 || (all.front() == 1.0 && all.back() == 4.0));
                    break;
                case 7:
                    tutti::exscan(comm, data, tutti::sum{});
                    check(comm.rank() == 0 || data == numbers(count, comm.rank() * (comm.rank() + 1) / 2.0));
                    break;
                case 8:
                    tutti::gather(comm, data, all, root);
                    check(comm.rank() != root || count == 0 || (all.front() == 1.0 && all.back() == 4.0));
                    break;
                case 9:
                    tutti::scatter(comm, all, out, root);
                    check(out == numbers(count, root + 1.0));
                    break;
                case 10: // refused where it is wrong
                    out.resize(odd ? count + 1 : count);
                    tutti::allreduce(comm, data, out, tutti::sum{});
                    check(out == numbers(count, 10.0));
                    break;
                default:
                    tutti::allreduce(comm, data, tutti::sum{}, tutti::ring{});
                    check(data == numbers(count, 10.0));
                    break;
                }
            };
            const std::size_t lengths[] = {0, 1, 5, 40, 3000};
            for (int i = 0; i < 12; ++i) {
                const std::size_t kind = draw(12), wrong = draw(12);
                const std::size_t count = lengths[draw(5)], other = lengths[draw(5)];
                const auto root = static_cast<rank_type>(draw(ranks)),
                           elsewhere = static_cast<rank_type>(draw(ranks));
                const auto culprit = static_cast<rank_type>(draw(ranks));
                const bool odd = comm.rank() == culprit && draw(3) > 0;
                if (comm.rank() != culprit) static_cast<void>(draw(3));
                static_cast<void>(slip_of([&] {
                    if (odd)
                        one(wrong, other, elsewhere, true);
                    else
                        one(kind, count, root, false);
                }));
                trouble += right_call(comm, 3);
            }
            heard.add(comm.rank(), trouble);
        };
        INFO("seed " << seed);
        tutti::mock::world group(ranks, {.seed = seed, .rendezvous = seed % 2 == 0});
        const std::string end = support::error_of([&] { tutti::mock::run(group, body); });
        CHECK(heard.all() == "");
        // A message that nobody ever asked for is found in the end.
        CHECK((end.empty() || contains(end, "was never received")));
    }
}

TEST_CASE("a call that was called off is not what a rank waits for in the next", "[collectives][slips]") {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        support::complaints heard(3);
        const std::string thrown = support::error_of([&] {
            tutti::mock::run(3, {.seed = seed, .rendezvous = seed % 2 == 0}, [&](auto& comm) {
                numbers in(5000, 1.0), out(comm.rank() == 1 ? 4 : 5000), data(5000);
                tutti::request left;
                const std::string slip =
                    slip_of([&] { left = tutti::iallreduce(comm, in, out, tutti::sum{}); });
                heard.add(comm.rank(), (comm.rank() == 1) == slip.empty() ? slip : "");
                if (comm.rank() == 2) { // and returns
                    slip_of([&] { left.wait(); });
                    return;
                }
                try {
                    tutti::bcast(comm, data, 2);
                    heard.add(comm.rank(), "nobody sent that");
                } catch (const tutti::collective_error& e) {
                    heard.add(
                        comm.rank(),
                        e.where().peer == 2
                                && contains(e.what(), "from rank 2 on channel 1 in vain: rank 2 has returned")
                            ? ""
                            : e.what());
                }
                slip_of([&] { left.wait(); });
            });
        });
        CHECK(heard.all() == "");
        CHECK(thrown == "");
    }
}
