// SPDX-License-Identifier: BSL-1.0
#include "disturbance.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/simulate/noise_trace.hpp>

#include "network_choice.hpp"

namespace program {

namespace {

constexpr double most_us = 1e12; // eleven days; in picoseconds it still fits into 64 bits

std::optional<double> number_from(std::string_view text) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "periodic:1000:2.5" is {"periodic", "1000", "2.5"}.
std::vector<std::string_view> parts_of(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t colon = text.find(':');
        parts.push_back(text.substr(0, colon));
        if (colon == std::string_view::npos) return parts;
        text.remove_prefix(colon + 1);
    }
}

double from_zero(std::string_view option_name, std::string_view text, const char* allowed) {
    const auto value = number_from(text);
    if (!value || !(*value >= 0 && *value <= most_us))
        throw tutti::argument_error(std::string(option_name), "'" + std::string(text) + "'", allowed);
    return *value;
}

[[noreturn]] void refuse(const option& o, std::string_view given) {
    throw tutti::argument_error(std::string(o.name), "'" + std::string(given) + "'", std::string(o.value));
}

/// Which of `names` was given, by its place; the first one if none was.
std::size_t one_of(const arguments& given, const option& o, std::span<const std::string_view> names) {
    const std::string_view word = one_word(o.name, given.value(o.name, names.front()), names);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin());
}

constexpr std::array<std::string_view, 2> noise_rules{"logGOPSim", "stops"};
constexpr std::array<std::string_view, 2> receiving_rules{"cpu", "overlapped"};
constexpr std::array<std::string_view, 3> progress_rules{"host", "bypass", "nic"}; // as progress_by

} // namespace

double microseconds(std::string_view option_name, std::string_view text) {
    return from_zero(option_name, text, "microseconds from 0, as in 12.5");
}

tutti::start_skew chosen_skew(const arguments& given, tutti::rank_type size) {
    using shape = tutti::start_skew::shape;
    const std::string_view text = given.value("--skew", "none");
    const std::vector<std::string_view> parts = parts_of(text);
    if (text == "none") return {};
    if (parts.size() == 2 && parts[0] == "uniform")
        return {.how = shape::uniform, .us = microseconds("--skew", parts[1])};
    if (parts.size() == 2 && parts[0] == "exponential")
        return {.how = shape::exponential, .us = microseconds("--skew", parts[1])};
    if (parts.size() == 3 && parts[0] == "late") {
        const std::int64_t rank = one_number("--skew", parts[1], {0, size - 1});
        return {.how = shape::one_late,
                .us = microseconds("--skew", parts[2]),
                .late_rank = static_cast<tutti::rank_type>(rank)};
    }
    refuse(skew_option, text);
}

tutti::os_noise chosen_noise(const arguments& given) {
    using shape = tutti::os_noise::shape;
    using rule = tutti::os_noise::rule;
    constexpr std::string_view everywhere = ":together";
    std::string_view text = given.value("--noise", "none");
    const bool stops = one_of(given, noise_rule_option, noise_rules) == 1;
    if (text == "none" && given.has("--noise-rule"))
        throw tutti::argument_error("--noise-rule", "given without noise", "with --noise");
    if (text == "none") return {};
    tutti::os_noise noise{.counts = stops ? rule::stops : rule::loggopsim};
    std::string_view what = text;
    if (what.ends_with(everywhere)) {
        noise.together = true;
        what.remove_suffix(everywhere.size());
    }
    if (what.starts_with("trace:")) {
        noise.how = shape::trace;
        try { // names of files may have colons
            noise.events = tutti::read_noise_trace(std::string(what.substr(6)));
        } catch (const tutti::noise_trace_error& e) {
            throw tutti::argument_error("--noise", "'" + std::string(text) + "'",
                                        std::string("a trace; ") + e.what());
        }
        return noise;
    }
    const std::vector<std::string_view> parts = parts_of(what);
    if (parts.size() != 3 || (parts[0] != "periodic" && parts[0] != "random")) refuse(noise_option, text);
    noise.how = parts[0] == "periodic" ? shape::periodic : shape::random;
    noise.period_us = microseconds("--noise", parts[1]);
    noise.duration_us = microseconds("--noise", parts[2]);
    if (!(noise.duration_us < noise.period_us))
        throw tutti::argument_error("--noise", "'" + std::string(text) + "'",
                                    "noise that lasts less long than from one to the next");
    return noise;
}

std::string_view name_of(tutti::progress_by by) { return progress_rules[static_cast<std::size_t>(by)]; }

progress_choice chosen_progress(const arguments& given) {
    using tutti::progress_by;
    const progress_choice chosen{.by =
                                     static_cast<progress_by>(one_of(given, progress_option, progress_rules)),
                                 .signal_us = microseconds("--signal", given.value("--signal", "0"))};
    if (given.has("--signal") && chosen.by != progress_by::bypass)
        throw tutti::argument_error("--signal", "given with --progress " + std::string(name_of(chosen.by)),
                                    "--progress bypass: only there messages interrupt");
    return chosen;
}

tutti::receiving_rule chosen_receiving(const arguments& given) {
    return one_of(given, receiving_option, receiving_rules) == 0 ? tutti::receiving_rule::cpu
                                                                 : tutti::receiving_rule::overlapped;
}

tutti::link_options chosen_links(const arguments& given) {
    if (!given.has(link_option.name)) return {};
    return {.us_per_byte = from_zero(link_option.name, given.value(link_option.name, ""),
                                     "nanoseconds per byte from 0, as in 0.08")
                           / 1000};
}

} // namespace program
