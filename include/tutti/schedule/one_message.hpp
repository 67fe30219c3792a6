// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/block.hpp>
#include <tutti/core/step.hpp>

namespace tutti::detail {

/// Hands the pieces of one message to a sink, each as soon as it is known whether another one follows. Pieces
/// without blocks are left out.
template <class Sink>
class one_message {
public:
    constexpr explicit one_message(Sink& sink) noexcept : sink_(sink) {}

    constexpr void add(const step& piece) {
        if (piece.blocks.count == 0) return;
        if (any_) sink_(held_.and_next());
        held_ = piece;
        any_ = true;
    }

    /// Behind the last piece.
    constexpr void end() {
        if (any_) sink_(held_);
    }

private:
    Sink& sink_;
    step held_{};
    bool any_ = false;
};

/// Hands the blocks of one step to a sink, which come run by run, as few pieces: neighbours as one of them.
template <class Sink>
class joined_blocks {
public:
    /// `s` is the step, whose blocks these are to be instead of its own.
    constexpr joined_blocks(const step& s, Sink& sink) noexcept : piece_(s), sink_(sink) {
        piece_.blocks = {};
    }

    constexpr void add(block_index first, block_index count = 1) {
        block_set& blocks = piece_.blocks;
        if (blocks.count > 0 && first == blocks.first + blocks.count) {
            blocks.count += count;
            return;
        }
        if (blocks.count > 0) sink_(piece_.is_message() ? piece_.and_next() : piece_);
        blocks = {.first = first, .count = count};
    }

    /// Behind the last run.
    constexpr void end() { sink_(piece_); }

private:
    step piece_;
    Sink& sink_;
};

} // namespace tutti::detail
