// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <tutti/core/compiled.hpp>
#include <tutti/core/inline.hpp>

namespace tutti {

namespace detail {

/// What all reusable_lists do alike, whatever they hold.
class list_memory {
public:
    explicit list_memory(std::size_t element) noexcept : element_(element) {}
    list_memory(const list_memory& other) : list_memory(other.element_) { copy(other); }
    list_memory(list_memory&& other) noexcept : list_memory(other.element_) { swap(other); }
    list_memory& operator=(const list_memory& other) {
        if (this != &other) copy(other);
        return *this;
    }
    list_memory& operator=(list_memory&& other) noexcept {
        swap(other);
        return *this;
    }
    ~list_memory() { ::operator delete(data); }

    /// Room for at least so many elements.
    void reserve(std::size_t wanted) {
        if (wanted > capacity) grow(wanted);
    }
    [[gnu::cold]] void grow(std::size_t wanted); // out of the way of push_back
    /// Makes room for one before the i-th.
    void open_gap(std::size_t i);
    /// Takes out the i-th.
    void close_gap(std::size_t i) noexcept;

    void* data = nullptr;
    std::size_t size = 0;
    std::size_t capacity = 0;

private:
    void copy(const list_memory& other) {
        reserve(other.size);
        if (other.size > 0) std::memcpy(data, other.data, other.size * element_);
        size = other.size;
    }
    void swap(list_memory& other) noexcept {
        std::swap(data, other.data);
        std::swap(size, other.size);
        std::swap(capacity, other.capacity);
    }
    std::byte* at(std::size_t i) const noexcept { return static_cast<std::byte*>(data) + i * element_; }

    std::size_t element_;
};

#if TUTTI_BODIES
TUTTI_BODY void list_memory::grow(std::size_t wanted) {
    if (wanted < 2 * capacity) wanted = 2 * capacity;
    if (wanted < 16) wanted = 16;
    void* const larger = ::operator new(wanted* element_);
    if (size > 0) std::memcpy(larger, data, size * element_);
    ::operator delete(data);
    data = larger;
    capacity = wanted;
}
TUTTI_BODY void list_memory::open_gap(std::size_t i) {
    reserve(size + 1);
    std::memmove(at(i + 1), at(i), (size - i) * element_);
    ++size;
}
TUTTI_BODY void list_memory::close_gap(std::size_t i) noexcept {
    --size;
    std::memmove(at(i), at(i + 1), (size - i) * element_);
}
#endif

} // namespace detail

/// Plain values in a row, kept and refilled again and again: clearing it keeps its memory. A std::vector
/// whose push is a compare and a store that compilers do inline - handing out steps is on the path of every
/// message - and which costs whoever compiles it a quarter: what does not depend on T is there once.
template <class T>
class reusable_list {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

public:
    reusable_list() noexcept : memory_(sizeof(T)) {}

    /// Not one of these.
    TUTTI_INLINE void push_back(const T& value) {
        if (memory_.size == memory_.capacity) [[unlikely]]
            memory_.grow(0);
        begin()[memory_.size++] = value;
    }
    /// None of these.
    void append(const T* from, std::size_t many) {
        memory_.reserve(memory_.size + many);
        if (many > 0) std::memcpy(static_cast<void*>(end()), from, many * sizeof(T));
        memory_.size += many;
    }
    /// Not one of these.
    void insert(std::size_t i, const T& value) {
        memory_.open_gap(i);
        begin()[i] = value;
    }
    /// Without element i: those behind it move up.
    void erase(std::size_t i) noexcept { memory_.close_gap(i); }
    /// Room for so many.
    void reserve(std::size_t size) { memory_.reserve(size); }
    /// Without its last element, which is there.
    void pop_back() noexcept { --memory_.size; }
    /// Without any; keeps its memory.
    void clear() noexcept { memory_.size = 0; }
    /// So many, all of them `value`, which is not one of these.
    void assign(std::size_t size, const T& value) {
        memory_.reserve(size);
        for (std::size_t i = 0; i < size; ++i) begin()[i] = value;
        memory_.size = size;
    }

    std::size_t size() const noexcept { return memory_.size; }
    bool empty() const noexcept { return memory_.size == 0; }
    /// The first element.
    T* begin() noexcept { return static_cast<T*>(memory_.data); }
    /// Behind the last element.
    T* end() noexcept { return begin() + memory_.size; }
    /// The first element.
    const T* begin() const noexcept { return static_cast<const T*>(memory_.data); }
    /// Behind the last element.
    const T* end() const noexcept { return begin() + memory_.size; }
    /// Where the elements lie, size() of them.
    T* data() noexcept { return begin(); }
    /// Where the elements lie, size() of them.
    const T* data() const noexcept { return begin(); }
    T& operator[](std::size_t i) noexcept { return begin()[i]; }
    const T& operator[](std::size_t i) const noexcept { return begin()[i]; }
    /// The last one, which is there.
    T& back() noexcept { return end()[-1]; }
    /// The last one, which is there.
    const T& back() const noexcept { return end()[-1]; }
    /// The first one, which is there.
    const T& front() const noexcept { return begin()[0]; }

private:
    detail::list_memory memory_;
};

} // namespace tutti
