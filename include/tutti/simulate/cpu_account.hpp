// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <vector>

#include <tutti/core/rank.hpp>
#include <tutti/simulate/host_state.hpp>
#include <tutti/simulate/noise.hpp>
#include <tutti/simulate/options.hpp>

namespace tutti::detail {

/// What the way of progress means for the CPUs: how long each is kept, what signals cost, whom noise holds
/// up. See `progress` in options.hpp.
class cpu_account {
public:
    cpu_account(const simulation_options& options, rank_type size, rank_type root)
        : options_(options), signal_(to_ticks(options.signal_us)),
          polling_(options.by == progress_by::bypass && options.root_waits ? root : no_rank) {
        const auto ranks = static_cast<std::size_t>(size);
        if (options.noise.how != os_noise::shape::none)
            for (rank_type r = 0; r < size; ++r) noise_.emplace_back(options.noise, r);
        if (options.by != progress_by::nic && options.skew.how != start_skew::shape::none)
            entered_.resize(ranks);
        if (options.by == progress_by::bypass) busy_.resize(ranks);
    }

    bool cpu_stops() const noexcept { return options_.noise.counts == os_noise::rule::stops; }

    /// Of the time from t on that rank r works for the collective.
    ticks noise(rank_type r, ticks t, ticks length) {
        return noise_.empty() || options_.by == progress_by::nic ? 0 : stolen(r, t, length);
    }
    /// Of the time that rank r is late, or hands the collective over: there is a CPU at work in any case.
    ticks noise_before(rank_type r, ticks t, ticks length) {
        return noise_.empty() ? 0 : stolen(r, t, length);
    }

    /// A message costs a signal if the CPU has been at rest since the call or the last handler returned.
    ticks signal(const host_state& h, rank_type r, ticks t) const noexcept {
        return options_.by != progress_by::bypass || h.cpu == t || r == polling_ ? 0 : signal_;
    }
    void worked(rank_type r, ticks length) {
        if (!busy_.empty()) busy_[static_cast<std::size_t>(r)] += length;
    }
    void entered(rank_type r, ticks t) {
        if (!entered_.empty()) entered_[static_cast<std::size_t>(r)] = t;
    }

    /// How long the collective kept each CPU, given when it was done.
    std::vector<ticks> result(const std::vector<ticks>& finish) const {
        if (options_.by == progress_by::nic)
            return std::vector<ticks>(finish.size(), to_ticks(options_.start_us));
        std::vector<ticks> kept(finish.size());
        for (std::size_t r = 0; r < finish.size(); ++r) {
            const bool waits = options_.by == progress_by::host || static_cast<rank_type>(r) == polling_;
            kept[r] = waits ? finish[r] - (entered_.empty() ? 0 : entered_[r]) : busy_[r];
        }
        return kept;
    }

private:
    ticks stolen(rank_type r, ticks t, ticks length) {
        return noise_[static_cast<std::size_t>(r)].stolen(options_.noise, t, length);
    }

    const simulation_options& options_;
    ticks signal_;
    rank_type polling_; // the root that waits in its call, under bypass
    std::vector<noise_of_rank> noise_{};
    std::vector<ticks> entered_{};
    std::vector<ticks> busy_{};
};

} // namespace tutti::detail
