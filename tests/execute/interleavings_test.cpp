// SPDX-License-Identifier: BSL-1.0
// labels: slow sequential
#include <tutti/transport/mock_explore.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tutti/tutti.hpp>

#include "support/catch2.hpp"
#include "support/how_many.hpp"
#include "support/outcomes.hpp"
#include "support/running.hpp"

// Whole collectives in all interleavings of few ranks. Prints how many there were, and in how many runs.

namespace {

using tutti::collective;
using tutti::rank_type;
using numbers = std::vector<int>;
namespace mock = tutti::mock;

std::uint64_t most_runs() { return support::how_many("TUTTI_INTERLEAVINGS", 10000); }

void print(const std::string& what, const mock::options& how, rank_type size, const mock::exploration& seen) {
    std::printf("%-36s %d ranks, %-11s %-12s %8llu runs of %llu%s\n", what.c_str(), static_cast<int>(size),
                how.rendezvous ? "no buffers," : "buffers,", how.every_look ? "at any look" : "when waiting",
                static_cast<unsigned long long>(seen.runs), static_cast<unsigned long long>(seen.covered),
                seen.complete ? "" : ", not all");
}

mock::exploration explored(rank_type size, collective what, const std::string& algorithm,
                           const mock::options& how, std::uint64_t limit) {
    const mock::exploration seen = mock::explore_each_rank(
        size,
        [&](mock::transport& wires) {
            tutti::communicator<mock::transport> comm(wires);
            const std::string wrong = support::run_and_check<int>(comm, what, 4, size - 1, tutti::sum{},
                                                                  tutti::named{algorithm}, false);
            if (!wrong.empty()) throw tutti::error(wrong);
        },
        limit, how);
    print(std::string(tutti::name_of(what)) + " by " + algorithm, how, size, seen);
    return seen;
}

bool is_explored(const std::string& algorithm) {
    return algorithm == "fnomial" || algorithm == "recursive_doubling" || algorithm == "ring"
           || algorithm == "pairwise_ring";
}

} // namespace

TEST_CASE("trees, butterflies and rings of up to four ranks are right in every interleaving",
          "[execute][mock][explore]") {
    const bool rendezvous = GENERATE(false, true);
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3, 4);
    const mock::options how{.rendezvous = rendezvous, .matches = mock::matching::seen};
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        const std::string algorithm(entry.name);
        if (!is_explored(algorithm)) continue;
        const mock::exploration seen = explored(size, entry.what, algorithm, how, most_runs());
        INFO(tutti::name_of(entry.what) << " by " << algorithm << ", " << size << " ranks");
        CHECK(seen.complete);
        if (!rendezvous || size < 4) continue;
        if (algorithm == "pairwise_ring")
            CHECK(seen.covered == (entry.what == collective::allreduce ? 25265200U : 1133564U));
        if (algorithm == "ring")
            CHECK(seen.covered
                  == (entry.what == collective::allreduce ? 349380U
                      : entry.what == collective::reduce  ? 34376U
                                                          : 560U));
    }
}

TEST_CASE("trees, butterflies and rings of few ranks are right whenever they see what has come",
          "[execute][mock][explore]") {
    const bool rendezvous = GENERATE(false, true);
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3);
    const mock::options how{.rendezvous = rendezvous, .every_look = true, .matches = mock::matching::seen};
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        const std::string algorithm(entry.name);
        if (!is_explored(algorithm)) continue;
        const mock::exploration seen = explored(size, entry.what, algorithm, how, most_runs());
        INFO(tutti::name_of(entry.what) << " by " << algorithm << ", " << size << " ranks");
        // Only states in which a rank waits are matched, and it looks often before it does.
        CHECK((seen.complete
               || (rendezvous && size == 3 && algorithm.ends_with("ring")
                   && entry.what == collective::allreduce)));
    }
}

TEST_CASE("as many interleavings are covered, whichever states are taken for the same",
          "[execute][mock][explore]") {
    const bool every_look = GENERATE(false, true);
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3);
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        const std::string algorithm(entry.name);
        if (!is_explored(algorithm)) continue;
        INFO(tutti::name_of(entry.what) << " by " << algorithm << ", " << size << " ranks");
        mock::options how{.every_look = every_look};
        const mock::exploration all = explored(size, entry.what, algorithm, how, 2000);
        if (!all.complete) continue;
        for (const mock::matching matches : {mock::matching::begun, mock::matching::seen}) {
            how.matches = matches;
            const mock::exploration some = explored(size, entry.what, algorithm, how, 2000);
            CHECK(some.complete);
            CHECK(some.runs <= all.runs);
            CHECK(some.covered == all.runs);
        }
    }
}

TEST_CASE("two collectives that overlap are right in every interleaving of three ranks",
          "[execute][mock][request][explore]") {
    const bool rendezvous = GENERATE(false, true);
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3);
    const mock::options how{.rendezvous = rendezvous, .matches = mock::matching::seen};
    const mock::exploration seen = mock::explore_each_rank(
        size,
        [&](mock::transport& wires) {
            tutti::communicator<mock::transport> comm(wires);
            numbers a{comm.rank() + 1}, b{10 * comm.rank()};
            tutti::request first = tutti::iallreduce(comm, a, tutti::sum{}, tutti::recursive_doubling{});
            tutti::request second = tutti::iallreduce(comm, b, tutti::sum{}, tutti::recursive_doubling{});
            if (comm.rank() == 0)
                first.wait(), second.wait();
            else
                second.wait(), first.wait();
            if (a != numbers{size * (size + 1) / 2} || b != numbers{5 * size * (size - 1)})
                throw tutti::error("wrong");
        },
        100000, how);
    print("two allreduces, recursive_doubling", how, size, seen);
    CHECK(seen.complete);
}
