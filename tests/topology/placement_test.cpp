// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/placement.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

std::vector<node_type> nodes_of(const placement& where) {
    std::vector<node_type> nodes;
    for (rank_type r = 0; r < where.ranks(); ++r) nodes.push_back(where.node_of(r));
    return nodes;
}

template <class Make>
std::string refused(const Make& make) {
    try {
        make();
    } catch (const argument_error& e) {
        return e.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("compact ranks stand on the present nodes in order", "[topology][placement]") {
    CHECK(nodes_of(placement::compact(5)) == std::vector<node_type>{0, 1, 2, 3, 4});
    const placement holes = placement::compact(8, {6, 2, 5});
    CHECK(nodes_of(holes) == std::vector<node_type>{0, 1, 3, 4, 7});
    CHECK(holes.ranks() == 5);
    CHECK(holes.nodes() == 8);
    CHECK(nodes_of(placement::compact(8, 3, {1})) == std::vector<node_type>{0, 2, 3});
    CHECK(nodes_of(placement::compact(8, 8, {})) == nodes_of(placement::compact(8)));
}

TEST_CASE("ranks stand on any nodes in any order", "[topology][placement]") {
    const placement where = placement::on_nodes(8, {7, 0, 3});
    CHECK(nodes_of(where) == std::vector<node_type>{7, 0, 3});
    CHECK(where.rank_at(3) == 2);
    CHECK(where.rank_at(4) == no_rank);
}

TEST_CASE("the nodes of a placement are its slots", "[topology][placement]") {
    const placement where = placement::compact(8, {2, 5, 6});
    CHECK(where.slots().slots() == 8);
    CHECK(where.slots().ranks() == 5);
    for (rank_type r = 0; r < 5; ++r) {
        CHECK(where.slots().slot_of(r) == where.node_of(r));
        CHECK(where.slots().rank_at(where.node_of(r)) == r);
    }
    CHECK(where.slots().rank_at(5) == no_rank);
}

TEST_CASE("placements that are none are refused by name, value and what is allowed",
          "[topology][placement]") {
    CHECK(refused([] { placement::compact(0); }) == "tutti: nodes is 0; allowed: at least 1");
    CHECK(refused([] { placement::compact(64, {3, 64}); }) == "tutti: missing node is 64; allowed: 0..63");
    CHECK(refused([] { placement::compact(64, {-1}); }) == "tutti: missing node is -1; allowed: 0..63");
    CHECK(refused([] {
              placement::compact(64, {5, 9, 5});
          })
          == "tutti: missing node is 5; allowed: every node once; this one is named twice");
    CHECK(refused([] {
              placement::compact(2, {0, 1});
          })
          == "tutti: number of missing nodes is 2; allowed: at most 1");
    CHECK(refused([] {
              placement::compact(64, 63, {5, 9});
          })
          == "tutti: ranks is 63; allowed: 1..62, the nodes present of 64");
    CHECK(refused([] { placement::compact(64, 0, {}); })
          == "tutti: ranks is 0; allowed: 1..64, the nodes present of 64");
    CHECK(refused([] { placement::on_nodes(8, {}); }) == "tutti: ranks is 0; allowed: at least 1");
    CHECK(refused([] {
              placement::on_nodes(2, {0, 1, 1});
          })
          == "tutti: ranks is 3; allowed: 1..2, the nodes of the network");
    CHECK(refused([] { placement::on_nodes(8, {1, 8}); }) == "tutti: node of rank 1 is 8; allowed: 0..7");
    CHECK(refused([] {
              placement::on_nodes(8, {4, 2, 4});
          })
          == "tutti: node of rank 2 is 4; allowed: a node of its own; rank 0 has this one");
    CHECK(refused([] { placement::on_nodes(0, {0}); }) == "tutti: nodes is 0; allowed: at least 1");
}
