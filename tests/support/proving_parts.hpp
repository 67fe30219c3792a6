// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/schedule/parts_by_nodes.hpp>

#include "support/nodes.hpp"
#include "support/proving.hpp"

namespace tutti::testing {

/// Proves `inner` and `outer` for C, to all roots, with claims as strong as they can be; but for the order if
/// the parts do not claim it.
template <collective C, class Inner, class Outer>
void check_on(const node_map& nodes, const Inner& inner, const Outer& outer, bool must_claim_order = true) {
    const auto make = factory_of<by_nodes<Inner, Outer>, C>({nodes, inner, outer});
    for (rank_type root = 0; root < (has_root(C) ? nodes.ranks() : 1); ++root) {
        INFO(name_of(C) << " on nodes " << support::text_of(nodes) << ", root " << root);
        proof p = check_proved(C, nodes.ranks(), root, make);
        const capabilities claims = make({0, nodes.ranks(), root}).claims();
        p.canonical_tree = false; // only whole algorithms claim it
        p.uniform_rounds = 0;     // leaders do other things than those they speak for
        if (!must_claim_order) p.order_preserved = claims.order_preserving;
        CHECK(weak_claims(claims, p, nodes.ranks()) == "");
        CHECK(claims.rounds == p.rounds);
        CHECK_FALSE(claims.moves_blocks);
    }
}

} // namespace tutti::testing
