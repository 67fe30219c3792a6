// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>

/// Reductions simulated many times under skew and noise, and what the papers tell of such series.
namespace reproduce {

using schedule = tutti::ensemble<tutti::any_generator>;

inline schedule reduction(const char* algorithm, const tutti::parameters& with, tutti::rank_type size) {
    const tutti::catalogue_entry& entry = *tutti::find_algorithm(tutti::collective::reduce, algorithm);
    return {[&](tutti::place at) { return entry.make(at, with); }, size, 0};
}

/// Calls f(result) for simulations with the seeds 1, 2, ..., `times`.
template <class F>
void repeatedly(int times, const schedule& all, std::int64_t elements, tutti::simulation_options with,
                F&& f) {
    constexpr std::int64_t element_bytes = 8;
    const auto bytes = tutti::block_bytes::even(elements * element_bytes, all.blocks(), element_bytes);
    for (int i = 1; i <= times; ++i) {
        with.skew.seed = with.noise.seed = static_cast<std::uint64_t>(i);
        f(tutti::simulate(all, bytes, with));
    }
}

/// Latencies of many invocations, in microseconds.
class sample {
public:
    explicit sample(std::vector<double> values) : values_(std::move(values)) {
        std::sort(values_.begin(), values_.end());
    }

    /// Without the highest values, so many of a hundred.
    sample without_highest(int percent) const {
        const std::size_t kept = values_.size() - values_.size() * static_cast<std::size_t>(percent) / 100;
        return sample({values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(kept)});
    }

    double least() const { return values_.front(); }
    double mean() const {
        double sum = 0;
        for (const double v : values_) sum += v;
        return sum / static_cast<double>(values_.size());
    }
    double deviation() const {
        const double m = mean();
        double squares = 0;
        for (const double v : values_) squares += (v - m) * (v - m);
        return std::sqrt(squares / static_cast<double>(values_.size()));
    }
    /// The largest part of the values that lies within `spread` microseconds.
    double part_within(double spread) const {
        std::size_t most = 0;
        for (std::size_t first = 0, end = 0; first < values_.size(); ++first) {
            while (end < values_.size() && values_[end] <= values_[first] + spread) ++end;
            most = std::max(most, end - first);
        }
        return static_cast<double>(most) / static_cast<double>(values_.size());
    }

private:
    std::vector<double> values_;
};

} // namespace reproduce
