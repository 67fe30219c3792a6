// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/schedule/parts_by_nodes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/schedule/allgather/circulant.hpp>
#include <tutti/schedule/allgather/circulant_pipeline.hpp>
#include <tutti/schedule/allgather/direct.hpp>
#include <tutti/schedule/allgather/ring.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/gather/fnomial.hpp>
#include <tutti/schedule/gather/serial.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/schedule/reduce/ring.hpp>
#include <tutti/schedule/reduce/tree.hpp>
#include <tutti/schedule/reduce_scatter/circulant.hpp>
#include <tutti/schedule/reduce_scatter/circulant_pipeline.hpp>
#include <tutti/schedule/reduce_scatter/direct.hpp>
#include <tutti/schedule/reduce_scatter/pairwise.hpp>
#include <tutti/schedule/scatter/fnomial.hpp>
#include <tutti/schedule/scatter/serial.hpp>
#include <tutti/topology/node_traffic.hpp>

#include "support/elements.hpp"
#include "support/extent.hpp"
#include "support/nodes.hpp"
#include "support/outcomes.hpp"
#include "support/proving_parts.hpp"
#include "support/proving_sizes.hpp"
#include "support/running.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

template <collective C, class Inner, class Outer>
void check_up_to(rank_type most, const Inner& inner, const Outer& outer, bool must_claim_order = true) {
    for (rank_type size = 1; size <= support::up_to(most, 8); ++size)
        support::for_each_composition(size, [&](const std::vector<rank_type>& sizes) {
            check_on<C>(node_map::of_sizes(sizes), inner, outer, must_claim_order);
            check_on<C>(support::dealt_out(sizes), inner, outer, must_claim_order);
        });
}

/// Blocks of 8 bytes.
template <collective C, class Algorithm>
node_traffic traffic(const Algorithm& how, const node_map& nodes, rank_type root = 0) {
    const ensemble all(factory_of<Algorithm, C>(how), nodes.ranks(), root);
    return traffic_of(all, nodes, block_bytes::even(all.blocks() * 8, all.blocks()));
}

std::vector<node_map> some_nodes() {
    std::vector<node_map> all;
    for (const std::vector<rank_type>& sizes :
         std::vector<std::vector<rank_type>>{{2, 2}, {3, 5}, {1, 7}, {3, 1, 2}}) {
        all.push_back(node_map::of_sizes(sizes));
        all.push_back(support::dealt_out(sizes));
    }
    return all;
}

/// Reduces by one algorithm, scatters straight.
template <class Reduce>
struct reduce_and_serial {
    Reduce how{};

    friend auto generate(collective_constant<collective::reduce> what, const reduce_and_serial& by,
                         place at) {
        return generate(what, by.how, at);
    }
    friend auto generate(collective_constant<collective::scatter> what, const reduce_and_serial&, place at) {
        return generate(what, serial{}, at);
    }
};

/// Gathers straight, bcasts by one algorithm.
template <class Bcast>
struct serial_and_bcast {
    Bcast how{};

    friend auto generate(collective_constant<collective::gather> what, const serial_and_bcast&, place at) {
        return generate(what, serial{}, at);
    }
    friend auto generate(collective_constant<collective::bcast> what, const serial_and_bcast& by, place at) {
        return generate(what, by.how, at);
    }
};

/// Runs body(comm) -> complaints on all ranks, with messages that wait for their receivers and without.
template <class Body>
std::string heard_on(const node_map& nodes, const Body& body) {
    std::string all;
    for (const bool rendezvous : {true, false}) {
        support::complaints heard(nodes.ranks());
        mock::run(nodes.ranks(), {.rendezvous = rendezvous, .log = false},
                  [&](auto& comm) { heard.add(comm.rank(), body(comm)); });
        all += heard.all();
    }
    return all;
}

