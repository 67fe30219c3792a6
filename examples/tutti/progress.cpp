// SPDX-License-Identifier: BSL-1.0
#include "progress.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

#include "verbs.hpp"

namespace program {

namespace {

template <class... Values>
std::string text(const char* format, Values... values) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, values...);
    return buffer.data();
}

std::string rate_text(double per_second) {
    return per_second >= 1     ? text("%.3g/s", per_second)
           : per_second >= 0.1 ? text("%.1f/s", per_second)
                               : text("%.3g/min", 60 * per_second);
}

std::string duration_text(double seconds) {
    return seconds < 100          ? text("%.0f s", seconds)
           : seconds < 100 * 60.0 ? text("%.0f min", seconds / 60)
                                  : text("%.1f h", seconds / 3600);
}

} // namespace

std::string progress_text(std::string_view verb, double done, std::size_t total, double seconds) {
    const double all = static_cast<double>(total);
    std::string line(verb);
    line.append(": ").append(std::to_string(static_cast<std::size_t>(done)));
    line.append(" of ").append(std::to_string(total));
    if (done <= 0 && seconds < 1) return line; // announced
    if (done <= 0) return line.append(", ").append(duration_text(seconds)).append(" so far");
    if (total < 20) line.append(text(", %.0f %%", 100 * done / all)); // steps alone would say little
    if (seconds <= 0) return line;
    line.append(", ").append(rate_text(done / seconds));
    return line.append(", ").append(duration_text((all - done) * seconds / done)).append(" left");
}

progress::progress(const surroundings& with, std::string_view verb, std::size_t total)
    : progress(with.err, with.terminal, verb, total, with.patience) {}

void progress::step(std::size_t count) {
    const std::lock_guard lock(guard_);
    done_ += count;
    part_ = 0;
    write_if_due();
}

void progress::part(double done) {
    const std::lock_guard lock(guard_);
    part_ = done;
    write_if_due();
}

void progress::announce() {
    const std::lock_guard lock(guard_);
    if (shown_) write(clock::now());
}

void progress::write_if_due() {
    if (!shown_) return;
    const clock::time_point now = clock::now();
    if (now - begun_ >= patience_ && now - last_ >= std::min(often, patience_)) write(now);
}

void progress::write(clock::time_point now) {
    last_ = now;
    written_ = true;
    const double done = std::min(static_cast<double>(done_) + part_, static_cast<double>(total_));
    const double seconds = std::chrono::duration<double>(now - begun_).count();
    std::string line = progress_text(verb_, done, total_, seconds);
    if (const long most = line_width(err_); most > 0) // one that goes on below could not be taken back
        line.resize(std::min(line.size(), static_cast<std::size_t>(most) - 1));
    err_ << "\r\033[K" << line << std::flush;
}

void progress::during(const std::function<void()>& work) {
    if (!shown_) return work();
    std::condition_variable news;
    bool ended = false;
    std::exception_ptr fault;
    std::jthread worker([&] {
        try {
            work();
        } catch (...) {
            fault = std::current_exception();
        }
        const std::lock_guard lock(guard_);
        ended = true;
        news.notify_one();
    });
    {
        std::unique_lock lock(guard_);
        write_if_due();
        while (!news.wait_for(lock, often, [&] { return ended; })) write_if_due();
    }
    worker.join();
    if (fault) std::rethrow_exception(fault);
}

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
            shown.step();
        }
    };
    const std::size_t helpers =
        std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency())) - (count > 0 ? 1 : 0);
    shown.during([&] {
        std::vector<std::jthread> threads;
        for (std::size_t k = 0; k < helpers; ++k) threads.emplace_back(work);
        work();
    }); // joined
    if (fault) std::rethrow_exception(fault);
}

} // namespace program
