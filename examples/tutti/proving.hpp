// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/relation.hpp>
#include <tutti/verify/report.hpp>

#include "selection.hpp"

namespace program {

/// Proves a candidate for one size and root. A generator that refuses the place is a finding like any other,
/// and so is one whose proof does not fit the memory.
tutti::proof prove(const candidate& what, tutti::rank_type size, tutti::rank_type root);

/// The same of a multicast, for a relation.
tutti::proof prove(const candidate& what, const tutti::relation& who);

} // namespace program
