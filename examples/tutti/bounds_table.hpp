// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <iosfwd>
#include <vector>

#include "selection.hpp"

namespace program {

/// For every collective of `all` what no schedule can beat, the best of these, and whose it is: of 1000
/// ranks, as a table in Markdown. Where the bound is not met, a note behind the table says why.
void print_bounds(const std::vector<candidate>& all, std::ostream& out);

} // namespace program
