// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

namespace tutti::detail {

/// Remembers which of the exceptions of several ranks to report: the nearest to the cause, and of those the
/// first in time.
class first_failure {
public:
    /// `distance`: 0 for a cause, 1 for its consequences; 2 for theirs, where that is known.
    void note(std::exception_ptr what, std::size_t distance) {
        const std::lock_guard lock(mutex_);
        std::exception_ptr& place = first_[distance];
        if (!place) place = std::move(what);
    }

    /// Throws it, if there is one.
    void rethrow() {
        for (const std::exception_ptr& what : first_)
            if (what) std::rethrow_exception(what);
    }

private:
    std::mutex mutex_;
    std::array<std::exception_ptr, 3> first_;
};

inline std::string text_of(const std::exception_ptr& what) {
    try {
        std::rethrow_exception(what);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

} // namespace tutti::detail
