// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allreduce/circulant_pipeline.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/proving.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_segments(block_index segments) {
    return factory_of<circulant_pipeline, collective::allreduce>({segments});
}
} // namespace

TEST_CASE("an allreduce through a circulant pipeline is proved for every size and number of segments",
          "[schedule][allreduce][circulant_pipeline]") {
    for (const block_index segments : {1, 2, 3, 5, 8, 13})
        for (rank_type size = 1; size <= 70; ++size) {
            CAPTURE(segments, size);
            const proof p = check_proved(collective::allreduce, size, 0, of_segments(segments));
            CHECK(p.same_bits);
            CHECK(p.max_outstanding <= 2);
            CHECK(weak_claims(of_segments(segments)({0, size, 0}).claims(), p, size).empty());
        }
}

TEST_CASE("Träff: an allreduce of S segments in 2(ceil(lg p) + S - 1) rounds, for every size",
          "[schedule][allreduce][circulant_pipeline]") {
    for (rank_type size = 2; size <= support::compared_up_to; ++size) {
        const block_index segments = 1 + size % 7;
        CAPTURE(size, segments);
        const proof p = check_proved(collective::allreduce, size, 0, of_segments(segments));
        CHECK(p.rounds == 2 * (ceil_log2(size) + segments - 1));
        CHECK(p.critical_messages <= p.rounds);
        CHECK(p.reduced_blocks == ceil_log2(size) + segments - 1);
        CHECK(p.sent_blocks < 2 * segments + ceil_log2(size));
    }
}
