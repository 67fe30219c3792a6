// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/catalogue.hpp>

// Compiled once for all tests; see TUTTI_CATALOGUE_APART.
std::span<const tutti::catalogue_entry> tutti::catalogue() noexcept { return detail::catalogue_entries<>; }
