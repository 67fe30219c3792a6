// SPDX-License-Identifier: BSL-1.0
// labels: sequential
#include <tutti/transport/mock_explore.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"

// What was reduced is held against what was not: both have to show every rank the same.

namespace {

using tutti::rank_type;
namespace mock = tutti::mock;
using mock::exploration;
using mock::options;
using mock::transport;

/// Sends to some ranks, receives from some, and tells what it saw after each wait: "s1 r2 | r1 | ".
class talk {
public:
    explicit talk(transport& wires) : wires_(wires) {}
    ~talk() {
        for (one& o : open_) wires_.abandon(o.handle);
    }

    void send(rank_type to) {
        out_ = {piece_of(value_)};
        open_.push_back({"s" + std::to_string(to), wires_.start_send(to, 0, out_)});
    }
    void receive(rank_type from) {
        in_ = {std::as_writable_bytes(std::span(&value_, 1))};
        open_.push_back({"r" + std::to_string(from), wires_.start_recv(from, 0, in_)});
    }
    /// Until no more than so many are left.
    void wait(std::size_t left = 0) {
        for (;;) {
            for (std::size_t i = 0; i < open_.size();)
                if (wires_.test(open_[i].handle)) {
                    seen_ += open_[i].name + " ";
                    done_.push_back(open_[i].name);
                    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
                } else {
                    ++i;
                }
            seen_ += "| ";
            if (open_.size() <= left) return;
            wires_.idle(0);
        }
    }
    /// Until so many have been seen whose names begin so.
    void wait_for(const std::string& kind, std::ptrdiff_t many) {
        while (std::ranges::count_if(done_, [&](const std::string& n) { return n.starts_with(kind); }) < many)
            wait(open_.size() - 1);
    }
    const std::string& seen() const { return seen_; }

private:
    struct one {
        std::string name;
        transport::handle handle;
    };
    static std::span<const std::byte> piece_of(const std::uint64_t& value) {
        return std::as_bytes(std::span(&value, 1));
    }

    transport& wires_;
    std::uint64_t value_ = 7;
    std::vector<std::span<const std::byte>> out_;
    std::vector<std::span<std::byte>> in_;
    std::vector<one> open_;
    std::vector<std::string> done_;
    std::string seen_;
};

// Everybody with everybody.
void exchange(talk& t, rank_type me, rank_type size) {
    for (rank_type r = 0; r < size; ++r)
        if (r != me) t.receive(r), t.send(r);
    t.wait();
}
// The second message leaves when any of three operations has been seen completed.
void in_two_rounds(talk& t, rank_type me, rank_type size) {
    const rank_type next = (me + 1) % size, before = (me + size - 1) % size;
    t.receive(before), t.send(next), t.receive(before);
    t.wait(2);
    t.send(next);
    t.wait();
}
// Rank 0 hears all, and answers in the end.
void gather(talk& t, rank_type me, rank_type size) {
    if (me == 0) {
        for (rank_type r = 1; r < size; ++r) t.receive(r);
        t.wait();
        for (rank_type r = 1; r < size; ++r) t.send(r);
    } else {
        t.receive(0), t.send(0);
    }
    t.wait();
}

// The n-th message goes on when the n-th has come: by each rank, to the next.
void ring(talk& t, rank_type me, rank_type size, int rounds) {
    const rank_type next = (me + 1) % size, before = (me + size - 1) % size;
    for (int i = 0; i < rounds; ++i) t.receive(before);
    t.send(next);
    for (int sent = 1; sent < rounds; ++sent) {
        t.wait_for("r", sent);
        t.send(next);
    }
    t.wait();
}

using program = void (*)(talk&, rank_type, rank_type);

using names = std::multiset<std::string>;
using step = std::pair<names, std::string>;

// "s1 r2 | r1 | " is {}: "s1 r2 ", then {r2, s1}: "r1 "
void add_steps(std::set<step>& to, const std::string& seen) {
    names before, now;
    std::istringstream words(seen);
    std::string word, said;
    while (words >> word) {
        if (word != "|") {
            now.insert(word);
            said += word + " ";
            continue;
        }
        to.insert({before, said});
        before.merge(now);
        said.clear();
    }
}

struct observed {
    std::set<std::vector<std::string>> together; // what all ranks saw in one run
    std::vector<std::set<std::string>> apart;    // what each rank saw in any
    std::vector<std::set<step>> steps;           // what each saw next, in any, when it had seen what
    exploration seen;
};

template <class Explore>
observed observe(rank_type size, program what, const Explore& explore) {
    observed all;
    all.apart.resize(static_cast<std::size_t>(size));
    all.steps.resize(static_cast<std::size_t>(size));
    std::vector<std::string> now(static_cast<std::size_t>(size));
    rank_type left = 0;
    all.seen = explore([&](transport& wires) { // ranks of the mock run one at a time
        talk t(wires);
        what(t, wires.rank(), size);
        const auto me = static_cast<std::size_t>(wires.rank());
        now[me] = t.seen();
        all.apart[me].insert(t.seen());
        add_steps(all.steps[me], t.seen());
        if (++left < size) return;
        all.together.insert(now);
        left = 0;
    });
    return all;
}

} // namespace

