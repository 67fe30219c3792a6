// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/verify/report.hpp>

#include "selection.hpp"

namespace program {

/// Proves a candidate for one size and root, a multicast over its relation. A generator that refuses the
/// place is a finding like any other, and so is one whose proof does not fit the memory.
tutti::proof prove(const candidate& what, tutti::rank_type size, tutti::rank_type root);

} // namespace program
