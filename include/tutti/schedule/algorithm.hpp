// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/core/block.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/core/slots.hpp>
#include <tutti/pattern/skips.hpp>

/// The names of algorithms, as values: `tutti::allreduce(comm, in, out, op, tutti::binary_blocks{})`.
/// One name may serve several collectives; each header in schedule/ overloads
/// `generate(of<collective>, algorithm, place)` for the pair it implements. `options` names the options to
/// who takes them by name: see `configured`.
namespace tutti {

/// Everybody straight to or from the root in one round; Moody's *serial*.
struct serial {};

/// A line of ranks starting at the root, the vector pipelined in `segments`; a linear scan with one of them.
struct chain {
    block_index segments = 8; ///< >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// A complete tree with `arity` children per rank.
struct kary {
    rank_type arity = 2;      ///< >= 1
    block_index segments = 1; ///< >= 1

    constexpr void options(auto& is) { is("arity", arity), is("segments", segments); }
};

/// f-nomial (= k-nomial) tree: radix 2 is the binomial tree.
struct fnomial {
    rank_type radix = 2;      ///< >= 2
    block_index segments = 1; ///< >= 1

    constexpr void options(auto& is) { is("radix", radix), is("segments", segments); }
};

/// The vector halved `splits` times over groups of ranks, f-nomial in each group (Moody, Fernandez, Petrini
/// and Panda 2003, section 5.3).
struct fnomial_split {
    rank_type radix = 2; ///< >= 2
    int splits = 1;      ///< 0..30

    constexpr void options(auto& is) { is("radix", radix), is("splits", splits); }
};

/// Binary tree whose in-order traversal is the order of ranks: keeps the order for any root.
struct binary_tree {
    block_index segments = 1; ///< >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// Two binary trees, each carrying half the vector, in which no rank is inner twice.
struct two_tree {
    block_index segments = 4; ///< per half, >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// Pješivac-Grbović et al. 2007: either half of the vector down a tree of half the ranks; then they swap.
struct split_binary {
    block_index segments = 8; ///< per half, >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// Träff 2021: up and down two binary trees at once, each of half the ranks, whose roots exchange.
struct dual_root {
    block_index segments = 8; ///< >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};
/// De Sensi et al. 2025: the binomial tree with distances that alternate in direction, two thirds as far.
struct bine_tree {};

/// Pairs at distance 1, 2, 4, ... exchange whole vectors.
struct recursive_doubling {};

/// The first 2^k ranks and the others fold among themselves, then both: one tree for any size and root.
struct canonical_doubling {};

/// Wilkins et al. 2023: groups of `radix` ranks exchange what they have, then groups of as many groups.
struct recursive_multiplying {
    rank_type radix = 4; ///< >= 2

    constexpr void options(auto& is) { is("radix", radix); }
};
/// Recursive doubling with the farthest first: long messages go to near ranks.
struct distance_halving {};

/// distance_halving with time running backwards: pairs at distance 1, 2, 4, ... send each other half.
struct distance_doubling {};

/// recursive_doubling with time running backwards: pairs at distance ..., 4, 2, 1 send each other half.
struct recursive_halving {};

/// De Sensi, Bonato, Saam and Hoefler 2024: pairs at distance 1, -1, 3, -5, 11, ..., odd ranks the other way.
/// Bine butterflies (De Sensi et al. 2025) have the same distances.
struct swing {};

/// The same with whole vectors.
struct swing_latency {};

/// Rabenseifner: vector halving with distance doubling, then the way back.
struct halving_doubling {};

/// recursive_multiplying of blocks, there and back; MPICH's k_reduce_scatter_allgather, UCC's sra_knomial.
struct reduce_scatter_allgather {
    rank_type radix = 4; ///< >= 2

    constexpr void options(auto& is) { is("radix", radix); }
};

/// Rabenseifner: halving_doubling inside power-of-two blocks of ranks.
struct binary_blocks {};

/// binary_blocks until the result is there, then back as `circulant` does.
struct binary_blocks_circulant {};

/// Everybody passes on to the right neighbour what comes from the left one.
struct ring {};

/// The ring with the vector in `segments`: one is folded while the next is on its way.
struct segmented_ring {
    block_index segments = 8; ///< >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// Both ways round the ring: every block goes to half of the ranks one way, to the others the other way.
struct bidirectional_ring {};

/// Wilkins et al. 2023: a ring of groups of `k` ranks, in which a ring of their own goes round first.
struct kring {
    rank_type k = 8; ///< >= 1

