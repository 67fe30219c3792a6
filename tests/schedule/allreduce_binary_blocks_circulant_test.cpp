// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/binary_blocks_circulant.hpp>

#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE(
    "allreduce binary_blocks_circulant folds along the canonical tree and sends the vector twice, for any "
    "size",
    "[schedule][allreduce][binary_blocks_circulant]") {
    const auto make = factory_of<binary_blocks_circulant, collective::allreduce>();
    for (rank_type size = 1; size <= support::compared_up_to; ++size) {
        const proof p = check_proved(collective::allreduce, size, 0, make);
        const capabilities claims = make({0, size, 0}).claims();
        const bool even = floor_pow2(size) == size;
        CAPTURE(size);
        CHECK(p.order_preserved);
        CHECK(p.same_bits);
        CHECK(p.canonical_tree);
        CHECK(p.rounds == floor_log2(size) + ceil_log2(size) + (even ? 0 : 2));
        CHECK(p.sent_blocks == 2 * size - (even ? 2 : 1));
        CHECK(p.reduced_blocks <= size + floor_log2(size));
        CHECK(weak_claims(claims, p, size) == "");
    }
}
