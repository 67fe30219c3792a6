// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/model/moody_2003.hpp>

#include "sections.hpp"

namespace reproduce {
namespace {

/// Table 2: the network interface of Quadrics.
tutti::moody_2003::model elan(const std::string& operation) {
    using tutti::piecewise;
    return {.L = 2.10,
            .r = piecewise::constant(0.42),
            .C = 9.20,
            .c = {{"int32-add", piecewise({{4, 0.25}, {8, 0.44}, {16, 0.76}, {32, 1.44}})},
                  {"float64-add", piecewise({{8, 1.50}, {16, 2.95}, {32, 5.80}, {64, 11.56}})}},
            .operation = operation};
}

/// Section 5.2: the latency of a reduction of `bytes` by an f-nomial tree of `nodes`.
double latency(const tutti::moody_2003::model& m, std::int64_t nodes, std::int64_t f, std::int64_t bytes) {
    std::int64_t full_phases = 0;
    std::int64_t reached = 1; // by the full phases
    for (; reached * f <= nodes; reached *= f) ++full_phases;
    const std::int64_t left = (nodes + reached - 1) / reached - 1; // messages of the last phase
    const double message = m.r(bytes) + m.fold(bytes).us();
    return m.C + m.L * static_cast<double>(full_phases + (left > 0 ? 1 : 0))
           + message * static_cast<double>((f - 1) * full_phases + left);
}

std::int64_t best_degree(const tutti::moody_2003::model& m, std::int64_t nodes, std::int64_t bytes) {
    std::int64_t best = 2;
    for (std::int64_t f = 3; f <= nodes; ++f)
        if (latency(m, nodes, f, bytes) < latency(m, nodes, best, bytes)) best = f;
    return best;
}

void degrees(paper& p) {
    const tutti::moody_2003::model float64_add = elan("float64-add");
    std::vector<std::int64_t> best;
    for (const std::int64_t elements : {1, 2, 4, 8})
        best.push_back(best_degree(float64_add, 31, 8 * elements));
    p.add({.claim = "best degree of the f-nomial tree on 31 nodes, float64 sum of 1, 2, 4, 8 elements (6.2)",
           .paper = "4, 2, 2, 2",
           .ours = listed(best, [](std::int64_t f) { return std::to_string(f); }),
           .reproduced = best == std::vector<std::int64_t>{4, 2, 2, 2},
           .why = "section 5.2's formula with Table 2, over all degrees 2..31"});
}

} // namespace

paper moody_2003() {
    paper p{.name = "moody_2003",
            .title = "Moody, Fernandez, Petrini and Panda 2003: Scalable NIC-based Reduction on Large-scale "
                     "Clusters"};
    degrees(p);
    return p;
}

} // namespace reproduce
