// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "clock.hpp"

namespace bench {

/// Every algorithm of the catalogue with its defaults: its generators are made, then it is priced. 8 bytes,
/// LogGOPSim's parameters.
void measure_pricing(report& out) {
    constexpr double aim_ms = 5;
    table t{"pricing",
            "Pricing one candidate, LogGOPS: milliseconds",
            {"collective", "algorithm", "p", "rounds", "uniform", "making", "pricing", "both"}};
    struct verdict {
        tutti::rank_type p = 0;
        double slowest = 0;
        std::string slowest_one{};
        std::int64_t missed = 0;
        std::string who{};
    };
    verdict verdicts[]{{.p = 4096}, {.p = 4095}};
    for (verdict& here : verdicts) {
        const tutti::rank_type p = here.p;
        for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
            const auto make = [&] {
                return tutti::ensemble([&](tutti::place at) { return entry.make(at, {}); }, p);
            };
            const auto all = make();
            const auto bytes = tutti::block_bytes::even(8, all.blocks());
            double us = 0;
            const double making = 1e3 * least_time([&] { keep(&make()[0]); });
            const double pricing = 1e3 * least_time([&] {
                                       us = evaluate(tutti::loggops{}, all, bytes).us;
                                       keep(&us);
                                   });
            if (!(us > 0)) out.wrong(std::string(entry.name) + " costs nothing");
            t.row({std::string(name_of(entry.what)), std::string(entry.name), std::int64_t{p}, all.rounds(),
                   all.claims().uniform_rounds, measured{making}, measured{pricing},
                   measured{making + pricing}});
            const double both = making + pricing;
            const std::string name = std::string(name_of(entry.what)) + " by " + std::string(entry.name);
            if (both > here.slowest) {
                here.slowest = both;
                here.slowest_one = name;
            }
            if (both <= aim_ms) continue;
            ++here.missed;
            here.who += (here.who.empty() ? "" : ", ") + name;
        }
    }
    out.add(t);
    for (const verdict& v : verdicts) {
        const std::string at = "at p = " + std::to_string(v.p);
        out.at_most("pricing one candidate " + at + " (the slowest: " + v.slowest_one + ")", v.slowest,
                    aim_ms, " ms");
        out.at_most("algorithms that take longer " + at + (v.who.empty() ? "" : ": " + v.who),
                    static_cast<double>(v.missed), 0);
    }
}

} // namespace bench
