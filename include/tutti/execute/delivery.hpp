// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/compiled.hpp>
#include <tutti/core/copy_bytes.hpp>
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

/// A message that has to be fetched: see fetching_transport.
struct distant_message {
    void* from; ///< passed on to fetch: what knows the transport and the message
    /// Copies what fills `to`, from `offset` bytes behind the beginning on; throws transport_error where that
    /// fails.
    void (*fetch)(void* from, std::size_t offset, std::span<std::byte> to);
};

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

    /// The same of one that has to be fetched; what is folded goes through `staging`, part by part, so that
    /// it is still in the caches.
    void deliver(std::span<const step> parts, const distant_message& message, reusable_bytes& staging);

    /// Most sources that are folded in one pass.
    static constexpr std::size_t most_fused = 8;

    /// `many` messages, of one piece each, folded into the same blocks one after the other in a single pass.
    void fuse(const step& s, const operand* sources, std::size_t many);

private:
    static constexpr std::int64_t fetched_at_once = 128 << 10;

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
                to.skip(n);
                used += n;
                if (used == all) {
                    ++piece;
                    used = 0;
                }
            }
}

TUTTI_BODY void delivery::deliver(std::span<const step> parts, const distant_message& message,
                                  reusable_bytes& staging) {
    std::size_t offset = 0;
    const auto fetch = [&](std::byte* to, std::int64_t bytes) {
        message.fetch(message.from, offset, {to, static_cast<std::size_t>(bytes)});
        offset += static_cast<std::size_t>(bytes);
    };
    const auto element = static_cast<std::int64_t>(fold_.shape().bytes);
    for (const step& s : parts)
        for (stretch to : data_.write(s.blocks, s.buffer)) {
            if (!s.folds()) {
                if (to.bytes > 0) fetch(data_.target(to), to.bytes);
                continue;
            }
            if (!fold_) detail::throw_no_operation();
            const std::int64_t most = std::max(element, fetched_at_once / element * element);
            while (to.bytes > 0) {
                const std::int64_t n = std::min(to.bytes, most);
                std::byte* const part = staging.at_least(static_cast<std::size_t>(n));
                fetch(part, n);
                fold_(data_.target(to), data_.present(to), {part, s.side()}, n);
                to.skip(n);
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