    constexpr void options(auto& is) { is("k", k); }
};

/// Rabenseifner: pairwise reduce-scatter, then a ring.
struct pairwise_ring {};

/// Träff: the circulant graph with halving skips; both lower bounds for every number of ranks.
struct circulant {
    /// At most so many blocks in a message, which skips then fall by: 1 is one peer per round, as in
    /// pairwise. 0: half of them, in the fewest rounds. An alltoall has no such bound.
    rank_type message_blocks = 0;
    /// Skips of your own, the same on all ranks, the number of ranks first: `circulant{.skips = {16, 8, 4, 3,
    /// 2, 1}}`. A round goes as many ranks far as its skip is, with what it falls by in a message. Behind
    /// the last they are as without a list.
    skip_list skips{};

    constexpr void options(auto& is) { is("message_blocks", message_blocks); }
};

/// Träff: the vector in `segments` on the circulant graph; the fewest rounds that so many can take.
struct circulant_pipeline {
    block_index segments = 8; ///< >= 1

    constexpr void options(auto& is) { is("segments", segments); }
};

/// Barnett et al. 1994 (van de Geijn): scatter down the f-nomial tree, then `allgather`, any that there is.
template <class Allgather = circulant>
struct scatter_allgather {
    rank_type radix = 2;   ///< >= 2
    Allgather allgather{}; ///< any that there is

    constexpr void options(auto& is) { is("radix", radix); }
};
/// Deduces the type of the allgather.
template <class Allgather>
scatter_allgather(rank_type, Allgather) -> scatter_allgather<Allgather>;

/// The way back: `reduce_scatter`, any that there is, then gather up the f-nomial tree.
template <class ReduceScatter = circulant>
struct reduce_scatter_gather {
    rank_type radix = 2;            ///< >= 2
    ReduceScatter reduce_scatter{}; ///< any that there is

    constexpr void options(auto& is) { is("radix", radix); }
};
/// Deduces the type of the reduce_scatter.
template <class ReduceScatter>
reduce_scatter_gather(rank_type, ReduceScatter) -> reduce_scatter_gather<ReduceScatter>;

/// Every block straight from its owner, or straight to it and folded there in the order of ranks.
struct direct {};

/// Bruck, Ho, Kipnis, Upfal and Weathersby 1997: ceil(log_r p) rounds of r - 1 messages.
struct bruck {
    rank_type radix = 2; ///< >= 2

    constexpr void options(auto& is) { is("radix", radix); }
};

/// One peer per round, p - 1 rounds. What others call a direct or linear alltoall is
/// `flow_controlled<pairwise>{{}, 8}`, with 8 messages outstanding.
struct pairwise {};

/// Windows of ranks that double or double plus one (Bar-Noy, Kipnis and Schieber 1993).
struct census {};

/// Träff 2025: skips of 1, 2 and 3 ranks, doubled from then on.
struct doubling_123 {};

/// Hensgen, Finkel and Manber 1988: everybody tells radix - 1 others, ever farther away.
struct dissemination {
    rank_type radix = 2; ///< >= 2

    constexpr void options(auto& is) { is("radix", radix); }
};

/// Hillis and Steele 1986: every rank sends what it has 1, 2, 4, ... ranks up.
struct hillis_steele {};

/// Kumar and Kalé: first along the rows, then along the columns of a square mesh.
struct mesh2d {};

/// Kumar and Kalé: dimensional exchange, the last `zeta` dimensions by direct messages. Of an alltoall, as
/// many dimensions as p can be halved, and the rest direct.
struct hypercube {
    int zeta = 0; ///< 0..30; as many dimensions as there are mean: all of them

    constexpr void options(auto& is) { is("zeta", zeta); }
};

/// Kumar and Kalé: in round j to rank xor j.
struct prefix_send {};

/// Kumar and Kalé: prefix_send inside partitions of `k` ranks, a ring of partitions. An alltoall goes
/// straight in the order of both.
struct kprefix {
    rank_type k = 8; ///< a power of two

