// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/scatterv.hpp>

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

constexpr auto run_scatterv = []<class T>(auto& comm, const counts_type& counts, tutti::rank_type root,
                                          const auto& how, bool in_place) {
    return support::run_scatterv<T>(comm, counts, root, how, in_place);
};

} // namespace

TEST_CASE("every scatter algorithm takes blocks of any lengths, also none", "[execute][scatterv]") {
    support::check_any_lengths(tutti::collective::scatter, run_scatterv);
}

TEST_CASE("every scatter algorithm takes blocks of random lengths", "[execute][scatterv]") {
    support::check_random_lengths(tutti::collective::scatter, run_scatterv);
}

TEST_CASE("a planned scatterv reads its input anew in every run and keeps no counts", "[execute][scatterv]") {
    support::complaints heard(3);
    tutti::threads::run(3, [&](auto& comm) {
        counts_type counts{2, 0, 1};
        vec out(static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]));
        vec in(comm.rank() == 1 ? 3 : 0);
        auto plan = tutti::plan_scatterv(comm, in, counts, out, 1, tutti::fnomial{});
        counts.assign(3, 77);
        for (int turn = 1; turn < 4; ++turn) {
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = 10 * turn + static_cast<int>(i);
            plan.run();
            const vec due[] = {{10 * turn, 10 * turn + 1}, {}, {10 * turn + 2}};
            heard.add(comm.rank(), out == due[comm.rank()] ? "" : "turn " + std::to_string(turn));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a scatterv that is begun ends as one that blocks", "[execute][scatterv][request]") {
    support::complaints heard(4);
    tutti::threads::run(4, [&](auto& comm) {
        const counts_type counts{1, 2000, 0, 3};
        const auto own = static_cast<std::size_t>(counts[static_cast<std::size_t>(comm.rank())]);
        vec in(comm.rank() == 2 ? 2004 : 0);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
        vec out(own), again(own);
        tutti::request one = tutti::iscatterv(comm, in, counts, out, 2);
        tutti::request other = tutti::iscatterv(comm, comm.rank() == 2 ? in : again, counts, 2);
        other.wait();
        one.wait();
        const int begins[] = {0, 1, 2001, 2001};
        bool right = comm.rank() == 2 || again == out;
        for (std::size_t i = 0; i < own; ++i)
            right = right && out[i] == begins[comm.rank()] + static_cast<int>(i);
        heard.add(comm.rank(), right ? "" : "wrong");
    });
    CHECK(heard.all() == "");
}

TEST_CASE("counts that are none are refused by scatterv", "[execute][scatterv][arguments]") {
    const bool in_place = GENERATE(false, true);
    support::check_no_counts([&](support::ranks& comm, const counts_type& counts) {
        vec in(6), out(2);
        if (in_place)
            tutti::scatterv(comm, comm.rank() == 0 ? in : out, counts);
        else
            tutti::scatterv(comm, in, counts, out);
    });
}
