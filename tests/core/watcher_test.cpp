// SPDX-License-Identifier: BSL-1.0
#include <type_traits>
#include <vector>

#include <tutti/core/watcher.hpp>

#include "support/catch2.hpp"

TEST_CASE("a watcher is told, or nobody is", "[core][watcher]") {
    std::vector<double> told;
    const auto f = [&](double done) { told.push_back(done); };
    const tutti::watcher somebody(f);
    somebody(0.5);
    const tutti::watcher same = somebody;
    same(1);
    CHECK(told == std::vector<double>{0.5, 1});
    CHECK(somebody);
    const tutti::watcher nobody;
    nobody(1);
    CHECK_FALSE(nobody);
}

TEST_CASE("a watcher takes nothing that is gone at once", "[core][watcher]") {
    const auto f = [](double) {};
    STATIC_REQUIRE(std::is_constructible_v<tutti::watcher, decltype((f))>);
    STATIC_REQUIRE(!std::is_constructible_v<tutti::watcher, decltype(f)>);
}

TEST_CASE("a watcher takes what can be told a number, and nothing else", "[core][watcher]") {
    STATIC_REQUIRE(std::is_constructible_v<tutti::watcher, void (*const&)(double)>);
    STATIC_REQUIRE(!std::is_constructible_v<tutti::watcher, void (*const&)(double, double)>);
    STATIC_REQUIRE(!std::is_constructible_v<tutti::watcher, const int&>);
}
