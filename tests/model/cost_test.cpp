// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/cost.hpp>

#include <tutti/model/machine.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

/// As little as a model can have.
struct least {
    static constexpr bool synchronous = false;
    cost start() const { return {}; }
    cost sender(const message_facts&) const { return {}; }
    cost flight(const message_facts&) const { return {}; }
    cost receiver(const message_facts&) const { return {}; }
    cost fold(std::int64_t) const { return {}; }
    cost copy(std::int64_t) const { return {}; }
};
struct lacks_copy {
    [[maybe_unused]] static constexpr bool synchronous = false;
    cost start() const { return {}; }
    cost sender(const message_facts&) const { return {}; }
    cost flight(const message_facts&) const { return {}; }
    cost receiver(const message_facts&) const { return {}; }
    cost fold(std::int64_t) const { return {}; }
};

static_assert(cost_model<least> && !has_gap<least> && !has_waits<least> && !asks_again<least>);
static_assert(!cost_model<lacks_copy>);
static_assert(!cost_model<int>);
static_assert(cost_model<loggops> && has_gap<loggops> && has_waits<loggops>);
static_assert(cost_model<measured>);
static_assert(cost_model<moody_2003::model>);
static_assert(cost_model<rabenseifner_2004::model>);
static_assert(cost_model<kumar_kale_2004::model> && asks_again<kumar_kale_2004::model>);

} // namespace

TEST_CASE("costs add up part by part", "[model]") {
    constexpr cost a{.startup = 1, .transfer = 2, .fold = 4};
    constexpr cost b{.startup = 8, .transfer = 16, .fold = 32};
    static_assert(a + b == cost{9, 18, 36});
    static_assert((a + b).us() == 63);
    cost sum = a;
    sum += b;
    CHECK(sum == a + b);
    CHECK(cost{}.us() == 0);
}
