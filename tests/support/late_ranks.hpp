// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

/// Tests of ranks that are late, or that have left.
namespace support {

using numbers = std::vector<std::int64_t>;

/// Waits without a call of tutti: who does so helps nobody on. What never comes fails a test, after a minute,
/// instead of hanging it.
template <class T>
void wait_for(const std::atomic<T>& what, T value) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (what.load() != value) {
        if (std::chrono::steady_clock::now() > late)
            throw std::runtime_error("waited a minute for another rank");
        std::this_thread::yield();
    }
}
inline void wait_for(const std::atomic<bool>& flag) { wait_for(flag, true); }

} // namespace support