TEST_CASE("what is reduced shows all ranks together what all interleavings show them",
          "[transport][mock][explore]") {
    const bool rendezvous = GENERATE(true, false);
    const program what = GENERATE(as<program>{}, exchange, in_two_rounds, gather);
    const rank_type size = what == gather ? 3 : rendezvous && what == in_two_rounds ? 2 : 2 + !rendezvous;
    const options how{.rendezvous = rendezvous};
    const observed full =
        observe(size, what, [&](auto body) { return mock::explore_all(size, body, 100000, how); });
    const observed reduced =
        observe(size, what, [&](auto body) { return mock::explore(size, body, 100000, how); });
    REQUIRE(full.seen.complete);
    REQUIRE(reduced.seen.complete);
    CHECK(reduced.seen.runs <= full.seen.runs);
    CHECK(reduced.seen.runs - reduced.seen.repeats == reduced.together.size());
    CHECK(reduced.together == full.together);
}

TEST_CASE("watching one rank after the other shows each what all interleavings show it",
          "[transport][mock][explore]") {
    const bool rendezvous = GENERATE(true, false);
    const auto [what, size] = GENERATE(table<program, rank_type>(
        {{exchange, 2}, {exchange, 3}, {in_two_rounds, 2}, {in_two_rounds, 3}, {gather, 3}, {gather, 4}}));
    if (rendezvous && what == exchange && size == 3) return; // millions, even reduced
    const options how{.rendezvous = rendezvous};
    const observed all =
        observe(size, what, [&](auto body) { return mock::explore(size, body, 100000, how); });
    const observed each =
        observe(size, what, [&](auto body) { return mock::explore_each_rank(size, body, 100000, how); });
    REQUIRE(all.seen.complete);
    REQUIRE(each.seen.complete);
    for (std::size_t r = 0; r < each.apart.size(); ++r)
        CHECK(std::ranges::includes(each.apart[r], all.apart[r]));
}

TEST_CASE("a rank that may see things at any look sees more than one that sees them when it has waited",
          "[transport][mock][explore]") {
    const auto body = [](const options& how) {
        return observe(3, gather, [&](auto b) { return mock::explore_each_rank(3, b, 100000, how); });
    };
    const observed waiting = body({}), looking = body({.every_look = true});
    CHECK(looking.seen.runs > waiting.seen.runs);
    for (std::size_t r = 0; r < 3; ++r)
        for (const std::string& seen : waiting.apart[r]) CHECK(looking.apart[r].count(seen) == 1);
    CHECK(looking.apart[0].count("r1 r2 | s1 s2 | ") == 1); // all there before the first look
    CHECK(waiting.apart[0].count("r1 r2 | s1 s2 | ") == 0);
}

TEST_CASE("a program in which order decides is not for watching one rank", "[transport][mock][explore]") {
    const auto first_come = [](transport& wires) { // rank 0 serves whom it hears first
        talk t(wires);
        if (wires.rank() == 0) {
            t.receive(1), t.receive(2);
            t.wait(1);
            const rank_type first = support::contains(t.seen(), "r1") ? 1 : 2;
            t.send(first);
            t.wait();
            t.send(3 - first);
        } else {
            t.receive(0), t.send(0);
        }
        t.wait();
    };
    const std::string what = support::error_of([&] { mock::explore_each_rank(3, first_come); });
    CHECK(what
          == "tutti: watching one rank is not enough here: rank 0 starts or sends something else when it "
             "sees the "
             "same in another order; explore() it instead");
    CHECK(mock::explore(3, first_come).complete);
    CHECK_THROWS_AS(mock::explore_each_rank(2, [](transport&) {}, 10, {.faults = {mock::fault::kill(0, 0)}}),
                    tutti::argument_error);
}

