// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/mock.hpp>

#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tutti/transport/mock_explore.hpp>

#include "support/catch2.hpp"

namespace {

using tutti::argument_error;
using tutti::channel_type;
using tutti::rank_type;
using tutti::transport_error;
namespace detail = tutti::detail;
namespace mock = tutti::mock;
using mock::fault;
using mock::fault_kind;
using mock::freedom;
using mock::options;
using mock::transport;
using mock::world;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string text_of(const std::exception_ptr& e) { return e ? detail::text_of(e) : std::string{}; }

std::string error_of(auto&& f) {
    try {
        f();
    } catch (...) {
        return text_of(std::current_exception());
    }
    return "";
}

void wait(transport& t, transport::handle& h) {
    for (std::uint32_t turns = 0; !t.test(h); ++turns) t.idle(turns);
}

// Ends what is under way when its memory goes out of scope, as the engine does.
struct ending {
    transport& t;
    transport::handle& h;
    ~ending() { t.abandon(h); }
};

void send(transport& t, rank_type to, std::uint64_t value, channel_type channel = 0) {
    const std::span<const std::byte> piece = std::as_bytes(std::span(&value, 1));
    auto h = t.start_send(to, channel, {&piece, 1});
    const ending end{t, h};
    wait(t, h);
}

std::uint64_t recv(transport& t, rank_type from, channel_type channel = 0) {
    std::uint64_t value = 0;
    const std::span<std::byte> piece = std::as_writable_bytes(std::span(&value, 1));
    auto h = t.start_recv(from, channel, {&piece, 1});
    const ending end{t, h};
    wait(t, h);
    return value;
}

/// The same by asking again and again, while others may go on.
void ask_for(transport& t, rank_type from) {
    std::uint64_t value = 0;
    const std::span<std::byte> piece = std::as_writable_bytes(std::span(&value, 1));
    auto h = t.start_recv(from, 0, {&piece, 1});
    const ending end{t, h};
    while (!t.test(h)) t.yield();
}

// A sum along the chain 0, 1, ..., p-1 and its result back by the same way: every rank depends on all others.
void chain_sum(transport& t) {
    const rank_type last = t.size() - 1;
    std::uint64_t sum = static_cast<std::uint64_t>(t.rank()) + 1;
    if (t.rank() > 0) sum += recv(t, t.rank() - 1);
    if (t.rank() < last) {
        send(t, t.rank() + 1, sum);
        sum = recv(t, t.rank() + 1, 1);
    }
    if (t.rank() > 0) send(t, t.rank() - 1, sum, 1);
    t.close(0);
    t.close(1);
    const auto p = static_cast<std::uint64_t>(t.size());
    if (sum != p * (p + 1) / 2) throw std::logic_error("wrong sum");
}

// All ranks to rank 0, which notes the order in which it hears of them.
std::vector<rank_type> order_of_arrival(transport& t) {
    std::vector<rank_type> order;
    if (t.rank() != 0) {
        send(t, 0, 1);
        return order;
    }
    const auto p = static_cast<std::size_t>(t.size());
    std::vector<std::uint64_t> values(p);
    std::vector<std::span<std::byte>> places(p);
    std::vector<transport::handle> handles(p);
    for (std::size_t r = 1; r < p; ++r) {
        places[r] = std::as_writable_bytes(std::span(&values[r], 1));
        handles[r] = t.start_recv(static_cast<rank_type>(r), 0, {&places[r], 1});
    }
    std::vector<bool> seen(p);
    while (order.size() + 1 < p) {
        const std::size_t before = order.size();
        for (std::size_t r = 1; r < p; ++r)
            if (!seen[r] && t.test(handles[r])) {
                seen[r] = true;
                order.push_back(static_cast<rank_type>(r));
            }
        if (order.size() == before) t.idle(0);
    }
    return order;
}

} // namespace

TEST_CASE("the same seed gives the same run, another seed another", "[transport][mock]") {
    const auto run = [](std::uint64_t seed) {
        world group(4, {.seed = seed});
        mock::for_each_rank(group, [](transport& t) { order_of_arrival(t); });
        return group.log();
    };
    std::set<std::string> different;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string log = run(seed);
        CHECK(log == run(seed));
        different.insert(log);
    }
    CHECK(different.size() > 10);
}

