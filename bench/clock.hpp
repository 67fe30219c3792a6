// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace bench {

/// Seconds since some moment.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The compiler has to believe that memory reachable from `pointer` is read and written here.
inline void keep(const void* pointer) {
#if defined(__GNUC__)
    asm volatile("" : : "g"(pointer) : "memory");
#else
    static const volatile void* sink;
    sink = pointer;
#endif
}

inline double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

inline double minimum(const std::vector<double>& values) {
    return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

/// Seconds of one call of `f`, the least of several batches: whatever else runs on the machine only adds.
template <class F>
double least_time(F&& f, double batch_seconds = 50e-6, int batches = 9) {
    double start = now();
    f();
    const double once = now() - start;
    const int reps = std::clamp(static_cast<int>(batch_seconds / (once + 1e-9)), 1, 100000);
    double least = once;
    for (int b = 0; b < batches; ++b) {
        start = now();
        for (int r = 0; r < reps; ++r) f();
        least = std::min(least, (now() - start) / reps);
        if (once > 0.05) break; // long enough to be judged alone
    }
    return least;
}

} // namespace bench
