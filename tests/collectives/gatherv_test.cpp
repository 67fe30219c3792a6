// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/gatherv.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/schedule/named.hpp>

#include "support/catch2.hpp"
#include "support/elements.hpp"
#include "support/outcomes.hpp"
#include "support/refusals.hpp"
#include "support/running.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using support::check_refused;
using support::ranks;
using tutti::rank_type;
using vec = std::vector<int>;

/// The catalogue, and what is chosen, from every root; in place and not.
template <class Communicator>
void all_algorithms(Communicator& comm, const counts_type& counts, support::complaints& heard) {
    for (rank_type root = 0; root < comm.size(); ++root)
        for (const bool in_place : {false, true}) {
            const auto check = [&](const std::string& how, const std::string& wrong) {
                heard.add(comm.rank(),
                          wrong.empty() ? "" : how + ", root " + std::to_string(root) + ": " + wrong);
            };
            for (const tutti::catalogue_entry& entry : tutti::catalogue_of(tutti::collective::gather))
                check(std::string(entry.name),
                      support::run_gatherv<int>(comm, counts, root, tutti::named{entry.name}, in_place));
            check("radix 3",
                  support::run_gatherv<char>(comm, counts, root, tutti::fnomial{.radix = 3}, in_place));
            check("automatic",
                  support::run_gatherv<support::moments>(comm, counts, root, tutti::automatic{}, in_place));
        }
}

void check_everywhere(const counts_type& counts) {
    const auto size = static_cast<rank_type>(counts.size());
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) { all_algorithms(comm, counts, heard); });
    CHECK(heard.all() == "");
    for (const bool rendezvous : {true, false}) {
        support::complaints over_mock(size);
        tutti::mock::run(size, {.rendezvous = rendezvous, .log = false},
                         [&](auto& comm) { all_algorithms(comm, counts, over_mock); });
        CHECK(over_mock.all() == "");
    }
}

} // namespace

TEST_CASE("every gather algorithm takes blocks of any lengths, also none", "[execute][gatherv]") {
    for (const counts_type& counts : std::vector<counts_type>{{1},
                                                              {0},
                                                              {3, 0},
                                                              {0, 4},
                                                              {2, 5, 1},
                                                              {0, 0, 0},
                                                              {0, 9, 0},
                                                              {4, 4, 4},
                                                              {0, 0, 0, 0, 7},
                                                              {1000, 0, 3, 1, 5120},
                                                              {0, 1, 2, 3, 4, 5, 6}})
        check_everywhere(counts);
}

TEST_CASE("every gather algorithm takes blocks of random lengths", "[execute][gatherv]") {
    std::mt19937 random(20050901);
    for (const rank_type size : {2, 4, 6, 9}) {
        counts_type counts; // most of them short or none, some long
        for (rank_type r = 0; r < size; ++r)
            counts.push_back(static_cast<std::int64_t>(random() % (random() % 4 == 0 ? 3000U : 20U)));
        check_everywhere(counts);
    }
}

TEST_CASE("a planned gatherv reads its input anew in every run and keeps no counts", "[execute][gatherv]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        counts_type counts{2, 0, 1};
        vec in(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
        vec out(comm.rank() == 1 ? 3 : 0);
        auto plan = tutti::plan_gatherv(comm, in, counts, out, 1, tutti::fnomial{});
        counts.assign(3, 77);
        for (int turn = 1; turn < 4; ++turn) {
            for (int& x : in) x = 10 * turn + comm.rank();
            plan.run();
            const bool is_right = comm.rank() != 1 || out == vec{10 * turn, 10 * turn, 10 * turn + 2};
            heard.add(comm.rank(), is_right ? "" : "turn " + std::to_string(turn));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a gatherv that is begun ends as one that blocks", "[execute][gatherv][request]") {
    support::complaints heard(4);
    tutti::threads::run(4, [&](auto& comm) {
        const counts_type counts{1, 2000, 0, 3};
        const vec in(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]), comm.rank());
        vec out(comm.rank() == 2 ? 2004 : 0), all(out);
        tutti::request one = tutti::igatherv(comm, in, counts, out, 2);
        vec inout = comm.rank() == 2 ? all : in;
        tutti::request other = tutti::igatherv(comm, inout, counts, 2);
        other.wait();
        one.wait();
        vec expected(2004, 1);
        expected[0] = 0;
        for (std::size_t i = 2001; i < 2004; ++i) expected[i] = 3;
        heard.add(comm.rank(), comm.rank() != 2 || (out == expected && inout == expected) ? "" : "wrong");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("counts that are none are refused by gatherv", "[execute][gatherv][arguments]") {
    const bool in_place = GENERATE(false, true);
    const auto refused = [&](const std::string& argument, const std::string& value,
                             const std::string& allowed, const counts_type& counts) {
        check_refused(3, argument, value, allowed, [&](ranks& comm) {
            vec in(2), out(6);
            if (in_place)
                tutti::gatherv(comm, comm.rank() == 0 ? out : in, counts);
            else
                tutti::gatherv(comm, in, counts, out);
        });
    };
    refused("counts.size()", "2", "3, one count per rank", {2, 2});
    refused("counts.size()", "0", "3, one count per rank", {});
    refused("counts[1]", "-1", "at least 0", {2, -1, 2});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    refused("counts[2]", "3", "at most 1, because the sum has to fit 64 bits", {2, most - 3, 3});
}

TEST_CASE("what fails on the way is named as it was called: gatherv, not gather",
          "[execute][gatherv][fault]") {
    const auto failed_in = [](auto&& call) {
        std::string name;
        CHECK_THROWS(
            tutti::mock::run(3, {.seed = 1, .faults = {tutti::mock::fault::kill(1, 0)}}, [&](auto& comm) {
                try {
                    call(comm, std::vector<std::int64_t>{2, 1, 3});
                } catch (const tutti::collective_error& e) {
                    if (comm.rank() != 1) name = e.where().collective;
                    throw;
                }
            }));
        return name;
    };
    const auto part = [](auto& comm, const auto& counts) {
        return std::vector<int>(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
    };
    std::vector<int> all(6);
    CHECK(failed_in([&](auto& comm, const auto& counts) {
              std::vector<int> gathered(6);
              tutti::gatherv(comm, part(comm, counts), counts, gathered);
          })
          == "gatherv");
    CHECK(failed_in([&](auto& comm, const auto& counts) {
              std::vector<int> mine = part(comm, counts);
              tutti::scatterv(comm, all, counts, mine, 1);
          })
          == "scatterv");
    CHECK(failed_in([&](auto& comm, const auto& counts) {
              std::vector<int> gathered(6);
              tutti::allgatherv(comm, part(comm, counts), counts, gathered);
          })
          == "allgatherv");
    CHECK(failed_in([&](auto& comm, const auto&) {
              std::vector<int> gathered(6);
              tutti::allgather(comm, std::vector<int>(2), gathered);
          })
          == "allgather");
}
