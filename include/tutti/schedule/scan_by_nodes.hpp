// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/nodes.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/aligned_groups.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/combinators.hpp>

namespace tutti {

namespace detail {

/// `g`, behind whose last round this rank has up to two local steps.
template <generator G>
class ending_with {
public:
    ending_with(G g, const std::array<step, 2>& last, int steps)
        : g_(std::move(g)), last_(last), steps_(steps) {}

    round_index rounds() const noexcept { return g_.rounds(); }
    block_index blocks() const noexcept { return g_.blocks(); }
    capabilities claims() const { return g_.claims(); }
    round_range active() const noexcept {
        return steps_ == 0 ? active_rounds(g_) : hull(active_rounds(g_), {rounds() - 1, rounds()});
    }

    template <class Sink>
    TUTTI_INLINE void emit(round_index i, Sink&& sink) const {
        g_.emit(i, sink);
        if (i + 1 == rounds())
            for (int k = 0; k < steps_; ++k) sink(last_[static_cast<std::size_t>(k)]);
    }

private:
    G g_;
    std::array<step, 2> last_;
    int steps_;
};

/// One round, or none, in which `from` sends its scratch to `to`.
struct handing_over {
    rank_type rank;
    rank_type from;
    rank_type to;
    round_index count; ///< of rounds
    block_index total; ///< of blocks

    round_index rounds() const noexcept { return count; }
    block_index blocks() const noexcept { return total; }
    capabilities claims() const { return {}; }
    template <class Sink>
    void emit(round_index, Sink&& sink) const {
        const block_set whole{.first = 0, .count = total};
        if (from == to) return;
        if (rank == from) sink(step::send(to, whole, buffer_name::scratch));
        if (rank == to) sink(step::recv(from, whole, buffer_name::scratch));
    }
};

/// How many blocks of scratch, and of scratch_1 alone, a rank's part of a schedule defines.
struct scratch_use {
    block_index all = 0;
    block_index second = 0;
    bool twice = false; ///< a block of both
};
template <generator G>
scratch_use scratch_of(const G& g) {
    scratch_use use;
    if (g.claims().scratch_blocks == 0) return use;
    std::vector<rank_type> defined(static_cast<std::size_t>(g.blocks())); // 1: of scratch, 2: of scratch_1
    const round_range busy = active_rounds(g);
    for (round_index i = busy.begin; i < busy.end; ++i)
        g.emit(i, [&](const step& s) {
            if (s.kind == step_kind::send || s.buffer == buffer_name::work) return;
            for_each_run(s.blocks, g.blocks(), [&](block_index first, block_index count) {
                for (block_index b = first; b < first + count; ++b)
                    defined[static_cast<std::size_t>(b)] |= s.buffer == buffer_name::scratch ? 1 : 2;
            });
        });
    for (const rank_type of : defined) {
        use.all += (of & 1) + (of >> 1);
        use.second += of >> 1;
        use.twice = use.twice || of == 3;
    }
    return use;
}

/// Who does what in a scan, or exscan, of C by nodes, and where it lies.
template <collective C, class Inner, class Outer>
class scan_roles {
public:
    scan_roles(const by_nodes<Inner, Outer>& how, place at)
        : how_(how), at_(at), node_(how.nodes.node_of(at.rank)) {
        check_nodes(how.nodes, at);
        if (!how.nodes.contiguous())
            throw argument_error("nodes", "of ranks that do not follow each other",
                                 "of ranks that do: a scan by nodes takes one node's behind the other's");
    }

    /// Those who speak for the nodes.
    leaders lead() const { return {how_.nodes, last_speaks ? how_.nodes.size_of(0) - 1 : 0, last_speaks}; }
    /// The same, for the way from them to the others, who are none if there is but one node.
    leaders down() const { return how_.nodes.nodes() == 1 ? leaders{node_map(), 0} : lead(); }
    rank_type rank_down() const noexcept { return how_.nodes.nodes() == 1 ? 0 : at_.rank; }

