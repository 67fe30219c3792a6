// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/kshift.hpp>

#include <limits>
#include <string>
#include <vector>

#include "support/one_block_rounds.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

generator_factory make(rank_type k) { return factory_of<kshift, collective::allgather>({.k = k}); }

std::vector<rank_type> distances(rank_type size, rank_type k) {
    std::vector<rank_type> result = cyclic_shifts(all_ranks(size, make(k)));
    for (rank_type& distance : result)
        if (2 * distance > size) distance -= size;
    return result;
}

} // namespace

TEST_CASE("allgather kshift is proved for any size and k", "[schedule][allgather][kshift]") {
    for (const rank_type k : {1, 2, 3, 4, 5, 7, 8, 16, 64, 1000}) {
        CAPTURE(k);
        prove_up_to<collective::allgather>(70, kshift{.k = k});
        for (const rank_type size : {96, 127, 128, 129, 255, 257})
            check_proved(collective::allgather, size, 0, make(k));
    }
}

TEST_CASE("equation 10: (P-1)(alpha + m beta) + (P/k) m delta, for any P and k",
          "[schedule][allgather][kshift][formulas]") {
    for (const rank_type k : {1, 2, 3, 4, 8, 16})
        for (rank_type size = 2; size <= 70; ++size) {
            const proof p = check_proved(collective::allgather, size, 0, make(k));
            CHECK(p.rounds == size - 1);
            CHECK(p.critical_messages == size - 1);
            CHECK(p.critical_sent == size - 1);
            CHECK(p.sent_blocks == p.bounds.sent_blocks);
            const auto multicast = static_cast<rank_type>(multicast_blocks(all_ranks(size, make(k))));
            CHECK(multicast == ceil_div(size - 1, k));
            if (size % k == 0 && k > 1) CHECK(multicast == size / k); // as the paper has it
        }
}

TEST_CASE("every round of allgather kshift is one cyclic shift of one block per rank",
          "[schedule][allgather][kshift]") {
    for (const rank_type k : {1, 2, 3, 5, 8, 16})
        for (rank_type size = 1; size <= 70; ++size)
            CHECK(distances(size, k).size() == static_cast<std::size_t>(size - 1));
}

TEST_CASE("allgather kshift sends to the nearest ranks, those below first, then k ahead, as in figure 7",
          "[schedule][allgather][kshift]") {
    CHECK(distances(16, 8) == std::vector<rank_type>{-4, -3, -2, -1, 1, 2, 3, 8, -4, -3, -2, -1, 1, 2, 3});
    CHECK(distances(12, 3) == std::vector<rank_type>{-1, 1, 3, -1, 1, 3, -1, 1, 3, -1, 1});
    CHECK(distances(8, 2) == std::vector<rank_type>{-1, 2, -1, 2, -1, 2, -1});
}

TEST_CASE("a last window of allgather kshift that is no whole one is met by a shorter hop",
          "[schedule][allgather][kshift]") {
    CHECK(distances(13, 8) == std::vector<rank_type>{-4, -3, -2, -1, 1, 2, 3, -5, -4, -3, -2, -1});
    CHECK(distances(9, 8) == std::vector<rank_type>{-4, -3, -2, -1, 1, 2, 3, 4});
    CHECK(distances(5, 2) == std::vector<rank_type>{-1, 2, -1, 1});
}

TEST_CASE("allgather kshift with k = 1 is the ring", "[schedule][allgather][kshift]") {
    CHECK(schedule_text(3, 0, make(1))
          == "0.0: send 1 [0]; recv 2 [2]\n"
             "0.1: send 1 [2]; recv 2 [1]\n"
             "1.0: send 2 [1]; recv 0 [0]\n"
             "1.1: send 2 [0]; recv 0 [2]\n"
             "2.0: send 0 [2]; recv 1 [1]\n"
             "2.1: send 0 [1]; recv 1 [0]\n");
    CHECK(distances(9, 1) == std::vector<rank_type>(8, 1));
}

TEST_CASE("allgather kshift with k = p or more sends its own block only", "[schedule][allgather][kshift]") {
    for (const rank_type k : {9, 10, std::numeric_limits<rank_type>::max()})
        CHECK(multicast_blocks(all_ranks(9, make(k))) == 1);
}

TEST_CASE("allgather kshift on 5 ranks, k = 3", "[schedule][allgather][kshift]") {
    const std::string text = schedule_text(5, 0, make(3));
    CHECK(text.substr(0, text.find("1.0"))
          == "0.0: send 4 [0]; recv 1 [1]\n"
             "0.1: send 1 [0]; recv 4 [4]\n"
             "0.2: send 3 [0]; recv 2 [2]\n"
             "0.3: send 4 [2]; recv 1 [3]\n");
}

TEST_CASE("allgather kshift refuses a k below 1", "[schedule][allgather][kshift]") {
    CHECK_THROWS_AS(allgather_kshift({}, 0), argument_error);
    CHECK_THROWS_AS(allgather_kshift({}, -8), argument_error);
}
