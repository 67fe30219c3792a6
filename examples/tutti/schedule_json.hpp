// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <ostream>

#include "simulating.hpp"

namespace program {

/// A schedule for programs: what it is, and as rows the steps of every rank in every round, in their order;
/// of one rank if one is named. A message of several block sets is one step. Blocks stand as [first, count],
/// in the order in which they travel, and never run over the end of the vector.
void print_json(const candidate& by, const schedule& all, std::optional<tutti::rank_type> only,
                std::ostream& out);

} // namespace program
