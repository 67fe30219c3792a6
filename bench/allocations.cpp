// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
thread_local std::int64_t count = 0;
} // namespace

std::int64_t bench::allocations() noexcept { return count; }

// The array forms and the nothrow ones call these.
void* operator new(std::size_t bytes) {
    ++count;
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
