// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/spelling.hpp>

#include <array>
#include <string_view>

#include "support/catch2.hpp"

TEST_CASE("what was meant is what takes the fewest edits", "[core]") {
    using tutti::detail::edits;
    CHECK(edits("", "abc") == 3);
    CHECK(edits("ring", "ring") == 0);
    CHECK(edits("Re-Duce", "re_duce") == 0);
    CHECK(edits("kitten", "sitting") == 3);
    CHECK(edits("rnig", "ring") == 1); // neighbours that are swapped
    CHECK(edits("abcd", "badc") == 2);
    constexpr std::array<std::string_view, 4> names{"ring", "bruck", "recursive_doubling",
                                                    "recursive_halving"};
    const auto meant = [&](std::string_view word) { return tutti::detail::probably_meant(word, names); };
    CHECK(meant("rings") == "ring");
    CHECK(meant("burck") == "bruck");
    CHECK(meant("recursive-doubling") == "recursive_doubling");
    CHECK(meant("recursive_d") == "recursive_doubling");
    CHECK(meant("recursive_").empty()); // both begin so
    CHECK(meant("swing").empty());      // two edits are many for five letters
    CHECK(meant("x").empty());
}

TEST_CASE("a name that there is not is told with the one that was meant", "[core]") {
    constexpr std::array<std::string_view, 2> names{"ring", "bruck"};
    CHECK(tutti::detail::did_you_mean("rings", names) == " (did you mean ring?)");
    CHECK(tutti::detail::did_you_mean("tree", names).empty());
    CHECK(tutti::detail::misspelt("bruk", names) == "'bruk' (did you mean bruck?)");
    CHECK(tutti::detail::misspelt("", names) == "''");
    CHECK(tutti::detail::listed(names) == "ring, bruck");
    CHECK(tutti::detail::listed({}).empty());
}
