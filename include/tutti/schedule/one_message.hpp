// SPDX-License-Identifier: BSL-1.0
#pragma once

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

} // namespace tutti::detail
