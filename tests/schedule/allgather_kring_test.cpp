// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/kring.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include <tutti/pattern/even_groups.hpp>
#include <tutti/verify/uniformity.hpp>

#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_groups(rank_type k) { return factory_of<kring, collective::allgather>({k}); }

/// Whether there is a rank that does in round i all that any rank does.
bool one_does_most(const std::vector<any_generator>& all, round_index i) {
    std::vector<detail::round_shape> shapes(all.size());
    for (std::size_t r = 0; r < all.size(); ++r) shapes[r].look_at(all[r], i);
    return std::any_of(shapes.begin(), shapes.end(), [&](const detail::round_shape& most) {
        return std::all_of(shapes.begin(), shapes.end(),
                           [&](const detail::round_shape& one) { return one.within(most); });
    });
}

} // namespace

TEST_CASE("allgather kring is proved for any size and groups of any size", "[schedule][allgather][kring]") {
    for (const rank_type k : {1, 2, 3, 4, 5, 7, 8, 16, 69, 70, 1000}) {
        CAPTURE(k);
        prove_up_to<collective::allgather>(70, kring{k});
    }
    for (const rank_type size : larger_sizes) check_proved(collective::allgather, size, 0, of_groups(8));
}

TEST_CASE("allgather kring takes p - 1 rounds of one block if k divides p", "[schedule][allgather][kring]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const rank_type k = 2 + size % 7;
        CAPTURE(size, k);
        const proof p = check_proved(collective::allgather, size, 0, of_groups(k));
        const rank_type groups = (size + k - 1) / k;
        const bool even = size % groups == 0;
        CHECK(p.rounds == groups * ((size + groups - 1) / groups) - 1);
        CHECK(p.sent_blocks == size - 1 + (even ? 0 : groups));
        CHECK(p.received_blocks == size - 1);
        if (even) {
            CHECK(p.rounds == size - 1);
            CHECK(p.critical_sent == size - 1);
        }
    }
}

TEST_CASE("only one round in k of an allgather kring goes between groups", "[schedule][allgather][kring]") {
    for (const rank_type k : {2, 3, 4, 8})
        for (const rank_type groups : {2, 3, 5}) {
            CAPTURE(k, groups);
            std::set<round_index> between;
            for (const listed_message& m : messages_of(k * groups, of_groups(k)))
                if (m.rank / k != m.peer / k) between.insert(m.round);
            REQUIRE(between.size() == static_cast<std::size_t>(groups - 1));
            for (const round_index i : between) REQUIRE(i % k == k - 1);
        }
}

TEST_CASE("an allgather kring of single ranks or of all is the ring", "[schedule][allgather][kring]") {
    for (const rank_type k : {1, 5, 9}) {
        CAPTURE(k);
        CHECK(exchange_text(5, 2, of_groups(k))
              == "0: send 3 [2], recv 1 [1]\n"
                 "1: send 3 [1], recv 1 [0]\n"
                 "2: send 3 [0], recv 1 [4]\n"
                 "3: send 3 [4], recv 1 [3]");
    }
}

TEST_CASE("6 ranks in two groups: round their own, across, and round again", "[schedule][allgather][kring]") {
    CHECK(exchange_text(6, 0, of_groups(3))
          == "0: send 1 [0], recv 2 [2]\n"
             "1: send 1 [2], recv 2 [1]\n"
             "2: send 3 [0], recv 3 [3]\n"
             "3: send 1 [3], recv 2 [5]\n"
             "4: send 1 [5], recv 2 [4]");
}

TEST_CASE("an allgather kring of 5 ranks in groups of two is the example of the header",
          "[schedule][allgather][kring]") {
    CHECK(exchange_text(5, 4, of_groups(2))
          == "1: send 0 [4], recv 2 [2 3]\n"
             "3: send 0 [2], send 1 [3], recv 2 [0 1]");
    CHECK(exchange_text(5, 3, of_groups(2))
          == "0: send 2 [3], recv 2 [2]\n"
             "1: recv 1 [1]\n"
             "2: send 2 [1], recv 2 [0]\n"
             "4: recv 2 [4]");
}

TEST_CASE("in an allgather kring of uneven groups no rank stands for all of the last two rounds",
          "[schedule][allgather][kring]") {
    int uneven = 0;
    for (rank_type size = 3; size <= 40; ++size)
        for (rank_type k = 2; k < size; ++k) {
            if (even_groups(size, k).larger() == 0) continue;
            CAPTURE(size, k);
            std::vector<any_generator> all;
            for (rank_type r = 0; r < size; ++r) all.push_back(of_groups(k)({r, size, 0}));
            const round_index rounds = all.front().rounds();
            CHECK(all.front().claims().bounded_from == unstated);
            REQUIRE_FALSE((one_does_most(all, rounds - 2) && one_does_most(all, rounds - 1)));
            ++uneven;
        }
    CHECK(uneven > 300);
}

TEST_CASE("allgather kring in the largest world, and groups of no ranks", "[schedule][allgather][kring]") {
    constexpr rank_type size = std::numeric_limits<rank_type>::max();
    const allgather_kring g({size - 1, size, 0}, 8);
    CHECK(g.rounds() == (std::int64_t{1} << 31) - 1);
    std::vector<step> steps;
    g.emit(7, [&](const step& s) { steps.push_back(s); });
    CHECK(steps.size() == 2);
    CHECK_THROWS_AS(generate(of<collective::allgather>, kring{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>, kring{2}, place{2, 2, 0}), argument_error);
}
