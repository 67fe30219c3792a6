// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

std::unique_ptr<element_type> make_int() {
    return make_runner<std::int32_t>(tutti::sum{}, [](std::int64_t rank, std::int64_t i) {
        return static_cast<std::int32_t>(scrambled(rank, i) % 10000);
    });
}

} // namespace program
