// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <tutti/core/inline.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// Steps in a row, kept and refilled round after round. A vector whose push is a compare and a store that
/// compilers do inline: handing out steps is on the path of every message.
class step_list {
public:
    step_list() = default;

    TUTTI_INLINE void push_back(const step& s) {
        if (size_ == capacity_) [[unlikely]]
            grow();
        data_[size_++] = s;
    }
    void clear() noexcept { size_ = 0; }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const step& operator[](std::size_t i) const noexcept { return data_[i]; }
    const step* begin() const noexcept { return data_.get(); }
    const step* end() const noexcept { return data_.get() + size_; }

private:
    [[gnu::noinline]] void grow() { // out of the way of push_back
        const std::size_t wanted = capacity_ == 0 ? 16 : 2 * capacity_;
        auto larger = std::make_unique<step[]>(wanted);
        for (std::size_t i = 0; i < size_; ++i) larger[i] = data_[i];
        data_ = std::move(larger);
        capacity_ = wanted;
    }

    std::unique_ptr<step[]> data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace tutti
