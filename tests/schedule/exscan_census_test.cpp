// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/exscan/census.hpp>

#include <vector>

#include <tutti/core/schedule.hpp>

#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
const generator_factory make = factory_of<census, collective::exscan>();
}

TEST_CASE("exscan census is proved for any size, in order, in ceil(lg p) rounds",
          "[schedule][exscan][census]") {
    for (rank_type size = 1; size <= 300; ++size) {
        const proof p = check_proved(collective::exscan, size, 0, make);
        CHECK(p.order_preserved);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.rounds - p.bounds.rounds <= 1);
        CHECK(p.scratch_blocks <= 1);
    }
}

TEST_CASE("exscan census needs no scratch if p - 1 is a power of two", "[schedule][exscan][census]") {
    for (const rank_type size : {2, 3, 5, 9, 17, 33, 65})
        CHECK(check_proved(collective::exscan, size, 0, make).scratch_blocks == 0);
    for (const rank_type size : {4, 6, 7, 8, 10, 64})
        CHECK(check_proved(collective::exscan, size, 0, make).scratch_blocks == 1);
}

TEST_CASE("with 4 ranks the window grows from 1 to 3 by W folded with V", "[schedule][exscan][census]") {
    constexpr block_set all{.first = 0, .count = 1};
    const auto steps_of = [&](rank_type rank) {
        const schedule s(make({rank, 4, 0}));
        return std::vector<step>(s.steps().begin(), s.steps().end());
    };
    constexpr auto input = buffer_name::input;
    constexpr auto scratch = buffer_name::scratch;
    CHECK(steps_of(0) == std::vector{step::send(1, all, input), step::send(2, all, input)});
    CHECK(steps_of(1)
          == std::vector{
              step::send(2, all, input), step::recv(0, all), step::copy(all, buffer_name::work, scratch),
              step::reduce(all, input, scratch, operand_side::right), step::send(3, all, scratch)});
    CHECK(steps_of(2)
          == std::vector{step::send(3, all, input), step::recv(1, all),
                         step::recv_reduce(0, all, operand_side::left)});
    CHECK(steps_of(3) == std::vector{step::recv(2, all), step::recv_reduce(1, all, operand_side::left)});
}
