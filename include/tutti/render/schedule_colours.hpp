// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

/// The colours of schedules, the same in all pictures. Blue for what is copied and held, vermilion for what
/// is folded: people who see no red or green tell them apart, and so does grey print, for folds are thick
/// with full heads, copies thin with open ones. (Blue and vermilion of Okabe and Ito 2002.)
namespace tutti::detail::colours {

inline constexpr std::string_view ink = "#1f2933";
inline constexpr std::string_view quiet = "#52606d"; // second to the ink
inline constexpr std::string_view line = "#cbd2d9";  // of ranks and frames
inline constexpr std::string_view paper = "#f5f7fa"; // empty blocks
inline constexpr std::string_view copied = "#0072b2";
inline constexpr std::string_view folded = "#d55e00";
inline constexpr std::string_view held = "#0072b2";
inline constexpr std::string_view held_no_more = "#c3ccd5"; // held, but needed no more

} // namespace tutti::detail::colours
