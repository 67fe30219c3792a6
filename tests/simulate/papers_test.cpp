// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/simulate/simulate.hpp>

#include "support/catch2.hpp"

/// What Wagner et al. 2003 and Moody et al. 2003 found about late ranks and noise, on any machine. Figures
/// beside those of the papers: bench/papers.
namespace {

using tutti::progress_by;
using tutti::rank_type;
using tutti::simulation_options;
using tutti::simulation_result;
using schedule = tutti::ensemble<tutti::any_generator>;

constexpr double signal_us = 10;

schedule reduction(const char* algorithm, const tutti::parameters& with, rank_type size) {
    const tutti::catalogue_entry& entry = *tutti::find_algorithm(tutti::collective::reduce, algorithm);
    return {[&](tutti::place at) { return entry.make(at, with); }, size, 0};
}

/// Mean CPU time of a rank, over some seeds.
double cpu_us(const schedule& all, simulation_options with, std::int64_t elements) {
    constexpr int times = 40;
    const auto bytes = tutti::block_bytes::even(8 * elements, all.blocks(), 8);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= times; ++seed) {
        with.skew.seed = seed;
        for (const tutti::ticks busy : simulate(all, bytes, with).cpu) sum += tutti::to_us(busy);
    }
    return sum / times / all.size();
}

/// How much less CPU time application bypass takes, where ranks are late by up to skew_us.
double improvement(rank_type size, double skew_us, std::int64_t elements = 4) {
    const schedule all = reduction("fnomial", {{"radix", 2}}, size);
    simulation_options with{.machine = {.L = 6, .o = 1, .g = 1, .G = 0.008},
                            .skew = {.how = tutti::start_skew::shape::uniform, .us = skew_us}};
    const double host = cpu_us(all, with, elements);
    with.by = progress_by::bypass;
    with.signal_us = signal_us;
    return host / cpu_us(all, with, elements);
}

bool ascends(const std::vector<double>& values) {
    return std::adjacent_find(values.begin(), values.end(), [](double a, double b) { return a >= b; })
           == values.end();
}

std::vector<double> completions_us(const schedule& all, simulation_options with) {
    std::vector<double> us;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        with.noise.seed = seed;
        us.push_back(simulate(all, tutti::block_bytes::even(8, all.blocks(), 8), with).completion_us());
    }
    return us;
}

double range_of(const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end()) - *std::min_element(values.begin(), values.end());
}

} // namespace

TEST_CASE("application bypass gains more the later ranks are", "[simulate][papers]") {
    CHECK(ascends({1, improvement(32, 100), improvement(32, 300), improvement(32, 1000)}));
}

TEST_CASE("application bypass gains more on more ranks", "[simulate][papers]") {
    CHECK(improvement(2, 1000) == Approx(1).epsilon(0.01)); // only the root waits, and it has to
    CHECK(ascends({improvement(2, 1000), improvement(4, 1000), improvement(8, 1000), improvement(16, 1000),
                   improvement(32, 1000)}));
}

TEST_CASE("application bypass gains most on short messages", "[simulate][papers]") {
    CHECK(ascends({improvement(32, 1000, 128), improvement(32, 1000, 32), improvement(32, 1000, 4)}));
}

TEST_CASE("without skew application bypass only adds its signals to the latency", "[simulate][papers]") {
    for (const rank_type size : {2, 4, 8, 16, 32}) {
        INFO(size);
        const schedule all = reduction("fnomial", {{"radix", 2}}, size);
        const auto bytes = tutti::block_bytes::even(8, all.blocks(), 8);
        simulation_options with{};
        const double host = simulate(all, bytes, with).completion_us();
        with.by = progress_by::bypass;
        with.signal_us = signal_us;
        const int levels = tutti::ceil_log2(size);
        CHECK(simulate(all, bytes, with).completion_us() - host
              == Approx((levels - 1) * signal_us).margin(1e-6));
    }
}

TEST_CASE("noise spreads the latencies of hosts, and nothing those of network interfaces",
          "[simulate][papers]") {
    const schedule all = reduction("kary", {{"arity", 4}}, 300);
    simulation_options with{
        .noise = {.how = tutti::os_noise::shape::periodic, .period_us = 10000, .duration_us = 50}};
    CHECK(range_of(completions_us(all, with)) > 10);
    with.by = progress_by::nic;
    CHECK(range_of(completions_us(all, with)) == 0);
}

TEST_CASE("noise costs hosts more, the more of them there are", "[simulate][papers]") {
    std::vector<double> lost;
    for (const rank_type size : {16, 128, 900}) {
        const schedule all = reduction("kary", {{"arity", 4}}, size);
        const double quiet = completions_us(all, {}).front();
        const std::vector<double> noisy = completions_us(
            all, {.noise = {.how = tutti::os_noise::shape::periodic, .period_us = 10000, .duration_us = 50}});
        double sum = 0;
        for (const double us : noisy) sum += us;
        lost.push_back(sum / static_cast<double>(noisy.size()) - quiet);
    }
    CHECK(ascends(lost));
}
