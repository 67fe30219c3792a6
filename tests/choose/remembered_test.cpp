// SPDX-License-Identifier: BSL-1.0
#include <tutti/choose/remembered.hpp>

#include <cstdint>
#include <utility>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("lengths are rounded down to a power of two or one and a half times one", "[choose][remembered]") {
    CHECK(detail::rounded_length(0) == 0);
    CHECK(detail::rounded_length(1) == 1);
    for (const auto& [bytes, rounded] :
         {std::pair{2, 2}, {3, 3}, {5, 4}, {7, 6}, {8, 8}, {100, 96}, {4096, 4096}})
        CHECK(detail::rounded_length(bytes) == rounded);
    std::int64_t before = -1;
    for (std::int64_t bytes = 0; bytes < 5000; ++bytes) {
        const std::int64_t rounded = detail::rounded_length(bytes);
        CHECK((rounded <= bytes && 3 * rounded >= 2 * bytes - 2));
        CHECK(detail::rounded_length(rounded) == rounded);
        // One slot for every rounded length, no two with the same.
        CHECK(detail::choice_length_of(bytes) == detail::choice_length_of(rounded));
        CHECK((detail::choice_length_of(bytes) != detail::choice_length_of(before < 0 ? 0 : before))
              == (bytes > 0 && rounded == bytes));
        before = rounded;
    }
    CHECK(detail::choice_length_of(INT64_MAX) == detail::choice_lengths - 1);
}

TEST_CASE("a choice is found again for requests of its kind and no others", "[choose][remembered]") {
    detail::remembered_choices known;
    const choice one{.algorithm = "one"}, other{.algorithm = "other"};
    const request_facts facts{.at = {0, 5, 2}, .bytes = 100};
    CHECK(known.find(collective::reduce, facts) == nullptr);
    known.remember(collective::reduce, facts, one);
    CHECK(known.find(collective::reduce, facts) == &one);
    CHECK(known.find(collective::reduce, {.at = {3, 5, 4}, .bytes = 127}) == &one);
    CHECK(known.find(collective::bcast, facts) == nullptr);
    for (const request_facts& different :
         {request_facts{.at = {0, 5, 0}, .bytes = 100}, request_facts{.at = {0, 5, 2}, .bytes = 128},
          request_facts{.at = {0, 5, 2}, .bytes = 95},
          request_facts{.at = {0, 5, 2}, .bytes = 100, .commutative = false},
          request_facts{.at = {0, 5, 2}, .bytes = 100, .equal_blocks = false}}) {
        CHECK(known.find(collective::reduce, different) == nullptr);
        known.remember(collective::reduce, different, other);
        CHECK(known.find(collective::reduce, different) == &other);
        CHECK(known.find(collective::reduce, facts) == &one);
    }
    known.forget();
    CHECK(known.find(collective::reduce, facts) == nullptr);
}
