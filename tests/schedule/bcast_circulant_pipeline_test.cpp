// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/bcast/circulant_pipeline.hpp>

#include <type_traits>

#include "support/active_rounds.hpp"
#include "support/catch2.hpp"
#include "support/circulant_pipelines.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a circulant pipeline broadcasts for every size, root and number of segments",
          "[schedule][bcast][circulant_pipeline]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 13, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::bcast>(segments > 5 ? 20 : 40, circulant_pipeline{segments});
}

TEST_CASE("Träff: a broadcast of S segments in ceil(lg p) + S - 1 rounds, for every size",
          "[schedule][bcast][circulant_pipeline]") {
    testing::check_circulant_segments<collective::bcast>();
}

TEST_CASE("the figures of a circulant pipeline hold for larger sizes",
          "[schedule][bcast][circulant_pipeline]") {
    for (const rank_type size : {255, 256, 257, 511, 513, 1000, 1023, 1025})
        for (const block_index segments : {1, 4, 9})
            testing::check_proved(collective::bcast, size, size - 1,
                                  testing::factory_of<circulant_pipeline, collective::bcast>({segments}));
}

TEST_CASE("three segments from rank 0 of 5 through a circulant pipeline",
          "[schedule][bcast][circulant_pipeline]") {
    CHECK(testing::schedule_text(5, 0, testing::factory_of<circulant_pipeline, collective::bcast>({3}))
          == "0.0: send 2 [0]\n"
             "0.1: send 3 [1]\n"
             "0.2: send 1 [2]\n"
             "0.3: send 2 [2]\n"
             "0.4: send 3 [2]\n"
             "1.2: recv 0 [2]\n"
             "1.3: recv 4 [1]\n"
             "1.4: send 4 [2]; recv 3 [0]\n"
             "2.0: recv 0 [0]\n"
             "2.2: send 3 [0]\n"
             "2.3: send 4 [0]; recv 0 [2]\n"
             "2.4: recv 4 [1]\n"
             "3.1: recv 0 [1]\n"
             "3.2: send 4 [1]; recv 2 [0]\n"
             "3.4: send 1 [0]; recv 0 [2]\n"
             "4.2: recv 3 [1]\n"
             "4.3: send 1 [1]; recv 2 [0]\n"
             "4.4: send 2 [1]; recv 1 [2]\n");
}

TEST_CASE("a rank in a circulant pipeline has something to do in the first and the last of its active rounds",
          "[schedule][bcast][circulant_pipeline]") {
    testing::check_active_rounds<collective::bcast, circulant_pipeline>(70);
}

TEST_CASE("a circulant pipeline refuses less than one segment", "[schedule][bcast][circulant_pipeline]") {
    CHECK_THROWS_AS(generate(of<collective::bcast>, circulant_pipeline{0}, place{0, 2, 0}), argument_error);
    CHECK_THROWS_AS(generate(of<collective::bcast>, circulant_pipeline{1}, place{0, 2, 2}), argument_error);
}

static_assert(generate(of<collective::bcast>, circulant_pipeline{9}, {3, 1 << 20, 0}).rounds() == 28);
static_assert(std::is_trivially_copyable_v<bcast_circulant_pipeline>, "a generator owns no memory");
