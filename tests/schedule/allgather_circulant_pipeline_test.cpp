// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/allgather/circulant_pipeline.hpp>

#include <limits>
#include <type_traits>

#include "support/catch2.hpp"
#include "support/circulant_pipelines.hpp"
#include "support/exchange_text.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {
generator_factory of_segments(block_index segments) {
    return factory_of<circulant_pipeline, collective::allgather>({segments});
}
} // namespace

TEST_CASE("an allgather through circulant pipelines is proved for every size and number of segments",
          "[schedule][allgather][circulant_pipeline]") {
    prove_circulant_parts<collective::allgather>();
}

TEST_CASE(
    "Träff: all broadcast S segments each in ceil(lg p) + S - 1 rounds, and nobody sends more than others",
    "[schedule][allgather][circulant_pipeline]") {
    check_circulant_parts<collective::allgather>();
}

TEST_CASE("with a single segment circulant pipelines are as good as can be",
          "[schedule][allgather][circulant_pipeline]") {
    reaches_both_bounds_up_to(70, of_segments(1));
}

TEST_CASE("two segments from each of 5 ranks through circulant pipelines",
          "[schedule][allgather][circulant_pipeline]") {
    CHECK(exchange_text(5, 0, of_segments(2))
          == "0: send 3 [0], recv 2 [4]\n"
             "1: send 1 [1 4], recv 4 [9 2]\n"
             "2: send 2 [1 2], recv 3 [7 8]\n"
             "3: send 3 [1 9 2], recv 2 [5 3 6]");
}

TEST_CASE("circulant pipelines refuse less than one segment, and more than pieces can be apart",
          "[schedule][allgather][circulant_pipeline]") {
    CHECK_THROWS_AS(generate(of<collective::allgather>, circulant_pipeline{0}, place{0, 2, 0}),
                    argument_error);
    CHECK_THROWS_AS(generate(of<collective::allgather>, circulant_pipeline{1 << 30}, place{0, 2, 0}),
                    argument_error);
}

static_assert(std::is_trivially_copyable_v<allgather_circulant_pipeline>, "a generator owns no memory");
