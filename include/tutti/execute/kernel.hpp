// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <tutti/core/step.hpp>
#include <tutti/execute/operation.hpp>

namespace tutti {

/// One message's worth of operands on its way into a fold.
template <class T>
struct operand {
    const T* data = nullptr;
    operand_side side = operand_side::right;
};

/// What the engine does with elements: it moves them, and folds them by Op.
template <element T, class Op>
class folding_kernel {
public:
    using value_type = T;
    static constexpr bool folds = true;

    explicit folding_kernel(Op op) : op_(std::move(op)) {}

    /// result[i] = mine[i] folded with incoming[i]. `result` may be `mine`; neither overlaps `incoming`.
    void fold(T* result, const T* mine, operand<T> incoming, std::int64_t count) const {
        if (incoming.side == operand_side::left)
            loop(result, incoming.data, mine, count);
        else
            loop(result, mine, incoming.data, count);
    }

    /// All `operands` one after the other in a single pass over `result`: a tile stays in the first-level
    /// cache while every source is folded into it, so the result is read and written once however many
    /// sources there are.
    void fold_all(T* result, const T* mine, const operand<T>* operands, std::size_t many,
                  std::int64_t count) const {
        constexpr std::int64_t tile = std::max<std::int64_t>(1, 8192 / static_cast<std::int64_t>(sizeof(T)));
        for (std::int64_t at = 0; at < count; at += tile) {
            const std::int64_t length = std::min(tile, count - at);
            fold(result + at, mine + at, {operands[0].data + at, operands[0].side}, length);
            for (std::size_t k = 1; k < many; ++k)
                fold(result + at, result + at, {operands[k].data + at, operands[k].side}, length);
        }
    }

private:
    void loop(T* result, const T* left, const T* right, std::int64_t count) const {
        if (count == 1) { // the shortest message of all: not worth setting up a vector loop
            *result = op_(*left, *right);
            return;
        }
        // `result` may be `left` or `right` but never overlaps them otherwise, so iterations are independent.
        // GCC is told; Clang checks at run time, and its own pragma would warn where Op cannot be vectorised.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
        for (std::int64_t i = 0; i < count; ++i) result[i] = op_(left[i], right[i]);
    }

    Op op_;
};

/// For collectives that only move data.
template <element T>
class moving_kernel {
public:
    using value_type = T;
    static constexpr bool folds = false;
};

/// Copies `count` elements; the ranges do not overlap.
template <element T>
void copy_elements(T* to, const T* from, std::int64_t count) noexcept {
    if (count > 0) std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(count) * sizeof(T));
}

} // namespace tutti
