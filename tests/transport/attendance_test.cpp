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

} // namespace

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
