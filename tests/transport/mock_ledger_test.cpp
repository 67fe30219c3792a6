// SPDX-License-Identifier: BSL-1.0
#include <tutti/transport/mock_ledger.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include "support/catch2.hpp"

namespace mock = tutti::mock;

TEST_CASE("what was started is the same in whatever order, but to one peer on one channel",
          "[transport][mock][explore]") {
    const auto started = [](std::vector<mock::operation> in_order) {
        mock::tally all;
        for (mock::operation& op : in_order) all.start(op);
        return all.started();
    };
    const std::byte one{1}, two{2};
    const std::span<const std::byte> first(&one, 1), second(&two, 1);
    const mock::operation to_1{.sends = true, .peer = 1, .channel = 5, .from = {&first, 1}};
    const mock::operation also_to_1{.sends = true, .peer = 1, .channel = 5, .from = {&second, 1}};
    const mock::operation to_2{.sends = true, .peer = 2, .channel = 5, .from = {&second, 1}};
    const mock::operation from_1{.sends = false, .peer = 1, .channel = 5};
    CHECK(started({to_1, to_2}) == started({to_2, to_1}));
    CHECK(started({to_1, from_1}) == started({from_1, to_1}));
    CHECK(started({to_1, also_to_1}) != started({also_to_1, to_1}));
    CHECK(started({to_1, to_2}) != started({to_1, also_to_1}));
}
