// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/collective.hpp>
#include <tutti/schedule/algorithm.hpp>
#include <tutti/schedule/doubling_scan.hpp>

namespace tutti {

/// See doubling_scan.
constexpr auto generate(collective_constant<collective::scan>, const recursive_doubling&, place at) {
    return doubling_scan<collective::scan>(at);
}

} // namespace tutti
