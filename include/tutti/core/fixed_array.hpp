// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>

namespace tutti::detail {

/// As many things as are known to be needed when it is made: a std::unique_ptr<T[]> that costs next to
/// nothing to compile.
template <class T>
class fixed_array {
public:
    fixed_array() = default;
    explicit fixed_array(std::size_t many) : data_(new T[many]()) {}
    fixed_array(fixed_array&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    fixed_array& operator=(fixed_array&& other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    ~fixed_array() { delete[] data_; }

    /// Null if it was never made.
    T* data() const noexcept { return data_; }
    T& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    T* data_ = nullptr;
};

} // namespace tutti::detail
