// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <tutti/model/machine.hpp>

namespace tutti {

namespace detail {
inline machine make_default_machine() {
    constexpr std::int64_t KiB = 1 << 10;
    constexpr std::int64_t MiB = 1 << 20;
    measured m;
    m.call = 0.0105;
    m.send = piecewise({{240, 0.056}, {241, 0.24}, {242, 0.24}});
    m.latency = piecewise({{240, 0.145}, {241, 0.27}, {242, 0.27}});
    m.recv = piecewise({{8, 0.053},
                        {32, 0.065},
                        {64, 0.17},
                        {1 * KiB, 0.2},
                        {16 * KiB, 0.33},
                        {32 * KiB, 1.1},
                        {512 * KiB, 14},
                        {1 * MiB, 40},
                        {2 * MiB, 170},
                        {4 * MiB, 340}});
    m.recv_fold = piecewise({{8, 0.056},
                             {32, 0.08},
                             {64, 0.16},
                             {248, 0.25},
                             {8 * KiB, 0.45},
                             {16 * KiB, 0.95},
                             {128 * KiB, 5.5},
                             {512 * KiB, 21},
                             {1 * MiB, 95},
                             {2 * MiB, 210},
                             {4 * MiB, 440}});
    m.fetch = piecewise({{256, 0},
                         {1 * KiB, 0.16},
                         {2 * KiB, 0.45},
                         {4 * KiB, 1},
                         {16 * KiB, 3.6},
                         {64 * KiB, 10.5},
                         {128 * KiB, 19},
                         {256 * KiB, 21},
                         {512 * KiB, 35},
                         {1 * MiB, 40},
                         {4 * MiB, 150}});
    m.local = piecewise({{8, 0.018},
                         {240, 0.02},
                         {248, 0.04},
                         {2 * KiB, 0.05},
                         {16 * KiB, 0.145},
                         {32 * KiB, 0.95},
                         {512 * KiB, 13.5},
                         {1 * MiB, 38},
                         {2 * MiB, 165},
                         {4 * MiB, 330}});
    m.inside = 240;
    m.cores = 2;
    m.switching = 1.5;
    return {.name = "threads",
            .source = "tutti calibrate: 2 threads, a core of a Xeon at 2 GHz with 2 MiB of cache each",
            .model = m};
}
} // namespace detail

/// The machine that choices are made for unless the user names another: threads that share memory.
inline const machine& default_machine() {
    static const machine threads = detail::make_default_machine();
    return threads;
}

} // namespace tutti
