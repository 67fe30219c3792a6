// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ostream>

#include <tutti/render/schedule_window.hpp>

#include "simulating.hpp"

namespace program {

/// A schedule for programs: what it is, and as rows the steps of every rank in every round, in their order;
/// only those that `shown` has. A message of several block sets is one step. Blocks stand as [first, count],
/// in the order in which they travel, and never run over the end of the vector.
void print_json(const candidate& by, const schedule& all, const tutti::schedule_window& shown,
                std::ostream& out);

} // namespace program
