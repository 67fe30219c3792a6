// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <fstream>
#include <istream>
#include <optional>
#include <string>

/// Whether something else has used the cores on which ranks were measured.
namespace program {

/// How long a thread was ready to run and had no core, in seconds: the second number, nanoseconds, of what
/// Linux says in a `schedstat`. Nothing if it says none.
inline std::optional<double> coreless_seconds(std::istream& schedstat) {
    double ran = 0, waited = 0;
    if (schedstat >> ran >> waited) return waited * 1e-9;
    return {};
}

/// Of threads with cores of their own, how much of their time they had none.
class coreless_time {
public:
    /// Of one thread, from its beginning to share().
    class of_thread {
    public:
        /// The part of its time, of all this thread has done since; nothing where the system does not tell.
        std::optional<double> share() const {
            const std::optional<double> now = waited();
            const double all = std::chrono::duration<double>(clock::now() - began_).count();
            if (!now || !before_ || !(all > 0)) return {};
            return (*now - *before_) / all;
        }

    private:
        using clock = std::chrono::steady_clock;
        static std::optional<double> waited() {
            std::ifstream mine("/proc/thread-self/schedstat");
            return coreless_seconds(mine);
        }
        std::optional<double> before_ = waited();
        clock::time_point began_ = clock::now();
    };

    /// Of another measurement; the worst one counts.
    void add(std::optional<double> share) {
        if (share && *share > worst_) worst_ = *share;
    }

    /// One line for people; "" if next to nothing was lost.
    std::string note() const {
        constexpr double matters = 0.05;
        if (worst_ < matters) return {};
        return "the machine was busy: a rank was without a core for "
               + std::to_string(static_cast<int>(worst_ * 100))
               + " % of the time; measure again when nothing else runs";
    }

private:
    double worst_ = 0;
};

} // namespace program