    bool speaks() const { return lead()(node_) == at_.rank; }
    bool has_before() const noexcept { return node_ > 0; }

    rank_type first() const noexcept { return how_.nodes.rank_at(node_, 0); }
    rank_type last() const noexcept { return how_.nodes.rank_at(node_, how_.nodes.size_of(node_) - 1); }

    /// Whether the fold of a node's ranks is made in scratch: of an exscan, in which its last rank has that
    /// of the others.
    bool makes_fold(rank_type node) const noexcept {
        return !last_speaks && node < how_.nodes.nodes() - 1 && how_.nodes.size_of(node) > 1;
    }
    bool makes_fold() const noexcept { return makes_fold(node_); }
    bool anybody_makes_fold() const noexcept {
        for (rank_type node = 0; node < how_.nodes.nodes(); ++node)
            if (makes_fold(node)) return true;
        return false;
    }

    /// Where the speaker of a node has what the exscan of nodes takes for its buffers.
    std::array<buffer_name, buffer_count> across(rank_type node) const noexcept {
        const buffer_name beside = keeps_scratch(node) ? buffer_name::scratch_1 : buffer_name::scratch;
        if (last_speaks) return {buffer_name::scratch, buffer_name::work, beside, beside};
        return {buffer_name::work, makes_fold(node) ? buffer_name::scratch : buffer_name::input, beside,
                beside};
    }
    /// Where this rank takes what is before its node.
    buffer_name before() const { return !last_speaks && speaks() ? buffer_name::work : buffer_name::scratch; }

    /// The most scratch of a rank in blocks of which `outer` and `inner` make one of theirs. Refuses an outer
    /// exscan for which one plane will not do.
    block_index scratch(block_index of_inside, block_index inner, block_index outer,
                        block_index total) const {
        block_index most = of_inside;
        if (how_.nodes.nodes() == 1) return most;
        for (rank_type node = 0; node < how_.nodes.nodes(); ++node) {
            const scratch_use use = scratch_of(generate(of<collective::exscan>, how_.outer,
                                                        place{.rank = node, .size = how_.nodes.nodes()}));
            if (use.twice)
                throw argument_error("scratch of the exscan between the nodes", "two blocks for one",
                                     "one at most, as of census, doubling_123 and chain");
            most = std::max(most, (keeps_scratch(node) ? total : 0) + use.all * outer);
        }
        bool is_first = true; // node, which has nothing before it
        for_each_kind_of_node(lead(), [&](place one) {
            if (std::exchange(is_first, false) || one.size == 1) return;
            for (place there = one; there.rank < one.size; ++there.rank)
                if (there.rank != one.root)
                    most =
                        std::max(most, total + scratch_of(generate(of<C>, how_.inner, there)).second * inner);
        });
        return most;
    }

private:
    static constexpr bool last_speaks = C == collective::scan; // who has the node's fold in the end

    /// Whether a node's speaker has something in scratch while nodes exscan: what is before the node, or its
    /// fold.
    bool keeps_scratch(rank_type node) const noexcept { return last_speaks ? node > 0 : makes_fold(node); }

