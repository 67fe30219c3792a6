// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string_view>

namespace program {

/// "verify: 17 of 300" on one line that is written again and again; for people at a terminal only. One
/// thread at a time.
class progress {
public:
    progress(std::ostream& err, bool shown, std::string_view verb, std::size_t total)
        : err_(err), shown_(shown), verb_(verb), total_(total) {
        if (shown_) write(); // the first step may be long
    }
    ~progress() {
        if (written_) err_ << "\r\033[K" << std::flush;
    }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    void step() {
        ++done_;
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        write();
    }

private:
    void write() {
        written_ = true;
        err_ << '\r' << verb_ << ": " << done_ << " of " << total_ << std::flush;
    }

    std::ostream& err_;
    bool shown_;
    bool written_ = false;
    std::string_view verb_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point last_{};
};

/// Calls task(i) for i in [0, count) on all cores, the last i first; the first exception is thrown here once
/// all threads have ended.
void for_each_in_parallel(std::size_t count, progress& shown, const std::function<void(std::size_t)>& task);

} // namespace program
