// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/nodes.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/nodes.hpp"

using namespace tutti;

namespace {

std::vector<rank_type> listed(std::span<const rank_type> ranks) { return {ranks.begin(), ranks.end()}; }

} // namespace

TEST_CASE("nodes are numbered by their lowest ranks, whatever they are called", "[core][nodes]") {
    const node_map map({7, 7, 3, 7, 3}); // the example of the header
    CHECK(map.ranks() == 5);
    CHECK(map.nodes() == 2);
    CHECK(listed(map.ranks_on(0)) == std::vector<rank_type>{0, 1, 3});
    CHECK(listed(map.ranks_on(1)) == std::vector<rank_type>{2, 4});
    CHECK(map.number_of(3) == 2);
    CHECK(map.before(1) == 3);
    CHECK(map.in_order(2) == 3);
    CHECK(listed(map.sizes()) == std::vector<rank_type>{2, 3});
    CHECK_FALSE(map.contiguous());
    CHECK_FALSE(map.all_alike());
    CHECK(map == node_map({-1, -1, 900, -1, 900}));
    CHECK_FALSE(map == node_map({7, 7, 3, 3, 3}));
}

TEST_CASE("ranks and their places on nodes find each other", "[core][nodes]") {
    support::for_each_composition(8, [](const std::vector<rank_type>& sizes) {
        for (const node_map& map : {node_map::of_sizes(sizes), support::dealt_out(sizes)}) {
            rank_type sum = 0;
            for (rank_type node = 0; node < map.nodes(); ++node) {
                sum += map.size_of(node);
                if (node > 0) CHECK(map.rank_at(node - 1, 0) < map.rank_at(node, 0));
                for (rank_type k = 0; k < map.size_of(node); ++k) {
                    CHECK(map.node_of(map.rank_at(node, k)) == node);
                    CHECK(map.number_of(map.rank_at(node, k)) == k);
                    if (k > 0) CHECK(map.rank_at(node, k - 1) < map.rank_at(node, k));
                }
            }
            CHECK(sum == 8);
        }
    });
}

TEST_CASE("nodes are contiguous if the ranks of each follow each other", "[core][nodes]") {
    CHECK(node_map().contiguous());
    CHECK(node_map::of_sizes({3, 2}).contiguous());
    CHECK(node_map({5, 5, 2, 9, 9}).contiguous());
    CHECK_FALSE(node_map({0, 1, 0}).contiguous());
    CHECK(node_map::of_sizes({3, 3}).all_alike());
}

TEST_CASE("nodes without ranks are refused", "[core][nodes]") {
    const auto refused = [](const auto& make) {
        try {
            make();
        } catch (const argument_error& e) {
            return e.argument() + " is " + e.value() + "; " + e.allowed();
        }
        return std::string();
    };
    CHECK(refused([] { node_map(std::vector<rank_type>{}); }) == "number of ranks is 0; at least 1");
    CHECK(refused([] { node_map::of_sizes({2, 0}); }) == "ranks of node 1 is 0; at least 1");
}
