// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/alltoall/kshift.hpp>

#include <vector>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

generator_factory make(rank_type k) { return factory_of<kshift, collective::alltoall>({.k = k}); }

/// How far ahead everybody sends, round by round.
std::vector<rank_type> distances(rank_type size, rank_type k) {
    return cyclic_shifts(all_ranks(size, make(k)));
}

} // namespace

TEST_CASE("alltoall kshift takes p - 1 rounds, each one cyclic shift", "[schedule][alltoall][kshift]") {
    for (const rank_type k : {1, 2, 3, 8, 16})
        for (rank_type size = 2; size <= 40; ++size) {
            const proof p = check_proved(collective::alltoall, size, 0, make(k));
            CHECK(p.rounds == size - 1);
            CHECK(p.critical_messages == size - 1);
            const auto ranks = all_ranks(size, make(k));
            const std::vector<rank_type> ahead = distances(size, k);
            for (round_index i = 0; i < size - 1; ++i)
                for (rank_type r = 0; r < size; ++r)
                    ranks[static_cast<std::size_t>(r)].emit(i, [&](const step& s) {
                        if (s.kind != step_kind::send) return;
                        REQUIRE(s.peer == (r + ahead[static_cast<std::size_t>(i)]) % size);
                        REQUIRE(s.blocks == block_set{.first = s.peer, .count = 1});
                    });
        }
}

TEST_CASE("alltoall kshift meets the nearest ranks first, then those about the rank k ahead",
          "[schedule][alltoall][kshift]") {
    CHECK(distances(12, 3) == std::vector<rank_type>{11, 1, 3, 2, 4, 6, 5, 7, 9, 8, 10});
    CHECK(distances(16, 8) == std::vector<rank_type>{12, 13, 14, 15, 1, 2, 3, 8, 4, 5, 6, 7, 9, 10, 11});
    CHECK(distances(5, 3) == std::vector<rank_type>{4, 1, 3, 2});
    CHECK(distances(4, 1) == std::vector<rank_type>{1, 2, 3}); // pairwise
}

TEST_CASE("alltoall kshift refuses a k below 1", "[schedule][alltoall][kshift]") {
    CHECK_THROWS_AS(make(0)({}), argument_error);
    CHECK_THROWS_AS(make(-8)({}), argument_error);
}
