// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>

#include <tutti/schedule/allreduce/recursive_doubling.hpp>
#include <tutti/schedule/barrier/dissemination.hpp>
#include <tutti/schedule/reduce/tree.hpp>
#include <tutti/simulate/simulate.hpp>

namespace bench {
namespace {

using namespace tutti;

/// Seconds of the processor that this process has had: a simulation has one thread, and what else the machine
/// does is not its fault.
double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The most memory that this process has had, in MiB; 0 where it cannot be told.
double peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

class simulation_table {
public:
    static constexpr int runs = 3;

    explicit simulation_table(report& out) : out_(out) {}

    /// The best of some runs, in million messages per second; the time that making the generators takes is
    /// not in it but shown.
    template <class Make>
    double measure(const char* name, const char* kind, rank_type size, const Make& make,
                   const simulation_options& options = {}, const char* how = "") {
        const double begin = processor_time();
        const ensemble all(make, size);
        const double made = processor_time() - begin;
        double least = 1e9;
        simulation_result result;
        for (int i = 0; i < runs; ++i) {
            const double start = processor_time();
            result = simulate(all, block_bytes::even(8, all.blocks()), options);
            least = std::min(least, processor_time() - start);
        }
        const double rate = static_cast<double>(result.messages) / least / 1e6;
        table_.row({std::string(name), std::string(kind), std::string(how), std::int64_t{size},
                    result.messages, result.events, measured{result.completion_us(), 1}, measured{made, 3},
                    measured{least, 3}, measured{rate, 1}});
        return rate;
    }
    void finish() { out_.add(std::move(table_)); }

private:
    report& out_;
    table table_{
        "simulating",
        "Simulating 8 bytes, LogGOPSim's machine, one core (LogGOPSim itself: 1.6 million events per second, "
        "3 events for a message, and a schedule file)",
        {"algorithm", "generators", "with", "ranks", "messages", "events", "completion us", "making s",
         "seconds", "million messages/s"}};
};

} // namespace

void measure_simulating(report& out) {
    simulation_table t(out);
    const auto recursive = [](place at) {
        return generate(of<collective::allreduce>, recursive_doubling{}, at);
    };
    const auto disseminate = [](place at) { return generate(of<collective::barrier>, dissemination{}, at); };
    const auto tree = [](place at) { return generate(of<collective::reduce>, fnomial{}, at); };
    const auto any = [](auto make) { return [make](place at) { return any_generator(make(at)); }; };
    constexpr rank_type many = 65536;

    const double doubling = t.measure("allreduce recursive_doubling", "known", many, recursive);
    const double dissemination = t.measure("barrier dissemination", "known", many, disseminate);
    const double fnomial = t.measure("reduce fnomial", "known", many, tree);
    t.measure("allreduce recursive_doubling", "any_generator", many, any(recursive));
    t.measure("barrier dissemination", "any_generator", many, any(disseminate));
    t.measure("reduce fnomial", "any_generator", many, any(tree));

    simulation_options folding;
    folding.machine.fold_per_byte = 0.001;
    t.measure("allreduce recursive_doubling", "known", many, recursive, folding, "fold cost");
    simulation_options skewed;
    skewed.skew = {.how = start_skew::shape::uniform, .us = 100};
    t.measure("allreduce recursive_doubling", "known", many, recursive, skewed, "skew");
    t.measure("barrier dissemination", "known", many, disseminate, skewed, "skew");
    simulation_options noisy;
    noisy.noise = {.how = os_noise::shape::random, .period_us = 1000, .duration_us = 10};
    t.measure("barrier dissemination", "known", many, disseminate, noisy, "noise");

    constexpr rank_type million = 1 << 20;
    const double start = processor_time();
    t.measure("allreduce recursive_doubling", "known", million, recursive);
    const double seconds = (processor_time() - start) / simulation_table::runs;
    t.finish();
    out.at_least("simulating allreduce recursive_doubling, 65536 ranks", doubling, 10, " million messages/s");
    out.at_least("simulating barrier dissemination, 65536 ranks", dissemination, 10, " million messages/s");
    out.at_least("simulating reduce fnomial, 65536 ranks", fnomial, 10, " million messages/s");
    out.at_most("simulating allreduce recursive_doubling, 1048576 ranks", seconds, 4, " s");
    out.at_most("memory of all simulations and what was measured before", peak_memory(), 2048, " MiB");
}

} // namespace bench
