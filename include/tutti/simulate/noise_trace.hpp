// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/simulate/noise.hpp>

#if TUTTI_BODIES
#include <charconv>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <system_error>

#include <tutti/simulate/check_options.hpp>
#endif

namespace tutti {

/// A file with noise was refused: says where and why.
class noise_trace_error : public error {
public:
    noise_trace_error(const std::string& file, std::size_t line, const std::string& why)
        : error(line == 0 ? file + ": " + why : file + ":" + std::to_string(line) + ": " + why), line_(line) {
    }

    /// From 1; 0: the file as a whole.
    std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// The noise in `text`, in the format of LogGOPSim and of the noise benchmark netgauge: one event a line, its
/// begin and its duration in nanoseconds with a tab between them; ascending; a line that begins with # says
/// nothing. The last line only tells where the trace begins anew: its duration does not count, as in
/// LogGOPSim. Throws noise_trace_error with `file` in it.
std::vector<noise_event> parse_noise_trace(std::string_view text, const std::string& file);

/// The same from a file. Throws error if it cannot be read.
std::vector<noise_event> read_noise_trace(const std::string& path);

#if TUTTI_BODIES
namespace detail {

/// A number of nanoseconds at the front of `text`, which then begins behind it; false if there is none.
inline bool take_ns(std::string_view& text, double& ns) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), ns);
    if (problem != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

inline noise_event parsed_noise_line(std::string_view line, const std::string& file, std::size_t number) {
    double begin = 0;
    double duration = 0;
    bool right = take_ns(line, begin);
    const std::size_t blanks = line.find_first_not_of(" \t");
    right = right && blanks != 0 && blanks != std::string_view::npos;
    if (right) line.remove_prefix(blanks);
    if (!right || !take_ns(line, duration) || line.find_first_not_of(" \t\r") != std::string_view::npos)
        throw noise_trace_error(file, number, "not two numbers, begin and duration in ns");
    if (!(begin >= 0 && begin <= longest_us && duration >= 0 && duration <= longest_us))
        throw noise_trace_error(file, number, "begin and duration are to be 0..1e12 ns");
    return {.begin = to_ticks(begin / 1000), .duration = to_ticks(duration / 1000)};
}

} // namespace detail

TUTTI_BODY std::vector<noise_event> parse_noise_trace(std::string_view text, const std::string& file) {
    std::vector<noise_event> events;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
        if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        const noise_event e = detail::parsed_noise_line(line, file, number);
        if (!events.empty() && e.begin <= events.back().begin)
            throw noise_trace_error(file, number, "begins no later than the event before");
        events.push_back(e);
    }
    if (events.size() < 2)
        throw noise_trace_error(file, 0,
                                "needs at least 2 events; the last one says where the trace begins anew");
    return events;
}

TUTTI_BODY std::vector<noise_event> read_noise_trace(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || file.bad()) throw noise_trace_error(path, 0, "the file cannot be read");
    return parse_noise_trace(text, path);
}
#endif

} // namespace tutti
