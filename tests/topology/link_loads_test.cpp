// SPDX-License-Identifier: BSL-1.0
#include <tutti/topology/link_loads.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <tutti/topology/fat_tree_routing.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// A ring of 5 nodes, one way round: link i leads from node i to the next.
struct ring_of_five {
    node_type nodes() const { return 5; }
    link_index links() const { return 5; }
    template <class Sink>
    void route(node_type source, node_type target, Sink&& sink) const {
        for (node_type v = source; v != target; v = (v + 1) % 5) sink(link_index{v});
    }
    std::string name(link_index link) const { return "behind " + std::to_string(link); }
};

std::vector<std::int64_t> loads_of(const auto& loads) {
    std::vector<std::int64_t> all;
    for (link_index link = 0; link < loads.on().links(); ++link) all.push_back(loads.load(link));
    return all;
}

} // namespace

TEST_CASE("a message loads every link of its way with its weight", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    CHECK(loads.max() == 0);
    CHECK(loads.add(3, 1) == 3);
    CHECK(loads_of(loads) == std::vector<std::int64_t>{1, 0, 0, 1, 1});
    CHECK(loads.max() == 1);
    CHECK(loads.add(node_message{.from = 4, .to = 2, .weight = 10}) == 3);
    CHECK(loads_of(loads) == std::vector<std::int64_t>{11, 10, 0, 1, 11});
    CHECK(loads.max() == 11);
}

TEST_CASE("a message without bytes or to its own node loads nothing", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    CHECK(loads.add(0, 4, 0) == 4);
    CHECK(loads.add(2, 2, 100) == 0);
    CHECK(loads.max() == 0);
    CHECK(loads_of(loads) == std::vector<std::int64_t>(5, 0));
}

TEST_CASE("loads beyond 32 bits add up", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    for (int i = 0; i < 8; ++i) loads.add(0, 1, std::int64_t{1} << 40);
    CHECK(loads.max() == std::int64_t{1} << 43);
}

TEST_CASE("after clear nothing is left, however many messages there were", "[topology][link_loads]") {
    const routed_fat_tree net(fat_tree::kary(3, 3));
    link_loads reused(net);
    std::mt19937 random(7);
    const auto any_node = [&] { return static_cast<node_type>(random() % 27); };
    for (const int messages : {0, 1, 3, 9, 10, 11, 12, 200, 1, 0, 500, 2}) { // 162 links; few are 10
        link_loads fresh(net);
        reused.clear();
        CHECK(reused.max() == 0);
        CHECK(loads_of(reused) == std::vector<std::int64_t>(162, 0));
        for (int i = 0; i < messages; ++i) {
            const node_message m{any_node(), any_node(), static_cast<std::int64_t>(random() % 100)};
            CHECK(fresh.add(m) == reused.add(m));
        }
        CAPTURE(messages);
        CHECK(loads_of(reused) == loads_of(fresh));
        CHECK(reused.max() == fresh.max());
    }
}

TEST_CASE("the maximum is that of all links", "[topology][link_loads]") {
    link_loads loads(routed_fat_tree(fat_tree({4, 4}, {1, 2}), fat_tree_routing::s_mod_k));
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        loads.add(static_cast<node_type>(random() % 16), static_cast<node_type>(random() % 16),
                  static_cast<std::int64_t>(random() % 9));
        std::int64_t most = 0;
        for (const std::int64_t load : loads_of(loads)) most = load > most ? load : most;
        REQUIRE(loads.max() == most);
    }
}

TEST_CASE("the distribution counts the links of every load", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    loads.add(3, 1);
    loads.add(4, 0);
    loads.add(4, 0);
    CHECK(loads.distribution() == std::map<std::int64_t, link_index>{{0, 2}, {1, 2}, {3, 1}});
}

TEST_CASE("the worst links come by name, most loaded first", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    loads.add(3, 1);
    loads.add(4, 0, 7);
    CHECK(loads.worst(2)
          == std::vector<loaded_link>{{.link = 4, .load = 8, .name = "behind 4"},
                                      {.link = 0, .load = 1, .name = "behind 0"}});
    CHECK(loads.worst(100).size() == 3); // none without a load
    CHECK(loads.worst(0).empty());
}

TEST_CASE("nodes that are not there and negative weights are refused", "[topology][link_loads]") {
    link_loads loads(ring_of_five{});
    CHECK_THROWS_AS(loads.add(5, 0), argument_error);
    CHECK_THROWS_AS(loads.add(-1, 0), argument_error);
    CHECK_THROWS_AS(loads.add(0, 5), argument_error);
    CHECK_THROWS_AS(loads.add(0, -7), argument_error);
    CHECK_THROWS_AS(loads.add(0, 1, -1), argument_error);
    CHECK(loads_of(loads) == std::vector<std::int64_t>(5, 0));
    try {
        loads.add(0, 5);
    } catch (const argument_error& e) {
        CHECK(std::string(e.what()) == "tutti: to is 5; allowed: 0..4");
    }
}
