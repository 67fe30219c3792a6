// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/active_rounds.hpp"
#include "support/catch2.hpp"
#include "support/proving_sizes.hpp"

/// What scans, inclusive and exclusive, have to fulfil alike.
namespace tutti::testing {

/// Proves one: in order, in place, and its claims exact, of scratch, too; but that on the fewest ranks all
/// have the same bits, as prove_up_to wants it, those along a tree do not claim.
template <collective C>
proof check_scan(rank_type size, const generator_factory& make) {
    proof p = check_proved(C, size, 0, make);
    const capabilities claims = make({0, size, 0}).claims();
    CHECK(p.order_preserved);
    CHECK(claims.order_preserving);
    CHECK(claims.rounds == p.rounds);
    CHECK(claims.sent_blocks == p.sent_blocks);
    CHECK(claims.reduced_blocks == p.reduced_blocks);
    CHECK(claims.max_outstanding == p.max_outstanding);
    CHECK(claims.scratch_blocks == p.scratch_blocks);
    CHECK_FALSE(p.reads_input);
    return p;
}

/// One along a tree, at all sizes up to 70.
template <collective C, class Algorithm>
void check_tree_scan(const Algorithm& how) {
    const auto make = factory_of<Algorithm, C>(how);
    for (rank_type size = 1; size <= 70; ++size) {
        CAPTURE(size);
        check_scan<C>(size, make);
    }
}

/// One by recursive doubling, at all sizes up to 300: along the canonical tree, in as few rounds as any.
template <collective C>
void check_doubling_scan(const generator_factory& make) {
    for (rank_type size = 1; size <= 300; ++size) {
        CAPTURE(size);
        const proof p = check_scan<C>(size, make);
        CHECK(p.canonical_tree);
        CHECK(p.rounds == ceil_log2(size));
        CHECK(p.rounds == p.bounds.rounds);
        CHECK(p.critical_messages == p.rounds);
    }
}

} // namespace tutti::testing
