// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <tutti/core/collective.hpp>
#include <tutti/verify/prover.hpp>

#include "support/catch2.hpp"

namespace tutti::testing {

/// Makes the generators of algorithm `how` for collective C; include the schedule's header before.
template <class Algorithm, collective C>
generator_factory factory_of(Algorithm how = {}) {
    return [how](place at) { return any_generator(generate(of<C>, how, at)); };
}

inline std::string listed(const std::vector<finding>& findings) {
    std::string text;
    for (const finding& f : findings) text += "\n    " + f.what;
    return text.empty() ? "none" : text;
}

/// The claims that are weaker than what was proved, one word each. What is claimed too much the prover itself
/// finds; a claim too weak is true, but refuses calls and copies inputs that need not be.
inline std::string weak_claims(const capabilities& claims, const proof& p, rank_type size) {
    std::string words;
    const auto compare = [&words](const char* word, bool is_weak) {
        if (is_weak) words += (words.empty() ? "" : " ") + std::string(word);
    };
    compare("order", p.order_preserved && !claims.order_preserving);
    compare("bits", p.same_bits && !claims.same_bits_on_all_ranks);
    compare("tree",
            size > 4 && p.canonical_tree && !claims.canonical_tree); // of few, many trees are that one
    compare("moves", !p.moves_blocks && claims.moves_blocks);
    compare("reads", !p.reads_input && claims.reads_input);
    compare("uniform", p.uniform_rounds > claims.uniform_rounds);
    return words;
}

/// Requires that the schedule is proved; prints what was found otherwise.
inline proof check_proved(collective what, rank_type size, rank_type root, const generator_factory& make) {
    const proof p = prove(what, size, root, make);
    INFO(name_of(what) << ", size " << size << ", root " << root << "; findings: " << listed(p.findings));
    REQUIRE(p.proved);
    return p;
}

} // namespace tutti::testing
