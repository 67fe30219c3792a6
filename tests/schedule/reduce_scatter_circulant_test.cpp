// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/circulant.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/naive_run.hpp"
#include "support/proving.hpp"
#include "support/skips_of_all_kinds.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<circulant, collective::reduce_scatter>();
}

TEST_CASE("reduce_scatter circulant reaches the lower bounds of rounds, volume and folds for every size",
          "[schedule][reduce_scatter][circulant]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::reduce_scatter, size, 0, make);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.sent_blocks == size - 1);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
        CHECK(p.scratch_blocks == 0);
    }
}

TEST_CASE("reduce_scatter circulant folds at rank 0 in the order of its source",
          "[schedule][reduce_scatter][circulant]") {
    const auto order_at_0 = [](rank_type size) {
        naive_run run(size, 0, make);
        for (round_index i = 0; i < run.rounds(); ++i) run.next_round();
        std::vector<rank_type> order;
        for (const auto& [rank, block] : run.at(0, 0)) order.push_back(rank);
        return order;
    };
    CHECK(order_at_0(7) == std::vector<rank_type>{0, 3, 5, 1, 6, 2, 4});
    CHECK(order_at_0(8) == std::vector<rank_type>{0, 4, 6, 2, 7, 3, 5, 1});
}

TEST_CASE("reduce_scatter circulant sends one cyclic range per round, nothing is rotated",
          "[schedule][reduce_scatter][circulant]") {
    // 5 ranks: skips 5,3,2,1. Rank 4 sends blocks 2,3 in round 0, block 1 in round 1, block 0 in round 2.
    const schedule four(make({4, 5, 0}));
    CHECK(std::vector<step>(four.steps().begin(), four.steps().end())
          == std::vector{step::send(2, {.first = 2, .count = 2}),
                         step::recv_reduce(1, {.first = 4, .count = 2}, operand_side::right),
                         step::send(1, {.first = 1, .count = 1}),
                         step::recv_reduce(2, {.first = 4, .count = 1}, operand_side::right),
                         step::send(0, {.first = 0, .count = 1}),
                         step::recv_reduce(3, {.first = 4, .count = 1}, operand_side::right)});
}

TEST_CASE("reduce_scatter circulant is proved with messages of at most so many blocks, for the same volume",
          "[schedule][reduce_scatter][circulant]") {
    for (const rank_type most : {1, 2, 3, 7, 30})
        for (rank_type size = 1; size <= 70; ++size) {
            const proof p = check_proved(collective::reduce_scatter, size, 0,
                                         factory_of<circulant, collective::reduce_scatter>({most}));
            CHECK(p.rounds == bounded_skips(size, most).count());
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.reduced_blocks == size - 1);
        }
}

TEST_CASE("no message of circulant has more blocks than it may", "[schedule][reduce_scatter][circulant]") {
    for (const rank_type most : {1, 4, 9}) {
        const auto bounded = factory_of<circulant, collective::reduce_scatter>({most})({5, 50, 0});
        block_index longest = 0;
        for (round_index i = 0; i < bounded.rounds(); ++i)
            bounded.emit(i, [&](const step& s) { longest = std::max(longest, s.blocks.count); });
        CHECK(longest == most);
    }
    CHECK_THROWS_AS(generate(of<collective::reduce_scatter>, circulant{-1}, {0, 4, 0}), argument_error);
}

TEST_CASE("with one block per message circulant sends every block straight to its owner, far ones first",
          "[schedule][reduce_scatter][circulant]") {
    const auto one = factory_of<circulant, collective::reduce_scatter>({1})({1, 5, 0});
    for (round_index i = 0; i < 4; ++i) {
        std::vector<step> steps;
        one.append(i, steps);
        const rank_type distance = 4 - static_cast<rank_type>(i);
        CHECK(steps
              == std::vector{
                  step::send((1 + distance) % 5, {.first = (1 + distance) % 5, .count = 1}),
                  step::recv_reduce((6 - distance) % 5, {.first = 1, .count = 1}, operand_side::right)});
    }
}

TEST_CASE("the circulant generator of one rank of 2^20 + 1 can be made at compile time",
          "[schedule][reduce_scatter][circulant]") {
    constexpr auto g = generate(of<collective::reduce_scatter>, circulant{}, {1 << 19, (1 << 20) + 1, 0});
    static_assert(g.rounds() == 21);
    CHECK(g.claims().sent_blocks == 1 << 20);
}

TEST_CASE(
    "reduce_scatter circulant is proved with skips of all kinds, in a round for each, for the same volume",
    "[schedule][reduce_scatter][circulant]") {
    std::mt19937 random(2);
    for (rank_type size = 2; size <= 70; ++size)
        for_each_skips(size, random, [&](const skip_list& list, const std::vector<rank_type>& all) {
            const auto listed = factory_of<circulant, collective::reduce_scatter>({.skips = list});
            const proof p = check_proved(collective::reduce_scatter, size, 0, listed);
            CHECK(p.rounds == static_cast<round_index>(all.size()) - 1);
            CHECK(p.sent_blocks == size - 1);
            CHECK(p.reduced_blocks == size - 1);
            CHECK(p.scratch_blocks == 0);
            CHECK(weak_claims(listed({0, size, 0}).claims(), p, size).empty());
        });
}

TEST_CASE("a round of circulant goes as far as its skip is, with what skips fall by in a message",
          "[schedule][reduce_scatter][circulant]") {
    const auto nine = factory_of<circulant, collective::reduce_scatter>({.skips = {9, 7, 4}})({1, 9, 0});
    std::vector<step> sent;
    for (round_index i = 0; i < nine.rounds(); ++i)
        nine.emit(i, [&](const step& s) {
            if (s.kind == step_kind::send) sent.push_back(s);
        });
    CHECK(sent
          == std::vector{step::send(8, {.first = 8, .count = 2}), step::send(5, {.first = 5, .count = 3}),
                         step::send(3, {.first = 3, .count = 2}), step::send(2, {.first = 2, .count = 1})});
    CHECK_THROWS_AS(generate(of<collective::reduce_scatter>, circulant{.skips = {9, 4}}, {0, 9, 0}),
                    argument_error);
}

static_assert(sizeof(reduce_scatter_circulant) <= any_generator::inline_bytes);
