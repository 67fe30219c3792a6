// SPDX-License-Identifier: BSL-1.0
#include "sections.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/evaluate.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "clock.hpp"

namespace bench {

/// Every algorithm of the catalogue with its defaults: its generators are made, then it is priced, in memory
/// that is there, as where many candidates are priced. 8 bytes, LogGOPSim's parameters. Of 4095 ranks, no
/// power of two, what goes by prefixes of the rank has an aim; others whose ranks are all unlike take longer
/// there.
void measure_pricing(report& out) {
    constexpr double aim_ms = 5;
    constexpr double unbounded = std::numeric_limits<double>::infinity();
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
    const auto has_aim = [](tutti::rank_type p, std::string_view algorithm) {
        return p == 4096 || algorithm == "prefix_send" || algorithm == "kprefix";
    };
    for (verdict& here : verdicts) {
        const tutti::rank_type p = here.p;
        for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
            const auto of_rank = [&](tutti::place at) { return entry.make(at, {}); };
            tutti::ensemble all(of_rank, p);
            tutti::detail::pricing_memory memory;
            const auto bytes = tutti::block_bytes::even(8, all.blocks());
            double us = 0;
            const double making = 1e3 * least_time([&] {
                                      all.make_anew(of_rank, p);
                                      keep(&all[0]);
                                  });
            const double pricing =
                1e3 * least_time([&] {
                    us = evaluate_until(tutti::loggops{}, all, bytes, unbounded, memory).until.us;
                    keep(&us);
                });
            if (!(us > 0)) out.wrong(std::string(entry.name) + " costs nothing");
            t.row({std::string(name_of(entry.what)), std::string(entry.name), std::int64_t{p}, all.rounds(),
                   all.claims().uniform_rounds, measured{making}, measured{pricing},
                   measured{making + pricing}});
            const double both = making + pricing;
            if (!has_aim(p, entry.name)) continue;
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
