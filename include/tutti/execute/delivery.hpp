// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/execute/fold_function.hpp>
#include <tutti/execute/memory.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti {

/// Puts what was received into place: copies it, or folds it into what is there.
class delivery {
public:
    delivery(const fold_function& fold, memory& data) : fold_(fold), data_(data) {}

    /// Whether a piece of a message can be folded where it lies.
    bool readable(std::span<const std::byte> piece) const noexcept {
        return piece.size() % fold_.shape().bytes == 0
               && reinterpret_cast<std::uintptr_t>(piece.data()) % fold_.shape().alignment == 0;
    }

    /// The bytes from `from` on into the blocks of `s`; returns where the next ones are.
    const std::byte* deliver(const step& s, const std::byte* from) {
        for (const stretch& to : data_.write(s.blocks, s.buffer)) {
            put(s, to.target, to.present, from, to.bytes);
            from += to.bytes;
        }
        return from;
    }

    /// A whole message, whose pieces need not match those of its target.
    void deliver(std::span<const step> parts, gather_list from);

    /// Most sources that are folded in one pass.
    static constexpr std::size_t most_fused = 8;

    /// `many` messages, of one piece each, folded into the same blocks one after the other in a single pass.
    void fuse(const step& s, const operand* sources, std::size_t many);

private:
    void put(const step& s, std::byte* target, const std::byte* present, const std::byte* from,
             std::int64_t bytes) {
        if (!s.folds())
            copy_bytes(target, from, bytes);
        else if (fold_)
            fold_(target, present, {from, s.side()}, bytes);
        else
            throw_no_operation();
    }

    [[noreturn]] static void throw_no_operation() {
        throw transport_error("the schedule folds, but the collective has no operation");
    }

    const fold_function& fold_;
    memory& data_;
};

#if TUTTI_BODIES
TUTTI_BODY void delivery::deliver(std::span<const step> parts, gather_list from) {
    std::size_t piece = 0;
    std::int64_t used = 0; // bytes of that piece
    for (const step& s : parts)
        for (stretch to : data_.write(s.blocks, s.buffer))
            while (to.bytes > 0) {
                const auto all = static_cast<std::int64_t>(from[piece].size());
                const std::int64_t n = std::min(to.bytes, all - used);
                put(s, to.target, to.present, from[piece].data() + used, n);
                to.target += n;
                to.present += n;
                to.bytes -= n;
                used += n;
                if (used == all) {
                    ++piece;
                    used = 0;
                }
            }
}

TUTTI_BODY void delivery::fuse(const step& s, const operand* sources, std::size_t many) {
    if (!fold_) throw_no_operation();
    std::int64_t done = 0;
    for (const stretch& to : data_.write(s.blocks, s.buffer)) {
        operand here[most_fused];
        for (std::size_t k = 0; k < most_fused && k < many; ++k)
            here[k] = {sources[k].data + done, sources[k].side};
        fold_.fold_all(to.target, to.present, here, many, to.bytes);
        done += to.bytes;
    }
}
#endif

} // namespace tutti