TEST_CASE("a run can be recorded and seen again", "[transport][mock]") {
    std::vector<rank_type> first;
    const auto decisions = mock::run_transports(5, {.seed = 42}, [&](transport& t) {
        if (auto order = order_of_arrival(t); t.rank() == 0) first = order;
    });
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::vector<rank_type> again;
        const auto same = mock::run_transports(5, {.seed = seed, .replay = decisions}, [&](transport& t) {
            if (auto order = order_of_arrival(t); t.rank() == 0) again = order;
        });
        CHECK(again == first);
        CHECK(same == decisions);
    }
}

TEST_CASE("a decision is one of as many as there are, and says so if it is not", "[transport][mock]") {
    mock::decision_maker replayed({.replay = {2, 3, 1}});
    CHECK(replayed.choose(3) == 2);
    CHECK(replayed.choose(1) == 0); // no choice, so none is taken from the record
    CHECK(error_of([&] { replayed.choose(3); })
          == "tutti: replay[1] is 3; allowed: 0..2 at this point: the decisions are of another program");
    CHECK(replayed.choose(4) < 4); // goes on by itself
    CHECK(replayed.made().size() == 2);
    CHECK(replayed.counts() == std::vector<std::uint32_t>{3, 4});
    mock::decision_maker first({.first_choice = true});
    for (int i = 0; i < 10; ++i) CHECK(first.choose(5) == 0);
    std::set<std::size_t> chosen;
    mock::decision_maker any({.seed = 1});
    for (int i = 0; i < 100; ++i) chosen.insert(any.choose(3));
    CHECK(chosen == std::set<std::size_t>{0, 1, 2});
}

TEST_CASE("decisions of another program are refused and not a hang", "[transport][mock]") {
    for (const auto& replay :
         std::vector<std::vector<std::uint32_t>>{{0, 0, 77}, {77}}) { // or before any rank has begun
        const std::string what = error_of([&] { mock::run_transports(3, {.replay = replay}, chain_sum); });
        CHECK(contains(what, "replay[" + std::to_string(replay.size() - 1) + "] is 77"));
    }
}

TEST_CASE("exploring a small world sees every order of arrival exactly as often as it can happen",
          "[transport][mock][explore]") {
    std::set<std::vector<rank_type>> orders;
    const auto seen = mock::explore(4, [&](transport& t) {
        if (auto order = order_of_arrival(t); t.rank() == 0) orders.insert(order);
    });
    CHECK(seen.complete);
    CHECK(seen.runs > 6);
    CHECK(orders.size() == 6);
}

TEST_CASE("exploring stops at its limit and says so", "[transport][mock][explore]") {
    const auto seen = mock::explore(
        4, [](transport& t) { order_of_arrival(t); }, 5);
    CHECK(!seen.complete);
    CHECK(seen.runs == 5);
}

TEST_CASE("exploring without a choice takes one run", "[transport][mock][explore]") {
    const auto seen = mock::explore(1, [](transport&) {});
    CHECK(seen.complete);
    CHECK(seen.runs == 1);
}

TEST_CASE("exploring finds the one order in which a program fails, and the run can be seen again",
          "[transport][mock][explore]") {
    const auto body = [](transport& t) {
        if (order_of_arrival(t) == std::vector<rank_type>{3, 1, 2})
            throw std::logic_error("cannot take 3 1 2");
    };
    const auto explore = [&](int how) {
        if (how == 0) return mock::explore_all(4, body);
        return how == 1 ? mock::explore(4, body) : mock::explore_each_rank(4, body);
    };
    for (const int how : {0, 1, 2}) {
        options again;
        try {
            explore(how);
        } catch (const mock::exploration_error& e) {
            CHECK(contains(e.what(), "cannot take 3 1 2"));
            std::string decisions;
            for (const std::uint32_t one : e.how().replay)
                decisions += (decisions.empty() ? "" : ", ") + std::to_string(one);
            CHECK(contains(e.what(), ", .replay = {" + decisions + "}"));
            CHECK(contains(e.log(), "message 0 from rank 3 to rank 0 (channel 0) is delivered"));
            again = e.how();
        }
        REQUIRE(!again.replay.empty());
        CHECK(error_of([&] { mock::run_transports(4, again, body); }) == "cannot take 3 1 2");
    }
}

