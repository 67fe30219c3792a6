// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/fixed_array.hpp>

#include <memory>
#include <utility>

#include "support/catch2.hpp"

using tutti::detail::fixed_array;

TEST_CASE("a fixed array makes its things, and ends them", "[core]") {
    const auto shared = std::make_shared<int>(5);
    {
        const fixed_array<int> zeros(100);
        CHECK((zeros[0] == 0 && zeros[99] == 0));
        fixed_array<std::shared_ptr<int>> some(3);
        for (std::size_t i = 0; i < 3; ++i) some[i] = shared;
        CHECK(shared.use_count() == 4);
        fixed_array<std::shared_ptr<int>> moved(std::move(some));
        CHECK((moved.data() != nullptr && *moved[2] == 5));
        fixed_array<std::shared_ptr<int>> none;
        CHECK(none.data() == nullptr);
        none = std::move(moved);
        CHECK((moved.data() == nullptr && shared.use_count() == 4));
    }
    CHECK(shared.use_count() == 1);
}
