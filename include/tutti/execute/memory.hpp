// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

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

/// Memory that outlives a call, whatever its element type.
struct kept_memory {
    reusable_bytes work;
    std::array<reusable_bytes, 2> scratch;
    std::vector<unsigned char> landed;
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

    /// Calls f(const std::byte*, bytes) for the contiguous stretches that hold `blocks` of `buffer`, in
    /// message order. Returns whether any of them lies in memory that the schedule may write.
    template <class F>
    bool read(const block_set& blocks, buffer_name buffer, F&& f) {
        if (layout_.blocks() == 1) { // short vectors: no block to look for
            const bool fresh = is_fresh(buffer);
            f(fresh ? bound_.input : base_for_reading(buffer), blocks.count * layout_.elements());
            return !fresh && buffer != buffer_name::input;
        }
        if (buffer == buffer_name::work && tracks_) {
            if (landed_ == 0) return read_from(bound_.input, blocks, f), false;
            if (landed_ < layout_.blocks()) return read_mixed(blocks, f);
        }
        read_from(base_for_reading(buffer), blocks, f);
        return buffer != buffer_name::input;
    }

    /// Calls f(std::byte* target, const std::byte* present, bytes) for the stretches into which `blocks` of
    /// `buffer` are to be written; `present` is where their value is now. Afterwards they have landed in
    /// target.
    template <class F>
    void write(const block_set& blocks, buffer_name buffer, F&& f) {
        std::byte* const base = base_for_writing(buffer);
        if (layout_.blocks() == 1) {
            const std::byte* const present = is_fresh(buffer) ? bound_.input : base;
            if (buffer == buffer_name::work) landed_ |= blocks.count;
            f(base, present, blocks.count * layout_.elements());
            return;
        }
        if (buffer == buffer_name::work && tracks_ && landed_ < layout_.blocks()) {
            for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
                for_each_landed_run(first, count, [&](block_index b, block_index many, bool has_landed) {
                    const std::int64_t at = layout_.offset(b);
                    f(base + at, has_landed ? base + at : bound_.input + at, layout_.size(b, many));
                });
                mark_landed(first, count);
            });
            return;
        }
        for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
            std::byte* const target = base + layout_.offset(first);
            f(target, static_cast<const std::byte*>(target), layout_.size(first, count));
        });
    }

    /// Makes sure that `blocks` of work lie in work itself: copies those that are still the input's.
    void settle(const block_set& blocks) {
        if (!tracks_ || landed_ == layout_.blocks()) return;
        write(blocks, buffer_name::work, [](std::byte* target, const std::byte* present, std::int64_t count) {
            if (target != present) copy_bytes(target, present, count);
        });
    }

private:
    const std::byte* base_for_reading(buffer_name buffer) {
        return buffer == buffer_name::input ? bound_.input : base_for_writing(buffer);
    }

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

    template <class F>
    void read_from(const std::byte* base, const block_set& blocks, F& f) {
        for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
            f(base + layout_.offset(first), layout_.size(first, count));
        });
    }

    template <class F>
    bool read_mixed(const block_set& blocks, F& f) {
        bool writable = false;
        for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
            for_each_landed_run(first, count, [&](block_index b, block_index many, bool has_landed) {
                writable = writable || has_landed;
                const std::byte* const base = has_landed ? bound_.work : bound_.input;
                f(base + layout_.offset(b), layout_.size(b, many));
            });
        });
        return writable;
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

    /// Splits [first, first + count) where "has landed" changes.
    template <class F>
    void for_each_landed_run(block_index first, block_index count, F&& f) const {
        const block_index end = first + count;
        while (first < end) {
            const bool state = landed(first);
            block_index next = first + 1;
            while (next < end && landed(next) == state) ++next;
            f(first, next - first, state);
            first = next;
        }
    }

    const block_layout& layout_;
    binding bound_;
    kept_memory& kept_;
    bool tracks_;            // work starts as input
    block_index landed_ = 0; // blocks that something has landed in; which ones is only asked in between
    std::array<std::byte*, 2> scratch_{};
};

} // namespace tutti
