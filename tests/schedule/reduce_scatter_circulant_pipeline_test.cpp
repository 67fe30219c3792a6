// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/reduce_scatter/circulant_pipeline.hpp>

#include "support/catch2.hpp"
#include "support/circulant_pipelines.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("a reduce-scatter through circulant pipelines is proved for every size and number of segments",
          "[schedule][reduce_scatter][circulant_pipeline]") {
    prove_circulant_parts<collective::reduce_scatter>();
}

TEST_CASE("Träff: a reduce-scatter of S segments each in ceil(lg p) + S - 1 rounds that folds the least",
          "[schedule][reduce_scatter][circulant_pipeline]") {
    check_circulant_parts<collective::reduce_scatter>();
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
