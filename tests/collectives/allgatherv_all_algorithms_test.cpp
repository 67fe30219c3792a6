// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/collectives/allgatherv.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <tutti/collectives/run_threads.hpp>

#include "support/allgatherv_trials.hpp"
#include "support/catch2.hpp"
#include "support/extent.hpp"

using namespace support::allgatherv_trials;
using tutti::rank_type;

TEST_CASE("there are at least the algorithms of the paper and of the literature",
          "[execute][allgatherv][catalogue]") {
    std::vector<std::string> names;
    for (const tutti::named& how : all_allgathers()) names.emplace_back(how.name);
    for (const char* name : {"direct", "mesh2d", "hypercube", "ring", "prefix_send", "kprefix", "kshift",
                             "bruck", "recursive_doubling", "neighbor_exchange", "sparbit", "circulant"})
        CHECK(std::find(names.begin(), names.end(), name) != names.end());
    CHECK(std::count(names.begin(), names.end(), "hypercube") == 4);
}

TEST_CASE("every allgather algorithm, with all its options, takes blocks of any length over threads",
          "[execute][allgatherv][threads]") {
    const rank_type size =
        GENERATE(from_range(support::chosen({1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17}, {1, 2, 5, 8, 13})));
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const tutti::named& how : all_allgathers()) try_shapes(comm, how, heard);
    });
    INFO("size " << size);
    CHECK(heard.all() == "");
}
