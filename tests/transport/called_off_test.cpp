// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/called_off.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include <tutti/transport/bulletin.hpp>
#include <tutti/transport/shared_text.hpp>

#include "support/catch2.hpp"

using tutti::channel_type;
using tutti::detail::bulletin;
using tutti::detail::called_off;

TEST_CASE("a call that was called off is found with its first reason, and no other", "[transport]") {
    const auto calls = std::make_unique<called_off>();
    CHECK(calls->count() == 0);
    CHECK(!calls->find(0).exists());
    CHECK(calls->add(7, 2, "its vector is too short"));
    CHECK(!calls->add(7, 1, "a consequence"));
    CHECK(calls->count() == 1);
    const auto found = calls->find(7);
    REQUIRE(found.exists());
    CHECK(found.by == 2);
    CHECK(found.why == "its vector is too short");
    CHECK(!calls->find(0).exists());
    CHECK(!calls->find(6).exists());
}

TEST_CASE("thousands of calls may be called off before anybody looks; reasons of old ones are forgotten",
          "[transport]") {
    const auto calls = std::make_unique<called_off>();
    const channel_type context = 3U << tutti::channel_counter_bits;
    for (channel_type k = 0; k < called_off::most; ++k)
        CHECK(calls->add(context | k, static_cast<tutti::rank_type>(k % 100), "reason " + std::to_string(k)));
    for (channel_type k = 0; k < called_off::most; ++k) {
        const auto found = calls->find(context | k);
        REQUIRE(found.exists());
        CHECK(found.by == static_cast<tutti::rank_type>(k % 100));
        if (k + called_off::most_reasons >= called_off::most)
            CHECK(found.why == "reason " + std::to_string(k));
        else
            CHECK(found.why.find("takes no part in this call") != std::string::npos);
    }
    CHECK(calls->add(context | static_cast<channel_type>(called_off::most), 0, "one more"));
    CHECK(!calls->find(context).exists()); // in whose place it is
}

TEST_CASE("numbers of calls that wrap round mean other calls", "[transport]") {
    const auto calls = std::make_unique<called_off>();
    for (const channel_type old : {5U, 6U, 7U}) CHECK(calls->add(old, 1, "long ago"));
    CHECK(!calls->find(6 + (1U << (tutti::channel_counter_bits - 1))).exists()); // half way round
    for (const channel_type old : {5U, 6U, 7U}) CHECK(!calls->find(old).exists());
}

TEST_CASE("the first call of all is forgotten as others are", "[transport]") {
    // Channel 0, called off by rank 0, is the smallest entry that there can be.
    const auto calls = std::make_unique<called_off>();
    CHECK(calls->add(0, 0, "long ago"));
    CHECK(calls->has(0));
    CHECK(!calls->has(1U << (tutti::channel_counter_bits - 1))); // half way round
    CHECK(!calls->has(0));
}

TEST_CASE("what is forgotten between two runs are all calls, and leaves none behind", "[transport]") {
    const auto calls = std::make_unique<called_off>();
    for (const channel_type one : {0U, 5U}) CHECK(calls->add(one, 1, "in the run before"));
    calls->forget_all();
    CHECK(calls->count() == 0);
    for (const channel_type one : {0U, 5U}) CHECK(!calls->has(one));
}

TEST_CASE("the first failure is the one that is told, however long", "[transport]") {
    const auto news = std::make_unique<bulletin>();
    CHECK(!news->failed());
    const std::string text(999, 'x');
    CHECK(news->post(3, text + "yz", true));
    CHECK(!news->post(1, "later", false));
    CHECK(news->failed());
    CHECK(news->by() == 3);
    CHECK(news->lost());
    CHECK(news->why() == text + "y");
}
