// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace program {

/// Keeps the calling thread on one core for as long as this lives, where the system can do that: two ranks
/// that the system puts on one core take turns instead of working together, and no measurement of them means
/// anything.
class on_core {
public:
    explicit on_core(int rank) {
#if defined(__linux__)
        if (sched_getaffinity(0, sizeof before_, &before_) != 0 || CPU_COUNT(&before_) == 0) return;
        int left = rank % CPU_COUNT(&before_);
        for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
            if (!CPU_ISSET(core, &before_) || left-- > 0) continue;
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            moved_ = pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
            return;
        }
#else
        (void)rank;
#endif
    }
    ~on_core() {
#if defined(__linux__)
        if (moved_) (void)pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
#endif
    }
    on_core(const on_core&) = delete;
    on_core& operator=(const on_core&) = delete;

private:
#if defined(__linux__)
    cpu_set_t before_{};
    bool moved_ = false;
#endif
};

} // namespace program
