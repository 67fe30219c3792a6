// SPDX-License-Identifier: BSL-1.0
#include "boost_mpi/serialised.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "support/catalogue_runs.hpp"
#include "support/catch2.hpp"

using support::numbers;
using support::tally;
using support::with_boost;

TEST_CASE(
    "strings are put together in the order of ranks by every algorithm that keeps it; others are refused") {
    for (const tutti::rank_type size : {1, 2, 3, 4, 5, 7, 8})
        for (const std::int64_t count : {0, 1, 7}) {
            INFO(size << " ranks, " << count << " elements");
            CHECK(with_boost(size,
                             [&](auto& comm) {
                                 return support::run_catalogue<std::string>(comm, count,
                                                                            support::concatenate{});
                             })
                  == "");
        }
}

TEST_CASE("sets are united by every algorithm there is") {
    for (const tutti::rank_type size : {2, 3, 5, 8})
        for (const std::int64_t count : {1, 11}) {
            INFO(size << " ranks, " << count << " elements");
            CHECK(with_boost(size,
                             [&](auto& comm) {
                                 return support::run_catalogue<numbers>(comm, count, support::unite{});
                             })
                  == "");
        }
}

TEST_CASE("a user's struct travels by every algorithm") {
    CHECK(with_boost(5,
                     [](auto& comm) {
                         return support::run_catalogue<tally>(comm, 4,
                                                              tutti::commutative(support::merge_tallies{}));
                     })
          == "");
}

TEST_CASE("every collective of objects by the algorithm that tutti chooses, whatever the root") {
    for (const tutti::rank_type size : {1, 5, 8})
        for (const std::int64_t count : {0, 1, 7, 40})
            CHECK(with_boost(
                      size,
                      [&](auto& comm) {
                          std::string troubles =
                              support::run_automatic<std::string>(comm, count, support::concatenate{});
                          troubles += support::run_automatic<numbers>(comm, count, support::unite{});
                          for (tutti::rank_type root = 0; root < size; ++root)
                              for (const auto what : {tutti::collective::reduce, tutti::collective::bcast})
                                  troubles += support::run_and_check<std::string>(comm, what, count, root,
                                                                                  support::concatenate{},
                                                                                  tutti::automatic{}, false);
                          return troubles;
                      })
                  == "");
}

TEST_CASE("allgatherv of objects by every algorithm, with as many of each rank as it likes") {
    for (const tutti::rank_type size : {1, 3, 5, 8})
        CHECK(with_boost(size,
                         [&](auto& comm) {
                             std::vector<std::int64_t> counts;
                             for (tutti::rank_type r = 0; r < size; ++r) counts.push_back((r * 5 + 3) % 7);
                             std::string troubles;
                             for (const tutti::catalogue_entry& entry :
                                  tutti::catalogue_of<tutti::collective::allgather>())
                                 for (const bool in_place : {false, true})
                                     troubles += support::run_allgatherv<std::string>(
                                         comm, counts, tutti::named{entry.name}, in_place);
                             return troubles;
                         })
              == "");
}
