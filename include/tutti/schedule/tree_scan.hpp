// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tutti/core/generator.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/inorder_node.hpp>
#include <tutti/schedule/chain_scan.hpp>

namespace tutti {

/// A scan up and down an in-order binary tree, in which every subtree is an interval of ranks around its
/// root: that of the middle rank, unless another shape is named.
///
/// Up: a rank folds what comes from its left child to the left of its own vector, and to the right of a copy
/// of that what comes from its right child, which makes the fold of its subtree: that goes up. Down: what
/// comes from the parent, the fold of all ranks before the subtree, goes on to the left child, and is folded
/// to the left of what the rank has. That is its result then, and what goes down to the right child.
/// Exclusive: the rank's own vector is left out of the result, and folded to it apart for the right child.
/// What nobody needs is not sent: up from the last ranks, down to the first.
///
/// Rounds: 2 floor(lg p). Volume: a rank sends 3 vectors (one block) and folds 3, exclusive 4; fewer with
/// less than 13 ranks. Order: kept. Restrictions: none. Example with 5 ranks: 0 to 1 and 3 to 4; 1 to 2; 2 to
/// 4; 4 to 3, what 4 has from 2. Source: Sanders, Speck and Träff 2009 ("Two-tree algorithms for full
/// bandwidth broadcast, reduction and scan"), scan.
class tree_scan {
public:
    constexpr tree_scan(scan_with whose, place at, inorder_shape shape = inorder_shape::balanced)
        : here_(inorder_node::of(checked(at), shape)), inclusive_(whose == scan_with::own) {
        const auto messages = own_part().messages;
        for (std::size_t k = 0; k < messages.size(); ++k)
            if (messages[k].count > 0) busy_[k] = static_cast<std::int8_t>(messages[k].round);
    }

    constexpr round_index rounds() const noexcept { return 2 * levels(); }
    constexpr block_index blocks() const noexcept { return 1; }

    constexpr capabilities claims() const noexcept {
        capabilities most{.order_preserving = true,
                          .max_outstanding = most_messages(1),
                          .rounds = rounds(),
                          .sent_blocks = 0,
                          .reduced_blocks = 0};
        for_each_upper([&](const part& of) {
            most.scratch_blocks = std::max(most.scratch_blocks, of.scratch_blocks);
            most.sent_blocks = std::max(most.sent_blocks, of.sent_blocks);
            most.reduced_blocks = std::max(most.reduced_blocks, of.reduced_blocks);
        });
        return most;
    }

    /// The most messages that a rank has in `window` successive rounds: what may be under way when so many
    /// segments follow each other.
    constexpr std::int64_t most_messages(round_index window) const noexcept {
        std::int64_t most = 0;
        for_each_upper([&](const part& of) {
            for (const auto& m : of.messages) most = std::max(most, of.messages_in(m.round, window));
        });
        return most;
    }

    /// What falls to a rank.
    struct part {
        /// How many messages a round has.
        struct messages_of_round {
            round_index round;  ///< which round
            std::int64_t count; ///< sent and received
        };
        std::array<messages_of_round, 4> messages; ///< in the rounds that have some
        block_index scratch_blocks;                ///< that it defines
        block_index sent_blocks;                   ///< by it
        block_index reduced_blocks;                ///< by it

        /// Messages in the `window` rounds from `begin` on.
        constexpr std::int64_t messages_in(round_index begin, round_index window) const noexcept {
            std::int64_t sum = 0;
            for (const auto& m : messages)
                if (m.round >= begin && m.round < begin + window) sum += m.count;
            return sum;
        }
    };
    /// What falls to this rank.
    constexpr part own_part() const noexcept { return part_of(here_); }

    constexpr round_range active() const noexcept {
        round_range any{};
        for (const round_index one : busy_)
            if (one >= 0) any = hull(any, {one, one + 1});
        return any;
    }
    /// The rounds in which it has something to do: when it gathers, sends up, takes what is before it and
    /// hands that down; -1 instead of those in which it has not.
    constexpr const std::array<std::int8_t, 4>& busy() const noexcept { return busy_; }