/// Of any lengths, none and more than are copied at once among them.
std::vector<std::int64_t> uneven(rank_type ranks) {
    std::vector<std::int64_t> counts;
    for (rank_type r = 0; r < ranks; ++r)
        counts.push_back(std::array{0, 3, 1500, 0, 1, 7, 0, 2}[static_cast<std::size_t>(r) % 8]);
    return counts;
}

template <collective C, class Inner = fnomial, class Outer = fnomial>
std::string refusal(const node_map& nodes, const Inner& inner = {}, const Outer& outer = {},
                    rank_type size = 5) {
    return support::error_of([&] {
        static_cast<void>(generate(of<C>, by_nodes{nodes, inner, outer}, {0, size, 0}));
    });
}

/// Proves all of the catalogue as `outer`, with the inner one of that name; those that are refused.
template <collective C>
std::string refused_between(const node_map& nodes, std::string_view inner) {
    std::string refused;
    for (const catalogue_entry& e : catalogue_of<C>()) {
        INFO(e.name << " inside which is " << inner);
        const auto make = factory_of<by_nodes<named>, C>({nodes, {inner}, {e.name}});
        if (support::error_of([&] { static_cast<void>(make({0, nodes.ranks(), 0})); }).empty())
            check_proved(C, nodes.ranks(), 0, make);
        else
            refused += std::string(e.name) + ";";
    }
    return refused;
}

/// A serial gather that says of itself what is not so.
struct boasting {
    capabilities says{};
    block_index too_many = 0; // blocks
};
struct boasting_gather : gather_serial {
    boasting how;
    boasting_gather(place at, const boasting& says) : gather_serial(at), how(says) {}
    block_index blocks() const { return gather_serial::blocks() + how.too_many; }
    capabilities claims() const { return how.says; }
};
boasting_gather generate(collective_constant<collective::gather>, const boasting& how, place at) {
    return {at, how};
}

} // namespace

TEST_CASE("gathers and scatters by nodes are proved for all nodes of up to 9 ranks, at every root",
          "[schedule][gather][scatter][by_nodes]") {
    check_up_to<collective::gather>(9, fnomial{}, fnomial{});
    check_up_to<collective::scatter>(9, fnomial{}, fnomial{});
    check_up_to<collective::gather>(7, serial{}, fnomial{3});
    check_up_to<collective::scatter>(7, fnomial{3}, serial{});
}

TEST_CASE("a reduce_scatter by nodes is proved for all nodes of up to 10 ranks",
          "[schedule][reduce_scatter][by_nodes]") {
    check_up_to<collective::reduce_scatter>(10, fnomial{}, direct{});
    check_up_to<collective::reduce_scatter>(9, serial{}, circulant{}, false);
    check_up_to<collective::reduce_scatter>(8, reduce_and_serial<ring>{}, pairwise{}, false);
    check_up_to<collective::reduce_scatter>(7, reduce_and_serial<fnomial>{{3, 4}}, direct{});
    check_up_to<collective::reduce_scatter>(8, reduce_and_serial<fnomial>{{2, 2}}, circulant_pipeline{3},
                                            false);
}

TEST_CASE("a reduce_scatter by nodes is proved for up to 70 ranks, on few nodes and many, alike and not",
          "[schedule][reduce_scatter][by_nodes]") {
    support::for_some_layouts_of_many([](const std::vector<rank_type>& sizes) {
        check_on<collective::reduce_scatter>(node_map::of_sizes(sizes), fnomial{}, direct{});
        check_on<collective::reduce_scatter>(support::dealt_out(sizes), fnomial{}, circulant{}, false);
    });
}

TEST_CASE("an allgather by nodes is proved for all nodes of up to 10 ranks",
          "[schedule][allgather][by_nodes]") {
    check_up_to<collective::allgather>(10, fnomial{}, circulant{});
    check_up_to<collective::allgather>(9, serial{}, ring{});
    check_up_to<collective::allgather>(7, serial_and_bcast<two_tree>{{2}}, direct{});
    check_up_to<collective::allgather>(8, serial_and_bcast<fnomial>{{2, 2}}, circulant_pipeline{3});
}