TEST_CASE("a watched rank that waits in vain is told so, and holds up nobody who asks again and again",
          "[transport][mock][explore]") {
    const std::string what = support::error_of([] {
        mock::explore_each_rank(2, [](transport& wires) {
            talk t(wires);
            if (wires.rank() == 0) t.receive(1), t.wait();
        });
    });
    CHECK(support::contains(what, "rank 0"));
    // Rank 1 never waits: it has to get its turns while rank 0, watched, has nothing to see.
    CHECK(mock::explore_each_rank(2, [](transport& wires) {
              talk t(wires);
              if (wires.rank() == 1) {
                  for (int asks = 0; asks < 3; ++asks) wires.yield();
                  t.send(0), t.wait();
              } else {
                  t.receive(1), t.wait();
              }
          }).complete);
}

TEST_CASE("where states are matched, each rank still sees everything after everything",
          "[transport][mock][explore]") {
    const bool rendezvous = GENERATE(true, false);
    const auto [what, size] = GENERATE(table<program, rank_type>(
        {{exchange, 2}, {exchange, 3}, {in_two_rounds, 2}, {in_two_rounds, 3}, {gather, 3}, {gather, 4}}));
    options how{.rendezvous = rendezvous};
    const auto by = [&](mock::matching matches) {
        how.matches = matches;
        return observe(size, what, [&](auto body) { return mock::explore_each_rank(size, body, 5000, how); });
    };
    const observed none = by(mock::matching::none);
    REQUIRE(none.seen.complete);
    CHECK(none.seen.covered == none.seen.runs);
    CHECK(none.seen.states == 0);
    for (const mock::matching matches : {mock::matching::begun, mock::matching::seen}) {
        const observed some = by(matches);
        REQUIRE(some.seen.complete);
        CHECK(some.seen.runs <= none.seen.runs);
        CHECK(some.seen.covered == none.seen.runs);
        CHECK(some.steps == none.steps);
    }
}

TEST_CASE("a ring of four ranks without buffers is explored to its end", "[transport][mock][explore]") {
    const auto by = [](mock::matching matches, int rounds) {
        const auto body = [&](transport& wires) {
            talk t(wires);
            ring(t, wires.rank(), 4, rounds);
        };
        return mock::explore_each_rank(4, body, 2000, {.matches = matches});
    };
    const exploration three = by(mock::matching::none, 3);
    CHECK(three.complete);
    CHECK(three.runs == 560);
    for (const mock::matching matches : {mock::matching::begun, mock::matching::seen}) {
        const exploration some = by(matches, 3);
        CHECK(some.complete);
        CHECK(some.runs == (matches == mock::matching::begun ? 324 : 144));
        CHECK(some.covered == 560);
    }
    const exploration six = by(mock::matching::seen, 6);
    CHECK(six.complete);
    CHECK(six.runs == 944);
    CHECK(six.states == 132);
    CHECK(six.covered == 399232);
}

TEST_CASE("a fault at any step is found where states are matched, and shown again",
          "[transport][mock][explore]") {
    const auto two_rounds = [](talk& t, rank_type me, rank_type size) { ring(t, me, size, 2); };
    const observed all =
        observe(4, two_rounds, [](auto body) { return mock::explore_each_rank(4, body, 100); });
    REQUIRE(all.seen.complete);
    for (const step& planted : all.steps[2]) {
        const auto body = [&](transport& wires) {
            talk t(wires);
            ring(t, wires.rank(), 4, 2);
            std::set<step> steps;
            add_steps(steps, t.seen());
            if (wires.rank() == 2 && steps.count(planted) > 0) throw tutti::error("planted");
        };
        for (const mock::matching matches : {mock::matching::begun, mock::matching::seen}) {
            INFO("after " << planted.first.size() << " rank 2 sees " << planted.second);
            try {
                mock::explore_each_rank(4, body, 100, {.matches = matches});
                FAIL_CHECK("not found");
            } catch (const mock::exploration_error& e) {
                CHECK(support::contains(e.what(), "planted"));
                CHECK(support::contains(support::error_of([&] { mock::run_transports(4, e.how(), body); }),
                                        "planted"));
            }
        }
    }
}
