// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/core/copy_bytes.hpp>
#include <tutti/core/layout.hpp>
#include <tutti/core/reusable_list.hpp>
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
        if (bytes > size_) [[unlikely]]
            grow(bytes);
        return data_;
    }

private:
    static constexpr std::size_t alignment = 64;

    [[gnu::noinline]] void grow(std::size_t bytes) {
        release();
        data_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment}));
        size_ = bytes;
    }
    void release() noexcept {
        if (data_ != nullptr) ::operator delete(data_, std::align_val_t{alignment});
        data_ = nullptr;
        size_ = 0;
    }

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Memory that the bytes of a schedule's buffers lie in.
enum class region : std::uint8_t {
    input,     ///< the caller's, never written
    work,      ///< the caller's output, or memory of the engine's
    scratch,   ///< the engine's; one for each plane
    scratch_1, ///< as scratch
    result,    ///< the caller's output where the schedule works elsewhere, or in it on no more than a part
    message,   ///< one that has come, or is put together to be sent
    nowhere,
};

/// Contiguous bytes of a buffer, wherever the regions are.
struct stretch {
    region target = region::nowhere;  ///< where they are written; nowhere: they may only be read
    region present = region::nowhere; ///< where their value is now
    std::int64_t offset = 0;          ///< in the target
    std::int64_t bytes = 0;           ///< 0: of an empty block
    std::int64_t present_offset = 0;  ///< where they are now; the same unless only a part is there

    /// The rest of it, without the first n bytes.
    void skip(std::int64_t n) noexcept {
        offset += n;
        present_offset += n;
        bytes -= n;
    }
};

/// Memory that outlives a call, whatever its element type.
struct kept_memory {
    /// Under work, where the caller has no output, or a shorter one.
    reusable_bytes work;
    std::array<reusable_bytes, 2> scratch; ///< by plane
    reusable_list<unsigned char> landed;   ///< by block of work: 1 once something has landed there
    reusable_list<stretch> stretches;      ///< what was listed last

    /// What lies under work or scratch where the caller gives nothing.
    reusable_bytes& of(region r) noexcept {
        return r == region::work ? work : scratch[r == region::scratch ? 0 : 1];
    }
};

/// How the buffers of a schedule lie over the caller's memory.
struct binding {
    const std::byte* input = nullptr; ///< the caller's input; null when the call is in place or has none
    std::int64_t input_begins = 0; ///< where in the vector: the part of one rank is the input of an allgather
    std::byte* work =
        nullptr; ///< where results go; null when this rank has no output: made when first needed
    /// A block of work that nothing has landed in yet *is* the input's. So leaves of a reduction send
    /// straight from the caller's buffer, and the first fold reads it and writes the output; so a rank sends
    /// its part of a long allgather.
    bool work_starts_as_input = false;
    /// Blocks of work, one after the other, that lie apart from the others: what a scatter brings this rank
    /// lands in the caller's output, which is no longer than that.
    block_set part{};
    std::byte* part_at = nullptr; ///< where this part lies; null if there is none
};

/// Finds the bytes of blocks, and knows which blocks of `work` are still to be read from the input.
class whereabouts {
public:
    /// `layout` is in bytes. Of `bound` it needs what its addresses do not say.
    whereabouts(const block_layout& layout, const binding& bound, kept_memory& kept)
        : whereabouts(layout, layout, bound, kept) {}
    /// That of the input is another one only where work does not start as the input.
    whereabouts(const block_layout& layout, const block_layout& of_input, const binding& bound,
                kept_memory& kept)
        : layout_(layout), of_input_(of_input), kept_(kept), input_begins_(bound.input_begins),
          part_(bound.part), tracks_(bound.work_starts_as_input) {
        if (tracks_ && layout.blocks() > 1) kept_.landed.assign(static_cast<std::size_t>(layout.blocks()), 0);
    }

    /// In bytes, of all buffers but for an input that has its own.
    const block_layout& layout() const noexcept { return layout_; }

    /// Where `blocks` of `buffer` are to be read, in message order; until the next call.
    std::span<const stretch> read(const block_set& blocks, buffer_name buffer) {
        if (layout_.blocks() != 1) return listed(blocks, buffer, false);
        if (is_fresh(buffer) || buffer == buffer_name::input) // short vectors: no block to look for
            return only({region::nowhere, region::input, 0, blocks.count * layout_.elements(), 0});
        return only({region_of(buffer), region_of(buffer), 0, blocks.count * layout_.elements(), 0});
    }

    /// Where `blocks` of `buffer` are to be written, in message order; until the next call. They count as
    /// landed from now on.
    std::span<const stretch> write(const block_set& blocks, buffer_name buffer) {
        if (layout_.blocks() != 1) return listed(blocks, buffer, true);
        const region present = is_fresh(buffer) ? region::input : region_of(buffer);
        if (buffer == buffer_name::work) landed_ |= blocks.count;
        return only({region_of(buffer), present, 0, blocks.count * layout_.elements(), 0});
    }

