// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <tutti/conformance/any_transport.hpp>
#include <tutti/conformance/settings.hpp>

/// Who waits inside the transport cannot look at the clock: somebody else has to.
namespace tutti::conformance::detail {

/// Ends the process when a rank's pulse stops: a thread that hangs inside the transport cannot be woken from
/// outside, and neither can those who wait for it.
///
/// Each rank has its own, started where the rank runs. So there is none yet when ranks are forked: a child
/// inherits no thread and no lock of one, and one that hangs is ended itself instead of being left behind by
/// its parent.
class watchdog {
public:
    /// `who`: the check and the rank.
    watchdog(const pulse& of, std::chrono::duration<double> patience, std::string who)
        : pulse_(of), patience_(patience), who_(std::move(who)), thread_([this] { watch(); }) {}
    watchdog(const watchdog&) = delete;
    watchdog& operator=(const watchdog&) = delete;
    ~watchdog() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr int looks = 4; // while patience lasts: it sleeps otherwise, and slows nobody

    void watch() {
        std::unique_lock lock(mutex_);
        std::uint64_t seen = pulse_.beats();
        clock::time_point since = clock::now();
        while (!changed_.wait_for(lock, patience_ / looks, [this] { return over_; })) {
            if (pulse_.beats() == seen && clock::now() - since >= patience_) end();
            if (pulse_.beats() == seen) continue;
            seen = pulse_.beats();
            since = clock::now();
        }
    }

    // Not exit(): destructors would wait for the thread that hangs.
    [[noreturn]] void end() const {
        std::fprintf(stderr, "tutti conformance: %s: %s has not returned for %s; the process ends\n",
                     who_.c_str(), pulse_.call(), in_seconds(patience_).c_str());
        std::fflush(stderr);
        std::_Exit(EXIT_FAILURE);
    }

    const pulse& pulse_;
    std::chrono::duration<double> patience_;
    std::string who_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_; // last: it uses the others
};

} // namespace tutti::conformance::detail
