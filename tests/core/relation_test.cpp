// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/relation.hpp>

#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/relations.hpp"

using namespace tutti;

namespace {

using lists = std::vector<std::vector<rank_type>>;
using ranks = std::vector<rank_type>;

ranks listed(std::span<const rank_type> some) { return {some.begin(), some.end()}; }

std::string refusal(rank_type size, const lists& targets) {
    try {
        relation(size, targets);
    } catch (const argument_error& e) {
        return e.argument() + "=" + e.value() + ": " + e.allowed();
    }
    return "";
}

} // namespace

TEST_CASE("a relation tells who sends to whom, from both sides, in ascending order", "[core][relation]") {
    const relation who(5, {{4, 1}, {}, {0}, {}, {3, 0}});
    CHECK(who.size() == 5);
    CHECK(listed(who.targets(0)) == ranks{1, 4});
    CHECK(listed(who.targets(1)).empty());
    CHECK(listed(who.targets(4)) == ranks{0, 3});
    CHECK(listed(who.sources(0)) == ranks{2, 4});
    CHECK(listed(who.sources(1)) == ranks{0});
    CHECK(listed(who.sources(2)).empty());
    CHECK(who.sends(0));
    CHECK_FALSE(who.sends(1));
    CHECK(who.wants(1, 0));
    CHECK_FALSE(who.wants(0, 1));
    CHECK(who.pairs() == 5);
    CHECK(who.most_targets() == 2);
    CHECK(who.most_sources() == 2);
    CHECK(who.most_partners() == 4); // rank 0: to 1 and 4, from 2 and 4
}

TEST_CASE("everybody sends to everybody only if all pairs are there", "[core][relation]") {
    CHECK(relation::all_to_all(1).is_all_to_all());
    CHECK(relation::all_to_all(5).is_all_to_all());
    CHECK(relation(3, {{2, 1}, {0, 2}, {1, 0}}).is_all_to_all());
    CHECK_FALSE(relation(3, {{2, 1}, {0, 2}, {0}}).is_all_to_all());
    CHECK_FALSE(relation(2, {{}, {}}).is_all_to_all());
}

TEST_CASE("naming oneself changes nothing", "[core][relation]") {
    const relation who(3, {{0, 2}, {1}, {}});
    CHECK(who == relation(3, {{2}, {}, {}}));
    CHECK_FALSE(who.wants(0, 0));
    CHECK_FALSE(who.sends(1));
    CHECK(who.pairs() == 1);
}

TEST_CASE("in the full relation everybody sends to all others", "[core][relation]") {
    for (const rank_type size : {1, 2, 5, 70}) {
        const relation all = relation::all_to_all(size);
        CHECK(all.pairs() == std::int64_t{size} * (size - 1));
        CHECK(all.most_partners() == 2 * (size - 1));
        for (rank_type r = 0; r < size; ++r)
            for (rank_type s = 0; s < size; ++s) CHECK(all.wants(r, s) == (r != s));
    }
}

TEST_CASE("targets, sources and wants agree in random relations", "[core][relation]") {
    for (const rank_type size : {1, 2, 7, 33, 70})
        for (const relation& who : support::some_relations(size, 7)) {
            std::int64_t pairs = 0;
            for (rank_type r = 0; r < size; ++r) {
                ranks to, from;
                for (rank_type s = 0; s < size; ++s) {
                    if (who.wants(s, r)) to.push_back(s);
                    if (who.wants(r, s)) from.push_back(s);
                }
                CHECK(listed(who.targets(r)) == to);
                CHECK(listed(who.sources(r)) == from);
                pairs += static_cast<std::int64_t>(to.size());
            }
            CHECK(who.pairs() == pairs);
        }
}

TEST_CASE("relations are equal if they have the same pairs", "[core][relation]") {
    const relation a(3, {{1, 2}, {}, {0}});
    const relation copy = a;
    CHECK(copy == a);
    CHECK(relation(3, {{2, 1}, {}, {0}}) == a);
    CHECK_FALSE(relation(3, {{1}, {2}, {0}}) == a);
    CHECK_FALSE(relation(4, {{1, 2}, {}, {0}, {}}) == a);
    CHECK(relation() == relation(1, {{}}));
}

TEST_CASE("a relation that names an absent rank, or one twice, is refused by list and entry",
          "[core][relation]") {
    CHECK(refusal(5, {{1}, {}, {0, 3, 5}, {}, {}}) == "targets[2][2]=5: 0..4");
    CHECK(refusal(3, {{}, {-1}, {}}) == "targets[1][0]=-1: 0..2");
    CHECK(refusal(3, {{}, {}, {1, 0, 1}}) == "targets[2][2]=1: a rank that rank 2 does not name already");
    CHECK(refusal(3, {{0, 0}, {}, {}}) == "targets[0][1]=0: a rank that rank 0 does not name already");
    CHECK(refusal(3, {{1}, {}}) == "targets.size()=2: 3, one list per rank");
    CHECK(refusal(3, {{1}, {}, {}, {}}) == "targets.size()=4: 3, one list per rank");
    CHECK(refusal(0, {}) == "size=0: at least 1");
    CHECK_THROWS_AS(relation::all_to_all(0), argument_error);
    CHECK_THROWS_AS(relation::all_to_all(-3), argument_error);
}
