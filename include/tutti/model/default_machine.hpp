// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/compiled.hpp>
#include <tutti/model/machine.hpp>

#if TUTTI_BODIES
#include <cstdint>
#endif

namespace tutti {

/// The machine that choices are made for unless the user names another: threads that share memory, each with
/// a core of its own.
const machine& default_machine();

#if TUTTI_BODIES
namespace detail {
inline machine make_default_machine() {
    constexpr std::int64_t KiB = 1 << 10;
    constexpr std::int64_t MiB = 1 << 20;
    // Measured when 240 bytes travelled inside of a message; since it has a label there are 224. The steps
    // of all tables lie at 240, so `inside` stays there until they are measured anew.
    measured m;
    m.call = 0.0112;
    m.send = piecewise({{240, 0.0621}, {241, 0.258}, {242, 0.258}});
    m.latency = piecewise({{240, 0.147}, {241, 0.306}, {242, 0.306}});
    m.recv = piecewise({{8, 0.0648},
                        {32, 0.0706},
                        {64, 0.168},
                        {512, 0.168},
                        {2 * KiB, 0.281},
                        {16 * KiB, 0.304},
                        {32 * KiB, 1.05},
                        {256 * KiB, 7},
                        {512 * KiB, 14.6},
                        {1 * MiB, 38},
                        {2 * MiB, 169},
                        {4 * MiB, 356}});
    m.recv_fold = piecewise({{8, 0.0623},
                             {32, 0.0684},
                             {64, 0.178},
                             {240, 0.212},
                             {248, 0.247},
                             {2 * KiB, 0.336},
                             {8 * KiB, 0.466},
                             {128 * KiB, 4.62},
                             {256 * KiB, 9.49},
                             {512 * KiB, 22.2},
                             {1 * MiB, 90},
                             {4 * MiB, 432}});
    m.fetch = piecewise({{240, 0},
                         {248, 0.0864},
                         {512, 0.147},
                         {1 * KiB, 0.306},
                         {2 * KiB, 0.479},
                         {16 * KiB, 3.65},
                         {32 * KiB, 5.71},
                         {64 * KiB, 11.2},
                         {128 * KiB, 19.7},
                         {256 * KiB, 21.2},
                         {512 * KiB, 28.4},
                         {2 * MiB, 28.4},
                         {4 * MiB, 81.1}});
    m.local = piecewise({{8, 0.0174},
                         {240, 0.0208},
                         {248, 0.0427},
                         {1 * KiB, 0.0542},
                         {4 * KiB, 0.0848},
                         {8 * KiB, 0.109},
                         {16 * KiB, 0.141},
                         {32 * KiB, 0.93},
                         {512 * KiB, 13.3},
                         {1 * MiB, 37.7},
                         {2 * MiB, 170},
                         {4 * MiB, 356}});
    m.inside = 240;
    m.cores = 4096; // as many as there are ranks, whichever machine this runs on: all ranks must choose alike
    m.switching = 1.5;
    return {.name = "threads",
            .source = "tutti calibrate: 2 threads on 2 cores of a Xeon at 2 GHz, 2 MiB of cache each",
            .model = m};
}
} // namespace detail

TUTTI_BODY const machine& default_machine() {
    static const machine threads = detail::make_default_machine();
    return threads;
}
#endif

} // namespace tutti
