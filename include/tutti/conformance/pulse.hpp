// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>

namespace tutti::conformance::detail {

/// What one rank does just now. Written by the rank, read by its watchdog.
class pulse {
public:
    /// The rank is about to call this member of its transport.
    void beat(const char* call) noexcept {
        call_.store(call, std::memory_order_relaxed);
        beats_.store(beats_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    std::uint64_t beats() const noexcept { return beats_.load(std::memory_order_relaxed); }
    const char* call() const noexcept { return call_.load(std::memory_order_relaxed); }

private:
    std::atomic<const char*> call_{"its first call"};
    std::atomic<std::uint64_t> beats_{0};
};

} // namespace tutti::conformance::detail