TEST_CASE("a rendezvous send waits for its receive, a buffered one does not", "[transport][mock]") {
    // Both send first: fine with buffers, a deadlock without.
    const auto body = [](transport& t) {
        send(t, 1 - t.rank(), 5);
        if (recv(t, 1 - t.rank()) != 5) throw std::logic_error("wrong");
    };
    CHECK(error_of([&] { mock::run_transports(2, {.rendezvous = false}, body); }) == "");
    const std::string what = error_of([&] { mock::run_transports(2, {.rendezvous = true}, body); });
    CHECK(what
          == "deadlock: rank 0 waits for rank 1 to receive its message on channel 0; "
             "rank 1 waits for rank 0 to receive its message on channel 0 (seed 1)");
}

TEST_CASE("endpoints can be driven by hand from one thread", "[transport][mock]") {
    world group(3, {.rendezvous = true});
    std::vector<transport> t{group.transport(0), group.transport(1), group.transport(2)};
    const std::uint64_t values[2] = {11, 22};
    std::uint64_t got[2] = {0, 0};
    const std::span<const std::byte> out[2] = {std::as_bytes(std::span(&values[0], 1)),
                                               std::as_bytes(std::span(&values[1], 1))};
    const std::span<std::byte> in[2] = {std::as_writable_bytes(std::span(&got[0], 1)),
                                        std::as_writable_bytes(std::span(&got[1], 1))};
    auto s0 = t[0].start_send(2, 0, {&out[0], 1});
    auto s1 = t[1].start_send(2, 0, {&out[1], 1});
    CHECK(group.deliverable() == 0);
    CHECK(!group.deliver_one());
    auto r0 = t[2].start_recv(0, 0, {&in[0], 1});
    auto r1 = t[2].start_recv(1, 0, {&in[1], 1});
    CHECK(group.deliverable() == 2);
    group.deliver(1); // from rank 1
    CHECK(got[0] == 0);
    CHECK(got[1] == 22);
    CHECK(t[1].test(s1));
    CHECK(t[2].test(r1));
    CHECK(!t[0].test(s0));
    CHECK(!t[2].test(r0));
    CHECK(group.advance() == 1);
    CHECK(t[0].test(s0));
    CHECK(t[2].test(r0));
    CHECK(got[0] == 11);
    auto s2 = t[0].start_send(2, 0, {&out[0], 1});
    auto r2 = t[2].start_recv(0, 0, {&in[0], 1});
    t[1].idle(0); // delivers what is others' affair
    CHECK(t[0].test(s2));
    CHECK(t[2].test(r2));
    t[2].idle(0); // something has come for it, so it may go on
    auto never = t[2].start_recv(0, 0, {&in[0], 1});
    CHECK(contains(error_of([&] { wait(t[2], never); }),
                   "rank 2 waits for a message from rank 0 on channel 0"));
}

TEST_CASE("late ranks move only when nothing else can", "[transport][mock]") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<rank_type> order;
        mock::run_transports(4, {.seed = seed, .late = {2}}, [&](transport& t) {
            if (auto o = order_of_arrival(t); t.rank() == 0) order = o;
        });
        CHECK(order.back() == 2);
    }
}