    /// Whether some of work may still be the input's.
    bool unsettled() const noexcept { return tracks_ && landed_ < layout_.blocks(); }

    /// Where a buffer is once something has landed in it.
    static constexpr region region_of(buffer_name buffer) noexcept {
        switch (buffer) {
        case buffer_name::work: return region::work;
        case buffer_name::input: return region::input;
        case buffer_name::scratch: return region::scratch;
        case buffer_name::scratch_1: return region::scratch_1;
        }
        return region::nowhere;
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
    const block_layout& of_input_;
    kept_memory& kept_;
    std::int64_t input_begins_;
    block_set part_;         // of work, in region::result
    bool tracks_;            // work starts as input
    block_index landed_ = 0; // blocks that something has landed in; which ones is only asked in between
    stretch only_;
};

/// The same, and where the regions are: those that the caller does not give are made when first needed.
class memory : public whereabouts {
public:
    memory(const block_layout& layout, const binding& bound, kept_memory& kept)
        : memory(layout, layout, bound, kept) {}
    memory(const block_layout& layout, const block_layout& of_input, const binding& bound, kept_memory& kept)
        : whereabouts(layout, of_input, bound, kept), input_(bound.input), kept_(kept),
          made_{bound.work, nullptr, nullptr, bound.part_at} {}

    /// Only where it may be written.
    std::byte* target(const stretch& s) { return writable(s.target) + s.offset; }
    /// Where its value is to be read; for as long as nothing is written there.
    const std::byte* present(const stretch& s) {
        return (s.present == region::input ? input_ : writable(s.present)) + s.present_offset;
    }

    /// Makes sure that `blocks` of work lie in work itself: copies those that are still the input's.
    void settle(const block_set& blocks) {
        if (!unsettled()) return;
        for (const stretch& s : write(blocks, buffer_name::work))
            if (s.target != s.present && s.bytes > 0) copy_bytes(target(s), present(s), s.bytes);
    }

    /// Copies to work itself those of `blocks` that are still the input's, and leaves them the input's: who
    /// sends them goes on reading them there. Where something lands, or was asked for, nothing is written.
    void copy_unlanded(const block_set& blocks) {
        for (const stretch& s : read(blocks, buffer_name::work))
            if (s.present == region::input && s.bytes > 0)
                copy_bytes(writable(region::work) + s.offset, present(s), s.bytes);
    }

private:
    /// `r` is work, scratch, or result, which is there if it has a part of work.
    std::byte* writable(region r) {
        std::byte*& made = made_[static_cast<std::size_t>(r) - static_cast<std::size_t>(region::work)];
        if (made == nullptr) [[unlikely]]
            made = kept_.of(r).at_least(static_cast<std::size_t>(layout().elements()));
        return made;
    }

    const std::byte* input_;
    kept_memory& kept_;
    std::array<std::byte*, 4> made_; // work, scratch, scratch_1, result
};

#if TUTTI_BODIES
TUTTI_BODY std::span<const stretch> whereabouts::listed(const block_set& blocks, buffer_name buffer,
                                                        bool writing) {
    kept_.stretches.clear();
    const bool two_places = buffer == buffer_name::work && unsettled();
    const bool only_input = !writing && (buffer == buffer_name::input || (two_places && landed_ == 0));
    const block_layout& layout = buffer == buffer_name::input ? of_input_ : layout_;
    region here = region_of(buffer);
    std::int64_t begins = 0; // what is there begins so far behind the vector's beginning
    const auto add = [&](block_index first, block_index count, bool has_landed) {
        const std::int64_t offset = layout.offset(first);
        kept_.stretches.push_back(
            {writing || has_landed ? here : region::nowhere, has_landed ? here : region::input,
             offset - begins, layout.size(first, count), offset - (has_landed ? begins : input_begins_)});
    };
    const auto list = [&](block_index first, block_index end) {
        if (!two_places || only_input) return add(first, end - first, !only_input);
        while (first < end) { // parted where "has landed" changes
            const bool state = landed(first);
            block_index next = first + 1;
            while (next < end && landed(next) == state) ++next;
            add(first, next - first, state);
            if (writing) mark_landed(first, next - first);
            first = next;
        }
    };
    for_each_run(blocks, layout_.blocks(), [&](block_index first, block_index count) {
        const block_index end = first + count;
        if (part_.count == 0 || buffer != buffer_name::work) return list(first, end);
        const block_index part = std::clamp(part_.first, first, end);
        const block_index behind = std::clamp(part_.first + part_.count, first, end);
        if (first < part) list(first, part);
        here = region::result;
        begins = layout_.offset(part_.first);
        if (part < behind) list(part, behind);
        here = region::work;
        begins = 0;
        if (behind < end) list(behind, end);
    });
    return {kept_.stretches.begin(), kept_.stretches.size()};
}
#endif

} // namespace tutti
