// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce/circulant_pipeline.hpp>

#include "support/catch2.hpp"
#include "support/circulant_pipelines.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;

TEST_CASE("a circulant pipeline reduces for every size, root and number of segments",
          "[schedule][reduce][circulant_pipeline]") {
    const block_index segments = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 13, 64);
    CAPTURE(segments);
    testing::prove_up_to<collective::reduce>(segments > 5 ? 20 : 40, circulant_pipeline{segments});
}

TEST_CASE("Träff: a reduction of S segments in ceil(lg p) + S - 1 rounds, for every size",
          "[schedule][reduce][circulant_pipeline]") {
    testing::check_circulant_segments<collective::reduce>();
}

TEST_CASE("three segments to rank 0 of 5 through a circulant pipeline",
          "[schedule][reduce][circulant_pipeline]") {
    CHECK(testing::schedule_text(5, 0, testing::factory_of<circulant_pipeline, collective::reduce>({3}))
          == "0.0: fold right 3 [2]\n"
             "0.1: fold right 2 [2]\n"
             "0.2: fold right 1 [2]\n"
             "0.3: fold right 3 [1]\n"
             "0.4: fold right 2 [0]\n"
             "1.0: send 3 [0]; fold right 4 [2]\n"
             "1.1: send 4 [1]\n"
             "1.2: send 0 [2]\n"
             "2.0: send 4 [1]\n"
             "2.1: send 0 [2]; fold right 4 [0]\n"
             "2.2: fold right 3 [0]\n"
             "2.4: send 0 [0]\n"
             "3.0: send 0 [2]; fold left 1 [0]\n"
             "3.2: send 2 [0]; fold right 4 [1]\n"
             "3.3: send 0 [1]\n"
             "4.0: send 1 [2]; fold left 2 [1]\n"
             "4.1: send 2 [0]; fold left 1 [1]\n"
             "4.2: send 3 [1]\n");
}

TEST_CASE("a circulant reduction refuses less than one segment", "[schedule][reduce][circulant_pipeline]") {
    CHECK_THROWS_AS(generate(of<collective::reduce>, circulant_pipeline{0}, place{0, 2, 0}), argument_error);
}
