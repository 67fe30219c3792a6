// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

namespace tutti {

/// What stands above a picture.
struct picture_heading {
    std::string title;
    std::vector<std::string> lines{}; ///< below it, smaller
};

} // namespace tutti
