// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/collective.hpp>

#include <algorithm>

#include "support/catch2.hpp"

using namespace tutti;

static_assert(decltype(of<collective::reduce>)::value == collective::reduce);

TEST_CASE("every collective is found by its name", "[core][collective]") {
    for (const collective c : all_collectives) {
        CHECK(name_of(c) != "?");
        CHECK(collective_named(name_of(c)) == c);
    }
    CHECK_FALSE(collective_named("allreduced").has_value());
    CHECK_FALSE(collective_named("").has_value());
}

TEST_CASE("a multicast has a name, but is not among those that need nothing but a size and a root",
          "[core][collective]") {
    CHECK(name_of(collective::multicast) == "multicast");
    CHECK_FALSE(collective_named("multicast").has_value());
    CHECK(std::find(all_collectives.begin(), all_collectives.end(), collective::multicast)
          == all_collectives.end());
    CHECK_FALSE(has_root(collective::multicast));
    CHECK(has_parts(collective::multicast));
    CHECK_FALSE(folds(collective::multicast));
}

TEST_CASE("what has a root, what folds and where every rank has a part is known", "[core][collective]") {
    for (const collective c : all_collectives) {
        CHECK(has_root(c)
              == (c == collective::bcast || c == collective::reduce || c == collective::gather
                  || c == collective::scatter));
        const bool moves_only = c == collective::barrier || c == collective::bcast
                                || c == collective::allgather || c == collective::gather
                                || c == collective::scatter || c == collective::alltoall;
        CHECK(folds(c) == !moves_only);
        CHECK(scans(c) == (c == collective::exscan || c == collective::scan));
        const bool whole = c == collective::barrier || c == collective::bcast || c == collective::reduce
                           || c == collective::allreduce || scans(c);
        CHECK(has_parts(c) == !whole);
    }
}
