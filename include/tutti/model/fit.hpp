// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/piecewise.hpp>

#if TUTTI_BODIES
#include <cstdio>
#endif

/// From measurements to parameters, robustly: medians instead of means, and a line that a third of the points
/// may contradict without moving it much.
namespace tutti {

/// Measurements from which no parameter can be had: says which parameter, and why.
class fit_error : public error {
public:
    fit_error(std::string parameter, const std::string& why)
        : error("tutti: no meaningful fit of " + parameter + ": " + why), parameter_(std::move(parameter)) {}

    /// Which one.
    const std::string& parameter() const noexcept { return parameter_; }

private:
    std::string parameter_;
};

/// The value below which a share of all values lies; 0 if there are none. By rank, without interpolation.
double quantile(std::vector<double> values, double share);
/// The middle one, or the mean of the two in the middle.
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

/// One measurement: a time at x, which is a length in bytes or a number of messages.
struct measurement {
    double x = 0;  ///< what it was measured for: bytes, messages, ranks
    double us = 0; ///< what it took
};

/// How far a fit is from what was measured, relative to what was measured.
struct residual {
    double median = 0;      ///< 0.1: a tenth of what was measured
    double worst = 0;       ///< likewise
    std::size_t points = 0; ///< how many

    friend bool operator==(const residual&, const residual&) = default;
};

/// Of `fitted(x)`. Measurements of nothing or less count as far off as what is fitted.
template <class F>
residual residual_of(std::span<const measurement> all, F&& fitted) {
    std::vector<double> off;
    for (const measurement& m : all) {
        const double error = std::abs(fitted(m.x) - m.us);
        off.push_back(m.us > 0 ? error / m.us : error > 0 ? 1 : 0);
    }
    return {median(off), off.empty() ? 0 : *std::max_element(off.begin(), off.end()), off.size()};
}

namespace detail {

std::string short_number(double value);

/// Throws fit_error unless all values are finite and there are enough of them at different x.
void check_measurements(const std::string& parameter, std::span<const measurement> all, std::size_t least);

void check_residual(const std::string& parameter, const residual& left, double most);

} // namespace detail

/// A straight line through measurements, in us.
struct line_fit {
    double at_0 = 0;  ///< us
    double slope = 0; ///< us per unit of x
    residual left{};  ///< what it leaves unexplained

    /// The line at x, in us.
    double operator()(double x) const noexcept { return at_0 + slope * x; }
};

/// The line of Theil and Sen: its slope is the median of those of all pairs, its height the median of what is
/// left. n^2 log n.
///
/// A slope or a height below 0 by less than the noise is taken for 0; the noise of the height is the median
/// distance from the line, that of the slope what makes up for it over all x. Throws fit_error if there are
/// fewer than two points, if one of them is further below 0, or if the median residual is more than
/// `most_residual`.
line_fit fit_line(const std::string& parameter, std::span<const measurement> all, double most_residual = 0.5);

/// A table through measurements, in us over bytes.
struct table_fit {
    piecewise table{}; ///< what was found
    residual left{};   ///< what it leaves unexplained
};

/// A table of few points: straight lines between measured lengths, as many as it takes until none of the
/// measurements is further off than `tolerance`, or `most_points` are reached. Before that, a length that
/// took longer than a greater one gets the time of that: what a longer message did in less time a shorter one
/// can do, too, and what disturbs a measurement only adds.
///
/// Throws fit_error if there are fewer than two lengths, if a time is negative, if the longest takes less
/// than half of what the shortest does, or if the median residual is more than `most_residual`.
table_fit fit_table(const std::string& parameter, std::span<const measurement> all, double tolerance = 0.03,
                    std::size_t most_points = 12, double most_residual = 0.25);

#if TUTTI_BODIES
TUTTI_BODY double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const auto last = static_cast<double>(values.size() - 1);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::lround(share * last));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

