// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace program {

/// How many letters to change, add, leave out or swap with their neighbours until `a` is `b`; capitals and
/// small letters are the same, so are - and _.
int edits(std::string_view a, std::string_view b);

/// The name that was probably meant: what is called so elsewhere; the first of those with the fewest edits,
/// if these are few for so short a word; or the only one that begins with the word. "" if there is none.
std::string_view probably_meant(std::string_view word, std::span<const std::string_view> names);

/// "'rings' (did you mean ring?)", or the word in quotes alone: the value of an argument_error.
std::string misspelt(std::string_view word, std::span<const std::string_view> names);

} // namespace program