TEST_CASE("a killed rank is an error on every rank that depends on it, whenever it dies",
          "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    const rank_type victim = GENERATE(as<rank_type>{}, 0, 1, 3);
    const std::int64_t steps = victim == 0 || victim == 3 ? 2 : 4;
    for (std::int64_t step = 0; step < steps; ++step)
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            CAPTURE(rendezvous, victim, step, seed);
            world group(4, {.seed = seed, .rendezvous = rendezvous, .faults = {fault::kill(victim, step)}});
            CHECK_THROWS_AS(mock::for_each_rank(group, chain_sum), mock::killed);
            CHECK(group.faults_struck() == 1);
            const std::string cause =
                "rank " + std::to_string(victim) + " was killed at step " + std::to_string(step);
            CHECK(text_of(group.failure_of(victim))
                  == "tutti: " + cause + " (seed " + std::to_string(seed) + ")");
            int others = 0;
            for (rank_type r = 0; r < 4; ++r) {
                if (r == victim || !group.failure_of(r)) continue;
                ++others;
                CHECK(contains(text_of(group.failure_of(r)), cause));
                CHECK_THROWS_AS(std::rethrow_exception(group.failure_of(r)), transport_error);
            }
            // Up to its last but one step all wait for it; at the last, the ranks behind it may be through.
            if (step == 0) CHECK(others == 3);
        }
}

TEST_CASE("a rank alone can be killed, too", "[transport][mock][fault]") {
    world alone(1, {.faults = {fault::kill(0, 0)}});
    auto t = alone.transport(0);
    CHECK_THROWS_AS(t.start_send(0, 0, {}), mock::killed);
}

TEST_CASE("a dead rank stays dead", "[transport][mock][fault]") {
    world group(2, {.faults = {fault::kill(0, 0)}});
    auto t = group.transport(0);
    CHECK_THROWS_AS(t.start_recv(1, 0, {}), mock::killed);
    CHECK_THROWS_AS(t.start_send(1, 0, {}), mock::killed);
}

TEST_CASE("a dropped message is an error on all who wait for it", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(rendezvous, seed);
        world group(
            3,
            {.seed = seed, .rendezvous = rendezvous, .faults = {fault::message(fault_kind::drop, 1, 2, 0)}});
        const std::string what = error_of([&] { mock::for_each_rank(group, chain_sum); });
        CHECK(contains(what, "message 0 from rank 1 to rank 2 (channel 0) was dropped"));
        for (rank_type r = 0; r < 3; ++r) CHECK(contains(text_of(group.failure_of(r)), "was dropped"));
    }
}

TEST_CASE("a message behind a dropped one does not take its place", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::drop, 0, 1, 1)}});
    int good = 0;
    const std::string what = error_of([&] {
        mock::for_each_rank(group, [&](transport& t) {
            for (std::uint64_t i = 0; i < 4; ++i)
                if (t.rank() == 0)
                    send(t, 1, i);
                else if (recv(t, 0) == i)
                    ++good;
        });
    });
    CHECK(contains(what, "message 1 from rank 0 to rank 1 (channel 0) was dropped"));
    CHECK(good == 1);
}

TEST_CASE("a duplicated message is noticed by the next receive", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::duplicate, 0, 1, 1)}});
    int good = 0;
    const std::string what = error_of([&] {
        mock::for_each_rank(group, [&](transport& t) {
            for (std::uint64_t i = 0; i < 4; ++i)
                if (t.rank() == 0)
                    send(t, 1, i);
                else if (recv(t, 0) == i)
                    ++good;
        });
    });
    CHECK(contains(what, "message 1 from rank 0 to rank 1 (channel 0) arrived twice"));
    CHECK(good == 2);
}

TEST_CASE("a duplicate that comes last is noticed when the channel closes, or else at the end",
          "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    const bool closes = GENERATE(true, false);
    world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::duplicate, 0, 1, 0)}});
    const std::string what = error_of([&] {
        mock::for_each_rank(group, [&](transport& t) {
            if (t.rank() == 0)
                send(t, 1, 7);
            else if (recv(t, 0) == 7 && closes)
                t.close(0);
        });
    });
    CHECK(what
          == (closes ? "" : "tutti: ") // of a transport, or of the world
                 + std::string("message 0 from rank 0 to rank 1 (channel 0) arrived twice (seed 1)"));
    CHECK(static_cast<bool>(group.failure_of(1)) == closes);
}

TEST_CASE("a truncated message is an error that names both lengths", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::truncate, 0, 1, 0)}});
    CHECK(contains(error_of([&] { mock::for_each_rank(group, chain_sum); }),
                   "has 7 bytes, but its receive expects 8"));
    CHECK(group.failure_of(0));
    CHECK(group.failure_of(1));
}

