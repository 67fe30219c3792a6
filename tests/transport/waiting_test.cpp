// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/waiting.hpp>

#include <cstdint>

#include "support/catch2.hpp"

namespace {

using tutti::detail::spinning;

/// A wait that is over after so many looks in vain; how many of them might be spinning.
std::uint32_t wait(spinning& rank, std::uint32_t looks) {
    std::uint32_t spins = 0;
    for (std::uint32_t turns = 0; turns < looks; ++turns) spins = rank.looks(turns);
    return spins;
}

/// The rank hardly spins any more.
spinning given_up() {
    spinning rank;
    for (std::uint32_t k = 0; k <= spinning::longer_waits; ++k) wait(rank, spinning::most + 2);
    return rank;
}

} // namespace

TEST_CASE("who waits for ranks with cores of their own spins", "[transport][waiting]") {
    spinning rank;
    for (int k = 0; k < 1000; ++k) REQUIRE(wait(rank, spinning::most) == spinning::most);
}

TEST_CASE("a few longer waits in a row end the spinning, others do not", "[transport][waiting]") {
    spinning rank;
    for (int again = 0; again < 3; ++again) {
        for (std::uint32_t k = 1; k < spinning::longer_waits; ++k)
            REQUIRE(wait(rank, 10000) == spinning::most);
        REQUIRE(wait(rank, 1) == spinning::most);
    }
    for (std::uint32_t k = 0; k < spinning::longer_waits; ++k)
        REQUIRE(wait(rank, spinning::most + 1) == spinning::most);
    CHECK(wait(rank, 1) == spinning::few);
}

TEST_CASE("who has given up spinning tries again now and then", "[transport][waiting]") {
    spinning rank = given_up();
    for (int again = 0; again < 3; ++again) { // in vain
        std::uint32_t waits = 1;
        while (wait(rank, spinning::most + 2) == spinning::few) REQUIRE(++waits <= spinning::between_trials);
        CHECK((again == 0 || waits == spinning::between_trials));
    }
    while (wait(rank, 2) == spinning::few) {
    }
    for (int k = 0; k < 100; ++k) REQUIRE(wait(rank, 2) == spinning::most); // it was not in vain
}

TEST_CASE("who waits long announces its sleep, looks once more, sleeps, and announces it again",
          "[transport][waiting]") {
    using tutti::detail::doorbell;
    const auto first_announced = [](const tutti::detail::waiting_ladder& ladder) {
        doorbell bell;
        const auto announces = [&](std::uint32_t turns) {
            ladder.wait(turns, bell);
            return (bell.status.load() & doorbell::asleep) != 0;
        };
        std::uint32_t turns = 0;
        while (!announces(turns)) REQUIRE(++turns < 100000);
        for (int again = 0; again < 2; ++again) {
            CHECK_FALSE(announces(++turns)); // nobody has rung, so its sleep has taken its time
            CHECK(announces(++turns));
        }
        return turns - 4;
    };
    using ladder = tutti::detail::waiting_ladder;
    CHECK(ladder(2, 2).shares_cores() == false);
    CHECK(ladder(3, 2).shares_cores());
    const std::uint32_t yields = first_announced(ladder(3, 2));
    CHECK(yields > 1000);
    CHECK(first_announced(ladder(2, 2)) == yields + spinning::most);
}
