// SPDX-License-Identifier: BSL-1.0
// labels: sequential
#include <tutti/collectives/run_mock.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <tutti/transport/mock_explore.hpp>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using support::matrix;
using tutti::collective;
using tutti::rank_type;
namespace mock = tutti::mock;

// Every algorithm, on numbers and on matrices; what is wrong on any rank.
std::string whole_catalogue(const mock::options& how, rank_type size, std::int64_t count) {
    support::complaints heard(size);
    mock::run(size, how, [&](auto& comm) {
        heard.add(comm.rank(), support::run_catalogue<int>(comm, count, tutti::sum{}));
        heard.add(comm.rank(), support::run_catalogue<matrix>(comm, count, support::multiply{}));
    });
    return heard.all();
}

} // namespace

TEST_CASE("every algorithm gives the right result without any buffering and with", "[execute][mock]") {
    const bool rendezvous = GENERATE(true, false);
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5, 8);
    for (const std::int64_t count : {0, 1, 7}) {
        INFO("size " << size << ", " << count << " elements, rendezvous " << rendezvous);
        CHECK(whole_catalogue({.rendezvous = rendezvous, .log = false}, size, count) == "");
    }
}

TEST_CASE("every algorithm gives the right result in many orders of events", "[execute][mock]") {
    for (std::uint64_t seed = 100; seed < 112; ++seed) {
        INFO("seed " << seed);
        const rank_type size = static_cast<rank_type>(2 + seed % 6);
        CHECK(whole_catalogue({.seed = seed, .rendezvous = seed % 3 != 0, .log = false}, size, 5) == "");
    }
}

TEST_CASE("every algorithm gives the right result when ranks come late", "[execute][mock]") {
    const rank_type late = GENERATE(as<rank_type>{}, 0, 2, 5);
    const bool rendezvous = GENERATE(true, false);
    CHECK(whole_catalogue({.rendezvous = rendezvous, .late = {late}, .log = false}, 6, 7) == "");
}

TEST_CASE("the algorithm that is chosen gives the right result over the mock", "[execute][mock]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 6, 8);
    support::complaints heard(size);
    mock::run(size, {.log = false}, [&](auto& comm) {
        for (const std::int64_t count : {0, 1, 7, 1000}) {
            heard.add(comm.rank(), support::run_automatic<int>(comm, count, tutti::sum{}));
            heard.add(comm.rank(), support::run_automatic<matrix>(comm, count, support::multiply{}));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("the same seed gives the same events, another seed others", "[execute][mock]") {
    const auto log_of = [](std::uint64_t seed) {
        mock::world group(4, {.seed = seed});
        mock::run(group, [](auto& comm) { support::run_catalogue<int>(comm, 3, tutti::sum{}); });
        return group.log();
    };
    std::set<std::string> logs;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const std::string log = log_of(seed);
        CHECK(log.size() > 1000);
        CHECK(log == log_of(seed));
        logs.insert(log);
    }
    CHECK(logs.size() == 5);
}

TEST_CASE("a run is seen again by its decisions, whatever the seed", "[execute][mock]") {
    const auto body = [](auto& comm) { support::run_automatic<int>(comm, 3, tutti::sum{}); };
    const std::vector<std::uint32_t> decisions = mock::run(5, {.seed = 3}, body);
    CHECK(mock::run(5, {.seed = 4, .replay = decisions}, body) == decisions);
}

TEST_CASE("allreduce is right in every interleaving of few ranks", "[execute][mock][explore]") {
    const std::string algorithm = GENERATE("recursive_doubling", "halving_doubling", "serial", "circulant");
    const bool rendezvous = GENERATE(true, false);
    const rank_type size = GENERATE(as<rank_type>{}, 2, 3);
    const bool in_place = GENERATE(true, false);
    const mock::exploration seen = mock::explore(
        size,
        [&](mock::transport& wires) {
            tutti::communicator<mock::transport> comm(wires);
            const tutti::named how{algorithm};
            const std::string wrong = // circulant is the one that does not keep the order of ranks
                algorithm == "circulant" ? support::run_and_check<int>(comm, collective::allreduce, 2, 0,
                                                                       tutti::sum{}, how, in_place)
                                         : support::run_and_check<matrix>(comm, collective::allreduce, 2, 0,
                                                                          support::multiply{}, how, in_place);
            if (!wrong.empty()) throw tutti::error(wrong);
        },
        400, {.rendezvous = rendezvous});
    INFO(algorithm << ", size " << size);
    if (size == 2)
        CHECK(seen.complete);
    else
        CHECK(seen.runs > 1);
}
