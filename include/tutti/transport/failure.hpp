// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <mutex>
#include <string>
#include <utility>

namespace tutti::detail {

/// Remembers which of the exceptions of several ranks to report: the first in time, but a cause before its
/// consequences on other ranks.
class first_failure {
public:
    void note(std::exception_ptr what, bool consequence) {
        const std::lock_guard lock(mutex_);
        std::exception_ptr& place = consequence ? consequence_ : cause_;
        if (!place) place = std::move(what);
    }

    /// Throws it, if there is one.
    void rethrow() {
        if (cause_) std::rethrow_exception(cause_);
        if (consequence_) std::rethrow_exception(consequence_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr cause_;
    std::exception_ptr consequence_;
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