    constexpr void options(auto& is) { is("k", k); }
};

/// Kumar and Kalé: to the k - 1 nearest ranks and to the one k ahead, which does the same with it. An
/// alltoall goes straight in this order.
struct kshift {
    rank_type k = 8; ///< >= 1

    constexpr void options(auto& is) { is("k", k); }
};

/// Chen, Zhang, Zhang and Yuan 2005: pairs of neighbours, in turn left and right.
struct neighbor_exchange {};

/// Loch and Koslovski 2021: Bruck's rounds backwards, so that long messages go to near ranks.
struct sparbit {
    /// At most so many blocks in a message, rounded down to a power of two, and few blocks of others on the
    /// way at a time: Jeaugey's PAT. 0: half of all blocks, in the fewest rounds.
    rank_type message_blocks = 0;

    constexpr void options(auto& is) { is("message_blocks", message_blocks); }
};

/// `how`, which is direct, prefix_send or kprefix, or what an alltoall goes straight by, as if every slot had
/// a rank: a round meets the missing ones in vain, and who talks to whom in it stays part of one permutation
/// of the slots.
template <class Strategy>
struct on_slots {
    Strategy how{}; ///< the strategy
    slot_map slots; ///< where ranks are, and where none is
};

/// Two algorithms, one inside the nodes and one between them, where a leader speaks for all of its node.
/// `tutti::allreduce(comm, x, sum{}, by_nodes{nodes, fnomial{}, ring{}})`. `inner` has a reduce and a bcast,
/// `outer` the collective itself; `named` ones will do, too. For a scan or exscan, `inner` has that and a
/// bcast, `outer` an exscan: `by_nodes{nodes, binary_tree{}, doubling_123{}}`. For a gather or scatter both
/// have that; for a reduce_scatter `inner` has a reduce and a scatter, for an allgather a gather and a bcast.
/// For an alltoall, where all ranks speak, both have one that sends straight:
/// `by_nodes<pairwise>{nodes, {}, {}}`.
template <class Inner = fnomial, class Outer = Inner>
struct by_nodes {
    node_map nodes; ///< who is where
    Inner inner{};  ///< within a node
    Outer outer{};  ///< between leaders
};
/// Deduces the types of both.
template <class Inner, class Outer>
by_nodes(node_map, Inner, Outer) -> by_nodes<Inner, Outer>;

/// Träff and Hunold 2020: on nodes of equally many ranks, as many collectives between them as a node has
/// ranks, each of its part of the vector. `inner` has a reduce_scatter and an allgather, for an alltoall, a
/// gather or a scatter that, `outer` the collective itself. For a bcast or reduce `inner` is what is to be
/// cut in two: `multi_lane{nodes, scatter_allgather<>{}, fnomial{}}`, or a reduce_scatter_gather.
template <class Inner = circulant, class Outer = Inner>
struct multi_lane {
    node_map nodes; ///< of equally many ranks each
    Inner inner{};  ///< within a node
    Outer outer{};  ///< between nodes
};
/// Deduces the types of both.
template <class Inner, class Outer>
multi_lane(node_map, Inner, Outer) -> multi_lane<Inner, Outer>;

/// Bienz, Gropp and Olson 2020: alltoall of ranks on nodes of equally many, in which what goes from one node
/// to another is gathered there first, so that it goes in few messages: `three_step{nodes}`.
struct three_step {
    node_map nodes; ///< of equally many ranks each
};

/// With whom ranks come into step under flow control.
enum class synchronise : std::uint8_t {
    neighbours, ///< the ranks before and after: one round
    everybody,  ///< a barrier: ceil(lg p) rounds
};

/// A direct strategy with bounds on how far ranks run apart (Kumar and Kalé 2004, section 4.6):
/// `flow_controlled<kshift>{{.k = 8}, 4, 16}` has 4 messages in flight and comes into step after every 16.
template <class Strategy>
struct flow_controlled : Strategy {
    std::int64_t outstanding = 1;               ///< messages that a rank sends in one round, >= 1
    std::int64_t pace = 0;                      ///< come into step after so many messages; 0: never
    synchronise with = synchronise::neighbours; ///< whom a rank waits for

    constexpr void options(auto& is) {
        if constexpr (requires(Strategy& of) { of.options(is); }) Strategy::options(is);
        is("outstanding", outstanding), is("pace", pace);
    }
};

} // namespace tutti
