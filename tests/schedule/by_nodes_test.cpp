// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/by_nodes.hpp>

#include <numeric>
#include <vector>

#include <tutti/schedule/allreduce/circulant.hpp>
#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/allreduce/tree.hpp>
#include <tutti/schedule/barrier/dissemination.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/schedule/reduce/ring.hpp>
#include <tutti/schedule/reduce/tree.hpp>

#include "support/combined_claims.hpp"
#include "support/extent.hpp"
#include "support/nodes.hpp"
#include "support/outcomes.hpp"
#include "support/proving_sizes.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

/// Proves `inner` and `outer` for C, to all roots. If both claim that they keep the order, even of few ranks,
/// so must what is made of them, wherever it does.
template <collective C, class Inner, class Outer>
void check_on(const node_map& nodes, const Inner& inner, const Outer& outer, bool must_claim_order) {
    const by_nodes how{nodes, inner, outer};
    const auto make = factory_of<by_nodes<Inner, Outer>, C>(how);
    for (rank_type root = 0; root < (has_root(C) ? nodes.ranks() : 1); ++root) {
        const proof p = check_proved(C, nodes.ranks(), root, make);
        const capabilities claims = make({0, nodes.ranks(), root}).claims();
        INFO(name_of(C) << " on nodes " << support::text_of(nodes) << ", root " << root);
        CHECK(claims.same_bits_on_all_ranks == p.same_bits);
        CHECK((!folds(C) || nodes.contiguous() || !claims.order_preserving));
        CHECK(claims.rounds == p.rounds);
        if (must_claim_order) CHECK(claims.order_preserving == p.order_preserved);
    }
}

template <collective C, class Inner, class Outer>
void check_up_to(rank_type most, const Inner& inner, const Outer& outer, bool must_claim_order = true) {
    for (rank_type size = 1; size <= support::up_to(most, 8); ++size)
        support::for_each_composition(size, [&](const std::vector<rank_type>& sizes) {
            const node_map together = node_map::of_sizes(sizes);
            check_on<C>(together, inner, outer, must_claim_order);
            check_on<C>(support::dealt_out(sizes), inner, outer, must_claim_order);
        });
}

/// Does nothing, in one collective not for any size.
struct not_any_size {
    collective in;
};
struct idle_ranks {
    capabilities stated;

    round_index rounds() const { return 0; }
    block_index blocks() const { return 1; }
    capabilities claims() const { return stated; }
    void emit(round_index, auto&&) const {}
};
template <collective C>
idle_ranks generate(collective_constant<C>, const not_any_size& how, place) {
    return {{.any_size = C != how.in}};
}

} // namespace

TEST_CASE("a bcast by nodes is proved for all nodes of up to 9 ranks, to every root",
          "[schedule][bcast][by_nodes]") {
    check_up_to<collective::bcast>(9, fnomial{}, fnomial{});
    check_up_to<collective::bcast>(7, serial{}, chain{3});
    check_up_to<collective::bcast>(7, two_tree{2}, binary_tree{3});
}

TEST_CASE("a reduce by nodes is proved for all nodes of up to 9 ranks, to every root",
          "[schedule][reduce][by_nodes]") {
    check_up_to<collective::reduce>(9, fnomial{}, fnomial{});
    check_up_to<collective::reduce>(7, serial{}, ring{}, false);
    check_up_to<collective::reduce>(7, two_tree{2}, binary_tree{3});
    check_up_to<collective::reduce>(6, ring{}, kary{3, 2}, false);
}

TEST_CASE("an allreduce by nodes is proved for all nodes of up to 12 ranks",
          "[schedule][allreduce][by_nodes]") {
    check_up_to<collective::allreduce>(12, fnomial{}, recursive_doubling{});
    check_up_to<collective::allreduce>(10, serial{}, ring{}, false);
    check_up_to<collective::allreduce>(10, fnomial{3, 2}, circulant{}, false);
    check_up_to<collective::allreduce>(9, two_tree{2}, binary_tree{3});
}

TEST_CASE("a barrier by nodes is proved for all nodes of up to 12 ranks", "[schedule][barrier][by_nodes]") {
    check_up_to<collective::barrier>(12, fnomial{}, dissemination{});
    check_up_to<collective::barrier>(9, chain{2}, dissemination{});
}

