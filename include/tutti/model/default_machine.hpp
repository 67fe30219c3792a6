// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/model/machine.hpp>

namespace tutti {

namespace detail {
inline machine make_default_machine() {
    measured m;
    m.call = 0.05;
    m.send = piecewise::constant(0.08);
    m.latency = piecewise({{240, 0.14}, {241, 0.36}, {242, 0.36}});
    m.recv = piecewise({{8, 0.09}, {240, 0.15}, {241, 0.28}, {4096, 0.45}, {65536, 4.5}, {1 << 20, 90}});
    m.recv_fold =
        piecewise({{8, 0.09}, {240, 0.15}, {241, 0.28}, {4096, 0.45}, {65536, 5.0}, {1 << 20, 100}});
    m.fetch = piecewise({{240, 0}, {4096, 0.6}, {65536, 10}, {1 << 20, 120}});
    m.local = piecewise({{8, 0.01}, {240, 0.02}, {4096, 0.20}, {65536, 3.0}, {1 << 20, 70.0}});
    m.inside = 240;
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
