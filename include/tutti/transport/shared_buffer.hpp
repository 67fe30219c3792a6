// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/transport/concept.hpp>

namespace tutti {

/// Where ranks can have memory that all of them read where it lies. `allocate` returns null if there is no
/// more of it.
template <class T>
concept sharing_transport = transport<T> && requires(T& t, std::size_t bytes, std::byte* what) {
    { t.allocate(bytes) } -> std::same_as<std::byte*>;
    t.deallocate(what);
};

/// A vector of a fixed length for messages: over processes it lies in memory that all of them see, so that
/// the others copy and fold its elements where they are, as threads do. Over other transports it is plain
/// memory. The transport must outlive it; only the rank that made it destroys it.
///
///     tutti::shared_buffer<double> x(comm.transport(), 1 << 20);
///     tutti::allreduce(comm, x, tutti::sum{});
template <class T>
class shared_buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                  "tutti: others read the elements of a shared_buffer as bytes");

public:
    using value_type = T; ///< the type of an element

    /// Elements are value-initialised. Throws error if there is no more shared memory: how much there is, is
    /// said when the ranks are started.
    template <transport Transport>
    shared_buffer(Transport& wires, std::size_t length) : length_(length) {
        static_assert(alignof(T) <= 64);
        if (length > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
        const std::size_t bytes = length * sizeof(T);
        if constexpr (sharing_transport<Transport>) {
            from_ = &wires;
            give_back_ = [](void* from, std::byte* what) { static_cast<Transport*>(from)->deallocate(what); };
            memory_ = wires.allocate(bytes);
        } else {
            give_back_ = [](void*, std::byte* what) { ::operator delete(what, std::align_val_t{64}); };
            memory_ = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64}));
        }
        if (memory_ == nullptr)
            throw error(detail::sentence({"tutti: no ", bytes, " bytes of shared memory are left on rank ",
                                          wires.rank(), ": see processes::options::shared_bytes"}));
        std::uninitialized_value_construct_n(data(), length);
    }
    shared_buffer(shared_buffer&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)), length_(std::exchange(other.length_, 0)),
          from_(other.from_), give_back_(other.give_back_) {}
    shared_buffer& operator=(shared_buffer&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(length_, other.length_);
        std::swap(from_, other.from_);
        std::swap(give_back_, other.give_back_);
        return *this;
    }
    ~shared_buffer() {
        if (memory_ != nullptr) give_back_(from_, memory_);
    }

    T* data() noexcept { return reinterpret_cast<T*>(memory_); }
    const T* data() const noexcept { return reinterpret_cast<const T*>(memory_); }
    std::size_t size() const noexcept { return length_; }
    T* begin() noexcept { return data(); }
    T* end() noexcept { return data() + length_; }
    const T* begin() const noexcept { return data(); }
    const T* end() const noexcept { return data() + length_; }
    T& operator[](std::size_t i) noexcept { return data()[i]; }
    const T& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
    std::byte* memory_;
    std::size_t length_;
    void* from_ = nullptr;
    void (*give_back_)(void* from, std::byte* what);
};

} // namespace tutti
