// SPDX-License-Identifier: BSL-1.0
// labels: slow
#include <tutti/model/loggp.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "support/catch2.hpp"
#include "support/closed_forms.hpp"
#include "support/ensembles.hpp"
#include "support/extent.hpp"

// Every formula against the schedule of its name, walked in the same model. All are exact.

using namespace tutti;
using support::any_ensemble;
using support::ensemble_of;
using support::equal;
using support::refuses;

namespace {

constexpr rank_type most_ranks = support::up_to(300, 100);

/// LogGOPSim's; a gap, a latency, an overhead or a byte that is dearer than all else; folds that cost.
const std::vector<loggops>& machines() {
    constexpr std::int64_t never = std::int64_t{1} << 40;
    static const std::vector<loggops> all{
        {.S = never},
        {.L = 1, .o = 2, .g = 11, .G = 0.01, .S = never, .fold_per_byte = 0.02},
        {.L = 100, .o = 1, .g = 2, .G = 0.001, .S = never, .fold_per_byte = 0.001},
        {.L = 1, .o = 20, .g = 3, .G = 0.002, .O = 0.01, .S = never},
        {.L = 0, .o = 0, .g = 0, .G = 1, .S = never, .fold_per_byte = 1},
        {.L = 3, .o = 1, .g = 60, .G = 0.004, .O = 0.004, .S = never}};
    return all;
}

using formula = std::function<double(const loggops&, rank_type, std::int64_t)>;

/// formula(machine, p, bytes of a message) for a schedule whose messages have `blocks` blocks.
void check_all(collective what, const char* algorithm, const formula& expected, bool powers_of_two = false,
               const parameters& options = {}, bool whole_vector = false) {
    for (rank_type p = 1; p <= most_ranks; ++p) {
        if (powers_of_two && floor_pow2(p) != p) continue;
        const any_ensemble all = ensemble_of(what, algorithm, p, options);
        for (const loggops& on : machines())
            for (const std::int64_t k : {0, 1, 8, 5000}) {
                CAPTURE(algorithm, p, k, on.L, on.o, on.g, on.G);
                const block_bytes bytes =
                    block_bytes::even(k * (whole_vector ? 1 : all.blocks()), all.blocks());
                const double found = evaluate(on, all, bytes).us;
                const double stated = expected(on, p, k);
                if (!equal(found, stated)) {
                    CHECK(found == stated);
                    return;
                }
            }
    }
}

} // namespace

TEST_CASE("the formulas of broadcasts and reductions in LogGP are what the schedules take", "[model]") {
    check_all(collective::bcast, "serial", loggp::bcast_serial);
    check_all(collective::bcast, "fnomial", loggp::bcast_binomial);
    check_all(collective::reduce, "fnomial", loggp::reduce_binomial);
    for (const std::int64_t segments : {1, 2, 7})
        check_all(collective::bcast, "chain",
                  [segments](const loggops& on, rank_type p, std::int64_t k) {
                      return loggp::bcast_chain(on, p, segments, k);
                  },
                  false, {{"segments", segments}});
}

TEST_CASE("the formulas of schedules in which all ranks do the same are what these take", "[model]") {
    check_all(collective::barrier, "dissemination", [](const loggops& on, rank_type p, std::int64_t) {
        return loggp::barrier_dissemination(on, p);
    });
    check_all(collective::allreduce, "recursive_doubling", loggp::allreduce_recursive_doubling, true);
    for (const char* same : {"ring", "direct", "kshift"})
        check_all(collective::allgather, same, loggp::allgather_ring);
    for (const char* same : {"pairwise", "ring"})
        check_all(collective::reduce_scatter, same, loggp::reduce_scatter_pairwise);
    for (const char* same : {"pairwise_ring", "ring"})
        check_all(collective::allreduce, same, loggp::allreduce_ring);
    for (const char* same : {"recursive_doubling", "bruck"})
        check_all(collective::allgather, same, loggp::allgather_doubling, true);
}

TEST_CASE("a message takes its two overheads, the latency and the gap of all bytes but the first",
          "[model]") {
    const loggops on{.L = 2.5, .o = 1.5, .g = 1, .G = 0.006};
    CHECK(equal(loggp::message(on, 1001), 1.5 + 2.5 + 1.5 + 6));
    CHECK(equal(loggp::message(on, 1), 5.5));
    CHECK(equal(loggp::message(on, 0), 5.5)); // counts as a byte
}

TEST_CASE("LogGP formulas refuse what is no number of ranks, bytes or segments", "[model]") {
    const loggops on;
    CHECK(refuses("p", "0", [&] { loggp::bcast_binomial(on, 0, 8); }));
    CHECK(refuses("k", "-1", [&] { loggp::bcast_serial(on, 2, -1); }));
    CHECK(refuses("p", "6", [&] { loggp::allreduce_recursive_doubling(on, 6, 8); }));
    CHECK(refuses("segments", "0", [&] { loggp::bcast_chain(on, 5, 0, 8); }));
}
