// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: the generators of all algorithms.
#define TUTTI_COMPILING
#include <tutti/schedule/catalogue.hpp>

namespace tutti {

std::span<const catalogue_entry> catalogue() noexcept { return detail::catalogue_entries<>; }

} // namespace tutti
