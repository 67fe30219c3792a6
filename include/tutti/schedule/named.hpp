// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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
inline const catalogue_entry& entry_named(collective what, std::string_view name,
                                          std::span<const catalogue_entry> among) {
    if (const catalogue_entry* entry = find_algorithm(among, name)) return *entry;
    std::string known;
    for (const catalogue_entry& entry : among) known += (known.empty() ? "" : ", ") + std::string(entry.name);
    throw argument_error(std::string(name_of(what)).append(" algorithm"), std::string(name), known);
}
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
