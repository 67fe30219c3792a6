// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "arguments.hpp"

/// Completions for shells and the manual page, both made from what the verbs say of themselves.
namespace program {

/// A verb as its help has it.
struct described_verb {
    std::string_view name;
    std::string_view summary;
    std::string_view details;
    std::vector<option> options;
};

/// The words that an option's value can be made of.
struct known_values {
    std::string_view option_name;
    std::vector<std::string_view> words;
};

inline constexpr std::string_view shells[] = {"bash", "zsh", "fish"};

/// What a shell reads to complete the program's command line. `shell` is one of `shells`.
void print_completion(std::ostream& out, std::string_view shell, std::span<const described_verb> verbs,
                      std::span<const known_values> values);

/// The manual page in section 1, for man. `general`: what holds for all verbs.
void print_manual(std::ostream& out, std::string_view version, std::string_view general,
                  std::span<const described_verb> verbs);

} // namespace program