TEST_CASE("a message of one byte can lose it, an empty one nothing", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    for (const std::size_t bytes : {0U, 1U}) {
        world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::truncate, 0, 1, 0)}});
        const std::string what = error_of([&] {
            mock::for_each_rank(group, [&](transport& t) {
                std::byte data[1]{};
                const std::span<std::byte> into(data, bytes);
                const std::span<const std::byte> from(into);
                auto open = t.rank() == 0 ? t.start_send(1, 0, {&from, 1}) : t.start_recv(0, 0, {&into, 1});
                for (std::uint32_t turns = 0; !t.test(open); ++turns) t.idle(turns);
            });
        });
        CHECK(
            contains(what, bytes == 0 ? "fault 0 never happened" : "has 0 bytes, but its receive expects 1"));
    }
}

TEST_CASE("a corrupted message is an error and not a wrong result", "[transport][mock][fault]") {
    const bool rendezvous = GENERATE(true, false);
    world group(2, {.rendezvous = rendezvous, .faults = {fault::message(fault_kind::corrupt, 1, 0, 0)}});
    CHECK(contains(error_of([&] { mock::for_each_rank(group, chain_sum); }),
                   "message 0 from rank 1 to rank 0 (channel 1) arrived damaged"));
}

TEST_CASE("faults can be placed by the step of a rank", "[transport][mock][fault]") {
    // Rank 1 of 3 receives, sends, receives, sends.
    for (std::int64_t step = 0; step < 5; ++step) {
        CAPTURE(step);
        world group(3, {.seed = 8, .faults = {fault::at_step(fault_kind::drop, 1, step)}});
        const std::string what = error_of([&] { mock::for_each_rank(group, chain_sum); });
        CHECK(contains(what, "was dropped") == (step == 1 || step == 3));
        if (step != 1 && step != 3)
            CHECK(what
                  == "tutti: fault 0 never happened: the message that rank 1 sends at its step "
                         + std::to_string(step) + " was to be dropped (seed 8)");
        CHECK(group.faults_struck() == (step == 1 || step == 3 ? 1U : 0U));
    }
}

TEST_CASE("in every interleaving a fault gives an error on every rank that needs the message",
          "[transport][mock][fault][explore]") {
    const fault_kind kind = GENERATE(fault_kind::drop, fault_kind::truncate, fault_kind::corrupt);
    const auto body = [](transport& t) {
        std::string what;
        try {
            chain_sum(t);
        } catch (const transport_error& e) {
            what = e.what();
        }
        if (what.empty()) throw std::logic_error("rank " + std::to_string(t.rank()) + " noticed nothing");
    };
    const auto seen = mock::explore(3, body, 100000, {.faults = {fault::message(kind, 0, 1, 0)}});
    CHECK(seen.complete);
    CHECK(seen.runs >= 1);
}

TEST_CASE("a rank that throws is an error on all who depend on it", "[transport][mock][fault]") {
    world group(3);
    const std::string what = error_of([&] {
        mock::for_each_rank(group, [](transport& t) {
            if (t.rank() == 2) throw std::runtime_error("no more paper");
            chain_sum(t);
        });
    });
    CHECK(what == "no more paper");
    for (rank_type r : {0, 1})
        CHECK(contains(text_of(group.failure_of(r)), "rank 2 left with an exception: no more paper"));
}

TEST_CASE("a failure that is passed on says its seed once", "[transport][mock][fault]") {
    world group(3, {.seed = 9});
    error_of([&] {
        mock::for_each_rank(group, [](transport& t) {
            if (t.rank() == 2) throw std::runtime_error("no more paper (seed 9)"); // as another mock has it
            chain_sum(t);
        });
    });
    for (rank_type r : {0, 1}) {
        const std::string text = text_of(group.failure_of(r));
        INFO(text);
        CHECK(contains(text, "rank 2 left with an exception: no more paper"));
        CHECK(text.find("(seed 9)") == text.rfind("(seed 9)"));
        CHECK(text.ends_with(" (seed 9)"));
    }
}

