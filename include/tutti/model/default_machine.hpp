// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/model/machine.hpp>

namespace tutti {

namespace detail {
inline machine make_default_machine() {
    measured m;
    m.call = 0.06;
    m.send = piecewise({{8, 0.02}, {240, 0.03}, {256, 0.06}, {1 << 20, 0.06}});
    m.latency = piecewise({{8, 0.09}, {64, 0.11}, {240, 0.16}, {256, 0.12}, {1 << 20, 0.12}});
    m.recv = piecewise({{8, 0.01}, {240, 0.02}, {256, 0.15}, {4096, 0.45}, {65536, 5.0}, {1 << 20, 90.0}});
    m.recv_fold =
        piecewise({{8, 0.01}, {240, 0.03}, {256, 0.15}, {4096, 0.50}, {65536, 6.0}, {1 << 20, 110.0}});
    m.local = piecewise({{8, 0.01}, {240, 0.02}, {4096, 0.20}, {65536, 3.0}, {1 << 20, 70.0}});
    m.cores = 2;
    m.switching = 1.5;
    return {.name = "threads", .source = "rough figures of threads that share memory", .model = m};
}
} // namespace detail

/// The machine that choices are made for unless the user names another: threads that share memory.
inline const machine& default_machine() {
    static const machine threads = detail::make_default_machine();
    return threads;
}

} // namespace tutti
