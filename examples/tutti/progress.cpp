// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace program {

void for_each_in_parallel(std::size_t count, progress& shown, const std::function<void(std::size_t)>& task) {
    std::mutex guard; // of what follows
    std::size_t left = count;
    std::exception_ptr fault;
    const auto work = [&] {
        for (;;) {
            std::size_t i = 0;
            {
                const std::lock_guard lock(guard);
                if (left == 0 || fault) return;
                i = --left;
            }
            try {
                task(i);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!fault) fault = std::current_exception();
            }
            const std::lock_guard lock(guard);
            shown.step();
        }
    };
    const std::size_t helpers =
        std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency())) - (count > 0 ? 1 : 0);
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < helpers; ++k) threads.emplace_back(work);
    work();
    threads.clear(); // joins
    if (fault) std::rethrow_exception(fault);
}

} // namespace program
