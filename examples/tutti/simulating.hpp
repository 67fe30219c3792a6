// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/simulate/links.hpp>
#include <tutti/simulate/options.hpp>
#include <tutti/simulate/result.hpp>

#include "network_choice.hpp"
#include "selection.hpp"

namespace program {

struct surroundings;

using schedule = tutti::ensemble<tutti::any_generator>;

/// One line of what `tutti simulate` prints.
struct simulated_case {
    candidate by{};
    tutti::rank_type size = 1;
    tutti::rank_type root = 0;
    std::int64_t bytes = 0; ///< of the whole vector
    std::int64_t element_bytes = 1;

    schedule all() const;
    tutti::block_bytes blocks(const schedule& all) const {
        return tutti::block_bytes::even(bytes, all.blocks(), element_bytes);
    }
};

/// What came of simulating it, once or several times with different seeds.
struct simulated {
    tutti::simulation_result first{};     ///< with the first seed
    std::vector<double> completions_us{}; ///< of each repetition
    double cpu_us = 0;                    ///< mean over ranks and repetitions
    double cpu_max_us = 0;                ///< the most of any rank in any repetition

    double completion_us() const; ///< mean
    double least_us() const;
    double most_us() const;
    double deviation_us() const; ///< standard deviation of the sample; 0 of one
};

/// On which network ranks sit, one on each of its first nodes; nothing: LogGOPS' network without limits.
struct contention {
    const network_choice* on = nullptr;
    std::vector<tutti::node_type> nodes{}; ///< that are present, ascending
    tutti::link_options links{};
};

/// Simulates `repeat` times; the seeds of skew and noise count up from one repetition to the next. Path and
/// timeline, if `options` asks for them, are kept of the first one only. Calls done() after each.
template <class Done>
simulated simulate_case(const schedule& all, const tutti::block_bytes& bytes,
                        tutti::simulation_options options, const contention& where, int repeat, Done&& done);

/// One simulation: compiled apart.
tutti::simulation_result simulate_once(const schedule& all, const tutti::block_bytes& bytes,
                                       const tutti::simulation_options& options, const contention& where);

/// The GOAL text of a schedule to where --output says, as it is made: it may be long. Whoever waits for a
/// file sees how many ranks are written; what goes to standard output is seen itself.
void print_goal(const schedule& all, const tutti::block_bytes& bytes,
                const tutti::simulation_options& options, std::string_view title, std::string_view verb,
                const arguments& given, surroundings& with);

template <class Done>
simulated simulate_case(const schedule& all, const tutti::block_bytes& bytes,
                        tutti::simulation_options options, const contention& where, int repeat, Done&& done) {
    simulated result;
    for (int i = 0; i < repeat; ++i) {
        tutti::simulation_result now = simulate_once(all, bytes, options, where);
        result.completions_us.push_back(now.completion_us());
        double sum = 0;
        for (const tutti::ticks busy : now.cpu) {
            const double us = static_cast<double>(busy) / tutti::ticks_per_us;
            sum += us;
            if (us > result.cpu_max_us) result.cpu_max_us = us;
        }
        result.cpu_us += sum / static_cast<double>(now.cpu.size()) / repeat;
        if (i == 0) result.first = std::move(now);
        ++options.skew.seed;
        ++options.noise.seed;
        options.keep_path = false;
        options.keep_timeline = false;
        done();
    }
    return result;
}

} // namespace program
