// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/block.hpp>
#include <tutti/core/rank.hpp>

/// The names of algorithms, as values: `tutti::allreduce(comm, in, out, op, tutti::binary_blocks{})`.
/// One name may serve several collectives; each header in schedule/ overloads
/// `generate(of<collective>, algorithm, place)` for the pair it implements.
namespace tutti {

/// Everybody straight to or from the root in one round; Moody's *serial*.
struct serial {};

/// A line of ranks starting at the root, the vector pipelined in `segments`.
struct chain {
    block_index segments = 8; ///< >= 1
};

/// A complete tree with `arity` children per rank.
struct kary {
    rank_type arity = 2;      ///< >= 1
    block_index segments = 1; ///< >= 1
};

/// f-nomial (= k-nomial) tree: radix 2 is the binomial tree.
struct fnomial {
    rank_type radix = 2;      ///< >= 2
    block_index segments = 1; ///< >= 1
};

/// The vector halved `splits` times over groups of ranks, f-nomial in each group (Moody, Fernandez, Petrini
/// and Panda 2003, section 5.3).
struct fnomial_split {
    rank_type radix = 2; ///< >= 2
    int splits = 1;      ///< 0..30
};

/// Binary tree whose in-order traversal is the order of ranks: keeps the order for any root.
struct binary_tree {
    block_index segments = 1; ///< >= 1
};

/// Two binary trees, each carrying half the vector, in which no rank is inner twice.
struct two_tree {
    block_index segments = 4; ///< per half, >= 1
};

/// Pairs at distance 1, 2, 4, ... exchange whole vectors.
struct recursive_doubling {};

/// Rabenseifner: vector halving with distance doubling, then the way back.
struct halving_doubling {};

/// Rabenseifner: halving_doubling inside power-of-two blocks of ranks.
struct binary_blocks {};

/// Pairwise reduce-scatter, then a ring.
struct ring {};

/// Träff: the circulant graph with halving skips; both lower bounds for every number of ranks.
struct circulant {};

/// Every block straight to its owner, folded there in the order of ranks.
struct direct {};

/// Bruck, Ho, Kipnis, Upfal and Weathersby 1997: ceil(log2 p) rounds.
struct bruck {};

/// One peer per round, p - 1 rounds.
struct pairwise {};

/// Windows of ranks that double or double plus one (Bar-Noy, Kipnis and Schieber 1993).
struct census {};

/// Hensgen, Finkel and Manber 1988.
struct dissemination {};

} // namespace tutti
