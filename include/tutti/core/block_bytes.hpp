// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <tutti/core/layout.hpp>

namespace tutti {

/// How many bytes blocks have: a layout in elements, and the size of an element. What models and simulators
/// are given instead of buffers.
class block_bytes {
public:
    /// element_bytes: at least 1, else argument_error.
    explicit block_bytes(block_layout elements, std::int64_t element_bytes = 1)
        : elements_(std::move(elements)), element_bytes_(element_bytes) {
        if (element_bytes < 1) detail::throw_argument("element_bytes", element_bytes, "at least 1");
    }

    /// A vector of `bytes` bytes (rounded down to whole elements) cut evenly into `blocks` blocks.
    /// Example: even(56, 5, 8) has blocks of 16, 16, 8, 8, 8 bytes.
    static block_bytes even(std::int64_t bytes, block_index blocks, std::int64_t element_bytes = 1) {
        if (element_bytes < 1) detail::throw_argument("element_bytes", element_bytes, "at least 1");
        return block_bytes(block_layout::even(bytes / element_bytes, blocks), element_bytes);
    }

    /// The bytes of all blocks of the set.
    std::int64_t operator()(const block_set& set) const noexcept {
        return elements_.size(set) * element_bytes_;
    }

    block_index blocks() const noexcept { return elements_.blocks(); }
    /// Bytes of the whole vector.
    std::int64_t total() const noexcept { return elements_.elements() * element_bytes_; }
    /// Bytes of one element.
    std::int64_t element() const noexcept { return element_bytes_; }
    /// Where the blocks lie, in elements.
    const block_layout& layout() const noexcept { return elements_; }

private:
    block_layout elements_;
    std::int64_t element_bytes_;
};

} // namespace tutti
