// SPDX-License-Identifier: BSL-1.0
#include "running_case.hpp"

namespace program {

std::unique_ptr<element_type> make_double() {
    // Whole numbers: every order of folding gives the same sum.
    return make_runner<double>(tutti::sum{}, [](std::int64_t rank, std::int64_t i) {
        return static_cast<double>(scrambled(rank, i));
    });
}

} // namespace program
