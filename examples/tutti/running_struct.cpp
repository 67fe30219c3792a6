// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

namespace {

/// Count, sum and extremes of a set of numbers.
struct summary {
    std::int64_t count = 0;
    std::int64_t sum = 0;
    std::int32_t smallest = 0;
    std::int32_t largest = 0;
};
static_assert(sizeof(summary) == 24);

struct merge {
    summary operator()(const summary& a, const summary& b) const {
        return {.count = a.count + b.count,
                .sum = a.sum + b.sum,
                .smallest = std::min(a.smallest, b.smallest),
                .largest = std::max(a.largest, b.largest)};
    }
};

} // namespace

std::unique_ptr<element_type> make_struct() {
    return make_runner<summary>(tutti::commutative(merge{}), [](std::int64_t rank, std::int64_t i) {
        const auto value = static_cast<std::int32_t>(scrambled(rank, i));
        return summary{.count = 1, .sum = value, .smallest = value, .largest = value};
    });
}

} // namespace program
