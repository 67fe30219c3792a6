// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/allgatherv.hpp>

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
#include "support/uneven_counts.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using support::check_refused;
using support::ranks;
using tutti::rank_type;
using vec = std::vector<int>;

std::string text(const counts_type& counts) {
    std::string t;
    for (const std::int64_t c : counts) t += std::to_string(c) + " ";
    return t;
}

/// The catalogue, and what is chosen; in place and not.
template <class Communicator>
void all_algorithms(Communicator& comm, const counts_type& counts, support::complaints& heard) {
    for (const bool in_place : {false, true}) {
        for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
            if (entry.what != tutti::collective::allgather) continue;
            const std::string wrong =
                support::run_allgatherv<int>(comm, counts, tutti::named{entry.name}, in_place);
            heard.add(comm.rank(), wrong.empty() ? "" : std::string(entry.name) + ": " + wrong);
        }
        heard.add(comm.rank(),
                  support::run_allgatherv<support::moments>(comm, counts, tutti::automatic{}, in_place));
    }
}

/// Half of them short or none, some long.
counts_type random_counts(std::mt19937& random, rank_type size) {
    counts_type counts;
    for (rank_type r = 0; r < size; ++r) {
        const auto kind = random() % 8;
        const auto most = kind < 2 ? 1U : kind < 7 ? 20U : 3000U;
        counts.push_back(static_cast<std::int64_t>(random() % most));
    }
    return counts;
}

void check_everywhere(const counts_type& counts) {
    const auto size = static_cast<rank_type>(counts.size());
    INFO("counts " << text(counts));
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

TEST_CASE("every allgather algorithm takes blocks of any lengths, also none", "[execute][allgatherv]") {
    for (const counts_type& counts : support::uneven_counts) check_everywhere(counts);
}

TEST_CASE("every allgather algorithm takes blocks of random lengths", "[execute][allgatherv]") {
    std::mt19937 random(20040501);
    for (const rank_type size : {2, 3, 4, 6, 8, 9, 11}) check_everywhere(random_counts(random, size));
}

TEST_CASE("a planned allgatherv reads its input anew in every run and keeps no counts",
          "[execute][allgatherv]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        counts_type counts{2, 0, 1};
        vec in(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
        vec out(3);
        auto plan = tutti::plan_allgatherv(comm, in, counts, out, tutti::ring{});
        counts.assign(3, 77);
        for (int turn = 1; turn < 4; ++turn) {
            for (int& x : in) x = 10 * turn + comm.rank();
            plan.run();
            const bool is_right = out == vec{10 * turn, 10 * turn, 10 * turn + 2};
            heard.add(comm.rank(), is_right ? "" : "turn " + std::to_string(turn));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("one rank plans an allgatherv, in place and not: there is no root that it could lack",
          "[execute][allgatherv]") {
    tutti::threads::run(1, [](auto& comm) {
        const vec in{5, 6};
        vec out(2), inout{7, 8};
        tutti::plan_allgatherv(comm, in, counts_type{2}, out).run();
        tutti::plan_allgatherv(comm, inout, counts_type{2}).run();
        CHECK(out == in);
        CHECK(inout == vec{7, 8});
    });
}

TEST_CASE("counts that are none are refused", "[execute][allgatherv][arguments]") {
    const bool in_place = GENERATE(false, true);
    const auto refused = [&](const std::string& argument, const std::string& value,
                             const std::string& allowed, const counts_type& counts) {
        check_refused(3, argument, value, allowed, [&](ranks& comm) {
            vec in(2), out(6);
            if (in_place)
                tutti::allgatherv(comm, out, counts);
            else
                tutti::allgatherv(comm, in, counts, out);
        });
    };
    refused("counts.size()", "2", "3, one count per rank", {2, 2});
    refused("counts.size()", "0", "3, one count per rank", {});
    refused("counts[1]", "-1", "at least 0", {2, -1, 2});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    refused("counts[2]", "3", "at most 1, because the sum has to fit 64 bits", {2, most - 3, 3});
}

TEST_CASE("buffers that do not fit the counts are refused", "[execute][allgatherv][arguments]") {
    const counts_type counts{2, 2, 2};
    check_refused(3, "in", "3 elements", "2 elements, this rank's count", [&](ranks& comm) {
        vec in(3), out(6);
        tutti::allgatherv(comm, in, counts, out);
    });
    check_refused(3, "out", "7 elements", "6 elements, the sum of counts", [&](ranks& comm) {
        vec in(2), out(7);
        tutti::allgatherv(comm, in, counts, out);
    });
    check_refused(3, "inout", "5 elements", "6 elements, the sum of counts", [&](ranks& comm) {
        vec inout(5);
        tutti::allgatherv(comm, inout, counts);
    });
    check_refused(3, "out", "memory that overlaps in", "memory apart from in", [&](ranks& comm) {
        vec out(6);
        tutti::allgatherv(comm, std::span(out).subspan(2, 2), counts, out);
    });
    check_refused(3, "allgather algorithm", "no_such", "circulant", [&](ranks& comm) {
        vec in(2), out(6);
        tutti::allgatherv(comm, in, counts, out, tutti::named{"no_such"});
    });
}
