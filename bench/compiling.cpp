// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sections.hpp"

/// What it costs a user's file to use tutti: seconds and memory of the compiler, machine code in the object.
namespace bench {
namespace {

struct cost {
    double seconds = 0;
    double kib = 0; // memory
    double code = 0;

    void take_least(const cost& other) {
        seconds = std::min(seconds, other.seconds);
        kib = std::min(kib, other.kib);
        code = std::min(code, other.code);
    }
};

/// In the order in which they come first.
struct costs {
    std::vector<std::string> sources{};
    std::vector<std::string> ways{};
    std::vector<std::vector<std::optional<cost>>> least{}; // per source and way; none: it did not compile

    void add(const std::string& source, const std::string& way, const cost& run) {
        const std::size_t s = place_of(source, sources);
        const std::size_t w = place_of(way, ways);
        least.resize(sources.size());
        for (auto& of_source : least) of_source.resize(ways.size());
        std::optional<cost>& known = least[s][w];
        if (known)
            known->take_least(run);
        else
            known = run;
    }

private:
    static std::size_t place_of(const std::string& name, std::vector<std::string>& names) {
        const auto found = std::find(names.begin(), names.end(), name);
        const auto place = static_cast<std::size_t>(found - names.begin());
        if (found == names.end()) names.push_back(name);
        return place;
    }
};

/// Lines of: source, way, seconds KiB bytes; separated by tabs, the figures by blanks.
bool read(const std::string& path, costs& all) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string source;
        std::string way;
        cost run;
        if (!std::getline(fields, source, '\t') || !std::getline(fields, way, '\t')
            || !(fields >> run.seconds >> run.kib >> run.code))
            return false;
        all.add(source, way, run);
    }
    return !all.sources.empty();
}

/// Seconds of GCC 12 where 5f2924d takes 11.7 to 13.1 for hello: on another machine compare with that, by
/// `bench/run --only compiling --compare`.
struct wanted {
    const char* what;
    double headers_alone;
    double compiled_once;
};
constexpr const char* further = "every further pair of type and operation";
constexpr std::array all_wanted{wanted{"<tutti/tutti.hpp>", 1.5, 1.2},
                                wanted{"examples/hello.cpp", 3.0, 1.6},
                                wanted{"bench/compiling/allreduce_named.cpp", 2.0, 1.4},
                                wanted{"bench/compiling/allreduce.cpp", 2.5, 1.5},
                                wanted{"bench/compiling/four_pairs.cpp", 3.2, 1.8},
                                wanted{"bench/compiling/eight_collectives.cpp", 5.0, 2.1},
                                wanted{further, 0.25, 0.12}};

} // namespace

bool add_compiling(report& out, const std::string& path) {
    costs all;
    if (!read(path, all)) return false;
    table t{
        "compiling",
        "Compiling one file (-std=c++20 -O2): user seconds, peak memory, machine code; the least of three",
        {"file"}};
    for (const std::string& way : all.ways)
        for (const char* figure : {"s", "MB", "code KiB"}) t.columns.push_back(way + ", " + figure);
    std::vector<aim> aims; // said below the table
    const auto add_row = [&](const std::string& name, const auto& cost_of) {
        std::vector<cell> cells{name};
        for (std::size_t w = 0; w < all.ways.size(); ++w) {
            const std::optional<cost> c = cost_of(w);
            for (const wanted& a : all_wanted)
                if (c && a.what == name && all.ways[w] != "before")
                    aims.push_back(
                        {.what = name + ", " + all.ways[w],
                         .value = c->seconds,
                         .limit = all.ways[w] == "headers alone" ? a.headers_alone : a.compiled_once,
                         .unit = " s"});
            if (c)
                cells.insert(cells.end(),
                             {measured{c->seconds}, measured{c->kib / 1024, 0}, measured{c->code / 1024, 1}});
            else
                cells.insert(cells.end(), {"-", "-", "-"});
        }
        t.row(std::move(cells));
    };
    const auto row_of = [&](const std::string& name) {
        const auto found = std::find(all.sources.begin(), all.sources.end(), "bench/compiling/" + name);
        return static_cast<std::size_t>(found - all.sources.begin());
    };
    for (std::size_t s = 0; s < all.sources.size(); ++s)
        add_row(all.sources[s], [&](std::size_t w) { return all.least[s][w]; });
    const std::size_t one = row_of("allreduce.cpp");
    const std::size_t four = row_of("four_pairs.cpp");
    if (one < all.sources.size() && four < all.sources.size())
        add_row(further, [&](std::size_t w) -> std::optional<cost> {
            const std::optional<cost>& less = all.least[one][w];
            const std::optional<cost>& more = all.least[four][w];
            if (!less || !more) return {};
            return cost{(more->seconds - less->seconds) / 3, (more->kib - less->kib) / 3,
                        (more->code - less->code) / 3};
        });
    out.add(std::move(t));
    for (const aim& a : aims) out.at_most(a.what, a.value, a.limit, a.unit);
    return true;
}

} // namespace bench
