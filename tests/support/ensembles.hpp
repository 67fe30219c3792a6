// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/catalogue.hpp>

/// Whole schedules from the catalogue, for tests of whoever looks at all ranks.
namespace support {

using any_ensemble = tutti::ensemble<tutti::any_generator>;

inline any_ensemble ensemble_of(const tutti::catalogue_entry& entry, tutti::rank_type size,
                                const tutti::parameters& options = {}, tutti::rank_type root = 0) {
    return any_ensemble([&](tutti::place at) { return entry.make(at, options); }, size, root);
}

inline any_ensemble ensemble_of(tutti::collective what, std::string_view name, tutti::rank_type size,
                                const tutti::parameters& options = {}, tutti::rank_type root = 0) {
    const tutti::catalogue_entry* entry = tutti::find_algorithm(what, name);
    if (entry == nullptr) throw std::runtime_error("no such algorithm: " + std::string(name));
    return ensemble_of(*entry, size, options, root);
}

/// "reduce by fnomial, 5 ranks".
inline std::string name_of(const tutti::catalogue_entry& entry, tutti::rank_type size) {
    return std::string(tutti::name_of(entry.what)) + " by " + std::string(entry.name) + ", "
           + std::to_string(size) + " ranks";
}

/// The defaults of an algorithm, and other values for all the options it has.
inline std::vector<tutti::parameters> variants_of(const tutti::catalogue_entry& entry) {
    tutti::parameters other;
    for (const auto& [option, standard] : entry.defaults)
        for (const auto& [name, value] : std::initializer_list<tutti::option_value>{{"radix", 3},
                                                                                    {"arity", 3},
                                                                                    {"splits", 1},
                                                                                    {"segments", 3},
                                                                                    {"k", 2},
                                                                                    {"zeta", 1},
                                                                                    {"outstanding", 2},
                                                                                    {"message_blocks", 2},
                                                                                    {"pace", 3}})
            if (std::string_view(name) == option) other.set(option, value);
    if (other.empty()) return {{}};
    return {{}, other};
}

/// Calls f(schedule, description) for every algorithm of the catalogue, and once more with other options
/// where it has some, for each of `sizes`.
template <class Sizes, class F>
void for_each_schedule(const Sizes& sizes, F&& f) {
    for (const tutti::catalogue_entry& entry : tutti::catalogue())
        for (const tutti::parameters& options : variants_of(entry))
            for (const tutti::rank_type size : sizes)
                f(ensemble_of(entry, size, options),
                  name_of(entry, size) + (options.empty() ? "" : ", other options"));
}

} // namespace support
