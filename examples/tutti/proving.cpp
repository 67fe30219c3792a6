// SPDX-License-Identifier: BSL-1.0
#include "proving.hpp"

#include <tutti/core/error.hpp>
#include <tutti/verify/prover.hpp>

namespace program {

tutti::proof prove(const candidate& what, tutti::rank_type size, tutti::rank_type root) {
    try {
        return tutti::prove(what.entry->what, size, root,
                            [&](tutti::place at) { return what.entry->make(at, what.with); });
    } catch (const tutti::argument_error& e) {
        tutti::proof refused;
        refused.findings.push_back({.what = e.what()});
        return refused;
    }
}

} // namespace program
