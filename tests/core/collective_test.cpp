// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/collective.hpp>

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

TEST_CASE("bcast and reduce have a root; what folds is known", "[core][collective]") {
    for (const collective c : all_collectives) {
        CHECK(has_root(c) == (c == collective::bcast || c == collective::reduce));
        const bool moves_only = c == collective::barrier || c == collective::bcast
                                || c == collective::allgather || c == collective::alltoall;
        CHECK(folds(c) == !moves_only);
    }
}
