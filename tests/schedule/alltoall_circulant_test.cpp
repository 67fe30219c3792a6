// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/circulant.hpp>

#include <bit>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"
#include "support/skips_of_all_kinds.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<circulant, collective::alltoall>();

/// The skips on a way of d ranks, those of the circulant graph of `size` ranks, each at most once.
block_index skips_of(rank_type d, rank_type size) {
    block_index taken = 0;
    for (rank_type skip = size; skip > 1;) {
        skip = skip / 2 + skip % 2;
        if (d < skip) continue;
        d -= skip;
        ++taken;
    }
    return d == 0 ? taken : unstated;
}

} // namespace

TEST_CASE("alltoall circulant is proved for any size, in the least rounds",
          "[schedule][alltoall][circulant]") {
    for (rank_type size = 1; size <= 130; ++size) {
        CAPTURE(size);
        const proof p = check_proved(collective::alltoall, size, 0, make);
        CHECK(p.rounds == (size == 1 ? 1 : ceil_log2(size)));
        CHECK(p.critical_messages == p.bounds.rounds);
        CHECK(p.scratch_blocks == 0);
        CHECK(weak_claims(make({0, size, 0}).claims(), p, size).empty());
    }
}

TEST_CASE("Träff: alltoall circulant sends a block once per skip of its distance, no more than Bruck's",
          "[schedule][alltoall][circulant]") {
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        block_index skips = 0;
        block_index bits = 0;
        for (rank_type d = 1; d < size; ++d) {
            REQUIRE(skips_of(d, size) != unstated);
            skips += skips_of(d, size);
            bits += std::popcount(static_cast<std::uint32_t>(d));
        }
        CHECK(make({0, size, 0}).claims().sent_blocks == skips);
        CHECK(skips <= bits);
    }
    const std::vector<std::pair<rank_type, block_index>> known{{7, 9},   {12, 20},  {17, 30}, {22, 45},
                                                               {33, 73}, {48, 128}, {64, 192}};
    for (const auto& [size, blocks] : known)
        CHECK(check_proved(collective::alltoall, size, 0, make).sent_blocks == blocks);
}

TEST_CASE("with 5 ranks rank 0 sends distances 3,4, then 2, then 1 and 4",
          "[schedule][alltoall][circulant]") {
    const schedule zero(make({0, 5, 0}));
    const auto round = [&](round_index i) {
        return std::vector<step>(zero.round(i).begin(), zero.round(i).end());
    };
    constexpr auto input = buffer_name::input;
    CHECK(round(0)
          == std::vector{step::send(3, {.first = 3, .count = 2}, input),
                         step::recv(2, {.first = 2, .count = 2, .run = 1, .stride = -1}),
                         step::copy({.first = 0, .count = 1}, input, buffer_name::work)});
    CHECK(round(1)
          == std::vector{step::send(2, {.first = 2, .count = 1}, input),
                         step::recv(3, {.first = 3, .count = 1, .run = 1, .stride = -1})});
    // Distance 4 came from rank 2 in round 0, is for rank 1, and lies in slot 0 - 4, that is 1.
    CHECK(round(2)
          == std::vector{step::send(1, {.first = 1, .count = 1}, input).and_next(),
                         step::send(1, {.first = 1, .count = 1}),
                         step::recv(4, {.first = 4, .count = 1, .run = 1, .stride = -1}).and_next(),
                         step::recv(4, {.first = 1, .count = 1})});
}

TEST_CASE("a message of alltoall circulant is half the blocks at most, in less than 2^k pieces",
          "[schedule][alltoall][circulant]") {
    for (const rank_type size : {2, 3, 5, 63, 64, 65, 100, 1000})
        for (const rank_type r : {0, 1, size - 1}) {
            const auto g = make({r, size, 0});
            for (round_index i = 0; i < g.rounds(); ++i) {
                block_index sent = 0;
                block_index pieces = 0;
                g.emit(i, [&](const step& s) {
                    if (s.kind != step_kind::send) return;
                    sent += s.blocks.count;
                    ++pieces;
                });
                CHECK(sent <= size / 2);
                CHECK(pieces <= block_index{1} << i);
            }
        }
}

TEST_CASE("alltoall circulant is proved with skips of all kinds, in a round for each",
          "[schedule][alltoall][circulant]") {
    std::mt19937 random(5);
    for (rank_type size = 2; size <= 70; ++size)
        for_each_skips(size, random, [&](const skip_list& list, const std::vector<rank_type>& all) {
            const auto listed = factory_of<circulant, collective::alltoall>({.skips = list});
            const proof p = check_proved(collective::alltoall, size, 0, listed);
            block_index moves = 0; // a block takes every skip that fits into what is left of its way
            for (rank_type d = 1; d < size; ++d) {
                rank_type left = d;
                for (const rank_type skip : all)
                    if (left >= skip) left -= skip, ++moves;
                REQUIRE(left == 0);
            }
            CHECK(p.rounds == static_cast<round_index>(all.size()) - 1);
            CHECK(p.sent_blocks == moves);
            CHECK(p.scratch_blocks == 0);
            CHECK(weak_claims(listed({0, size, 0}).claims(), p, size).empty());
        });
}

static_assert(sizeof(alltoall_circulant) <= any_generator::inline_bytes);
