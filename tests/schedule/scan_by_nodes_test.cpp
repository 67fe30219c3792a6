// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/scan_by_nodes.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/exscan/binary_tree.hpp>
#include <tutti/schedule/exscan/census.hpp>
#include <tutti/schedule/exscan/chain.hpp>
#include <tutti/schedule/exscan/doubling_123.hpp>
#include <tutti/schedule/exscan/recursive_doubling.hpp>
#include <tutti/schedule/exscan/two_tree.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/schedule/scan/binary_tree.hpp>
#include <tutti/schedule/scan/chain.hpp>
#include <tutti/schedule/scan/hillis_steele.hpp>
#include <tutti/schedule/scan/recursive_doubling.hpp>
#include <tutti/schedule/scan/two_tree.hpp>

#include "support/extent.hpp"
#include "support/nodes.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// Scans by one algorithm, bcasts up a binomial tree.
template <class Scan>
struct scan_and_tree {
    template <collective C>
        requires(has_schedule<Scan, C>)
    friend auto generate(collective_constant<C> what, const scan_and_tree&, place at) {
        return generate(what, Scan{}, at);
    }
    friend auto generate(collective_constant<collective::bcast> what, const scan_and_tree&, place at) {
        return generate(what, fnomial{}, at);
    }
};

/// Proves it, all claims exact but that to read the input late, which no exscan of nodes may take back.
template <collective C, class Inner, class Outer>
void check_on(const node_map& nodes, const Inner& inner, const Outer& outer) {
    const auto make = factory_of<by_nodes<Inner, Outer>, C>({nodes, inner, outer});
    INFO(name_of(C) << " on nodes " << support::text_of(nodes));
    const proof p = check_proved(C, nodes.ranks(), 0, make);
    const capabilities claims = make({0, nodes.ranks(), 0}).claims();
    CHECK(claims.order_preserving);
    CHECK(claims.rounds == p.rounds);
    CHECK((C == collective::exscan || !claims.reads_input));
}

template <class Inner, class Outer>
void check_both_on(const node_map& nodes, const Inner& inner, const Outer& outer) {
    check_on<collective::scan>(nodes, inner, outer);
    check_on<collective::exscan>(nodes, inner, outer);
}

/// All ways to lay up to `most` ranks on nodes one after the other, one rank on each and all on one among
/// them.
template <class Inner, class Outer>
void check_up_to(rank_type most, const Inner& inner, const Outer& outer) {
    for (rank_type size = 1; size <= support::up_to(most, 8); ++size)
        support::for_each_composition(size, [&](const std::vector<rank_type>& sizes) {
            check_both_on(node_map::of_sizes(sizes), inner, outer);
        });
}

std::string refusal(const node_map& nodes, const auto& inner, const auto& outer, rank_type size) {
    return support::error_of([&] {
        static_cast<void>(generate(of<collective::scan>, by_nodes{nodes, inner, outer}, {0, size, 0}));
    });
}

} // namespace

TEST_CASE("scans by nodes are proved for all nodes of up to 11 ranks that follow each other",
          "[schedule][scan][exscan][by_nodes]") {
    check_up_to(11, binary_tree{}, doubling_123{});
    check_up_to(10, chain{3}, census{});
    check_up_to(10, scan_and_tree<recursive_doubling>{}, census{});
    check_up_to(9, two_tree{2}, chain{2});
    check_up_to(7, binary_tree{2}, recursive_doubling{});
    check_up_to(8, binary_tree{}, chain{3}); // inner's scratch is of larger blocks
    check_up_to(5, chain{2}, binary_tree{2});
    check_up_to(3, binary_tree{}, two_tree{2});
    for (const auto& few : {std::vector<rank_type>{9, 3, 8}, {1, 12, 2}, {2, 9, 1}})
        check_both_on(node_map::of_sizes(few), scan_and_tree<recursive_doubling>{}, two_tree{2});
}

TEST_CASE("scans by nodes are proved for up to 70 ranks, on few nodes and many, alike and not",
          "[schedule][scan][exscan][by_nodes]") {
    for (rank_type size = 12; size <= 70; ++size)
        for (const rank_type largest : {1, 2, 5, 8, 40, 70}) {
            std::vector<rank_type> falling;
            std::vector<rank_type> alike;
            for (rank_type left = size, next = largest; left > 0;) {
                falling.push_back(std::min(next, left));
                left -= falling.back();
                if (next > 1) --next;
            }
            for (rank_type left = size; left > 0; left -= alike.back())
                alike.push_back(std::min(largest, left));
            check_both_on(node_map::of_sizes(falling), binary_tree{}, doubling_123{});
            check_both_on(node_map::of_sizes(alike), scan_and_tree<recursive_doubling>{}, census{});
            std::reverse(falling.begin(), falling.end());
            check_both_on(node_map::of_sizes(falling), two_tree{1}, chain{3});
        }
}

