// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/error.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/catch2.hpp"

using namespace tutti;

TEST_CASE("an argument error says which argument, its value and what is allowed", "[core][error]") {
    const argument_error e("radix", "1", "at least 2");
    CHECK(e.argument() == "radix");
    CHECK(e.value() == "1");
    CHECK(e.allowed() == "at least 2");
    CHECK(std::string(e.what()) == "tutti: radix is 1; allowed: at least 2");
}

TEST_CASE("an argument error of a call names the call and the rank, once", "[core][error]") {
    const auto met = [](const auto& what) {
        try {
            try {
                throw what;
            } catch (...) {
                detail::throw_of_call("bcast", 2);
            }
        } catch (const argument_error& e) {
            return std::to_string(e.rank()) + " " + e.call() + " " + e.argument() + " " + e.value() + " "
                   + e.allowed() + ": " + e.what();
        } catch (const error& e) {
            return std::string(e.what());
        }
    };
    const argument_error alone("root", "7", "0..4");
    CHECK(alone.call().empty());
    CHECK(alone.rank() == -1);
    CHECK(met(alone) == "2 bcast root 7 0..4: tutti: bcast on rank 2: root is 7; allowed: 0..4");
    CHECK(met(argument_error(alone, "scatter", 0))
          == "0 scatter root 7 0..4: tutti: scatter on rank 0: root is 7; allowed: 0..4");
    CHECK(met(error("something else")) == "something else");
}

TEST_CASE("range checks say the range", "[core][error]") {
    try {
        detail::throw_argument_below("root", 7, 5);
    } catch (const argument_error& e) {
        CHECK(std::string(e.what()) == "tutti: root is 7; allowed: 0..4");
    }
    CHECK_THROWS_AS(detail::throw_argument_below("root", 7, 5), argument_error);
    CHECK_THROWS_AS(detail::throw_argument("size", 0, "at least 1"), argument_error);
}

TEST_CASE("a collective error names collective, rank, round, step and peer", "[core][error]") {
    const collective_error e({.collective = "allreduce", .rank = 1, .round = 2, .step = 3, .peer = 4},
                             "the peer is gone");
    CHECK(e.where().round == 2);
    CHECK(std::string(e.what())
          == "tutti: allreduce failed on rank 1, round 2, step 3, peer 4: the peer is gone");
}

TEST_CASE("what a collective error does not know it does not tell", "[core][error]") {
    const auto text = [](const collective_error::location& where) {
        return std::string(collective_error(where, "gone").what());
    };
    CHECK(text({.collective = "bcast", .rank = 1, .round = 2, .peer = 0})
          == "tutti: bcast failed on rank 1, round 2, peer 0: gone");
    CHECK(text({.collective = "bcast", .rank = 1}) == "tutti: bcast failed on rank 1: gone");
    CHECK(text({.collective = "bcast", .rank = 0, .round = 0, .step = 0})
          == "tutti: bcast failed on rank 0, round 0, step 0: gone");
}

TEST_CASE("a transport error knows its peer, or that there is none", "[core][error]") {
    CHECK(transport_error("lost", 3).peer() == 3);
    CHECK(transport_error("lost").peer() == -1);
}

TEST_CASE("everything thrown is a tutti::error and a std::runtime_error", "[core][error]") {
    CHECK(std::is_base_of_v<std::runtime_error, error>);
    CHECK_THROWS_AS(throw argument_error("a", "b", "c"), error);
    CHECK_THROWS_AS(throw transport_error("lost"), error);
    CHECK_THROWS_AS(throw collective_error({}, "why"), error);
}
