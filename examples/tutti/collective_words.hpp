// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "arguments.hpp"

namespace program {

/// The collectives that `text`, of --collective, names, which are to be `known`. Who names a call that has no
/// schedules of its own, as allgatherv, hears whose it runs.
std::vector<std::string_view> collective_words(std::string_view text, std::span<const std::string_view> known,
                                               all_is told = all_is::told);

} // namespace program
