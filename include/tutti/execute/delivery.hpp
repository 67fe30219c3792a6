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

namespace detail {
[[noreturn, gnu::cold]] inline void throw_no_operation() {
    throw transport_error("the schedule folds, but the collective has no operation");
}
} // namespace detail

/// Puts what was received into place: copies it, or folds it into what is there.
class delivery {
public:
    delivery(const fold_function& fold, memory& data) : fold_(fold), data_(data) {}

    /// Whether a piece of a message can be folded where it lies.
    bool readable(std::span<const std::byte> piece) const noexcept {
        return piece.size() % fold_.shape().bytes == 0
               && reinterpret_cast<std::uintptr_t>(piece.data()) % fold_.shape().alignment == 0;
    }

    /// A whole message, whose pieces need not match those of its target.
    void deliver(std::span<const step> parts, gather_list from);

    /// Most sources that are folded in one pass.
    static constexpr std::size_t most_fused = 8;

    /// `many` messages, of one piece each, folded into the same blocks one after the other in a single pass.
    void fuse(const step& s, const operand* sources, std::size_t many);

private:
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
                const std::byte* const source = from[piece].data() + used;
                if (!s.folds())
                    copy_bytes(data_.target(to), source, n);
                else if (fold_)
                    fold_(data_.target(to), data_.present(to), {source, s.side()}, n);
                else
                    detail::throw_no_operation();
                to.offset += n;
                to.bytes -= n;
                used += n;
                if (used == all) {
                    ++piece;
                    used = 0;
                }
            }
}

TUTTI_BODY void delivery::fuse(const step& s, const operand* sources, std::size_t many) {
    if (!fold_) detail::throw_no_operation();
    std::int64_t done = 0;
    for (const stretch& to : data_.write(s.blocks, s.buffer)) {
        operand here[most_fused];
        for (std::size_t k = 0; k < most_fused && k < many; ++k)
            here[k] = {sources[k].data + done, sources[k].side};
        fold_.fold_all(data_.target(to), data_.present(to), here, many, to.bytes);
        done += to.bytes;
    }
}
#endif

} // namespace tutti
