// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/render/comparison_html.hpp>

#include "simulating.hpp"

namespace program {

/// What two schedules of one collective come to: rounds, messages, what the busiest rank sends, and the price
/// on a machine for vectors of each length of `bytes`, which are ascending; of a barrier one price.
std::vector<tutti::compared_figure> figures_of(tutti::collective what, const schedule& one,
                                               const schedule& other, const tutti::machine& on,
                                               std::span<const std::int64_t> bytes,
                                               std::int64_t element_bytes);

} // namespace program
