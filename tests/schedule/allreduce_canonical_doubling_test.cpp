// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/canonical_doubling.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<canonical_doubling, collective::allreduce>();
constexpr block_set all{.first = 0, .count = 1};

std::vector<step> steps_of(rank_type rank, rank_type size) {
    const schedule whole(make({rank, size, 0}));
    return {whole.steps().begin(), whole.steps().end()};
}
} // namespace

TEST_CASE(
    "allreduce canonical_doubling is proved for any size, in the fewest rounds, along the canonical tree",
    "[schedule][allreduce][canonical_doubling]") {
    for (rank_type size = 1; size <= support::up_to(300, 70); ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.canonical_tree);
        CHECK(p.order_preserved);
        CHECK(p.same_bits);
        const bool even = floor_pow2(size) == size;
        CHECK((even ? p.sent_blocks == ceil_log2(size) : p.sent_blocks < 2 * ceil_log2(size)));
        CHECK(p.reduced_blocks == ceil_log2(size));
        CHECK(p.scratch_blocks <= 1);
    }
}

TEST_CASE("with 5 ranks rank 4's vector goes to all while these double",
          "[schedule][allreduce][canonical_doubling]") {
    CHECK(steps_of(0, 5)
          == std::vector{step::send(1, all), step::recv_reduce(1, all, operand_side::right),
                         step::recv(4, all, buffer_name::scratch), //
                         step::send(2, all), step::send(1, all, buffer_name::scratch),
                         step::recv_reduce(2, all, operand_side::right), //
                         step::send(4, all), step::send(2, all, buffer_name::scratch),
                         step::reduce(all, buffer_name::scratch, buffer_name::work, operand_side::right)});
    CHECK(steps_of(3, 5)
          == std::vector{step::send(2, all), step::recv_reduce(2, all, operand_side::left), //
                         step::send(1, all), step::recv_reduce(1, all, operand_side::left), //
                         step::recv_reduce(1, all, operand_side::right)});
    CHECK(steps_of(4, 5) == std::vector{step::send(0, all), step::recv_reduce(0, all, operand_side::left)});
}
