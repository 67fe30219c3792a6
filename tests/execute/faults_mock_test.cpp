// SPDX-License-Identifier: BSL-1.0
// labels: slow sequential
#include <tutti/collectives/run_mock.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/running.hpp"

// One fault at a time, at every place where it can happen: never a hang, never a wrong result that is taken
// for a right one, and every error says where it happened.

namespace {

using support::contains;
using tutti::collective;
using tutti::rank_type;
namespace mock = tutti::mock;
using mock::fault;
using mock::fault_kind;

constexpr rank_type size = 5;
constexpr rank_type root = 1;

struct subject {
    collective what;
    std::string_view algorithm;
};

// Every collective, and every family of algorithms: trees, pipelines, butterflies, rings, skips, splits.
constexpr std::array subjects{
    subject{collective::barrier, "dissemination"},
    subject{collective::bcast, "fnomial"},
    subject{collective::bcast, "chain"},
    subject{collective::bcast, "two_tree"},
    subject{collective::reduce, "serial"},
    subject{collective::reduce, "binary_tree"},
    subject{collective::reduce, "fnomial_split"},
    subject{collective::reduce, "halving_doubling"},
    subject{collective::allreduce, "recursive_doubling"},
    subject{collective::allreduce, "halving_doubling"},
    subject{collective::allreduce, "binary_blocks"},
    subject{collective::allreduce, "circulant"},
    subject{collective::allreduce, "two_tree"},
    subject{collective::reduce_scatter, "pairwise"},
    subject{collective::reduce_scatter, "direct"},
    subject{collective::allgather, "ring"},
    subject{collective::allgather, "circulant"},
    subject{collective::gather, "fnomial"},
    subject{collective::scatter, "fnomial"},
    subject{collective::scatter, "serial"},
    subject{collective::alltoall, "bruck"},
    subject{collective::alltoall, "pairwise"},
    subject{collective::exscan, "census"},
};

/// How a run ended on one rank.
struct ending {
    std::string wrong;   ///< "" for a right result; meaningless if it threw
    std::string error;   ///< text of what was thrown, "" if nothing
    bool killed = false; ///< threw mock::killed
    bool told = false;   ///< threw collective_error
    tutti::collective_error::location where{};

    friend bool operator==(const ending& a, const ending& b) {
        return a.wrong == b.wrong && a.error == b.error;
    }
};

struct outcome {
    std::array<ending, size> ranks;
    std::string first; ///< text of what the run threw
    std::size_t struck = 0;
    std::string log;
};

outcome run(const subject& s, mock::options how) {
    outcome seen;
    how.faults_may_miss = true;
    mock::world group(size, how);
    seen.first = support::error_of([&] {
        mock::run(group, [&](tutti::communicator<mock::transport>& comm) {
            ending& mine = seen.ranks[static_cast<std::size_t>(comm.rank())];
            try {
                mine.wrong = support::run_and_check<int>(comm, s.what, 7, root, tutti::sum{},
                                                         tutti::named{s.algorithm}, false);
            } catch (const tutti::collective_error& e) {
                mine.error = e.what();
                mine.told = true;
                mine.where = e.where();
                throw;
            } catch (const mock::killed& e) {
                mine.error = e.what();
                mine.killed = true;
                throw;
            } catch (const std::exception& e) {
                mine.error = e.what();
                throw;
            }
        });
    });
    seen.struck = group.faults_struck();
    seen.log = group.log();
    return seen;
}

tutti::round_index rounds_of(const subject& s) {
    return tutti::find_algorithm(s.what, s.algorithm)->make({0, size, root}, {}).rounds();
}

/// What every outcome of a run with a fault must satisfy; "" if it does.
std::string judge(const subject& s, const outcome& seen) {
    std::string faults;
    for (rank_type r = 0; r < size; ++r) {
        const ending& e = seen.ranks[static_cast<std::size_t>(r)];
        const std::string me = "rank " + std::to_string(r);
        if (e.error.empty()) {
            if (!e.wrong.empty()) faults += me + " returned, but " + e.wrong + "; ";
            continue;
        }
        if (e.killed) continue;
        if (!e.told) {
            faults += me + " threw something else: " + e.error + "; ";
            continue;
        }
        // While it runs a step is at fault; when the channel is closed there is none any more.
        const bool closing = e.where.round == rounds_of(s);
        const bool located = e.where.collective == tutti::name_of(s.what) && e.where.rank == r
                             && e.where.round >= 0 && e.where.round <= rounds_of(s) && e.where.peer >= 0
                             && e.where.peer < size && (closing || e.where.step >= 0);
        if (!located
            || !contains(e.error, std::string(tutti::name_of(s.what)) + " failed on " + me + ", round "))
            faults += me + " does not say where: " + e.error + "; ";
    }
    return faults;
}

/// How often `part` occurs in the log.
std::int64_t count_lines(const std::string& log, const std::string& part) {
    std::int64_t count = 0;
    for (std::size_t at = log.find(part); at != std::string::npos; at = log.find(part, at + 1)) ++count;
    return count;
}

std::int64_t messages_between(const std::string& log, rank_type from, rank_type to) {
    const std::string ends = " from rank " + std::to_string(from) + " to rank " + std::to_string(to) + " ";
    std::int64_t most = 0;
    while (contains(log, " sends message " + std::to_string(most) + ends)) ++most;
    return most;
}

std::int64_t steps_of(const std::string& log, rank_type rank) {
    const std::string me = "rank " + std::to_string(rank);
    return count_lines(log, me + " sends message") + count_lines(log, me + " waits for a message");
}

const char* evidence(fault_kind kind) {
    switch (kind) {
    case fault_kind::drop: return "was dropped";
    case fault_kind::duplicate: return "arrived twice";
    case fault_kind::truncate: return " bytes, but its receive expects ";
    default: return "arrived damaged";
    }
}

std::string title(const subject& s) {
    return std::string(tutti::name_of(s.what)) + " by " + std::string(s.algorithm);
}

} // namespace

