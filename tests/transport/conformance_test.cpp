// SPDX-License-Identifier: BSL-1.0
#include <tutti/conformance.hpp>

#include <cstddef>
#include <cstdint>

#include <tutti/transport/mock.hpp>
#include <tutti/transport/threads.hpp>

#include "support/catch2.hpp"
#include "support/extent.hpp"

using tutti::rank_type;
using tutti::conformance::level;

TEST_CASE("the threads transport conforms", "[transport][threads][conformance]") {
    const rank_type most = GENERATE(from_range(support::chosen({2, 8, 17}, {2, 8})));
    tutti::conformance::check([](rank_type size, auto&& body) { tutti::threads::run_transports(size, body); },
                              level::strict, {.most_ranks = most});
}

TEST_CASE("the mock transport conforms for any seed, with and without buffering",
          "[transport][mock][conformance]") {
    const bool rendezvous = GENERATE(true, false);
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(rendezvous, seed);
    tutti::conformance::check(
        [&](rank_type size, auto&& body) {
            tutti::mock::run_transports(size, {.seed = seed, .rendezvous = rendezvous, .log = false}, body);
        },
        level::strict, {.most_ranks = 5, .longest = std::size_t{1} << 16, .repeats = 30});
}
