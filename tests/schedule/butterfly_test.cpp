// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/butterfly.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// The steps that one of the emitters hands out.
template <class Emit>
std::vector<step> steps_of(const Emit& emit) {
    std::vector<step> steps;
    auto sink = [&steps](const step& s) { steps.push_back(s); };
    emit(sink);
    return steps;
}

constexpr auto tens = [](rank_type number) { return 10 * number; };

} // namespace

TEST_CASE("halving sends the half that the partner keeps and folds the other", "[schedule][butterfly]") {
    CHECK(steps_of([](auto& sink) { detail::halve(2, 1, 8, tens, sink); })
          == std::vector{step::send(0, {.first = 0, .count = 2}),
                         step::recv_reduce(0, {.first = 2, .count = 2}, operand_side::left)});
    CHECK(steps_of([](auto& sink) { detail::halve(2, 0, 8, tens, sink); })
          == std::vector{step::send(30, {.first = 4, .count = 4}),
                         step::recv_reduce(30, {.first = 0, .count = 4}, operand_side::right)});
}

TEST_CASE("doubling back sends what halving received", "[schedule][butterfly]") {
    for (int k = 0; k < 3; ++k)
        for (rank_type number = 0; number < 8; ++number) {
            const auto there = steps_of([&](auto& sink) { detail::halve(number, k, 8, tens, sink); });
            const auto back = steps_of([&](auto& sink) { detail::double_back(number, k, 8, tens, sink); });
            REQUIRE(back.size() == 2);
            CHECK(back[0] == step::send(there[1].peer, there[1].blocks));
            CHECK(back[1] == step::recv(there[0].peer, there[0].blocks));
        }
}

TEST_CASE("gathering moves the steps of doubling back towards the root only", "[schedule][butterfly]") {
    CHECK(steps_of([](auto& sink) { detail::gather(1, 2, 1, 4, tens, sink); })
          == std::vector{step::send(30, {.first = 2, .count = 1})});
    CHECK(steps_of([](auto& sink) { detail::gather(3, 2, 1, 4, tens, sink); })
          == std::vector{step::recv(10, {.first = 2, .count = 1})});
    CHECK(steps_of([](auto& sink) { detail::gather(1, 2, 0, 4, tens, sink); }).empty());
    CHECK(steps_of([](auto& sink) { detail::gather(3, 2, 0, 4, tens, sink); })
          == std::vector{step::send(20, {.first = 2, .count = 2})});
}

TEST_CASE("removing ranks costs half a vector per message", "[schedule][butterfly]") {
    const survivors group(5);
    for (const rank_type rank : {0, 1}) {
        const auto fold = steps_of([&](auto& sink) { detail::fold_halves(group, rank, 4, sink); });
        const auto hand = steps_of([&](auto& sink) { detail::hand_over(group, rank, 4, sink); });
        REQUIRE(fold.size() == 2);
        REQUIRE(hand.size() == 1);
        CHECK(fold[0].blocks == block_set{.first = rank == 0 ? 2 : 0, .count = 2});
        CHECK(fold[1].blocks == block_set{.first = rank == 0 ? 0 : 2, .count = 2});
        CHECK(hand[0]
              == (rank == 0 ? step::recv(1, {.first = 2, .count = 2})
                            : step::send(0, {.first = 2, .count = 2})));
    }
    for (const rank_type rank : {2, 3, 4}) {
        CHECK(steps_of([&](auto& sink) { detail::fold_halves(group, rank, 4, sink); }).empty());
        CHECK(steps_of([&](auto& sink) { detail::hand_over(group, rank, 4, sink); }).empty());
    }
}
