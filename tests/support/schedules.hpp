// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>

#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"

/// Schedules by name, for those who look at them and do not run them.
namespace support {

using schedule = tutti::ensemble<tutti::any_generator>;

inline schedule make_schedule(const tutti::catalogue_entry& e, tutti::rank_type size,
                              tutti::rank_type root = 0, const tutti::parameters& given = {}) {
    return schedule([&](tutti::place at) { return e.make(at, tutti::effective(e, given)); }, size, root);
}
inline schedule make_schedule(tutti::collective what, std::string_view name, tutti::rank_type size,
                              tutti::rank_type root = 0, const tutti::parameters& given = {}) {
    const tutti::catalogue_entry* e = tutti::find_algorithm(what, name);
    REQUIRE(e != nullptr);
    return make_schedule(*e, size, root, given);
}

} // namespace support
