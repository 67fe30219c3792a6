// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <algorithm>
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
    double slowest = 0;
    std::int64_t missed = 0;
    std::string who;
    for (const tutti::rank_type p : {4096, 4095})
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
            if (p != 4096) continue;
            slowest = std::max(slowest, making + pricing);
            if (making + pricing <= aim_ms) continue;
            ++missed;
            who += (who.empty() ? "" : ", ") + std::string(name_of(entry.what)) + " by "
                   + std::string(entry.name);
        }
    out.add(t);
    out.at_most("pricing one candidate at p = 4096 (the slowest)", slowest, aim_ms, " ms");
    out.at_most("algorithms that take longer" + (who.empty() ? "" : ": " + who), static_cast<double>(missed),
                0);
}

} // namespace bench
