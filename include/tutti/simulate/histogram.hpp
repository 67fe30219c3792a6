// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/simulate/ticks.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstdio>

#include <tutti/core/error.hpp>
#endif

namespace tutti {

/// How often times occur: of the ranks of a simulation, finish or cpu; of repeated simulations, the ends.
class histogram {
public:
    /// Times from when to when, and how many.
    struct bin {
        ticks from = 0;         ///< included
        ticks to = 0;           ///< not included but in the last bin
        std::int64_t count = 0; ///< of the times
    };

    /// As many bins as wanted, equally wide (to a tick), from the least to the greatest time; one bin if all
    /// are equal. Throws argument_error for no times or no bins.
    histogram(std::span<const ticks> times, int bins);

    /// In ascending order.
    const std::vector<bin>& bins() const noexcept { return bins_; }

    /// A line for each bin: from when on, in us, how many, and a bar; the longest has `width` marks. Every
    /// bin that is not empty has one.
    std::string text(int width = 50) const;

private:
    /// Where bin b of `many` begins. Quotient and rest apart: the product would not fit.
    static ticks border(ticks range, ticks b, ticks many) noexcept {
        return range / many * b + range % many * b / many;
    }

    std::vector<bin> bins_;
};

#if TUTTI_BODIES
TUTTI_BODY histogram::histogram(std::span<const ticks> times, int bins) {
    if (times.empty()) detail::throw_argument("number of times", 0, "at least 1");
    if (bins < 1) detail::throw_argument("bins", bins, "at least 1");
    const auto [least, greatest] = std::minmax_element(times.begin(), times.end());
    const ticks range = *greatest - *least;
    const ticks many = range == 0 ? 1 : std::min<ticks>(bins, range);
    for (ticks b = 0; b < many; ++b)
        bins_.push_back({.from = *least + border(range, b, many), .to = *least + border(range, b + 1, many)});
    for (const ticks t : times) {
        const auto after = std::upper_bound(bins_.begin() + 1, bins_.end(), t,
                                            [](ticks x, const bin& b) { return x < b.from; });
        ++(after - 1)->count;
    }
}

TUTTI_BODY std::string histogram::text(int width) const {
    std::int64_t most = 0;
    for (const bin& b : bins_) most = std::max(most, b.count);
    std::string lines;
    for (const bin& b : bins_) {
        char start[64];
        std::snprintf(start, sizeof start, "%14.3f us %10lld", to_us(b.from),
                      static_cast<long long>(b.count));
        lines += start;
        const auto marks = static_cast<std::size_t>((b.count * width + most - 1) / most);
        if (marks > 0) lines.append("  ").append(marks, '#');
        lines += '\n';
    }
    return lines;
}
#endif

} // namespace tutti
