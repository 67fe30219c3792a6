// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/circulant_pipeline.hpp>

#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a reduce-scatter through circulant pipelines is proved for every size and number of segments",
          "[schedule][reduce_scatter][circulant_pipeline]") {
    prove_up_to<collective::reduce_scatter>(70, circulant_pipeline{1});
    prove_up_to<collective::reduce_scatter>(70, circulant_pipeline{3});
    for (const block_index segments : {2, 4, 5, 6, 7, 8, 13}) {
        CAPTURE(segments);
        prove_up_to<collective::reduce_scatter>(25, circulant_pipeline{segments});
    }
}

TEST_CASE("Träff: a reduce-scatter of S segments each in ceil(lg p) + S - 1 rounds that folds the least",
          "[schedule][reduce_scatter][circulant_pipeline]") {
    for (rank_type size = 2; size <= 200; size += size < 70 ? 1 : 7) {
        const block_index segments = 1 + size % 4;
        CAPTURE(size, segments);
        const proof p = check_proved(collective::reduce_scatter, size, 0,
                                     factory_of<circulant_pipeline, collective::reduce_scatter>({segments}));
        CHECK(p.rounds == ceil_log2(size) + segments - 1);
        CHECK(p.critical_messages == p.rounds);
        CHECK(p.critical_sent == (size - 1) * segments);
        CHECK(p.sent_blocks == p.bounds.sent_blocks);
        CHECK(p.reduced_blocks == p.bounds.reduced_blocks);
    }
}

TEST_CASE("two segments for each of 3 ranks through circulant pipelines",
          "[schedule][reduce_scatter][circulant_pipeline]") {
    CHECK(schedule_text(3, 0, factory_of<circulant_pipeline, collective::reduce_scatter>({2}))
          == "0.0: send 1 [3]; send 1 [4]; fold right 2 [1]; fold right 2 [2]\n"
             "0.1: send 2 [5]; fold right 1 [1]\n"
             "0.2: send 1 [2]; fold right 2 [0]\n"
             "1.0: send 2 [5]; send 2 [0]; fold left 0 [3]; fold left 0 [4]\n"
             "1.1: send 0 [1]; fold right 2 [3]\n"
             "1.2: send 2 [4]; fold left 0 [2]\n"
             "2.0: send 0 [1]; send 0 [2]; fold left 1 [5]; fold left 1 [0]\n"
             "2.1: send 1 [3]; fold left 0 [5]\n"
             "2.2: send 0 [0]; fold left 1 [4]\n");
}
