// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/gatherv.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/collectives/run_mock.hpp>
#include <tutti/collectives/run_threads.hpp>

#include "support/catch2.hpp"
#include "support/outcomes.hpp"
#include "support/parts_at_root.hpp"
#include "support/running.hpp"

namespace {

using counts_type = std::vector<std::int64_t>;
using vec = std::vector<int>;

constexpr auto run_gatherv = []<class T>(auto& comm, const counts_type& counts, tutti::rank_type root,
                                         const auto& how, bool in_place) {
    return support::run_gatherv<T>(comm, counts, root, how, in_place);
};

} // namespace

TEST_CASE("every gather algorithm takes blocks of any lengths, also none", "[execute][gatherv]") {
    support::check_any_lengths(tutti::collective::gather, run_gatherv);
}

TEST_CASE("every gather algorithm takes blocks of random lengths", "[execute][gatherv]") {
    support::check_random_lengths(tutti::collective::gather, run_gatherv);
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
    support::check_no_counts([&](support::ranks& comm, const counts_type& counts) {
        vec in(2), out(6);
        if (in_place)
            tutti::gatherv(comm, comm.rank() == 0 ? out : in, counts);
        else
            tutti::gatherv(comm, in, counts, out);
    });
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
