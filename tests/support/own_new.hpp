// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

/// Gives a test program an operator new of its own, which tells the test of every allocation. For one test
/// file of a program, with a line "// labels: alone".
namespace support {

/// The test's: is called before each, and may throw std::bad_alloc.
void allocates(std::size_t bytes, std::size_t alignment);

inline void* allocated(std::size_t bytes, std::size_t alignment) {
    allocates(bytes, alignment);
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    if (void* p = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded)) return p;
    throw std::bad_alloc();
}

} // namespace support

// Not inline: GCC would see free() given what comes from new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    return support::allocated(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return support::allocated(bytes, alignof(std::max_align_t));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return support::allocated(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
