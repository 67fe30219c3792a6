// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/typed_number.hpp>

#include <cstdint>

#include "support/catch2.hpp"

TEST_CASE("numbers as they are typed are exact, in the fewest letters", "[render]") {
    using tutti::typed_number;
    CHECK(typed_number(0) == "0");
    CHECK(typed_number(1000) == "1000");
    CHECK(typed_number(1024) == "1K");
    CHECK(typed_number(1536) == "1536");
    CHECK(typed_number(3 << 20) == "3M");
    CHECK(typed_number((1 << 20) + (1 << 10)) == "1025K");
    CHECK(typed_number(std::int64_t{1} << 40) == "1024G");
}
