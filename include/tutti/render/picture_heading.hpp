// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>

namespace tutti {

/// What stands above a picture.
struct picture_heading {
    std::string title;
    std::vector<std::string> lines{}; ///< below it, smaller
};

/// How a schedule is drawn.
enum class schedule_picture : std::uint8_t {
    fitting, ///< as a tree if its messages make one of few levels, else round by round
    rounds,  ///< ranks are lines (in DOT columns), rounds are columns (in DOT rows)
    tree,    ///< ranks are nodes, messages are edges that bear the numbers of their rounds
};

namespace detail {

/// Whether it is drawn as a tree. Throws argument_error for schedule_picture::tree of what is no tree.
template <class Tree>
bool drawn_as_tree(const Tree& tree, schedule_picture how) {
    if (how == schedule_picture::tree && !tree.exists())
        throw argument_error("picture", "tree", "tree where the messages make one, else rounds");
    return how == schedule_picture::tree
           || (how == schedule_picture::fitting && tree.exists() && tree.flat());
}

} // namespace detail

} // namespace tutti
