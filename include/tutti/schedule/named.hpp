// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/spelling.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>

namespace tutti {

/// An algorithm by its name in the catalogue, for programs whose user names it:
/// `tutti::allreduce(comm, in, out, op, tutti::named{"fnomial", {{"radix", 4}}})`.
struct named {
    std::string_view name; ///< as in the catalogue
    parameters options{};  ///< those not given have their defaults
};

namespace detail {
/// Throws argument_error, listing the names there are, if none of these has the name.
const catalogue_entry& entry_named(collective what, std::string_view name,
                                   std::span<const catalogue_entry> among);

/// Their names, in their order.
std::vector<std::string_view> names_of(std::span<const catalogue_entry> among);

#if TUTTI_BODIES
TUTTI_BODY std::vector<std::string_view> names_of(std::span<const catalogue_entry> among) {
    std::vector<std::string_view> names;
    for (const catalogue_entry& entry : among) names.push_back(entry.name);
    return names;
}
TUTTI_BODY const catalogue_entry& entry_named(collective what, std::string_view name,
                                              std::span<const catalogue_entry> among) {
    if (const catalogue_entry* entry = find_algorithm(among, name)) return *entry;
    const std::vector<std::string_view> names = names_of(among);
    throw argument_error(std::string(name_of(what)).append(" algorithm"),
                         std::string(name).append(did_you_mean(name, names)), listed(names));
}
#endif
} // namespace detail

/// Throws argument_error, listing the names there are, if collective C has no algorithm of that name.
template <collective C>
any_generator generate(collective_constant<C>, const named& how, place at) {
    return detail::entry_named(C, how.name, catalogue_of<C>()).make(at, how.options);
}

/// A multicast, by the name of an allgather or "serial". A template only so that no more than the programs
/// that ask for it compile the allgathers.
template <class Whenever = void>
any_generator generate(collective_constant<collective::multicast>, const named& how, const relation& who,
                       place at) {
    static const std::vector<catalogue_entry> all =
        multicasts_of(catalogue_of<detail::later<Whenever>(collective::allgather)>());
    return make_multicast(detail::entry_named(collective::multicast, how.name, all), who, at, how.options);
}

} // namespace tutti
