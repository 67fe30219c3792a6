// SPDX-License-Identifier: BSL-1.0
// labels: slow sequential
#include <tutti/collectives/allgatherv.hpp>

#include <cstdint>

#include <tutti/collectives/run_mock.hpp>

#include "support/allgatherv_trials.hpp"
#include "support/catch2.hpp"
#include "support/extent.hpp"

using namespace support::allgatherv_trials;
using tutti::rank_type;

TEST_CASE("every allgather algorithm, with all its options, takes blocks of any length over the mock",
          "[execute][allgatherv][mock]") {
    const bool rendezvous = GENERATE(true, false);
    const rank_type size =
        GENERATE(from_range(support::chosen({1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17}, {1, 2, 5, 8, 13})));
    support::complaints heard(size);
    std::uint64_t seed = 100;
    for (const tutti::named& how : all_allgathers())
        tutti::mock::run(size, {.seed = ++seed, .rendezvous = rendezvous, .log = false},
                         [&](auto& comm) { try_shapes(comm, how, heard); });
    INFO("size " << size << ", rendezvous " << rendezvous);
    CHECK(heard.all() == "");
}
