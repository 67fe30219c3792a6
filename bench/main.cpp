// SPDX-License-Identifier: BSL-1.0
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "report.hpp"
#include "sections.hpp"

namespace {

struct section {
    std::string_view name;
    void (*measure)(bench::report&);
};

constexpr section sections[] = {
    {"two_threads", bench::measure_two_threads}, {"many_ranks", bench::measure_many_ranks},
    {"processes", bench::measure_processes},     {"operations", bench::measure_operations},
    {"emitting", bench::measure_emitting},       {"proving", bench::measure_proving},
    {"congestion", bench::measure_congestion},   {"pricing", bench::measure_pricing},
    {"simulating", bench::measure_simulating},   {"choosing", bench::measure_choosing},
    {"bypass", bench::measure_bypass},           {"overlap", bench::measure_overlap},
};

constexpr const char* usage =
    "bench [--only SECTION]... [--json FILE] [--compiling FILE]\n"
    "  --only SECTION    two_threads, many_ranks, processes, operations, emitting, proving, congestion,\n"
    "                    pricing, simulating, choosing, bypass, overlap or none\n"
    "  --json FILE       also writes all figures there\n"
    "  --compiling FILE  what bench/run has measured of the compiler\n";

int refuse(const std::string& why) {
    std::fprintf(stderr, "bench: %s\n%s", why.c_str(), usage);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::vector<std::string> only;
    std::string json;
    std::string compiling;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& name = arguments[i];
        if (name == "--help" || name == "-h") {
            std::fputs(usage, stdout);
            return 0;
        }
        if (name != "--only" && name != "--json" && name != "--compiling") return refuse("no option " + name);
        if (i + 1 == arguments.size()) return refuse(name + " needs a value");
        const std::string& value = arguments[++i];
        if (name == "--json") {
            json = value;
        } else if (name == "--compiling") {
            compiling = value;
        } else {
            bool known = false;
            for (const section& s : sections) known = known || s.name == value || value == "none";
            if (!known) return refuse("no section " + value);
            only.push_back(value);
        }
    }

    if (std::thread::hardware_concurrency() < 2)
        std::puts("One core only: what two threads do to each other is not measured but waited for.");
    bench::report out;
    for (const section& s : sections) {
        bool wanted = only.empty();
        for (const std::string& name : only) wanted = wanted || name == s.name;
        if (wanted) s.measure(out);
    }
    if (!compiling.empty() && !bench::add_compiling(out, compiling))
        return refuse("cannot read " + compiling);
    out.print_aims();
    if (!json.empty() && !out.write_json(json)) return refuse("cannot write " + json);
    return out.all_correct() ? 0 : 1;
}