TEST_CASE("waiting for a rank that has returned is an error", "[transport][mock][fault]") {
    CHECK(contains(error_of([] {
                       mock::run_transports(2, {}, [](transport& t) {
                           if (t.rank() == 0) recv(t, 1);
                       });
                   }),
                   "rank 0 waits for a message from rank 1 on channel 0 in vain: rank 1 has returned"));
}

TEST_CASE("a message that nobody receives is an error at the end", "[transport][mock][fault]") {
    CHECK(contains(error_of([] {
                       mock::run_transports(2, {.rendezvous = false}, [](transport& t) {
                           if (t.rank() == 0) send(t, 1, 1);
                       });
                   }),
                   "message 0 from rank 0 to rank 1 (channel 0) was never received"));
}

TEST_CASE("returning with something under way is an error", "[transport][mock][fault]") {
    CHECK(error_of([] {
              mock::run_transports(2, {}, [](transport& t) {
                  if (t.rank() == 0) t.start_recv(1, 3, {});
              });
          })
          == "tutti: rank 0 returned while it still waited for a message from rank 1 on channel 3 (seed 1)");
}

TEST_CASE("testing for ever without idle() is an error and not a hang", "[transport][mock][fault]") {
    CHECK(contains(error_of([] {
                       mock::run_transports(2, {}, [](transport& t) {
                           if (t.rank() == 1) return send(t, 0, 1);
                           std::uint64_t value = 0;
                           const std::span<std::byte> piece = std::as_writable_bytes(std::span(&value, 1));
                           auto h = t.start_recv(1, 0, {&piece, 1});
                           const ending end{t, h};
                           while (!t.test(h)) {
                           }
                       });
                   }),
                   "without calling idle()"));
}

TEST_CASE("many ranks on few cores take their turns", "[transport][mock]") {
    for (const rank_type size : {8, 17})
        CHECK(error_of([&] { mock::run_transports(size, {.log = false}, chain_sum); }) == "");
}

TEST_CASE("a world runs several times", "[transport][mock]") {
    world group(3);
    for (int i = 0; i < 5; ++i) CHECK(error_of([&] { mock::for_each_rank(group, chain_sum); }) == "");
}

TEST_CASE("how a rank left a run is forgotten in the next one, unless it has died", "[transport][mock]") {
    world group(2);
    CHECK(error_of([&] {
              mock::for_each_rank(group, [](transport& t) {
                  if (t.rank() == 1) throw std::runtime_error("no more paper");
              });
          })
          == "no more paper");
    CHECK(error_of([&] {
              mock::for_each_rank(group, [](transport& t) {
                  if (t.rank() == 0) recv(t, 1);
              });
          })
          == "rank 0 waits for a message from rank 1 on channel 0 in vain: rank 1 has returned (seed 1)");

    world mortal(2, {.faults = {fault::kill(1, 0)}});
    for (int run = 0; run < 2; ++run) {
        CHECK_THROWS_AS(mock::for_each_rank(mortal, chain_sum), mock::killed);
        CHECK(text_of(mortal.failure_of(1)) == "tutti: rank 1 was killed at step 0 (seed 1)");
    }
}

TEST_CASE("ranks that wait in vain in one call are not told of different ones", "[transport][mock]") {
    const tutti::call_label bcast(tutti::collective::bcast, 8, 8, 0, 1),
        barrier(tutti::collective::barrier, 0, 1, 0, 1);
    const auto both_wait = [&](const tutti::call_label& of_one) {
        return error_of([&] {
            mock::run_transports(2, {}, [&](transport& t) {
                const tutti::call_label& mine = t.rank() == 1 ? of_one : bcast;
                t.begin_call(0, mine);
                std::uint64_t value = 0;
                const std::span<std::byte> piece = std::as_writable_bytes(std::span(&value, 1));
                auto h = t.start_recv(1 - t.rank(), 0, {&piece, 1}, mine);
                const ending end{t, h};
                for (std::uint32_t turns = 0; !t.test(h); ++turns) {
                    t.idle(turns);
                    t.check_call(0, mine, turns);
                }
            });
        });
    };
    CHECK(both_wait(bcast)
          == "deadlock: rank 0 waits for a message from rank 1 on channel 0; "
             "rank 1 waits for a message from rank 0 on channel 0 (seed 1)");
    CHECK(both_wait(barrier)
          == "rank 1 calls barrier, rank 0 bcast of 1 element of 8 bytes with root 0 (seed 1)");
}