TEST_CASE("after a message that is lost, doubled, cut or damaged who goes on gets right numbers",
          "[execute][mock][faults]") {
    for (const subject& s : subjects) {
        const std::string log = run(s, {}).log;
        std::uint64_t seed = 0;
        for (rank_type from = 0; from < size; ++from)
            for (rank_type to = 0; to < size; ++to)
                for (const fault_kind kind :
                     {fault_kind::drop, fault_kind::duplicate, fault_kind::truncate, fault_kind::corrupt}) {
                    if (messages_between(log, from, to) == 0) continue;
                    const mock::options how{.seed = ++seed,
                                            .rendezvous = seed % 2 == 0,
                                            .faults = {fault::message(kind, from, to, 0)},
                                            .faults_may_miss = true};
                    std::array<std::string, size> wrong;
                    std::array<std::string, size> told;
                    const std::string failed = support::error_of([&] {
                        mock::run(size, how, [&](tutti::communicator<mock::transport>& comm) {
                            const auto me = static_cast<std::size_t>(comm.rank());
                            told[me] = support::error_of([&] {
                                support::run_and_check<int>(comm, s.what, 7, root, tutti::sum{},
                                                            tutti::named{s.algorithm}, false);
                            });
                            wrong[me] = support::run_and_check<int>(comm, collective::allreduce, 7, root,
                                                                    tutti::sum{}, tutti::automatic{}, false);
                        });
                    });
                    INFO(title(s) << ": message 0 from " << from << " to " << to << " "
                                  << mock::name_of(kind));
                    CHECK(failed == "");
                    for (const std::string& one : wrong) CHECK(one == "");
                    if (s.what != collective::allreduce) // the next call's label is another one
                        for (const std::string& one : told) CHECK(!contains(one, "allreduce"));
                }
    }
}

TEST_CASE("a message that is lost, doubled, cut or damaged is an error where it was to arrive",
          "[execute][mock][faults]") {
    const bool rendezvous = GENERATE(true, false);
    for (const subject& s : subjects) {
        const std::string log = run(s, {.rendezvous = rendezvous}).log;
        std::int64_t struck = 0;
        std::uint64_t seed = 0;
        for (rank_type from = 0; from < size; ++from)
            for (rank_type to = 0; to < size; ++to)
                for (std::int64_t n = 0; n < messages_between(log, from, to); ++n)
                    for (const fault_kind kind : {fault_kind::drop, fault_kind::duplicate,
                                                  fault_kind::truncate, fault_kind::corrupt}) {
                        const outcome seen = run(s, {.seed = ++seed,
                                                     .rendezvous = rendezvous,
                                                     .faults = {fault::message(kind, from, to, n)}});
                        INFO(title(s) << ": message " << n << " from " << from << " to " << to << " "
                                      << mock::name_of(kind) << "\n"
                                      << seen.log);
                        REQUIRE(judge(s, seen) == "");
                        if (seen.struck == 0) { // an empty message cannot be cut
                            REQUIRE(kind == fault_kind::truncate);
                            REQUIRE(seen.first == "");
                            continue;
                        }
                        ++struck;
                        const ending& receiver = seen.ranks[static_cast<std::size_t>(to)];
                        // A doubled message takes the place of the next one, which may be noticed first.
                        REQUIRE((contains(receiver.error, evidence(kind))
                                 || (kind == fault_kind::duplicate
                                     && contains(receiver.error, evidence(fault_kind::truncate)))));
                        REQUIRE(contains(receiver.error, "from rank " + std::to_string(from) + " to rank "));
                        // Nobody but the receiver was met by it; a doubled message may end unread.
                        REQUIRE((seen.first == receiver.error || kind == fault_kind::duplicate));
                    }
        INFO(title(s));
        CHECK(struck >= 3 * (size - 1)); // every rank at least once, by three kinds
    }
}

