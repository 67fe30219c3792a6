// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/shift.hpp>

#include <cstddef>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/verify/uniformity.hpp>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("a shift sends every rank's block for the rank so far ahead to it, and claims no less than that",
          "[schedule][alltoall][shift]") {
    for (rank_type size = 2; size <= 9; ++size)
        for (rank_type distance = 1; distance < size; ++distance) {
            CAPTURE(size, distance);
            std::vector<any_generator> all;
            for (rank_type r = 0; r < size; ++r)
                all.emplace_back(
                    generate(of<collective::alltoall>, detail::cyclic_shift{distance}, {r, size, 0}));
            const capabilities claims = all.front().claims();
            CHECK(claims.rounds == 1);
            CHECK(claims.sent_blocks == 1);
            CHECK(claims.max_outstanding == 2);
            CHECK(claims.uniform_rounds == detail::uniform_rounds(all).rounds);
            CHECK(claims.reads_input); // what is sent is read when the result may be there
            CHECK_FALSE(claims.moves_blocks);
            for (rank_type r = 0; r < size; ++r) {
                const rank_type to = (r + distance) % size;
                const rank_type from = (r - distance + size) % size;
                std::vector<step> steps;
                all[static_cast<std::size_t>(r)].append(0, steps);
                CHECK(steps
                      == std::vector{step::send(to, {.first = to, .count = 1}, buffer_name::input),
                                     step::recv(from, {.first = from, .count = 1})});
            }
        }
}
