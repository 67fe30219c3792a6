// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include <tutti/schedule/catalogue.hpp>

namespace tutti {

/// An algorithm by its name in the catalogue, for programs whose user names it:
/// `tutti::allreduce(comm, in, out, op, tutti::named{"fnomial", {{"radix", 4}}})`.
struct named {
    std::string_view name;
    parameters options{};
};

/// Throws argument_error, listing the names there are, if collective C has no algorithm of that name.
template <collective C>
any_generator generate(collective_constant<C>, const named& how, place at) {
    if (const catalogue_entry* entry = find_algorithm(catalogue_of<C>(), how.name))
        return entry->make(at, how.options);
    std::string known;
    for (const catalogue_entry& entry : catalogue_of<C>())
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    throw argument_error("algorithm", std::string(how.name), known);
}

} // namespace tutti
