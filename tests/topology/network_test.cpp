// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/network.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// Nodes in a line; link i leads from node i to node i + 1. Whoever is behind cannot be reached, which is no
/// matter here.
struct line {
    node_type nodes() const { return 5; }
    link_index links() const { return 4; }
    template <class Sink>
    void route(node_type source, node_type target, Sink&& sink) const {
        for (node_type v = source; v < target; ++v) sink(link_index{v});
    }
    std::string name(link_index link) const { return "from " + std::to_string(link); }
};

struct line_that_knows_its_hops : line {
    int hops(node_type source, node_type target) const { return 1000 + target - source; }
};

struct without_a_name {
    node_type nodes() const { return 5; }
    link_index links() const { return 4; }
    template <class Sink>
    void route(node_type, node_type, Sink&&) const {}
};

struct with_too_few_links_to_count : line {
    int links() const { return 4; }
};

} // namespace

TEST_CASE("a network has nodes, links, routes and names", "[topology][network]") {
    CHECK(network<line>);
    CHECK(network<line_that_knows_its_hops>);
    CHECK_FALSE(network<without_a_name>);
    CHECK_FALSE(network<with_too_few_links_to_count>);
    CHECK_FALSE(network<int>);
}

TEST_CASE("hops are counted on the way, unless the network knows them", "[topology][network]") {
    CHECK(hops_between(line{}, 1, 4) == 3);
    CHECK(hops_between(line{}, 2, 2) == 0);
    CHECK(hops_between(line_that_knows_its_hops{}, 1, 4) == 1003);
}

TEST_CASE("a message between nodes weighs 1 unless said otherwise", "[topology][network]") {
    CHECK(node_message{.from = 3, .to = 4} == node_message{3, 4, 1});
    CHECK_FALSE(node_message{3, 4, 1} == node_message{3, 4, 2});
}
