// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/reusable_list.hpp>
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
    void* from;
    void (*fetch)(void* from, std::size_t offset, std::span<std::byte> to);
};

/// Where a message goes that comes bit by bit: looked up once, and how far it has got.
class gradual_landing {
public:
    bool has_begun() const noexcept { return !targets_.empty(); }
    void clear() noexcept {
        targets_.clear();
        next_ = 0;
        landed_ = 0;
    }

private:
    friend class delivery;
    struct target {
        stretch to;
        bool folds;
        operand_side side;
    };
    reusable_list<target> targets_;
    std::size_t next_ = 0;    // of them
    std::int64_t landed_ = 0; // bytes of the message
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

    /// Bit by bit: `message` has come as far as its first `arrived` bytes. False if that is nothing new.
    void begin(gradual_landing& of, std::span<const step> parts);
    bool go_on(gradual_landing& of, const std::byte* message, std::int64_t arrived);

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
                to.offset += n;
                to.bytes -= n;
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
                to.offset += n;
                to.bytes -= n;
            }
        }
}

TUTTI_BODY void delivery::begin(gradual_landing& of, std::span<const step> parts) {
    for (const step& s : parts) {
        if (s.folds() && !fold_) detail::throw_no_operation();
        for (const stretch& to : data_.write(s.blocks, s.buffer))
            if (to.bytes > 0) of.targets_.push_back({to, s.folds(), s.side()});
    }
}

TUTTI_BODY bool delivery::go_on(gradual_landing& of, const std::byte* message, std::int64_t arrived) {
    const auto element = static_cast<std::int64_t>(fold_.shape().bytes);
    const std::int64_t before = of.landed_;
    while (of.next_ < of.targets_.size()) {
        auto& [to, folds, side] = of.targets_[of.next_];
        // Of elements only whole ones.
        const std::int64_t n = std::min(to.bytes, (arrived - of.landed_) / element * element);
        if (n <= 0) break;
        const std::byte* const from = message + of.landed_;
        if (folds)
            fold_(data_.target(to), data_.present(to), {from, side}, n);
        else
            copy_bytes(data_.target(to), from, n);
        to.offset += n;
        to.bytes -= n;
        of.landed_ += n;
        if (to.bytes == 0) ++of.next_;
    }
    return of.landed_ > before;
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
