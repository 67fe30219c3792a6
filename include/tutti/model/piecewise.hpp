// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>

namespace tutti {

/// A cost as a function of bytes: straight lines between points, the last one going on beyond the last point
/// unless it descends: no cost ever is negative. Below the first point it is constant. Nothing anywhere if
/// there are no points.
/// Example with (8, 1.5) and (16, 2.9): 1.5 up to 8 bytes, 2.2 at 12, 4.3 at 24.
class piecewise {
public:
    /// A length and what it takes.
    struct point {
        std::int64_t bytes = 0; ///< a length
        double us = 0;          ///< what it takes

        friend bool operator==(const point&, const point&) = default;
    };

    piecewise() = default;

    /// The same for every length.
    static piecewise constant(double us) { return piecewise({{0, us}}); }

    /// us + bytes * us_per_byte.
    static piecewise line(double us, double us_per_byte) {
        constexpr std::int64_t far = std::int64_t{1} << 40;
        return piecewise({{0, us}, {far, us + us_per_byte * static_cast<double>(far)}});
    }

    /// Throws argument_error unless lengths ascend and neither they nor costs are negative.
    explicit piecewise(std::vector<point> points);

    /// In ascending order of bytes.
    const std::vector<point>& points() const noexcept { return points_; }
    bool empty() const noexcept { return points_.empty(); }

    /// The cost of so many bytes, in us.
    double operator()(std::int64_t bytes) const noexcept {
        if (points_.empty()) return 0;
        if (points_.size() == 1 || bytes <= points_.front().bytes) return points_.front().us;
        auto after = std::upper_bound(points_.begin(), points_.end(), bytes,
                                      [](std::int64_t b, const point& p) { return b < p.bytes; });
        if (after == points_.end()) {
            --after;
            if (after->us <= (after - 1)->us) return after->us;
        }
        const point& b = *after;
        const point& a = *(after - 1);
        return a.us
               + (b.us - a.us) * static_cast<double>(bytes - a.bytes)
                     / static_cast<double>(b.bytes - a.bytes);
    }

    friend bool operator==(const piecewise&, const piecewise&) = default;

private:
    std::vector<point> points_;
};

#if TUTTI_BODIES
TUTTI_BODY piecewise::piecewise(std::vector<point> points) : points_(std::move(points)) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].bytes < 0 || (i > 0 && points_[i].bytes <= points_[i - 1].bytes))
            detail::throw_argument("bytes of a point", points_[i].bytes,
                                   "at least 0 and more than those of the point before");
        if (!(points_[i].us >= 0))
            throw argument_error("cost of a point", std::to_string(points_[i].us), "at least 0");
    }
}
#endif

} // namespace tutti
