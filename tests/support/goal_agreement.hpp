// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <tutti/render/goal.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/ensembles.hpp"
#include "support/goal_simulator.hpp"

/// Whether tutti's simulator and LogGOPSim's rules, applied to the schedule written as GOAL, agree.
namespace support {

/// Bytes, a machine, and what folding and copying a byte costs, in nanoseconds.
struct agreement_case {
    std::int64_t bytes = 0;
    goal_machine machine{};
    std::int64_t fold = 0;
    std::int64_t copy = 0;
    std::int64_t late = 0; ///< how late the last rank comes, in nanoseconds

    friend std::ostream& operator<<(std::ostream& out, const agreement_case& c) {
        const goal_machine& m = c.machine;
        return out << c.bytes << " bytes, L=" << m.L << " o=" << m.o << " g=" << m.g << " G=" << m.G
                   << " O=" << m.O << " S=" << m.S << ", fold " << c.fold << ", copy " << c.copy << ", late "
                   << c.late;
    }
};

/// LogGOPSim's defaults, and machines that bring out one rule each. With S=100 nearly all messages wait for
/// their receivers; where all figures are alike, many things happen at the same time and order decides.
inline constexpr std::array agreement_cases{
    agreement_case{.bytes = 8},
    agreement_case{.bytes = 100'000, .fold = 3, .copy = 2},
    agreement_case{.bytes = 5'000, .machine = {.L = 1200, .o = 2100, .g = 300}},
    agreement_case{.bytes = 5'000, .machine = {.L = 700, .o = 40, .g = 3000}, .fold = 1},
    agreement_case{.bytes = 3'000, .machine = {.L = 500, .o = 90, .g = 70, .G = 2, .O = 5}, .copy = 4},
    agreement_case{.bytes = 900, .machine = {.L = 1100, .o = 300, .g = 500, .G = 0, .O = 1}, .fold = 7},
    agreement_case{.bytes = 4'000, .machine = {.L = 900, .o = 110, .g = 130, .G = 3, .S = 100}, .fold = 2},
    agreement_case{
        .bytes = 0, .machine = {.L = 1, .o = 1, .g = 1, .G = 1, .O = 1, .S = 1}, .fold = 1, .copy = 1},
    agreement_case{
        .bytes = 60, .machine = {.L = 1, .o = 1, .g = 1, .G = 1, .O = 1, .S = 2}, .fold = 1, .copy = 1},
    agreement_case{.bytes = 700, .machine = {.L = 800, .o = 100, .g = 200, .S = 300}, .late = 4321},
    agreement_case{.bytes = 600, .machine = {.L = 0, .o = 0, .g = 10, .G = 0, .O = 0, .S = 50}},
};

inline tutti::simulation_options options_of(const agreement_case& c, tutti::rank_type size) {
    const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
    const goal_machine& m = c.machine;
    return {.machine = {.L = us(m.L),
                        .o = us(m.o),
                        .g = us(m.g),
                        .G = us(m.G),
                        .O = us(m.O),
                        .S = m.S,
                        .fold_per_byte = us(c.fold),
                        .copy_per_byte = us(c.copy)},
            .skew = {.how = tutti::start_skew::shape::one_late, .us = us(c.late), .late_rank = size - 1}};
}

/// "" if every host finishes at the same time in both, to the picosecond; else where they differ first.
inline std::string disagreement(const any_ensemble& all, const agreement_case& c) {
    const std::int64_t whole = all.claims().moves_blocks ? c.bytes / all.blocks() * all.blocks() : c.bytes;
    const auto bytes = tutti::block_bytes::even(whole, all.blocks());
    const tutti::simulation_options options = options_of(c, all.size());
    const std::vector<std::int64_t> expected =
        goal_simulator(read_goal(tutti::goal_text(all, bytes, options)), c.machine).finish_times();
    const std::vector<tutti::ticks> found = tutti::simulate(all, bytes, options).finish;
    if (found.size() != expected.size()) return "another number of hosts";
    for (std::size_t h = 0; h < found.size(); ++h)
        if (found[h] != expected[h] * 1000)
            return "host " + std::to_string(h) + " ends at " + std::to_string(found[h]) + " ps instead of "
                   + std::to_string(expected[h]) + " ns";
    return "";
}

} // namespace support
