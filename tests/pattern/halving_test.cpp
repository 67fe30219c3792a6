// SPDX-License-Identifier: BSL-1.0
#include <tutti/pattern/halving.hpp>

#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("partners are mutual and at distance 2^k", "[pattern][halving]") {
    for (int k = 0; k < 6; ++k)
        for (rank_type r = 0; r < 64; ++r) {
            const rank_type partner = halving_partner(r, k);
            CHECK(halving_partner(partner, k) == r);
            CHECK((partner > r ? partner - r : r - partner) == rank_type{1} << k);
        }
}

TEST_CASE("an exchange splits what both partners hold, first half to the lower one", "[pattern][halving]") {
    const block_index blocks = 64;
    for (int k = 0; k < 6; ++k)
        for (rank_type r = 0; r < 64; ++r) {
            const rank_type partner = halving_partner(r, k);
            if (partner < r) continue;
            const block_set both = halving_range(r, k, blocks);
            CHECK(halving_range(partner, k, blocks) == both);
            const block_set lower = halving_range(r, k + 1, blocks);
            const block_set upper = halving_range(partner, k + 1, blocks);
            CHECK(lower.first == both.first);
            CHECK(upper.first == lower.first + lower.count);
            CHECK(lower.count + upper.count == both.count);
            CHECK(other_half(lower) == upper);
            CHECK(other_half(upper) == lower);
        }
}

TEST_CASE("after all exchanges rank r holds the block of the reversed bits of r", "[pattern][halving]") {
    const std::vector<block_index> expected{0, 4, 2, 6, 1, 5, 3, 7};
    for (rank_type r = 0; r < 8; ++r)
        CHECK(halving_range(r, 3, 8)
              == block_set{.first = expected[static_cast<std::size_t>(r)], .count = 1});
}

TEST_CASE("in the gather every receiver has one sender, and every rank but the root sends once",
          "[pattern][halving]") {
    for (rank_type root = 0; root < 32; ++root) {
        std::vector<int> sent(32);
        for (int k = 4; k >= 0; --k)
            for (rank_type r = 0; r < 32; ++r) {
                const gather_role role = halving_gather_role(r, root, k);
                const gather_role other = halving_gather_role(halving_partner(r, k), root, k);
                CHECK((role == gather_role::receives) == (other == gather_role::sends));
                if (role != gather_role::idle) CHECK(sent[static_cast<std::size_t>(r)] == 0);
                if (role == gather_role::sends) ++sent[static_cast<std::size_t>(r)];
            }
        for (rank_type r = 0; r < 32; ++r) CHECK(sent[static_cast<std::size_t>(r)] == (r == root ? 0 : 1));
    }
}