TEST_CASE("threads of ranks serve one world after another", "[transport][mock]") {
    mock::rank_threads threads(3);
    for (int i = 0; i < 5; ++i) {
        world group(3, {.seed = static_cast<std::uint64_t>(i)});
        std::set<std::thread::id> seen; // a rank runs only while no other one does
        mock::for_each_rank(group, threads, [&](transport& t) {
            seen.insert(std::this_thread::get_id());
            chain_sum(t);
        });
        CHECK(seen.size() == 3);
        if (i == 2) { // a run that fails leaves them as they were
            world failing(3, {.faults = {fault::kill(1, 0)}});
            CHECK_THROWS_AS(mock::for_each_rank(failing, threads, chain_sum), mock::killed);
        }
    }
    world larger(4);
    CHECK(error_of([&] { mock::for_each_rank(larger, threads, chain_sum); })
          == "tutti: threads.size() is 3; allowed: as many ranks as the world's 4");
}

TEST_CASE("a fault that never happens is an error unless it is allowed", "[transport][mock][fault]") {
    const auto run = [](const options& how) {
        return error_of([&] { mock::run_transports(3, how, chain_sum); });
    };
    const fault third = fault::message(fault_kind::corrupt, 0, 1, 2), late = fault::kill(1, 99);
    CHECK(run({.seed = 5, .faults = {third}})
          == "tutti: fault 0 never happened: message 2 from rank 0 to rank 1 was to be corrupted (seed 5)");
    CHECK(run({.faults = {late}})
          == "tutti: fault 0 never happened: rank 1 was to be killed at step 99 (seed 1)");
    CHECK(run({.faults = {late, third}, .faults_may_miss = true}) == "");
    CHECK(contains(run({.faults = {fault::kill(1, 0), third}}), "was killed")); // which explains the other
}

TEST_CASE("the error of whom it met is the one that is told", "[transport][mock][fault]") {
    // All wait for all others in a ring; rank 2 misses a message, 3 and 0 and 1 what comes after it.
    const auto body = [](transport& t) {
        const rank_type next = (t.rank() + 1) % t.size(), before = (t.rank() + t.size() - 1) % t.size();
        if (t.rank() == 0) send(t, next, 1);
        const std::uint64_t token = recv(t, before);
        if (t.rank() != 0) send(t, next, token);
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string what = error_of([&] {
            mock::run_transports(
                4, {.seed = seed, .rendezvous = false, .faults = {fault::message(fault_kind::drop, 1, 2, 0)}},
                body);
        });
        CHECK(
            what
            == "rank 2 waits for a message from rank 1 on channel 0 in vain: message 0 from rank 1 to rank 2 "
               "(channel 0) was dropped (seed "
                   + std::to_string(seed) + ")");
    }
}

TEST_CASE("what a rank has heard of and gone on after is not why it fails later",
          "[transport][mock][fault]") {
    // Rank 0 gets a short message, goes on, and leaves for a reason of its own; 2 waits for it, and 1 for 2.
    const auto body = [](transport& t) {
        if (t.rank() == 1) send(t, 0, 1);
        if (t.rank() == 0) {
            if (!contains(error_of([&] { recv(t, 1); }), "has 7 bytes")) throw std::logic_error("not told");
            send(t, 2, 1, 1);
            throw std::runtime_error("out of paper");
        }
        if (t.rank() == 2) recv(t, 0, 1);
        recv(t, t.rank() == 2 ? 0 : 2, 2);
    };
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        world group(
            3,
            {.seed = seed, .rendezvous = false, .faults = {fault::message(fault_kind::truncate, 1, 0, 0)}});
        CHECK(error_of([&] { mock::for_each_rank(group, body); }) == "out of paper");
        CHECK(contains(text_of(group.failure_of(2)), "in vain: rank 0 left with an exception: out of paper"));
        CHECK(contains(text_of(group.failure_of(1)), "in vain: rank 2 left with an exception: "));
    }
}

