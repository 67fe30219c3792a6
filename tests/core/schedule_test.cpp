// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/schedule.hpp>

#include <vector>

#include <tutti/core/any_generator.hpp>

#include "support/catch2.hpp"
#include "support/scripted.hpp"

using namespace tutti;

static_assert(generator<schedule>);

TEST_CASE("a schedule is its generator written out", "[core][schedule]") {
    const step a = step::send(1, {0, 1});
    const step b = step::recv(2, {1, 1});
    const step c = step::recv(3, {1, 1});
    const schedule written(testing::scripted({{a, b}, {}, {c}}, 2, {.order_preserving = true}));
    CHECK(written.rounds() == 3);
    CHECK(written.blocks() == 2);
    CHECK(written.claims().order_preserving);
    REQUIRE(written.round(0).size() == 2);
    CHECK(written.round(0)[0] == a);
    CHECK(written.round(0)[1] == b);
    CHECK(written.round(1).empty());
    REQUIRE(written.round(2).size() == 1);
    CHECK(written.round(2)[0] == c);
    CHECK(written.steps().size() == 3);
}

TEST_CASE("a schedule of a schedule is the same schedule", "[core][schedule]") {
    const schedule once(testing::scripted({{step::send(1, {0, 1})}, {step::recv(1, {0, 1})}}, 1, {}));
    CHECK(schedule(any_generator(once)) == once);
    const schedule other(testing::scripted({{step::send(1, {0, 1})}, {}}, 1, {}));
    CHECK_FALSE(other == once);
}

TEST_CASE("a schedule can be made of steps, round by round", "[core][schedule]") {
    const step a = step::send(1, {0, 1});
    const step b = step::recv(2, {1, 1});
    const step c = step::recv(3, {1, 1});
    const capabilities claims{.order_preserving = true};
    schedule made(2, claims);
    CHECK(made.rounds() == 0);
    made.add_round(std::vector{a, b});
    made.add_round({});
    made.add_round(std::vector{c});
    CHECK(made == schedule(testing::scripted({{a, b}, {}, {c}}, 2, claims)));
}

TEST_CASE("a schedule may have no rounds", "[core][schedule]") {
    const schedule nothing(testing::scripted({}, 4, {}));
    CHECK(nothing.rounds() == 0);
    CHECK(nothing.steps().empty());
    CHECK(nothing.blocks() == 4);
}
