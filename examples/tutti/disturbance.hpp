// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/links.hpp>
#include <tutti/simulate/options.hpp>

#include "arguments.hpp"

/// What disturbs a simulated collective, as options of the command line. Times are microseconds, fractions
/// allowed.
namespace program {

inline constexpr option skew_option{
    "--skew", "none|uniform:MOST|exponential:MEAN|late:RANK:TIME",
    "when ranks begin, in us: within [0, MOST], later by MEAN on average, one TIME late"};
inline constexpr option noise_option{
    "--noise", "none|periodic:EVERY:LENGTH|random:EVERY:LENGTH|trace:FILE",
    "what takes the CPUs away, in us; at the same times everywhere with :together behind it"};
inline constexpr option progress_option{"--progress", "host|bypass|nic",
                                        "who makes the collective go on: the waiting rank (default), a "
                                        "handler that messages interrupt it with, the network interface"};
inline constexpr option signal_option{"--signal", "US",
                                      "with --progress bypass: what an interrupt costs; 0 by default"};
inline constexpr option noise_rule_option{
    "--noise-rule", "logGOPSim|stops",
    "what noise does: makes what the CPU does longer, and lets what is being sent go (default); or the CPU "
    "stops"};
inline constexpr option receiving_option{
    "--receiving", "cpu|overlapped",
    "what a receive keeps: the CPU for all its bytes (default, LogGOPSim's rule), or the CPU for o and the "
    "interface for the bytes (LogGP's)"};
inline constexpr option link_option{
    "--link-ns-per-byte", "NS",
    "with a network: how long a byte takes on each of its links; as long as on an interface (G) by default"};
inline constexpr option seed_option{"--seed", "N", "of skew and noise; 1 by default"};

/// "12.5": a number from 0 to 10^12. Throws tutti::argument_error.
double microseconds(std::string_view option_name, std::string_view text);

/// By --skew, with ranks below `size`; the seed is left as it is.
tutti::start_skew chosen_skew(const arguments& given, tutti::rank_type size);

/// By --noise and --noise-rule. A trace is a file as LogGOPSim and Netgauge have them; see
/// simulate/noise_trace.hpp.
tutti::os_noise chosen_noise(const arguments& given);

/// By --progress and --signal.
struct progress_choice {
    tutti::progress_by by = tutti::progress_by::host;
    double signal_us = 0;
};
progress_choice chosen_progress(const arguments& given);

std::string_view name_of(tutti::progress_by by);

/// By --receiving.
tutti::receiving_rule chosen_receiving(const arguments& given);

/// By --link-ns-per-byte.
tutti::link_options chosen_links(const arguments& given);

} // namespace program
