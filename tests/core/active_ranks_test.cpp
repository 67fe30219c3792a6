// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/active_ranks.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"

using namespace tutti;
using support::any_ensemble;
using support::ensemble_of;

namespace {

std::vector<rank_type> sorted(std::vector<rank_type> ranks) {
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// How often a rank is looked at in all rounds.
std::size_t looks(const any_ensemble& all) {
    std::size_t sum = 0;
    for (active_ranks active(all); active.round() < all.rounds(); active.next()) sum += active.ranks().size();
    return sum;
}

} // namespace

TEST_CASE("down a chain two ranks at a time are active", "[core]") {
    const any_ensemble all = ensemble_of(collective::bcast, "chain", 5, {{"segments", 1}});
    active_ranks active(all);
    for (rank_type i = 0; i < 4; ++i, active.next()) {
        CHECK(active.round() == i);
        CHECK(sorted(active.ranks()) == std::vector<rank_type>{i, i + 1});
    }
}

TEST_CASE("whoever has a step in a round is active in it, and nobody twice", "[core]") {
    support::for_each_schedule(
        std::vector<rank_type>{1, 2, 5, 8, 13}, [](const any_ensemble& all, const std::string& name) {
            INFO(name);
            for (const round_index first : {round_index{0}, all.rounds() / 2})
                for (active_ranks active(all, first); active.round() < all.rounds(); active.next()) {
                    const std::set<rank_type> ranks(active.ranks().begin(), active.ranks().end());
                    CHECK(ranks.size() == active.ranks().size());
                    for (rank_type r = 0; r < all.size(); ++r) {
                        CHECK((ranks.count(r) == 1) == all.active(r).contains(active.round()));
                        if (ranks.count(r) == 0)
                            all.emit(r, active.round(), [](const step&) { FAIL("an idle rank has a step"); });
                    }
                }
        });
}

TEST_CASE("long pipelines have few active ranks", "[core]") {
    const any_ensemble chain = ensemble_of(collective::reduce, "chain", 200, {{"segments", 3}});
    CHECK(chain.rounds() == 201);
    CHECK(looks(chain) <= 4 * 200); // each in the rounds of its 3 segments, and one
    CHECK(looks(ensemble_of(collective::bcast, "kary", 200, {{"arity", 2}, {"segments", 1}})) <= 2 * 200);
    CHECK(looks(ensemble_of(collective::bcast, "two_tree", 200, {{"segments", 1}})) <= 6 * 200);
    // What is written for all ranks is looked at in all rounds.
    CHECK(looks(ensemble_of(collective::allgather, "ring", 20)) == 20 * 19);
}
