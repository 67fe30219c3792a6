// SPDX-License-Identifier: BSL-1.0
#include "adapters/pmpi/trial.hpp"

#include <array>

#include "support/catch2.hpp"

using tutti::pmpi::trial;

namespace {

/// Pairs of calls, of which tutti's and MPI's take so long, but for the first pair and a late one.
void run(trial& one, int from, int to, double ours, double theirs) {
    for (int k = 2 * from; k < 2 * to; ++k) {
        CHECK(one.is_ours() == (k % 4 == 0 || k % 4 == 3));
        CHECK_FALSE(one.is_over());
        const double took = one.is_ours() ? ours : theirs;
        const bool agree = one.add(k < 2 ? took / 1000 : k == 7 ? 1000 * took : took);
        CHECK(agree == (k == 2 * trial::first_look - 1 || k == 2 * trial::last_look - 1));
    }
}

} // namespace

TEST_CASE("where there is no doubt, tutti or MPI runs all calls after a few in turn", "[pmpi]") {
    const double ours = GENERATE(1.0, 4.0);
    trial one;
    run(one, 0, trial::first_look, ours, 2);
    CHECK(one.times() == std::array<double, 2>{ours, 2});
    one.decide(one.times());
    CHECK(one.is_over());
    CHECK(one.is_ours() == (ours < 2));
}

TEST_CASE("where there is doubt, more are timed, and the least time of each counts", "[pmpi]") {
    const double ours = GENERATE(2.9, 2.05, 1.4);
    trial one;
    run(one, 0, trial::first_look, ours, 2);
    one.decide(one.times());
    CHECK_FALSE(one.is_over());
    run(one, trial::first_look, trial::last_look, ours, 2);
    CHECK(one.times() == std::array<double, 2>{ours, 2});
    one.decide(one.times());
    CHECK(one.is_over());
    CHECK(one.is_ours() == (ours < 2.5)); // 2.05: not clearly slower
}

TEST_CASE("what counts is what the ranks have agreed on, not a rank's own times", "[pmpi]") {
    trial one;
    run(one, 0, trial::first_look, 1, 2);
    one.decide({3, 2});
    CHECK_FALSE(one.is_over());
    run(one, trial::first_look, trial::last_look, 1, 2);
    one.decide({3, 2});
    CHECK(one.is_over());
    CHECK_FALSE(one.is_ours());
}

TEST_CASE("long and short calls in turn are timed for both", "[pmpi]") {
    const double ours = GENERATE(1.0, 4.0);
    trial one;
    for (int k = 0; k < 2 * trial::first_look; ++k)
        one.add((one.is_ours() ? ours : 2) * (k % 2 == 0 ? 100 : 1));
    CHECK(one.times() == std::array<double, 2>{ours, 2});
}
