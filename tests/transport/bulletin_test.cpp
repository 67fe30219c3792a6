// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/bulletin.hpp>

#include <atomic>
#include <cstdint>
#include <string>

#include "support/catch2.hpp"

using tutti::no_rank;
using tutti::detail::bulletin;

TEST_CASE("the first failure stays, with its rank, its text, and whether the rank is lost", "[transport]") {
    for (const bool lost : {false, true}) {
        bulletin news;
        CHECK(!news.failed());
        CHECK(news.post(3, "no more memory", lost));
        CHECK(news.failed());
        CHECK(!news.post(1, "later", !lost));
        CHECK(news.by() == 3);
        CHECK(news.lost() == lost);
        CHECK(news.why() == "no more memory");
    }
}

TEST_CASE("who dies while writing why is no rank's failure, and said so", "[transport]") {
    bulletin news;
    reinterpret_cast<std::atomic<std::uint32_t>&>(news).store(1); // as post() does first
    CHECK(news.failed());
    CHECK(!news.post(2, "later", true));
    CHECK(news.by() == no_rank);
    CHECK(!news.lost());
    CHECK(news.why() == "a rank failed and was lost before it could say why");
}
