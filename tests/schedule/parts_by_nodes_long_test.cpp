// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include <tutti/schedule/parts_by_nodes.hpp>

#include <vector>

#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>

#include "support/catch2.hpp"
#include "support/nodes.hpp"
#include "support/proving_parts.hpp"

// Of what is proved for parts by nodes the one that takes long, by itself: it gains by optimisation, while
// the rest would only cost the compiler.

using namespace tutti;
using namespace tutti::testing;

TEST_CASE("gathers and scatters by nodes are proved for up to 70 ranks, on few nodes and many, alike and not",
          "[schedule][gather][scatter][by_nodes]") {
    support::for_some_layouts_of_many([](const std::vector<rank_type>& sizes) {
        check_on<collective::gather>(node_map::of_sizes(sizes), fnomial{}, fnomial{});
        check_on<collective::scatter>(support::dealt_out(sizes), fnomial{}, fnomial{});
    });
}
