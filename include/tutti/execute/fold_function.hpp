// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <tutti/core/inline.hpp>
#include <tutti/core/step.hpp>
#include <tutti/execute/operation.hpp>

namespace tutti {

/// How long an element is, and where it may lie: all that the engine knows of its type.
struct element_shape {
    std::size_t bytes = 1;     ///< of one element, >= 1
    std::size_t alignment = 1; ///< a power of two, in bytes

    friend bool operator==(const element_shape&, const element_shape&) = default;

    /// That of a type.
    template <element T>
    static constexpr element_shape of() noexcept {
        return {sizeof(T), alignof(T)};
    }
};

/// One message's worth of operands on its way into a fold.
struct operand {
    const std::byte* data = nullptr;         ///< of whole elements, aligned as they ask; not owned
    operand_side side = operand_side::right; ///< of it: left comes from lower ranks
};

/// An operation on vectors of elements, with both types forgotten: the engine is compiled once, the loop
/// behind the pointer once for every element type and operation. Small operations without destructor live
/// inside, others are shared by the copies.
class fold_function {
public:
    /// The longest operation that lives inside; longer ones are allocated.
    static constexpr std::size_t inline_bytes = 32;

    /// None: for collectives that only move data.
    fold_function() = default;

    /// An operation on elements of type T, moved in. May throw std::bad_alloc if it does not fit inside.
    template <element T, operation<T> Op>
    static fold_function of(Op op) {
        fold_function result;
        if constexpr (sizeof(Op) <= inline_bytes && alignof(Op) <= alignof(std::max_align_t)
                      && std::is_trivially_copyable_v<Op>) {
            ::new (static_cast<void*>(result.inside_.bytes)) Op(std::move(op));
            result.loop_ = &run<T, Op, true>;
        } else {
            result.outside_ = std::make_shared<const Op>(std::move(op));
            result.loop_ = &run<T, Op, false>;
        }
        result.shape_ = element_shape::of<T>();
        return result;
    }

    /// An operation on elements whose type only the running program knows, in whole vectors:
    /// op(result, left, right, bytes) of `std::byte*`, folds as operator() does.
    template <class Op>
        requires std::invocable<const Op&, std::byte*, const std::byte*, const std::byte*, std::int64_t>
    static fold_function over(const element_shape& shape, Op op) {
        fold_function result;
        result.outside_ = std::make_shared<const Op>(std::move(op));
        result.loop_ = [](const fold_function& self, std::byte* to, const std::byte* left,
                          const std::byte* right, std::int64_t bytes) {
            (*static_cast<const Op*>(self.outside_.get()))(to, left, right, bytes);
        };
        result.shape_ = shape;
        return result;
    }

    /// The loop over elements: one for every element type and operation, whatever the operation's state.
    using loop_type = void(const fold_function&, std::byte*, const std::byte*, const std::byte*,
                           std::int64_t);
    /// Null if there is no operation.
    loop_type* loop() const noexcept { return loop_; }

    /// Whether there is an operation; nothing may be folded without.
    explicit operator bool() const noexcept { return loop_ != nullptr; }
    /// That of its elements; of single bytes if there is no operation.
    const element_shape& shape() const noexcept { return shape_; }

    /// result[i] = mine[i] folded with incoming[i], for `bytes` bytes of whole elements. `result` may be
    /// `mine`; neither overlaps `incoming`. All are aligned as the element type asks.
    void operator()(std::byte* result, const std::byte* mine, operand incoming, std::int64_t bytes) const {
        if (incoming.side == operand_side::left)
            loop_(*this, result, incoming.data, mine, bytes);
        else
            loop_(*this, result, mine, incoming.data, bytes);
    }

    /// All `operands` one after the other in a single pass over `result`: a tile stays in the first-level
    /// cache while every source is folded into it, so the result is read and written once however many
    /// sources there are.
    void fold_all(std::byte* result, const std::byte* mine, const operand* operands, std::size_t many,
                  std::int64_t bytes) const {
        const auto each = static_cast<std::int64_t>(shape_.bytes);
        const std::int64_t tile = std::max<std::int64_t>(1, 8192 / each) * each;
        for (std::int64_t at = 0; at < bytes; at += tile) {
            const std::int64_t length = std::min(tile, bytes - at);
            (*this)(result + at, mine + at, {operands[0].data + at, operands[0].side}, length);
            for (std::size_t k = 1; k < many; ++k)
                (*this)(result + at, result + at, {operands[k].data + at, operands[k].side}, length);
        }
    }

private:
    template <element T, class Op, bool Inside>
    TUTTI_VECTORISED static void run(const fold_function& self, std::byte* to, const std::byte* one,
                                     const std::byte* other, std::int64_t bytes) {
        const Op& op = *std::launder(static_cast<const Op*>(
            Inside ? static_cast<const void*>(self.inside_.bytes) : self.outside_.get()));
        auto* const result = reinterpret_cast<T*>(to);
        const auto* const left = reinterpret_cast<const T*>(one);
        const auto* const right = reinterpret_cast<const T*>(other);
        const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(T));
        if (count == 1) { // the shortest message of all: not worth setting up a vector loop
            *result = op(*left, *right);
            return;
        }
        // `result` may be `left` or `right` but never overlaps them otherwise, so iterations are independent.
        // GCC is told; Clang checks at run time, and its own pragma would warn where Op cannot be vectorised.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
        for (std::int64_t i = 0; i < count; ++i) result[i] = op(left[i], right[i]);
    }

    loop_type* loop_ = nullptr;
    element_shape shape_{};
    std::shared_ptr<const void> outside_;
    /// One value, so that it is copied as a whole: a member that is an array is copied byte by byte.
    struct alignas(std::max_align_t) room {
        std::byte bytes[inline_bytes];
    };
    room inside_{};
};

} // namespace tutti