TEST_CASE("an allgather by nodes is proved for up to 70 ranks, on few nodes and many, alike and not",
          "[schedule][allgather][by_nodes]") {
    support::for_some_layouts_of_many([](const std::vector<rank_type>& sizes) {
        check_on<collective::allgather>(node_map::of_sizes(sizes), fnomial{}, circulant{});
        check_on<collective::allgather>(support::dealt_out(sizes), fnomial{}, direct{});
    });
}

TEST_CASE("all of the catalogue can be parts by nodes",
          "[schedule][gather][scatter][reduce_scatter][allgather][by_nodes]") {
    for (const node_map& nodes : {node_map::of_sizes({3, 2}), support::dealt_out({3, 2})})
        for (const catalogue_entry& inner : catalogue_of<collective::gather>()) {
            REQUIRE(find_algorithm(collective::bcast, inner.name) != nullptr);
            CHECK(refused_between<collective::gather>(nodes, inner.name) == "");
            CHECK(refused_between<collective::allgather>(nodes, inner.name) == "");
        }
    for (const node_map& nodes : {node_map::of_sizes({3, 2}), support::dealt_out({3, 2})})
        for (const catalogue_entry& inner : catalogue_of<collective::scatter>()) {
            REQUIRE(find_algorithm(collective::reduce, inner.name) != nullptr);
            CHECK(refused_between<collective::scatter>(nodes, inner.name) == "");
            CHECK(refused_between<collective::reduce_scatter>(nodes, inner.name) == "");
        }
}

TEST_CASE("a gather on 3 + 2 ranks brings the blocks of a node as one message",
          "[schedule][gather][by_nodes]") {
    CHECK(schedule_text(5, 1, factory_of<by_nodes<>, collective::gather>({node_map::of_sizes({3, 2})}))
          == "0.1: send 1 [0]\n"
             "1.0: recv 2 [2]\n"
             "1.1: recv 0 [0]\n"
             "1.2: recv 3 [3..4]\n"
             "2.0: send 1 [2]\n"
             "3.0: recv 4 [4]\n"
             "3.2: send 1 [3..4]\n"
             "4.0: send 3 [4]\n");
}

TEST_CASE("a scatter to ranks that are dealt to nodes sends what is one node's in pieces of one message",
          "[schedule][scatter][by_nodes]") {
    CHECK(schedule_text(5, 0, factory_of<by_nodes<>, collective::scatter>({node_map({0, 0, 1, 0, 1})}))
          == "0.0: send 2 [2]; send 2 [4]\n"
             "0.1: send 3 [3]\n"
             "0.2: send 1 [1]\n"
             "1.2: recv 0 [1]\n"
             "2.0: recv 0 [2]; recv 0 [4]\n"
             "2.1: send 4 [4]\n"
             "3.1: recv 0 [3]\n"
             "4.1: recv 2 [4]\n");
}

TEST_CASE("a reduce_scatter on 3 + 2 ranks folds inside the nodes first, and between them what is theirs",
          "[schedule][reduce_scatter][by_nodes]") {
    CHECK(schedule_text(5, 0,
                        factory_of<by_nodes<fnomial, direct>, collective::reduce_scatter>(
                            {node_map::of_sizes({3, 2}), {}, {}}))
          == "0.0: fold right 1 [0..4]\n"
             "0.1: fold right 2 [0..4]\n"
             "0.2: send 3 [3..4]; fold right 3 [0..2]\n"
             "0.3: send 2 [2]\n"
             "0.4: send 1 [1]\n"
             "1.0: send 0 [0..4]\n"
             "1.4: recv 0 [1]\n"
             "2.1: send 0 [0..4]\n"
             "2.3: recv 0 [2]\n"
             "3.0: fold right 4 [0..4]\n"
             "3.2: send 0 [0..2]; fold left 0 [3..4]\n"
             "3.3: send 4 [4]\n"
             "4.0: send 3 [0..4]\n"
             "4.3: recv 3 [4]\n");
}

