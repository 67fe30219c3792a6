// SPDX-License-Identifier: BSL-1.0
// Of the archive tutti::compiled: the generators of all algorithms.
#define TUTTI_COMPILING
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>
#include <tutti/schedule/named.hpp>

namespace tutti {

std::span<const catalogue_entry> detail::own_catalogue() noexcept { return detail::catalogue_entries<>; }

std::span<const catalogue_entry> catalogue() {
    static const std::vector<catalogue_entry> all = detail::added().behind(detail::own_catalogue());
    return all;
}

} // namespace tutti
