// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/step.hpp>
#include <tutti/execute/fold_function.hpp>

namespace tutti {

/// Bytes that grow and are kept, so that a collective called again allocates nothing.
class reusable_bytes {
public:
    reusable_bytes() = default;
    reusable_bytes(reusable_bytes&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    reusable_bytes& operator=(reusable_bytes&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~reusable_bytes() { release(); }

    /// At least `bytes` bytes, aligned for anything up to a cache line. What was there before is gone if it
    /// grows.
    std::byte* at_least(std::size_t bytes) {
        if (bytes > size_) {
            release();
            data_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}));
            size_ = bytes;
        }
        return data_;
    }

private:
    static constexpr std::size_t alignment = 64;

    void release() noexcept {
        if (data_ != nullptr) ::operator delete(data_, std::align_val_t{alignment});
        data_ = nullptr;
        size_ = 0;
    }

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Contiguous bytes of a buffer.
struct stretch {
    std::byte* target = nullptr;        ///< where they are written; null where they may only be read
    const std::byte* present = nullptr; ///< where their value is now
    std::int64_t bytes = 0;
};

/// Memory that outlives a call, whatever its element type.
struct kept_memory {
    reusable_bytes work;
    std::array<reusable_bytes, 2> scratch;
    std::vector<unsigned char> landed;
    std::vector<stretch> stretches;
};

/// How the buffers of a schedule lie over the caller's memory.
struct binding {
    const std::byte* input = nullptr; ///< the caller's input; null when the call is in place or has none
    std::byte* work =
        nullptr; ///< where results go; null when this rank has no output: made when first needed
    /// Reductions: a block of work that nothing has landed in yet *is* the input's. So leaves send straight
    /// from the caller's buffer and the first fold reads it and writes the output: no copy ahead.
    bool work_starts_as_input = false;
};

/// Finds the bytes of blocks, and knows which blocks of `work` are still to be read from the input.
class memory {
public:
    /// `layout` is in bytes.
    memory(const block_layout& layout, const binding& bound, kept_memory& kept)
        : layout_(layout), bound_(bound), kept_(kept), tracks_(bound.work_starts_as_input) {
        if (tracks_ && layout.blocks() > 1) kept_.landed.assign(static_cast<std::size_t>(layout.blocks()), 0);
    }

    const block_layout& layout() const noexcept { return layout_; }

    /// Where `blocks` of `buffer` are to be read, in message order; until the next call.
    std::span<const stretch> read(const block_set& blocks, buffer_name buffer) {
        if (layout_.blocks() != 1) return listed(blocks, buffer, false);
        const bool fresh =
            is_fresh(buffer) || buffer == buffer_name::input; // short vectors: no block to look for
        std::byte* const base = fresh ? nullptr : base_for_writing(buffer);
        return only({base, fresh ? bound_.input : base, blocks.count * layout_.elements()});
    }

    /// Where `blocks` of `buffer` are to be written, in message order; until the next call. They count as
    /// landed from now on.
    std::span<const stretch> write(const block_set& blocks, buffer_name buffer) {
        if (layout_.blocks() != 1) return listed(blocks, buffer, true);
        std::byte* const base = base_for_writing(buffer);
        const std::byte* const present = is_fresh(buffer) ? bound_.input : base;
        if (buffer == buffer_name::work) landed_ |= blocks.count;
        return only({base, present, blocks.count * layout_.elements()});
    }

    /// Makes sure that `blocks` of work lie in work itself: copies those that are still the input's.
    void settle(const block_set& blocks) {
        if (!tracks_ || landed_ == layout_.blocks()) return;
        for (const stretch& s : write(blocks, buffer_name::work))
            if (s.target != s.present) copy_bytes(s.target, s.present, s.bytes);
    }

private:
    std::span<const stretch> only(const stretch& s) noexcept {
        only_ = s;
        return {&only_, 1};
    }

    std::span<const stretch> listed(const block_set& blocks, buffer_name buffer, bool writing);

    /// Whether the only block of `buffer` is still the input's.
    bool is_fresh(buffer_name buffer) const noexcept {
        return buffer == buffer_name::work && tracks_ && landed_ == 0;
    }

    std::byte* base_for_writing(buffer_name buffer) {
        if (buffer == buffer_name::work && bound_.work != nullptr) [[likely]]
            return bound_.work;
        const auto bytes = static_cast<std::size_t>(layout_.elements());
        if (buffer == buffer_name::work) return bound_.work = kept_.work.at_least(bytes);
        const auto plane = static_cast<std::size_t>(buffer) - static_cast<std::size_t>(buffer_name::scratch);
        if (scratch_[plane] == nullptr) scratch_[plane] = kept_.scratch[plane].at_least(bytes);
        return scratch_[plane];
    }

    bool landed(block_index b) const noexcept {
        return landed_ > 0 && kept_.landed[static_cast<std::size_t>(b)] != 0;
    }

    void mark_landed(block_index first, block_index count) noexcept {
        for (block_index b = first; b < first + count; ++b) {
            unsigned char& flag = kept_.landed[static_cast<std::size_t>(b)];
            landed_ += flag == 0 ? 1 : 0;
            flag = 1;
        }
    }

    const block_layout& layout_;
    binding bound_;
    kept_memory& kept_;
    bool tracks_;            // work starts as input
    block_index landed_ = 0; // blocks that something has landed in; which ones is only asked in between
    std::array<std::byte*, 2> scratch_{};
    stretch only_;
};

#if TUTTI_BODIES
TUTTI_BODY std::span<const stretch> memory::listed(const block_set& blocks, buffer_name buffer,
                                                   bool writing) {
    kept_.stretches.clear();
    const bool two_places = buffer == buffer_name::work && tracks_ && landed_ < layout_.blocks();
    const bool only_input = !writing && (buffer == buffer_name::input || (two_places && landed_ == 0));
    std::byte* const base = only_input ? nullptr : base_for_writing(buffer);
    const auto add = [&](block_index first, block_index count, bool has_landed) {
        const std::int64_t at = layout_.offset(first);
        kept_.stretches.push_back({writing || has_landed ? base + at : nullptr,
                                   has_landed ? base + at : bound_.input + at, layout_.size(first, count)});
    };
    for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
        if (!two_places || only_input) return add(first, count, !only_input);
        for (const block_index end = first + count; first < end;) { // parted where "has landed" changes
            const bool state = landed(first);
            block_index next = first + 1;
            while (next < end && landed(next) == state) ++next;
            add(first, next - first, state);
            if (writing) mark_landed(first, next - first);
            first = next;
        }
    });
    return kept_.stretches;
}
#endif

} // namespace tutti
