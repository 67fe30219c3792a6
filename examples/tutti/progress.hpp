// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>

namespace program {

struct surroundings;

/// "verify: 17 of 300, 4.2/s, 68 s left": `done` may have a fraction, of the step that is under way.
std::string progress_text(std::string_view verb, double done, std::size_t total, double seconds);

/// That on one line, which is written again and again while work takes longer than a person likes to wait
/// for; for people at a terminal only. The line is gone when this is: what is printed comes after that.
///
/// Any thread may call step() and part().
class progress {
public:
    progress(std::ostream& err, bool shown, std::string_view verb, std::size_t total,
             std::chrono::milliseconds patience = std::chrono::seconds(1))
        : err_(err), shown_(shown), patience_(patience), verb_(verb), total_(total) {}
    progress(const surroundings& with, std::string_view verb, std::size_t total);
    ~progress() {
        if (written_) err_ << "\r\033[K" << std::flush;
    }
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;

    /// So many of the total are done.
    void step(std::size_t count = 1);

    /// So much, 0 to 1, of the step under way; more if several are under way together.
    void part(double done);

    /// Writes the line now, without waiting whether it will be long: for what is timed, where nothing can be
    /// written before the first step is over.
    void announce();

    /// work(), and meanwhile the line is kept up to date, whether or not there are steps. Not for work that
    /// is timed, or that forks: there is one more thread.
    void during(const std::function<void()>& work);

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds often{100};

    void write_if_due();
    void write(clock::time_point now);

    std::ostream& err_;
    const bool shown_;
    const std::chrono::milliseconds patience_;
    const std::string_view verb_;
    const std::size_t total_;
    const clock::time_point begun_ = clock::now();

    std::mutex guard_{}; // of what follows
    bool written_ = false;
    std::size_t done_ = 0;
    double part_ = 0;
    clock::time_point last_{};
};

/// Calls task(i) for i in [0, count) on all cores, the last i first; the first exception is thrown here once
/// all threads have ended.
void for_each_in_parallel(std::size_t count, progress& shown, const std::function<void(std::size_t)>& task);

} // namespace program
