// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/attendance.hpp>

#include <cstdint>

#include "support/catch2.hpp"

using tutti::left_to;
using tutti::detail::attendance;
using tutti::detail::doorbell;

namespace {

/// Some steps, during each of which somebody writes over the doorbell.
struct steps final : tutti::errand {
    steps(attendance& whose, doorbell& rung) : spot(whose), bell(rung) {}

    attendance& spot;
    doorbell& bell;
    std::uint32_t written = 0;
    int left = 3;
    bool entered_twice = false;

    bool run() noexcept override {
        bell.status.store(written);
        entered_twice = entered_twice || spot.try_run(left_to::thread);
        --left;
        return true;
    }
    bool over() const noexcept override { return left == 0; }
};

/// Steps that become possible one after the other, all by rank 1.
struct gradual final : tutti::errand {
    int possible = 0, done = 0;
    bool is_for_others = true;

    bool run() noexcept override {
        if (done == possible) return false;
        ++done;
        return true;
    }
    bool over() const noexcept override { return done == 3; }
    tutti::rank_type awaited() const noexcept override { return 1; }
    bool serves_others() const noexcept override { return is_for_others; }
};

/// Steps during each of which somebody brings something.
struct interrupted final : tutti::errand {
    interrupted(attendance& whose, doorbell& rung) : spot(whose), bell(rung) {}

    attendance& spot;
    doorbell& bell;
    int possible = 1, done = 0;
    std::uint32_t seen = 0;

    bool run() noexcept override {
        if (done < possible) {
            ++done;
            return true;
        }
        if (possible < 3) ++possible; // just when nothing more could be done
        attendance::notice(bell, &spot);
        seen = bell.status.load();
        return false;
    }
    bool over() const noexcept override { return done == 3; }
};

} // namespace

TEST_CASE("what is brought while somebody runs the steps is left to that one", "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, true);
    interrupted some(spot, bell);
    spot.add(some);
    spot.leave(left_to::bringers);
    CHECK(spot.try_run(left_to::bringers));
    CHECK(some.over());
    CHECK((some.seen & doorbell::again) != 0);
    CHECK((some.seen & doorbell::due) == 0); // in nobody's list besides
    CHECK(bell.status.load() == 0);
    spot.remove(some);
}

TEST_CASE("bringers run what they make possible, until it is over or its owner comes back", "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, true);
    gradual some;
    some.is_for_others = GENERATE(true, false); // who is away for long is helped with either
    spot.add(some);
    CHECK_FALSE(spot.try_run(left_to::bringers)); // the owner is there
    spot.leave(left_to::bringers);
    CHECK_FALSE(spot.try_run(left_to::bringers));
    CHECK_FALSE(spot.try_run(left_to::thread)); // it is not left to that
    some.possible = 1;
    CHECK(spot.try_run(left_to::bringers));
    CHECK(some.done == 1);
    some.possible = 2;
    attendance::notice(bell, &spot);
    CHECK(some.done == 1);
    attendance::run_due();
    CHECK(some.done == 2);
    spot.come_back();
    some.possible = 3;
    CHECK_FALSE(spot.try_run(left_to::bringers));
    spot.leave(left_to::bringers);
    bell.announce(); // its owner sleeps, and is woken for what is over
    CHECK(spot.try_run(left_to::bringers));
    CHECK(some.over());
    CHECK(bell.status.load() == 0);
    spot.remove(some);
}

TEST_CASE("who is away for a moment is helped by whom it awaits, as long as that serves others",
          "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, true);
    gradual some;
    some.is_for_others = GENERATE(true, false);
    spot.add(some);
    CHECK(spot.can_serve_others() == some.is_for_others);
    spot.leave_for_a_moment();
    for (some.possible = 1; some.possible < 3; ++some.possible) {
        const bool open = some.possible == 1 || some.is_for_others;
        CHECK(bell.heeds(1) == open);
        CHECK_FALSE(bell.heeds(2));
        CHECK(spot.try_run(left_to::bringers) == open);
        CHECK(some.done == (open ? some.possible : 1));
    }
    spot.come_back();
    CHECK(bell.status.load() == 0);
    spot.remove(some);
    CHECK_FALSE(spot.can_serve_others());
}

TEST_CASE(
    "whatever another process writes to a doorbell, one thread runs the steps, and their owner comes back",
    "[transport]") {
    const std::uint32_t written = GENERATE(as<std::uint32_t>{}, 0, doorbell::taken, doorbell::again, ~0U);
    doorbell bell;
    attendance spot;
    spot.begin(bell, false);
    steps some(spot, bell);
    some.written = written;
    spot.add(some);
    bell.status.store(written);
    CHECK(!spot.try_run(left_to::thread)); // the owner is there
    spot.leave(left_to::thread);
    CHECK(bell.status.load() == written);
    CHECK(spot.try_run(left_to::thread));
    CHECK(some.over());
    CHECK(!some.entered_twice);
    spot.come_back();
    CHECK(!spot.try_run(left_to::thread));
    spot.remove(some);
}

TEST_CASE("threads that bring something see at the doorbell whether its owner is away", "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, true);
    steps some(spot, bell);
    spot.add(some);
    spot.leave(left_to::bringers);
    CHECK((bell.status.load() & doorbell::open_to_bringers) != 0);
    spot.come_back();
    CHECK(bell.status.load() == 0);
    spot.remove(some);
}

TEST_CASE("who sleeps, and has left its steps to nobody, is woken by what is brought", "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, true);
    attendance* const helped = GENERATE(true, false) ? &spot : nullptr; // or of another process
    bell.announce();
    attendance::notice(bell, helped);
    CHECK(bell.status.load() == 0);
}

TEST_CASE("an owner that sleeps is woken by who has finished its steps", "[transport]") {
    doorbell bell;
    attendance spot;
    spot.begin(bell, GENERATE(true, false)); // peers are threads, or other processes
    gradual some;
    some.possible = 3;
    spot.add(some);
    spot.leave(left_to::thread);
    bell.announce();
    CHECK(spot.try_run(left_to::thread));
    CHECK(some.over());
    CHECK((bell.status.load() & doorbell::asleep) == 0);
    spot.come_back();
    spot.remove(some);
}
