// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/compiled.hpp>
#include <tutti/simulate/options.hpp>

#if TUTTI_BODIES
#include <cstddef>
#include <string>

#include <tutti/core/error.hpp>
#endif

/// Refuses what cannot be simulated, before any work.
namespace tutti::detail {

/// Ten days: sums of many such times still are far from the end of `ticks`.
inline constexpr double longest_us = 1e12;

void check_time(const char* name, double us);
void check_positive_time(const char* name, double us);

void check(const loggops& m);

void check(const start_skew& skew, rank_type size);

void check(const os_noise& noise);

void check(const simulation_options& options, rank_type size);

#if TUTTI_BODIES
TUTTI_BODY void check_time(const char* name, double us) {
    if (!(us >= 0 && us <= longest_us)) // not a number, too
        throw argument_error(name, std::to_string(us), "0..1e12 us");
}

TUTTI_BODY void check_positive_time(const char* name, double us) {
    check_time(name, us);
    if (to_ticks(us) < 1) throw argument_error(name, std::to_string(us), "at least 0.000001 us");
}

TUTTI_BODY void check(const loggops& m) {
    check_time("machine.L", m.L);
    check_time("machine.o", m.o);
    check_time("machine.g", m.g);
    check_time("machine.G", m.G);
    check_time("machine.O", m.O);
    check_time("machine.fold_per_byte", m.fold_per_byte);
    check_time("machine.copy_per_byte", m.copy_per_byte);
    if (m.S < 0) throw_argument("machine.S", m.S, "at least 0");
}

TUTTI_BODY void check(const start_skew& skew, rank_type size) {
    check_time("skew.us", skew.us);
    if (skew.how == start_skew::shape::one_late && (skew.late_rank < 0 || skew.late_rank >= size))
        throw_argument_below("skew.late_rank", skew.late_rank, size);
}

TUTTI_BODY void check(const os_noise& noise) {
    switch (noise.how) {
    case os_noise::shape::none: return;
    case os_noise::shape::periodic:
    case os_noise::shape::random:
        check_positive_time("noise.period_us", noise.period_us);
        check_time("noise.duration_us", noise.duration_us);
        if (noise.counts == os_noise::rule::stops && !(noise.duration_us < noise.period_us))
            throw argument_error("noise.duration_us", std::to_string(noise.duration_us),
                                 "below noise.period_us: a CPU that stops for longer never goes on");
        return;
    case os_noise::shape::trace:
        if (noise.events.size() < 2)
            throw_argument("number of noise.events", static_cast<std::int64_t>(noise.events.size()),
                           "at least 2; the last one says where the trace begins anew");
        ticks last = -1;
        ticks taken = 0;
        for (std::size_t i = 0; i < noise.events.size(); ++i) {
            const std::string which = "noise.events[" + std::to_string(i) + "]";
            if (noise.events[i].begin <= last)
                throw_argument((which + ".begin").c_str(), noise.events[i].begin,
                               i == 0 ? "at least 0" : "more than that of the one before");
            if (noise.events[i].duration < 0)
                throw_argument((which + ".duration").c_str(), noise.events[i].duration, "at least 0");
            last = noise.events[i].begin;
            if (i + 1 < noise.events.size()) taken += noise.events[i].duration;
        }
        if (noise.counts == os_noise::rule::stops && taken >= last)
            throw_argument("duration of all noise.events", taken,
                           ("below " + std::to_string(last)
                            + ", the begin of the last one: a CPU that stops "
                              "for longer never goes on")
                               .c_str());
        return;
    }
}

TUTTI_BODY void check(const simulation_options& options, rank_type size) {
    check(options.machine);
    check(options.skew, size);
    check(options.noise);
    check_time("signal_us", options.signal_us);
    check_time("start_us", options.start_us);
}
#endif

} // namespace tutti::detail
