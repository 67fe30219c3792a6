// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/bruck.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<bruck, collective::alltoall>();
}

TEST_CASE("alltoall bruck is proved for any size, in the least rounds", "[schedule][alltoall][bruck]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::alltoall, size, 0, make);
        CHECK(p.rounds == (size == 1 ? 1 : ceil_log2(size)));
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.moves_blocks == (size > 1));
        CHECK(weak_claims(make({0, size, 0}).claims(), p, size).empty());
        CHECK(p.scratch_blocks == 0);
    }
}

TEST_CASE("alltoall bruck sends a block once per bit of its distance", "[schedule][alltoall][bruck]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        block_index bits = 0;
        for (rank_type d = 1; d < size; ++d) bits += std::popcount(static_cast<std::uint32_t>(d));
        CHECK(make({0, size, 0}).claims().sent_blocks == bits);
    }
    const std::vector<std::pair<rank_type, block_index>> known{{7, 9},   {12, 20},  {17, 33}, {22, 45},
                                                               {33, 81}, {48, 128}, {64, 192}};
    for (const auto& [size, blocks] : known)
        CHECK(check_proved(collective::alltoall, size, 0, make).sent_blocks == blocks);
}

TEST_CASE(
    "alltoall bruck of any radix is proved, and sends a block once per digit of its distance that is not 0",
    "[schedule][alltoall][bruck]") {
    for (const rank_type radix : {3, 4, 5, 8, 1000})
        for (rank_type size = 1; size <= support::compared_up_to; ++size) {
            CAPTURE(radix, size);
            const auto grown = factory_of<bruck, collective::alltoall>({radix});
            const proof p = check_proved(collective::alltoall, size, 0, grown);
            block_index digits = 0;
            for (rank_type d = 1; d < size; ++d)
                for (rank_type rest = d; rest > 0; rest /= radix) digits += rest % radix != 0 ? 1 : 0;
            REQUIRE(p.sent_blocks == digits);
            REQUIRE(p.rounds == (size == 1 ? 1 : ceil_log(radix, size)));
            REQUIRE(p.max_outstanding == 2 * std::min(radix - 1, size - 1));
            REQUIRE(weak_claims(grown({0, size, 0}).claims(), p, size).empty());
        }
    // Bruck et al.: (r - 1) w messages for p = r^w.
    CHECK(
        check_proved(collective::alltoall, 81, 0, factory_of<bruck, collective::alltoall>({3})).sent_messages
        == 8);
    CHECK_THROWS_AS(generate(of<collective::alltoall>, bruck{1}, place{0, 2, 0}), argument_error);
}

TEST_CASE("with 5 ranks and radix 3 rank 0 sends distances 1,4 and 2, then 3,4",
          "[schedule][alltoall][bruck]") {
    const schedule zero(factory_of<bruck, collective::alltoall>({3})({0, 5, 0}));
    const auto round = [&](round_index i) {
        return std::vector<step>(zero.round(i).begin(), zero.round(i).end());
    };
    constexpr auto input = buffer_name::input;
    CHECK(round(0)
          == std::vector{step::send(1, {.first = 1, .count = 2, .run = 1, .stride = 3}, input),
                         step::send(2, {.first = 2, .count = 1, .run = 1}, input),
                         step::recv(4, {.first = 4, .count = 2, .run = 1, .stride = -3}),
                         step::recv(3, {.first = 3, .count = 1, .run = 1}),
                         step::copy({.first = 0, .count = 1}, input, buffer_name::work)});
    // Distance 4 came from rank 4 in round 0, is for rank 3, and lies in slot 0 - 4, that is 1.
    CHECK(round(1)
          == std::vector{step::send(3, {.first = 3, .count = 1, .run = 1}, input).and_next(),
                         step::send(3, {.first = 1, .count = 1}),
                         step::recv(2, {.first = 2, .count = 1, .run = 1}).and_next(),
                         step::recv(2, {.first = 1, .count = 1})});
}

TEST_CASE("with 5 ranks rank 0 sends distances 1,3, then 2,3, then 4", "[schedule][alltoall][bruck]") {
    const schedule zero(make({0, 5, 0}));
    const auto round = [&](round_index i) {
        return std::vector<step>(zero.round(i).begin(), zero.round(i).end());
    };
    constexpr auto input = buffer_name::input;
    CHECK(round(0)
          == std::vector{step::send(1, {.first = 1, .count = 2, .run = 1, .stride = 2}, input),
                         step::recv(4, {.first = 4, .count = 2, .run = 1, .stride = -2}),
                         step::copy({.first = 0, .count = 1}, input, buffer_name::work)});
    // Distance 3 came from rank 4 in round 0, is for rank 2, and lies in slot 0 - 3, that is 2.
    CHECK(round(1)
          == std::vector{step::send(2, {.first = 2, .count = 1, .run = 1}, input).and_next(),
                         step::send(2, {.first = 2, .count = 1, .run = 1}),
                         step::recv(3, {.first = 3, .count = 1, .run = 1}).and_next(),
                         step::recv(3, {.first = 2, .count = 1, .run = 1})});
    CHECK(round(2)
          == std::vector{step::send(4, {.first = 4, .count = 1, .run = 1}, input),
                         step::recv(1, {.first = 1, .count = 1, .run = 1})});
}

TEST_CASE("a message of alltoall bruck is at most three pieces and half the blocks",
          "[schedule][alltoall][bruck]") {
    for (const rank_type size : {2, 3, 63, 64, 65, 100, 1000})
        for (const rank_type r : {0, 1, size - 1}) {
            const auto g = make({r, size, 0});
            for (round_index i = 0; i < g.rounds(); ++i) {
                std::vector<step> steps;
                g.append(i, steps);
                CHECK(steps.size() <= (i == 0 ? 3U : 6U));
                block_index sent = 0;
                for (const step& s : steps)
                    if (s.kind == step_kind::send) sent += s.blocks.count;
                CHECK(sent <= size / 2);
            }
        }
}