TEST_CASE("a reduce by nodes goes to the leaders first, of which the root is one",
          "[schedule][reduce][by_nodes]") {
    CHECK(
        schedule_text(5, 1, factory_of<by_nodes<>, collective::reduce>({.nodes = node_map::of_sizes({3, 2})}))
        == "0.1: send 1 [0]\n"
           "1.0: fold right 2 [0]\n"
           "1.1: fold left 0 [0]\n"
           "1.2: fold right 3 [0]\n"
           "2.0: send 1 [0]\n"
           "3.0: fold right 4 [0]\n"
           "3.2: send 1 [0]\n"
           "4.0: send 3 [0]\n");
}

TEST_CASE("named algorithms by nodes are those by their types", "[schedule][by_nodes]") {
    const node_map nodes = support::dealt_out({3, 5});
    CHECK(schedule_text(8, 0,
                        factory_of<by_nodes<named>, collective::allreduce>({nodes, {"fnomial"}, {"fnomial"}}))
          == schedule_text(8, 0, factory_of<by_nodes<>, collective::allreduce>({nodes})));
}

TEST_CASE("an allreduce by nodes has the rounds of its phases", "[schedule][allreduce][by_nodes]") {
    const auto rounds = [](const std::vector<rank_type>& sizes) {
        return generate(of<collective::allreduce>, by_nodes<>{node_map::of_sizes(sizes)},
                        {0, std::accumulate(sizes.begin(), sizes.end(), 0), 0})
            .rounds();
    };
    CHECK(rounds({3, 2}) == 2 * (2 + 1));
    CHECK(rounds({1, 1, 1, 1, 1}) == 2 * 3);
    CHECK(rounds({5}) == 2 * 3);
    CHECK(rounds({1, 7}) == 2 * (3 + 1));
}

TEST_CASE("two phases claim what both do, and scratch of the one that needs more", "[schedule][by_nodes]") {
    const capabilities plain{};
    const capabilities scratch{.scratch_blocks = 2};
    CHECK(detail::both_claims(scratch, 3, plain, 5).scratch_blocks == 6);
    CHECK(detail::both_claims(plain, 3, scratch, 5).scratch_blocks == 10);
    CHECK(detail::both_claims(scratch, 6, scratch, 5).scratch_blocks == 12);
    const auto both = [](const capabilities& a, const capabilities& b) {
        return detail::both_claims(a, 1, b, 1);
    };
    CHECK(support::combined(&capabilities::any_size, both) == support::claimed_if_by_both);
    CHECK(support::combined(&capabilities::order_preserving, both) == support::claimed_if_by_both);
    CHECK(support::combined(&capabilities::moves_blocks, both) == support::claimed_if_by_any);
}

TEST_CASE("a barrier by nodes is for any size if what it is made of is", "[schedule][barrier][by_nodes]") {
    const auto for_any = [](collective but) {
        const not_any_size part{but};
        return generate(of<collective::barrier>, by_nodes{node_map::of_sizes({3, 2}), part, part}, {0, 5, 0})
            .claims()
            .any_size;
    };
    CHECK(for_any(collective::alltoall)); // is no part of it
    CHECK_FALSE(for_any(collective::reduce));
    CHECK_FALSE(for_any(collective::bcast));
    CHECK_FALSE(for_any(collective::barrier));
}

TEST_CASE("ranks on as many nodes as there are, and blocks that can be counted, are needed",
          "[schedule][by_nodes]") {
    const auto refusal = [](const std::vector<rank_type>& sizes, const auto& inner, rank_type size) {
        return support::error_of([&] {
            static_cast<void>(generate(of<collective::reduce>,
                                       by_nodes{node_map::of_sizes(sizes), inner, fnomial{}}, {0, size, 0}));
        });
    };
    CHECK(refusal({3, 2}, fnomial{}, 5) == "");
    CHECK(refusal({3, 2}, fnomial{}, 4) == "tutti: size is 4; allowed: 5, the number of ranks on the nodes");
    CHECK(refusal({7, 11, 13, 17, 19, 23, 29, 31}, ring{}, 150)
          == "tutti: blocks in common to all groups is 6685349671; allowed: at most 2147483647");
}
