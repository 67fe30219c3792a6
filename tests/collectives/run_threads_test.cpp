// SPDX-License-Identifier: BSL-1.0
#include <tutti/collectives/run_threads.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "support/catalogue_over_threads.hpp"
#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"
#include "support/extent.hpp"
#include "support/outcomes.hpp"

namespace {

using tutti::rank_type;

} // namespace

TEST_CASE("every algorithm gives the right result over threads", "[execute][threads]") {
    const rank_type size = GENERATE(from_range(support::chosen({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5, 8})));
    for (const std::int64_t count : {0, 1, 7, 1000}) {
        INFO("size " << size << ", " << count << " elements");
        CHECK(support::all_elements_over_threads(size, count) == "");
    }
}

TEST_CASE("the algorithm that is chosen gives the right result over threads", "[execute][threads]") {
    const rank_type size = GENERATE(as<rank_type>{}, 1, 2, 3, 5, 8);
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const std::int64_t count : {0, 1, 7, 1000, 12000}) {
            heard.add(comm.rank(), support::run_automatic<double>(comm, count, tutti::sum{}));
            heard.add(comm.rank(), support::run_automatic<support::matrix>(comm, count, support::multiply{}));
        }
    });
    CHECK(heard.all() == "");
}

TEST_CASE("a rank may send to more others at once than a mailbox holds messages", "[execute][threads]") {
    // Then the engine leaves its short cut for small messages in the middle of the schedule.
    constexpr rank_type size = 19;
    static_assert(size - 1 > tutti::threads::transport::eager_depth());
    support::complaints heard(size);
    tutti::threads::run(size, [&](auto& comm) {
        for (const std::int64_t count : {0, 1, 3})
            for (const bool in_place : {false, true})
                for (const auto& [what, name] : {std::pair{tutti::collective::allreduce, "serial"},
                                                 {tutti::collective::bcast, "serial"},
                                                 {tutti::collective::reduce, "serial"},
                                                 {tutti::collective::reduce_scatter, "direct"},
                                                 {tutti::collective::alltoall, "pairwise"}})
                    heard.add(comm.rank(),
                              support::run_and_check<support::matrix>(
                                  comm, what, count, 3, support::multiply{}, tutti::named{name}, in_place));
    });
    CHECK(heard.all() == "");
}