TEST_CASE("an allgather on 3 + 2 ranks takes what is a node's to its leader, and all from there",
          "[schedule][allgather][by_nodes]") {
    CHECK(schedule_text(5, 0,
                        factory_of<by_nodes<fnomial, direct>, collective::allgather>(
                            {node_map::of_sizes({3, 2}), {}, {}}))
          == "0.0: recv 1 [1]\n"
             "0.1: recv 2 [2]\n"
             "0.2: send 3 [0..2]; recv 3 [3..4]\n"
             "0.3: send 2 [0..4]\n"
             "0.4: send 1 [0..4]\n"
             "1.0: send 0 [1]\n"
             "1.4: recv 0 [0..4]\n"
             "2.1: send 0 [2]\n"
             "2.3: recv 0 [0..4]\n"
             "3.0: recv 4 [4]\n"
             "3.2: send 0 [3..4]; recv 0 [0..2]\n"
             "3.3: send 4 [0..4]\n"
             "4.0: send 3 [4]\n"
             "4.3: recv 3 [0..4]\n");
}

TEST_CASE("named gathers by nodes are those by their types", "[schedule][gather][by_nodes]") {
    const node_map nodes = support::dealt_out({3, 5});
    CHECK(
        schedule_text(8, 3, factory_of<by_nodes<named>, collective::gather>({nodes, {"serial"}, {"fnomial"}}))
        == schedule_text(8, 3, factory_of<by_nodes<serial, fnomial>, collective::gather>({nodes, {}, {}})));
}

TEST_CASE("a gather or scatter by nodes crosses once per node, each block once",
          "[schedule][gather][scatter][by_nodes]") {
    const auto check = []<collective C>(const node_map& nodes, collective_constant<C>) {
        node_traffic flat_ones;
        node_traffic by_leaders;
        for (rank_type root = 0; root < nodes.ranks(); ++root) {
            const node_traffic by = traffic<C>(by_nodes<fnomial, serial>{nodes, {}, {}}, nodes, root);
            CHECK(by.messages_between == nodes.nodes() - 1);
            CHECK(by.bytes_between == 8 * (nodes.ranks() - nodes.size_of(nodes.node_of(root))));
            const node_traffic flat = traffic<C>(fnomial{}, nodes, root);
            flat_ones.messages_between += flat.messages_between;
            flat_ones.bytes_between += flat.bytes_between;
            by_leaders.messages_between += by.messages_between;
            by_leaders.bytes_between += by.bytes_between;
        }
        CHECK(by_leaders.messages_between < flat_ones.messages_between);
        CHECK(by_leaders.bytes_between <= flat_ones.bytes_between);
        if (nodes.contiguous()) CHECK(by_leaders.bytes_between < flat_ones.bytes_between);
    };
    for (const node_map& nodes : some_nodes()) {
        INFO("nodes " << support::text_of(nodes));
        check(nodes, of<collective::gather>);
        check(nodes, of<collective::scatter>);
    }
}

TEST_CASE("by nodes, the vector of a reduce_scatter or allgather crosses as often as there are other nodes",
          "[schedule][reduce_scatter][allgather][by_nodes]") {
    const auto check = []<collective C>(const node_map& nodes, collective_constant<C>) {
        const node_traffic by = traffic<C>(by_nodes<fnomial, circulant>{nodes, {}, {}}, nodes);
        CHECK(by.bytes_between == 8 * nodes.ranks() * (nodes.nodes() - 1));
        const node_traffic flat = traffic<C>(circulant{}, nodes);
        CHECK(by.bytes_between <= flat.bytes_between);
        if (nodes.contiguous()) CHECK(by.bytes_between < flat.bytes_between);
        CHECK(by.messages_between < flat.messages_between);
    };
    for (const node_map& nodes : some_nodes()) {
        INFO("nodes " << support::text_of(nodes));
        check(nodes, of<collective::reduce_scatter>);
        check(nodes, of<collective::allgather>);
    }
}

