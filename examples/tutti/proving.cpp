// SPDX-License-Identifier: BSL-1.0
#include "proving.hpp"

#include <new>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/verify/prover.hpp>

#include "relation_choice.hpp"

namespace program {

namespace {

tutti::proof refusal(std::string why) {
    tutti::proof refused;
    refused.findings.push_back({.what = std::move(why)});
    return refused;
}

template <class Prove>
tutti::proof proof_or_refusal(const candidate& what, tutti::rank_type size, Prove&& prove) {
    try {
        return prove();
    } catch (const tutti::argument_error& e) {
        return refusal(e.what());
    } catch (const std::bad_alloc&) { // what was held is free again: the next schedule may fit
        return refusal("not proved: the blocks of " + std::to_string(size) + " ranks by "
                       + tutti::name_with_options(what.entry->name, what.with)
                       + " do not fit the memory; take fewer ranks or segments");
    }
}

} // namespace

tutti::proof prove(const candidate& what, tutti::rank_type size, tutti::rank_type root) {
    std::optional<tutti::relation> who; // too many ranks for one are a mistake of the arguments: not caught
    if (!what.relation.empty()) who = relation_named(what.relation, size);
    return proof_or_refusal(what, size, [&] {
        const candidate made = who ? over_relation(what, *who) : what;
        const auto make = [&](tutti::place at) { return made.make(at); };
        return who ? tutti::prove(*who, make) : tutti::prove(what.entry->what, size, root, make);
    });
}

} // namespace program
