// SPDX-License-Identifier: BSL-1.0
#include <tutti/execute/run_threads.hpp>

#include <cstdint>
#include <vector>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::rank_type;

template <class T, class Op>
std::string whole_catalogue(rank_type size, std::int64_t count, const Op& op) {
    support::complaints heard(size);
    tutti::threads::run(
        size, [&](auto& comm) { heard.add(comm.rank(), support::run_catalogue<T>(comm, count, op)); });
    return heard.all();
}

std::string with_all_elements(rank_type size, std::int64_t count) {
    return whole_catalogue<int>(size, count, tutti::sum{})
           + whole_catalogue<double>(size, count, tutti::max{})
           + whole_catalogue<support::moments>(size, count, tutti::commutative(support::merge_moments{}))
           + whole_catalogue<support::matrix>(size, count, support::multiply{});
}

} // namespace

TEST_CASE("every algorithm gives the right result over threads", "[execute][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17);
    for (const std::int64_t count : {0, 1, 7, 1000}) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(with_all_elements(size, count) == "");
    }
}

TEST_CASE("every algorithm gives the right result for long vectors over threads", "[execute][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 2, 5);
    CHECK(with_all_elements(size, 100003) == "");
}

TEST_CASE("the algorithm that is chosen gives the right result over threads", "[execute][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5, 8, 13);
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const std::int64_t count : {0, 1, 7, 1000, 40000}) {
            heard.add(comm.rank(), support::run_automatic<double>(comm, count, tutti::sum{}));
            heard.add(comm.rank(), support::run_automatic<support::matrix>(comm, count, support::multiply{}));
        }
    });
    CHECK(heard.all() == "");
}