    template <class Sink>
    constexpr void emit(round_index i, Sink&& sink) const {
        if (i == busy_[0]) gather(sink);
        if (i == busy_[1]) sink(step::send(here_.parent(), all, whole_subtree()));
        if (i == busy_[2]) take_before(sink);
        if (i == busy_[3]) hand_down(sink);
    }

private:
    static constexpr block_set all{.first = 0, .count = 1};
    static constexpr auto input = buffer_name::input;
    static constexpr auto work = buffer_name::work;
    static constexpr auto scratch = buffer_name::scratch;    // the subtree's fold, then what is before it
    static constexpr auto with_own = buffer_name::scratch_1; // exclusive: the result and the own vector

    constexpr round_index levels() const noexcept { return here_.deepest(); }

    /// The root and the last ranks have nobody behind them who would need their fold.
    static constexpr bool sends_up(const inorder_node& n) noexcept { return n.any_behind(); }
    /// A rank that has a right child alone is rank 0, before which there is nothing.
    static constexpr bool has_both(const inorder_node& n) noexcept { return n.has_left() && n.has_right(); }
    static constexpr bool has_any(const inorder_node& n) noexcept { return n.has_left() || n.has_right(); }
    static constexpr bool tells_left(const inorder_node& n) noexcept {
        return n.has_left() && n.any_before();
    }

    // Out of line: twice in one function, as in two_tree_scan, they would slow down the rounds without any.
    template <class Sink>
    [[gnu::noinline]] constexpr void gather(Sink& sink) const {
        const bool takes_right = here_.has_right() && sends_up(here_);
        if (inclusive_) {
            if (here_.has_left()) sink(step::recv_reduce(here_.left().rank(), all, operand_side::left));
            if (!takes_right) return;
            sink(step::copy(all, work, scratch));
        } else {
            // Copied first: that need not wait for what comes.
            if (has_both(here_)) sink(step::copy(all, input, with_own));
            if (has_any(here_) && sends_up(here_)) sink(step::copy(all, input, scratch));
            if (here_.has_left()) {
                sink(step::recv(here_.left().rank(), all));
                if (here_.has_right() && !here_.any_before())
                    sink(step::reduce(all, work, with_own, operand_side::left));
                if (sends_up(here_)) sink(step::reduce(all, work, scratch, operand_side::left));
            }
        }
        if (!takes_right) return;
        sink(step::recv_reduce(here_.right().rank(), all, operand_side::right, scratch));
    }

    /// Where the fold of the subtree is.
    constexpr buffer_name whole_subtree() const noexcept {
        if (inclusive_) return here_.has_right() ? scratch : work;
        return has_any(here_) ? scratch : input;
    }

    template <class Sink>
    [[gnu::noinline]] constexpr void take_before(Sink& sink) const {
        if (here_.has_left()) {
            sink(step::recv(here_.parent(), all, scratch));
            sink(step::reduce(all, scratch, work, operand_side::left));
        } else if (inclusive_) {
            sink(step::recv_reduce(here_.parent(), all, operand_side::left));
        } else {
            sink(step::recv(here_.parent(), all));
        }
        if (!inclusive_ && here_.has_right()) sink(step::reduce(all, work, with_own, operand_side::left));
    }

    template <class Sink>
    [[gnu::noinline]] constexpr void hand_down(Sink& sink) const {
        if (tells_left(here_)) sink(step::send(here_.left().rank(), all, scratch));
        if (!here_.has_right()) return;
        const buffer_name exclusive = here_.has_left() ? with_own : input;
        sink(step::send(here_.right().rank(), all, inclusive_ ? work : exclusive));
    }

    constexpr part part_of(const inorder_node& n) const noexcept {
        const int left = n.has_left(), right = n.has_right(), up = sends_up(n), before = n.any_before();
        const int tells = tells_left(n), both = right * up, any = has_any(n);
        const round_index top = levels() - n.depth(), bottom = levels() + n.depth();
        return {{{{top - 1, left + both}, {top, up}, {bottom - 1, before}, {bottom, tells + right}}},
                inclusive_ ? std::max(both, tells) : std::max(any * up, tells) + left * right,
                up + tells + right,
                inclusive_ ? left + both + before : left * up + both + tells + left * right};
    }

    /// The two uppermost levels and the one below, which have all that is deeper down, too.
    template <class F>
    constexpr void for_each_upper(const F& f) const {
        here_.top().for_each_upper(2, [&](const inorder_node& n) { f(part_of(n)); });
    }

    inorder_node here_;
    bool inclusive_;
    std::array<std::int8_t, 4> busy_{-1, -1, -1, -1};
};

} // namespace tutti
