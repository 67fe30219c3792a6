// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <tutti/core/generator.hpp>
#include <tutti/pattern/inorder_node.hpp>
#include <tutti/schedule/combinators.hpp>
#include <tutti/schedule/tree_scan.hpp>

namespace tutti {

/// Scans of the two halves of the vector in the same rounds, each in S segments up and down an in-order
/// binary tree of its own. Who has children in one tree has none in the other, so that no rank moves the
/// whole vector thrice, as one with two children does in a single tree.
///
/// Rounds: 2 floor(lg(p + 1)) + S - 1 from 2 ranks on.
/// Volume in blocks of 1/(2S) vector: a rank sends 4S and folds 4S, two vectors; fewer with less than 7
/// ranks.
/// Order: kept, all subtrees being intervals. Restrictions: none; S >= 1.
/// Example with 5 ranks: the first half goes from 0 and 2 to 1, from 1 to 3, then from 3 to 4 and from 1 to
/// 2; the second from 1 to 0 and 3 to 4, from 0 to 2, then from 2 to 4, and from 0 to 1 and 4 to 3. Source:
/// Sanders, Speck and Träff 2009 ("Two-tree algorithms for full bandwidth broadcast, reduction and scan"),
/// with the trees below the root of their broadcast. Where they have a rank send once and receive once in a
/// round, messages of both trees may meet here.
class two_tree_scan : public side_by_side<pipelined<tree_scan>, pipelined<tree_scan>> {
public:
    constexpr two_tree_scan(scan_with whose, place at, block_index segments)
        : side_by_side(pipelined(tree_scan(whose, at, inorder_shape::first), segments),
                       pipelined(tree_scan(whose, at, inorder_shape::second), segments)),
          segments_(segments), size_(at.size), whose_(whose) {}

    /// Who is busiest in one tree does little in the other, and what one rank does their claims do not say:
    /// so figures are those of the rank that does most in both.
    constexpr capabilities claims() const noexcept {
        capabilities most{.order_preserving = true,
                          .max_outstanding = 0,
                          .rounds = rounds(),
                          .sent_blocks = 0,
                          .reduced_blocks = 0};
        for_each_busiest([&](rank_type rank) {
            const place here{.rank = rank, .size = size_};
            const tree_scan::part one = tree_scan(whose_, here, inorder_shape::first).own_part();
            const tree_scan::part two = tree_scan(whose_, here, inorder_shape::second).own_part();
            const auto raise = [&](std::int64_t& figure, std::int64_t a, std::int64_t b) {
                figure = std::max(figure, (a + b) * segments_);
            };
            raise(most.scratch_blocks, one.scratch_blocks, two.scratch_blocks);
            raise(most.sent_blocks, one.sent_blocks, two.sent_blocks);
            raise(most.reduced_blocks, one.reduced_blocks, two.reduced_blocks);
            for (const tree_scan::part* from : {&one, &two})
                for (const auto& [round, count] : from->messages)
                    most.max_outstanding =
                        std::max(most.max_outstanding,
                                 one.messages_in(round, segments_) + two.messages_in(round, segments_));
        });
        return most;
    }

private:
    /// To the left of the path from the root to the last rank there are full trees, which differ in their
    /// depth alone, and the first ranks are at the bottom of the deepest. The shallowest have most messages
    /// in many successive rounds; that path and two levels below it are all the kinds that there are.
    template <class F>
    constexpr void for_each_busiest(const F& f) const {
        for (rank_type first = 0; first < std::min(size_, 8); ++first) f(first);
        for (const inorder_shape shape : {inorder_shape::first, inorder_shape::second})
            for (inorder_node n = inorder_node::root(size_, shape);; n = n.right()) {
                n.for_each_upper(2, [&](const inorder_node& near) { f(near.rank()); });
                if (!n.has_right()) break;
            }
    }

    block_index segments_;
    rank_type size_;
    scan_with whose_;
};

} // namespace tutti
