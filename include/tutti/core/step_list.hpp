// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <tutti/core/reusable_list.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// Steps in a row, kept and refilled round after round.
using step_list = reusable_list<step>;

} // namespace tutti
