// SPDX-License-Identifier: BSL-1.0
#include "proving.hpp"

#include <cstddef>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>
#include <tutti/verify/prover.hpp>

namespace program {

namespace {

template <class Prove>
tutti::proof proof_or_refusal(Prove&& prove) {
    try {
        return prove();
    } catch (const tutti::argument_error& e) {
        tutti::proof refused;
        refused.findings.push_back({.what = e.what()});
        return refused;
    }
}

} // namespace

tutti::proof prove(const candidate& what, tutti::rank_type size, tutti::rank_type root) {
    return proof_or_refusal([&] {
        return tutti::prove(what.entry->what, size, root,
                            [&](tutti::place at) { return what.entry->make(at, what.with); });
    });
}

tutti::proof prove(const candidate& what, const tutti::relation& who) {
    return proof_or_refusal([&] {
        const std::vector<tutti::any_generator> ranks = tutti::make_multicasts(*what.entry, who, what.with);
        return tutti::prove(who, [&](tutti::place at) { return ranks[static_cast<std::size_t>(at.rank)]; });
    });
}

} // namespace program
