// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/transport/shared_text.hpp>

namespace tutti::detail {

/// The first failure of a world, for all its ranks to read: which rank does not go on, and why. Memory full
/// of zeros is one without news.
class bulletin {
public:
    bool failed() const noexcept { return state_.load(std::memory_order_acquire) != nothing; }

    /// False if there is a failure already. `lost`: the rank is dead.
    [[gnu::cold]] bool post(rank_type rank, const std::string& why, bool lost) noexcept;

    // Only after failed(). no_rank, false and a text that says so if whoever failed died over it.

    [[gnu::cold]] rank_type by() const noexcept;
    [[gnu::cold]] bool lost() const noexcept;
    [[gnu::cold]] std::string why() const;

private:
    enum : std::uint32_t { nothing, being_written, written };

    bool readable() const noexcept;

    std::atomic<std::uint32_t> state_{nothing};
    std::atomic<std::int32_t> by_{0};
    std::atomic<std::uint32_t> lost_{0};
    shared_text<1000> why_{};
};

#if TUTTI_BODIES
TUTTI_BODY bool bulletin::post(rank_type rank, const std::string& why, bool lost) noexcept {
    std::uint32_t expected = nothing;
    if (!state_.compare_exchange_strong(expected, being_written, std::memory_order_acq_rel)) return false;
    by_.store(rank, std::memory_order_relaxed);
    lost_.store(lost ? 1 : 0, std::memory_order_relaxed);
    why_.write(why);
    state_.store(written, std::memory_order_release);
    return true;
}

/// Writing takes a microsecond, or for ever if the writer is killed.
TUTTI_BODY bool bulletin::readable() const noexcept {
    for (int looks = 0; looks < 10'000; ++looks) {
        if (state_.load(std::memory_order_acquire) == written) return true;
        std::this_thread::yield();
    }
    return false;
}

TUTTI_BODY rank_type bulletin::by() const noexcept {
    return readable() ? by_.load(std::memory_order_relaxed) : no_rank;
}
TUTTI_BODY bool bulletin::lost() const noexcept {
    return readable() && lost_.load(std::memory_order_relaxed) != 0;
}
TUTTI_BODY std::string bulletin::why() const {
    return readable() ? why_.read() : "a rank failed and was lost before it could say why";
}
#endif

} // namespace tutti::detail
