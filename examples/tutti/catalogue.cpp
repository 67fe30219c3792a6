// SPDX-License-Identifier: BSL-1.0
#include <tutti/schedule/catalogue.hpp>

// The only file that makes the generators: compiling all of them takes most of its time. See
// TUTTI_CATALOGUE_APART.
std::span<const tutti::catalogue_entry> tutti::catalogue() noexcept { return detail::catalogue_entries<>; }