namespace detail {
TUTTI_BODY std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

TUTTI_BODY void check_measurements(const std::string& parameter, std::span<const measurement> all,
                                   std::size_t least) {
    std::vector<double> at;
    for (const measurement& m : all) {
        if (!std::isfinite(m.us) || !std::isfinite(m.x))
            throw fit_error(parameter, "a measurement is not finite");
        at.push_back(m.x);
    }
    std::sort(at.begin(), at.end());
    const auto different = static_cast<std::size_t>(std::unique(at.begin(), at.end()) - at.begin());
    if (different < least)
        throw fit_error(parameter, std::to_string(different) + " points, at least " + std::to_string(least)
                                       + " are needed");
}

TUTTI_BODY void check_residual(const std::string& parameter, const residual& left, double most) {
    if (left.median > most)
        throw fit_error(parameter, "the residual is " + short_number(left.median * 100) + " %, at most "
                                       + short_number(most * 100) + " % make sense");
}
} // namespace detail

TUTTI_BODY line_fit fit_line(const std::string& parameter, std::span<const measurement> all,
                             double most_residual) {
    detail::check_measurements(parameter, all, 2);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (all[i].x != all[j].x) slopes.push_back((all[i].us - all[j].us) / (all[i].x - all[j].x));
    line_fit line;
    line.slope = median(slopes);
    const auto set_height = [&] {
        std::vector<double> rest;
        for (const measurement& m : all) rest.push_back(m.us - line.slope * m.x);
        line.at_0 = median(rest);
    };
    set_height();
    std::vector<double> distance;
    double low = all.front().x;
    double high = low;
    for (const measurement& m : all) {
        distance.push_back(std::abs(line(m.x) - m.us));
        low = std::min(low, m.x);
        high = std::max(high, m.x);
    }
    const double noise = median(distance);
    if (line.slope * (high - low) < -2 * noise)
        throw fit_error(parameter, "more takes less time: slope " + detail::short_number(line.slope) + " us");
    if (line.slope < 0) {
        line.slope = 0;
        set_height();
    }
    if (line.at_0 < -2 * noise - 1e-12)
        throw fit_error(parameter,
                        "nothing takes less than no time: " + detail::short_number(line.at_0) + " us at 0");
    line.at_0 = std::max(line.at_0, 0.0);
    line.left = residual_of(all, line);
    detail::check_residual(parameter, line.left, most_residual);
    return line;
}

TUTTI_BODY table_fit fit_table(const std::string& parameter, std::span<const measurement> all,
                               double tolerance, std::size_t most_points, double most_residual) {
    detail::check_measurements(parameter, all, 2);
    std::vector<measurement> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const measurement& a, const measurement& b) { return a.x < b.x; });
    for (const measurement& m : sorted)
        if (m.us < 0)
            throw fit_error(parameter, detail::short_number(m.us) + " us at " + detail::short_number(m.x)
                                           + ": nothing takes less than no time");

    if (sorted.front().us > 2 * sorted.back().us)
        throw fit_error(parameter, "longer messages take less time, from "
                                       + detail::short_number(sorted.front().us) + " to "
                                       + detail::short_number(sorted.back().us) + " us");
    std::vector<piecewise::point> smooth; // one per length, from the longest down
    double least = sorted.back().us;
    for (auto m = sorted.rbegin(); m != sorted.rend(); ++m) {
        least = std::min(least, m->us);
        const auto bytes = static_cast<std::int64_t>(m->x);
        if (smooth.empty() || smooth.back().bytes != bytes) smooth.push_back({bytes, least});
        smooth.back().us = least;
    }
    std::reverse(smooth.begin(), smooth.end());

    std::vector<piecewise::point> chosen{smooth.front(), smooth.back()};
    for (;;) {
        const piecewise table(chosen);
        const piecewise::point* worst = nullptr;
        double most = tolerance;
        for (const piecewise::point& p : smooth) {
            const double off = std::abs(table(p.bytes) - p.us) / std::max(p.us, 1e-6);
            if (off > most) {
                most = off;
                worst = &p;
            }
        }
        if (worst == nullptr || chosen.size() >= most_points) break;
        chosen.insert(std::upper_bound(chosen.begin(), chosen.end(), *worst,
                                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; }),
                      *worst);
    }
    table_fit result{piecewise(std::move(chosen)), {}};
    result.left = residual_of(sorted, [&](double x) { return result.table(static_cast<std::int64_t>(x)); });
    detail::check_residual(parameter, result.left, most_residual);
    return result;
}
#endif

} // namespace tutti