TEST_CASE("the decisions of a run that fails are handed out, too", "[transport][mock]") {
    std::vector<std::uint32_t> decisions, again;
    const options how{.seed = 9, .faults = {fault::message(fault_kind::drop, 1, 2, 0)}, .record = &decisions};
    const std::string what = error_of([&] { mock::run_transports(3, how, chain_sum); });
    REQUIRE(!decisions.empty());
    const options replay{.seed = 9, .faults = how.faults, .replay = decisions, .record = &again};
    CHECK(error_of([&] { mock::run_transports(3, replay, chain_sum); }) == what);
    CHECK(again == decisions);
}

TEST_CASE("asking for ever for what will never come is an error and not a hang", "[transport][mock][fault]") {
    const freedom decides = GENERATE(freedom::all, freedom::distinct, freedom::one_rank);
    const options how{
        .rendezvous = false, .first_choice = true, .decides = decides, .watched = 0, .log = false};
    CHECK(contains(error_of([&] {
                       mock::run_transports(3, how, [](transport& t) {
                           ask_for(t, (t.rank() + 2) % 3); // each for the one before it
                       });
                   }),
                   "deadlock: "));
}

TEST_CASE("who asks again and again does not keep late ranks from moving", "[transport][mock]") {
    const auto body = [](transport& t) {
        if (t.rank() == 2) return send(t, 0, 1), send(t, 1, 1);
        ask_for(t, 2);
    };
    CHECK(error_of([&] { mock::run_transports(3, {.late = {2}, .log = false}, body); }) == "");
}

TEST_CASE("a watched rank for which something has come goes on before others that only ask again",
          "[transport][mock]") {
    const options how{.rendezvous = false, .first_choice = true, .decides = freedom::one_rank, .watched = 0};
    bool asked_again = false, before_it = true;
    mock::run_transports(3, how, [&](transport& t) {
        if (t.rank() == 0) {
            ask_for(t, 2);
            before_it = asked_again;
        } else if (t.rank() == 1) {
            t.yield();
            asked_again = true;
        } else {
            send(t, 0, 1);
        }
    });
    CHECK(asked_again);
    CHECK(!before_it);
}

TEST_CASE("where ranks take turns as they start things, any of them may begin; else it is the first",
          "[transport][mock]") {
    for (const bool switches : {true, false}) {
        std::set<std::vector<rank_type>> orders;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            std::vector<rank_type> order;
            mock::run_transports(3, {.seed = seed, .switch_at_start = switches},
                                 [&](transport& t) { order.push_back(t.rank()); });
            orders.insert(order);
        }
        CHECK(orders.size() == (switches ? 6 : 1));
        CHECK(orders.count({0, 1, 2}) == 1);
    }
}

TEST_CASE("mock worlds, ranks and faults that are none are refused", "[transport][mock]") {
    CHECK_THROWS_AS(world(0), argument_error);
    CHECK_THROWS_AS(world(2, {.faults = {fault::kill(2, 0)}}), argument_error);
    CHECK_THROWS_AS(world(2, {.faults = {fault::message(fault_kind::drop, 0, 5, 0)}}), argument_error);
    CHECK_THROWS_AS(world(2, {.late = {-1}}), argument_error);
    world group(2);
    CHECK_THROWS_AS(group.transport(2), argument_error);
}

TEST_CASE("of two ranks that something happened to, the first is told", "[transport][mock][fault]") {
    const std::vector<fault> faults{fault::message(fault_kind::drop, 0, 1, 0),
                                    fault::message(fault_kind::corrupt, 2, 3, 0)};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string what = error_of([&] {
            mock::run_transports(4, {.seed = seed, .rendezvous = false, .faults = faults}, [](transport& t) {
                if (t.rank() % 2 == 0)
                    send(t, t.rank() + 1, 1);
                else
                    recv(t, t.rank() - 1); // what was dropped is missed when nothing else can come
            });
        });
        CHECK(contains(what, "message 0 from rank 2 to rank 3 (channel 0) arrived damaged"));
    }
}