TEST_CASE("a scan of 3 + 2 ranks goes from the last rank of a node to that of the next",
          "[schedule][scan][by_nodes]") {
    CHECK(schedule_text(5, 0,
                        factory_of<by_nodes<chain, doubling_123>, collective::scan>(
                            {node_map::of_sizes({3, 2}), {1}, {}}))
          == "0.0: send 1 [0]\n"
             "1.0: fold left 0 [0]\n"
             "1.1: send 2 [0]\n"
             "2.1: fold left 1 [0]\n"
             "2.2: send 4 [0]\n"
             "3.0: send 4 [0]\n"
             "3.3: recv 4 [0]\n"
             "3.4: fold left [0]\n"
             "4.0: fold left 3 [0]\n"
             "4.2: recv 2 [0]\n"
             "4.3: send 3 [0]\n"
             "4.4: fold left [0]\n");
}

TEST_CASE("an exscan of 3 + 2 ranks goes from the first rank of a node to that of the next",
          "[schedule][exscan][by_nodes]") {
    CHECK(schedule_text(5, 0,
                        factory_of<by_nodes<chain, doubling_123>, collective::exscan>(
                            {node_map::of_sizes({3, 2}), {1}, {}}))
          == "0.0: send 1 [0]\n"
             "0.2: recv 2 [0]\n"
             "0.3: send 3 [0]\n"
             "1.0: copy [0]; recv 0 [0]; fold left [0]\n"
             "1.1: send 2 [0]\n"
             "2.1: recv 1 [0]; copy [0]; fold left [0]\n"
             "2.2: send 0 [0]\n"
             "3.0: send 4 [0]\n"
             "3.3: recv 0 [0]\n"
             "3.4: send 4 [0]\n"
             "4.0: recv 3 [0]\n"
             "4.4: recv 3 [0]\n"
             "4.5: fold left [0]\n");
}

TEST_CASE("scans by nodes have the rounds of their phases", "[schedule][scan][exscan][by_nodes]") {
    const auto rounds = [](const auto& what, const std::vector<rank_type>& sizes) {
        const node_map nodes = node_map::of_sizes(sizes);
        return generate(what, by_nodes{nodes, scan_and_tree<recursive_doubling>{}, census{}},
                        {0, nodes.ranks(), 0})
            .rounds();
    };
    CHECK(rounds(of<collective::scan>, {3, 2}) == 2 + 1 + 2);
    CHECK(rounds(of<collective::exscan>, {3, 2}) == 2 + 1 + 1 + 2);
    CHECK(rounds(of<collective::scan>, {8, 8, 8, 8, 8}) == 3 + 3 + 3);
    CHECK(rounds(of<collective::exscan>, {8, 8, 8, 8, 8}) == 3 + 1 + 3 + 3);
    CHECK(rounds(of<collective::exscan>, {1, 4}) == 2 + 1 + 2);
    for (const auto& ones : {std::vector<rank_type>(5, 1)}) {
        CHECK(rounds(of<collective::scan>, ones) == 3);
        CHECK(rounds(of<collective::exscan>, ones) == 3);
    }
    CHECK(rounds(of<collective::scan>, {5}) == 3);
    CHECK(rounds(of<collective::exscan>, {5}) == 3);
}

TEST_CASE("named scans by nodes are those by their types", "[schedule][scan][by_nodes]") {
    const node_map nodes = node_map::of_sizes({3, 5});
    CHECK(
        schedule_text(8, 0,
                      factory_of<by_nodes<named>, collective::scan>({nodes, {"binary_tree"}, {"census"}}))
        == schedule_text(8, 0, factory_of<by_nodes<binary_tree, census>, collective::scan>({nodes, {}, {}})));
}

TEST_CASE("scans by nodes need ranks that follow each other, and one block of scratch between the nodes",
          "[schedule][scan][by_nodes]") {
    CHECK(refusal(node_map::of_sizes({3, 2}), chain{}, chain{}, 5) == "");
    CHECK(refusal(node_map::of_sizes({3, 2}), chain{}, chain{}, 4)
          == "tutti: size is 4; allowed: 5, the number of ranks on the nodes");
    CHECK(refusal(node_map({0, 1, 0}), chain{}, chain{}, 3)
          == "tutti: nodes is of ranks that do not follow each other; allowed: of ranks that do: a scan by "
             "nodes "
             "takes one node's behind the other's");
    const auto between = [](rank_type nodes, const auto& outer) {
        const std::vector<rank_type> pairs(static_cast<std::size_t>(nodes), 2);
        return refusal(node_map::of_sizes(pairs), chain{}, outer, 2 * nodes);
    };
    for (const std::string& refused :
         {between(8, recursive_doubling{}), between(6, binary_tree{}), between(4, two_tree{})})
        CHECK(
            refused
            == "tutti: scratch of the exscan between the nodes is two blocks for one; allowed: one at most, "
               "as of census, doubling_123 and chain");
    for (const std::string& taken :
         {between(7, recursive_doubling{}), between(5, binary_tree{}), between(3, two_tree{})})
        CHECK(taken == "");
}