TEST_CASE("gathers and scatters by nodes run with blocks of any lengths, in place and not",
          "[schedule][gather][scatter][by_nodes]") {
    for (const node_map& nodes : some_nodes()) {
        INFO("nodes " << support::text_of(nodes));
        CHECK(heard_on(nodes,
                       [&](auto& comm) {
                           const by_nodes<fnomial> how{nodes, {}, {}};
                           const std::vector<std::int64_t> counts = uneven(comm.size());
                           std::string wrong;
                           for (rank_type root = 0; root < comm.size(); ++root)
                               for (const bool in_place : {false, true})
                                   wrong += support::run_gatherv<int>(comm, counts, root, how, in_place)
                                            + support::run_scatterv<int>(comm, counts, root, how, in_place);
                           return wrong;
                       })
              == "");
    }
}

TEST_CASE("a reduce_scatter by nodes runs with blocks of any lengths, in the order of ranks",
          "[schedule][reduce_scatter][by_nodes]") {
    for (const node_map& nodes : some_nodes()) {
        INFO("nodes " << support::text_of(nodes));
        CHECK(heard_on(nodes,
                       [&](auto& comm) {
                           const std::vector<std::int64_t> counts = uneven(comm.size());
                           std::string wrong = support::run_reduce_scatter<int>(
                               comm, counts, sum{}, by_nodes{nodes, reduce_and_serial<ring>{}, circulant{}});
                           if (nodes.contiguous())
                               wrong += support::run_reduce_scatter<support::matrix>(
                                   comm, counts, support::multiply{}, by_nodes{nodes, serial{}, direct{}});
                           return wrong;
                       })
              == "");
    }
}

TEST_CASE("an allgather by nodes runs with blocks of any lengths, in place and not",
          "[schedule][allgather][by_nodes]") {
    for (const node_map& nodes : some_nodes()) {
        INFO("nodes " << support::text_of(nodes));
        CHECK(heard_on(nodes,
                       [&](auto& comm) {
                           const std::vector<std::int64_t> counts = uneven(comm.size());
                           std::string wrong;
                           for (const bool in_place : {false, true})
                               wrong += support::run_allgatherv<int>(
                                            comm, counts, by_nodes{nodes, fnomial{}, circulant{}}, in_place)
                                        + support::run_allgatherv<int>(
                                            comm, counts,
                                            by_nodes{nodes, serial_and_bcast<chain>{{3}}, ring{}}, in_place);
                           return wrong;
                       })
              == "");
    }
}

TEST_CASE("parts by nodes cut the blocks of all ranks alike, and leave them in their places",
          "[schedule][by_nodes]") {
    const node_map nodes = node_map::of_sizes({3, 2});
    CHECK(refusal<collective::gather>(nodes) == "");
    CHECK(refusal<collective::scatter>(nodes, fnomial{}, fnomial{}, 6)
          == "tutti: size is 6; allowed: 5, the number of ranks on the nodes");
    CHECK(refusal<collective::gather>(nodes, fnomial{}, boasting{.too_many = 1})
          == "tutti: blocks is 3; allowed: a multiple of 2, as many for each rank");
    CHECK(refusal<collective::gather>(nodes, boasting{.too_many = 1})
          == "tutti: blocks is 4; allowed: a multiple of 3, as many for each rank");
    const std::string moved = "tutti: a part is one that moves blocks, reads the input or needs scratch; "
                              "allowed: one that leaves all blocks in their places";
    for (const capabilities& says : {capabilities{.moves_blocks = true}, capabilities{.reads_input = true},
                                     capabilities{.scratch_blocks = 1}}) {
        CHECK(refusal<collective::gather>(nodes, boasting{says}) == moved);
        CHECK(refusal<collective::gather>(nodes, fnomial{}, boasting{says}) == moved);
    }
    // Nodes of sizes that have no small common multiple.
    CHECK(refusal<collective::gather>(node_map::of_sizes({7, 11, 13, 17, 19, 23, 29, 31}), fnomial{},
                                      fnomial{}, 150)
          == "");
}
