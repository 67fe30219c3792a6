// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/edge_colouring.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("the example in the header: an edge changes colour to let another in",
          "[topology][edge_colouring]") {
    edge_colouring edges(3, 2, 2);
    edges.add(0, 0);
    edges.add(1, 1);
    CHECK(edges.colour(0) == 0);
    CHECK(edges.colour(1) == 0);
    edges.add(2, 1);
    CHECK(edges.colour(0) == 0);
    CHECK(edges.colour(1) == 1);
    CHECK(edges.colour(2) == 0);
}

TEST_CASE("as many colours as the busiest vertex has edges are enough, parallel edges included",
          "[topology][edge_colouring]") {
    std::mt19937 random(7);
    for (const std::int32_t degree : {1, 2, 3, 8, 20})
        for (const std::int32_t vertices : {1, 2, 5, 30}) {
            // Every vertex with all its edges: `degree` permutations on top of each other, in any order.
            std::vector<std::pair<std::int32_t, std::int32_t>> edges;
            for (std::int32_t layer = 0; layer < degree; ++layer) {
                std::vector<std::int32_t> right(static_cast<std::size_t>(vertices));
                std::iota(right.begin(), right.end(), 0);
                std::shuffle(right.begin(), right.end(), random);
                for (std::int32_t left = 0; left < vertices; ++left)
                    edges.emplace_back(left, right[static_cast<std::size_t>(left)]);
            }
            std::shuffle(edges.begin(), edges.end(), random);
            edge_colouring coloured(vertices, vertices, degree);
            for (const auto& [left, right] : edges) coloured.add(left, right);
            std::set<std::pair<std::int32_t, std::int32_t>> at_left;
            std::set<std::pair<std::int32_t, std::int32_t>> at_right;
            for (std::size_t e = 0; e < edges.size(); ++e) {
                const std::int32_t colour = coloured.colour(static_cast<edge_colouring::edge>(e));
                REQUIRE((0 <= colour && colour < degree));
                REQUIRE(at_left.emplace(edges[e].first, colour).second);
                REQUIRE(at_right.emplace(edges[e].second, colour).second);
            }
        }
}
