// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>

namespace tutti {

/// Somebody who waits for long work, and is told now and then how much of it is done: 0 to 1, never less than
/// before. A reference to what is called, which has to be there until the work is done; nobody by default.
///
///     const auto show = [](double done) { std::printf("%3.0f %%\r", 100 * done); };
///     simulate(all, bytes, {.watch = watcher(show)});
class watcher {
public:
    watcher() = default;

    /// Tells `told`, which must outlive it, how much is done.
    template <class F>
        requires std::invocable<const F&, double> && (!std::is_same_v<F, watcher>)
    explicit watcher(const F& told) noexcept
        : told_(&told), call_([](const void* f, double done) { (*static_cast<const F*>(f))(done); }) {}
    template <class F>
    explicit watcher(const F&& gone) = delete; ///< a temporary

    /// Whether anybody listens.
    explicit operator bool() const noexcept { return call_ != nullptr; }
    /// Says that so much is done, 0 .. 1.
    void operator()(double done) const {
        if (call_ != nullptr) call_(told_, done);
    }

private:
    const void* told_ = nullptr;
    void (*call_)(const void*, double) = nullptr;
};

} // namespace tutti