    const by_nodes<Inner, Outer>& how_;
    place at_;
    rank_type node_;
};

} // namespace detail

/// Scans on all nodes at once, an exscan of the nodes' folds, and what that gives a node to all of its ranks,
/// who fold it to the left of what they have. In a scan a node's last rank has its fold and speaks for it; in
/// an exscan the last rank makes it of what it has and its own vector, in scratch, and hands it to the first,
/// which has nothing yet and so can take what is before the node as its result. The last node's fold nobody
/// needs, nor has the first one anything before it.
///
/// `inner` has the scan (or exscan) and a bcast, `outer` an exscan.
/// Rounds: the most that inner's scan has on a node, outer's for as many ranks as there are nodes, and the
/// most of inner's bcast; an exscan one more, unless nodes but the last have one rank each.
/// Volume: a node's ranks send what inner's two do and, in an exscan, one vector more; between nodes goes
/// what outer sends, n - 1 vectors if that is chain, and nothing else. On all nodes but the first a rank
/// folds once more than in inner and outer.
/// Order: kept if inner and outer keep it. Scratch: one vector beside that of inner or outer.
/// Restrictions: the ranks of every node follow each other. The bcast needs no scratch, and the exscan
/// between nodes one block for each of its own at most: recursive_doubling has two from 8 nodes on,
/// binary_tree from 6, two_tree from 4 on. Where it has any, all its ranks are looked at on construction.
/// Source: the scan of nodes in MPICH (scan_intra_smp), where folds of nodes are scanned and then handed to
/// the next node; to exscan them, and the exscan of all ranks, are ours.
/// Example with 5 ranks, 3 + 2, by chain and doubling_123: scan: 0 to 1 to 2, and 3 to 4; 2 to 4, which tells
/// 3, and both fold that to the left of theirs. Exscan: the same, but that 2 then has the fold of 0 and 1; it
/// hands that of 0, 1 and 2 to 0, which sends it to 3, and 3 to 4, which folds it.
template <collective C, class Inner, class Outer>
    requires(scans(C) && has_schedule<Inner, C> && has_schedule<Inner, collective::bcast>
             && has_schedule<Outer, collective::exscan>)
auto generate(collective_constant<C>, const by_nodes<Inner, Outer>& how, place at) {
    const detail::scan_roles<C, Inner, Outer> roles(how, at);
    const detail::leaders lead = roles.lead();
    const detail::inside_nodes<C, Inner> up(lead, how.inner, at.rank);
    const detail::inside_nodes<collective::bcast, Inner> down(roles.down(), how.inner, roles.rank_down());
    const auto across = detail::between_nodes<collective::exscan>(lead, how.outer, at.rank);
    const block_index inner = detail::common_blocks(up.common().blocks, down.common().blocks);
    const block_index n = detail::common_blocks(inner, across.blocks());
    const block_set whole{.first = 0, .count = n};

    const bool makes_fold = roles.makes_fold() && at.rank == roles.last();
    const detail::ending_with first(
        stretched(up.part(), up.common().rounds, n),
        {step::copy(whole, buffer_name::input, buffer_name::scratch),
         step::reduce(whole, buffer_name::work, buffer_name::scratch, operand_side::left)},
        makes_fold ? 2 : 0);
    const detail::handing_over second{at.rank, roles.last(),
                                      roles.makes_fold() ? roles.first() : roles.last(),
                                      roles.anybody_makes_fold() ? 1 : 0, n};
    const stretched third(in_buffers(across, roles.across(how.nodes.node_of(at.rank))), across.rounds(), n);
    const stretched fourth(
        detail::between_buffers(down.part(roles.has_before()), buffer_name::input, roles.before()),
        down.common().rounds, n);
    const bool folds = roles.has_before() && roles.before() == buffer_name::scratch;
    const detail::ending_with all(
        sequence{sequence{first, second}, sequence{third, fourth}},
        {step::reduce(whole, buffer_name::scratch, buffer_name::work, operand_side::left)}, folds ? 1 : 0);

    const capabilities inside = up.claims();
    const capabilities outside = across.claims();
    capabilities stated =
        detail::both_claims(detail::both_claims(inside, 1, outside, 1), 1, moving_only(down.claims()), 1);
    stated.reads_input =
        inside.reads_input || roles.anybody_makes_fold() || (C == collective::exscan && outside.reads_input);
    stated.scratch_blocks = roles.scratch(inside.scratch_blocks * (n / up.common().blocks),
                                          n / up.common().blocks, n / across.blocks(), n);
    stated.rounds = all.rounds();
    return claiming(all, stated);
}

} // namespace tutti