TEST_CASE("a rank that dies at any step is an error on those who need it", "[execute][mock][faults]") {
    const bool rendezvous = GENERATE(true, false);
    for (const subject& s : subjects) {
        const std::string log = run(s, {.rendezvous = rendezvous}).log;
        for (rank_type victim = 0; victim < size; ++victim)
            for (std::int64_t step = 0; step < steps_of(log, victim); ++step) {
                const outcome seen = run(s, {.seed = static_cast<std::uint64_t>(step),
                                             .rendezvous = rendezvous,
                                             .faults = {fault::kill(victim, step)}});
                INFO(title(s) << ": rank " << victim << " killed at step " << step << "\n" << seen.log);
                REQUIRE(judge(s, seen) == "");
                REQUIRE(seen.struck == 1);
                const std::string death =
                    "rank " + std::to_string(victim) + " was killed at step " + std::to_string(step);
                REQUIRE(seen.ranks[static_cast<std::size_t>(victim)].killed);
                REQUIRE(seen.first == "tutti: " + death + " (seed " + std::to_string(step) + ")");
                for (rank_type r = 0; r < size; ++r) {
                    const ending& e = seen.ranks[static_cast<std::size_t>(r)];
                    if (e.error.empty()) continue;
                    REQUIRE(contains(e.error, death));
                    REQUIRE(e.error.find("(seed ") == e.error.rfind("(seed ")); // said once
                }
                // Before its first step nobody can have heard of it, so whoever needs it fails.
                const bool all_need_all = s.what == collective::barrier || s.what == collective::allreduce
                                          || s.what == collective::reduce_scatter
                                          || s.what == collective::allgather
                                          || s.what == collective::alltoall;
                if (step == 0 && all_need_all)
                    for (const ending& e : seen.ranks) REQUIRE(e.error != "");
            }
    }
}

TEST_CASE("rank 3 loses what it sends at step 7, twice with the same seed: the same outcome",
          "[execute][mock][faults]") {
    constexpr subject s{collective::allreduce, "halving_doubling"};
    bool struck = false;
    for (std::int64_t step = 0; step < 12; ++step)
        for (std::uint64_t seed = 1; seed < 4; ++seed) {
            const mock::options how{.seed = seed, .faults = {fault::at_step(fault_kind::drop, 3, step)}};
            const outcome one = run(s, how);
            const outcome two = run(s, how);
            CHECK(one.log == two.log);
            CHECK(one.first == two.first);
            CHECK(one.ranks == two.ranks);
            CHECK((one.struck == 1) == (one.first != ""));
            struck = struck || one.struck == 1;
        }
    CHECK(struck);
}

TEST_CASE("two faults at once are not worse than one", "[execute][mock][faults]") {
    constexpr subject s{collective::allreduce, "recursive_doubling"};
    for (std::uint64_t seed = 1; seed < 60; ++seed) {
        const auto at = static_cast<rank_type>(seed % size);
        const outcome seen =
            run(s, {.seed = seed,
                    .rendezvous = seed % 2 == 0,
                    .faults = {fault::at_step(fault_kind::drop, at, 0),
                               fault::at_step(fault_kind::corrupt, (at + 2) % size, 1),
                               fault::kill((at + 1) % size, static_cast<std::int64_t>(seed / size % 4))}});
        INFO("seed " << seed << "\n" << seen.log);
        CHECK(judge(s, seen) == "");
        if (seen.struck > 0) CHECK(seen.first != "");
    }
}

TEST_CASE("a collective of unequal counts is an error and not a wrong result", "[execute][mock][faults]") {
    const bool rendezvous = GENERATE(true, false);
    const std::string algorithm =
        GENERATE("recursive_doubling", "halving_doubling", "ring", "two_tree", "serial");
    for (rank_type odd = 0; odd < size; ++odd) {
        support::complaints heard(size);
        int returned = 0;
        const std::string first = support::error_of([&] {
            mock::run(size, {.rendezvous = rendezvous}, [&](auto& comm) {
                std::vector<int> v(comm.rank() == odd ? 25 : 20, 1);
                try {
                    tutti::allreduce(comm, v, tutti::sum{}, tutti::named{algorithm});
                    ++returned; // ranks of the mock run one at a time
                    heard.add(comm.rank(), "returned");
                } catch (const tutti::collective_error& e) {
                    const bool located =
                        contains(e.what(), "allreduce failed on rank " + std::to_string(comm.rank()));
                    heard.add(comm.rank(), located ? "" : e.what());
                    throw;
                }
            });
        });
        INFO(algorithm << ", rank " << odd << " has more");
        CHECK(heard.all() == "");
        CHECK(returned == 0);
        // Whichever of the two finds out names both.
        CHECK(contains(first, "allreduce of 25 elements of 4 bytes"));
        CHECK(contains(first, "allreduce of 20 elements of 4 bytes"));
    }
}
