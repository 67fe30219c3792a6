// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/execute/memory.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti {

/// Puts what was received into place: copies it, or folds it into what is there.
template <class Kernel>
class landing {
public:
    using value_type = typename Kernel::value_type;

    landing(const Kernel& kernel, memory<value_type>& data) : kernel_(kernel), data_(data) {}

    /// Whether a piece of a message can be read as elements where it lies.
    static bool readable(std::span<const std::byte> piece) noexcept {
        return piece.size() % sizeof(value_type) == 0
               && reinterpret_cast<std::uintptr_t>(piece.data()) % alignof(value_type) == 0;
    }
    static const value_type* elements(std::span<const std::byte> piece) noexcept {
        return reinterpret_cast<const value_type*>(piece.data());
    }

    /// The elements from `from` on into the blocks of `s`; returns where the next ones are.
    const value_type* land(const step& s, const value_type* from) {
        data_.write(s.blocks, s.buffer,
                    [&](value_type* target, const value_type* present, std::int64_t count) {
                        put(s, target, present, from, count);
                        from += count;
                    });
        return from;
    }

    /// A whole message, whose pieces need not match those of its target.
    void land(std::span<const step> parts, gather_list from) {
        std::size_t piece = 0;
        std::int64_t used = 0; // elements of that piece
        for (const step& s : parts)
            data_.write(
                s.blocks, s.buffer, [&](value_type* target, const value_type* present, std::int64_t count) {
                    while (count > 0) {
                        const auto all = static_cast<std::int64_t>(from[piece].size() / sizeof(value_type));
                        const std::int64_t n = std::min(count, all - used);
                        put(s, target, present, elements(from[piece]) + used, n);
                        target += n;
                        present += n;
                        count -= n;
                        used += n;
                        if (used == all) {
                            ++piece;
                            used = 0;
                        }
                    }
                });
    }

    /// Most sources that are folded in one pass.
    static constexpr std::size_t most_fused = 8;

    /// `many` messages, of one piece each, folded into the same blocks one after the other in a single pass.
    void fuse(const step& s, const operand<value_type>* sources, std::size_t many) {
        if constexpr (Kernel::folds) {
            std::int64_t done = 0;
            data_.write(s.blocks, s.buffer,
                        [&](value_type* target, const value_type* present, std::int64_t count) {
                            operand<value_type> here[most_fused];
                            for (std::size_t k = 0; k < most_fused && k < many; ++k)
                                here[k] = {sources[k].data + done, sources[k].side};
                            kernel_.fold_all(target, present, here, many, count);
                            done += count;
                        });
        } else {
            throw_no_operation();
        }
    }

private:
    void put(const step& s, value_type* target, const value_type* present, const value_type* from,
             std::int64_t count) {
        if (!s.folds())
            copy_elements(target, from, count);
        else if constexpr (Kernel::folds)
            kernel_.fold(target, present, {from, s.side()}, count);
        else
            throw_no_operation();
    }

    [[noreturn]] static void throw_no_operation() {
        throw transport_error("the schedule folds, but the collective has no operation");
    }

    const Kernel& kernel_;
    memory<value_type>& data_;
};

} // namespace tutti
