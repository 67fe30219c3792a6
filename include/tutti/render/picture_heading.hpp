// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutti {

/// What stands above a picture.
struct picture_heading {
    std::string title;                ///< of one line; may be empty
    std::vector<std::string> lines{}; ///< below it, smaller
};

/// How a schedule is drawn.
enum class schedule_picture : std::uint8_t {
    fitting, ///< as a tree if its messages make one of few levels, else round by round
    rounds,  ///< ranks are lines (in DOT columns), rounds are columns (in DOT rows)
    tree,    ///< ranks are nodes, messages are edges that bear the numbers of their rounds
};

} // namespace tutti
