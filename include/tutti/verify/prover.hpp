// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/lower_bounds.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/verify/report.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include <tutti/verify/execution.hpp>
#include <tutti/verify/result_check.hpp>
#include <tutti/verify/stall.hpp>
#include <tutti/verify/uniformity.hpp>
#endif

/// Proof before run: the generators of all ranks are executed on symbolic values, independent of the
/// arithmetic that made them.
///
/// Shown: peers, blocks and buffers are legal, the input is never written; sends and receives match in
/// posting order and length; nothing undefined is read; no contribution is folded twice, nor into another
/// block's; the post-condition of the collective (contract.hpp) holds exactly; round-by-round execution ends
/// without any buffering; no hazard lies inside a round; every claim of the generator (core/capabilities.hpp)
/// is true.
namespace tutti {

/// Makes the generator of the rank at a place.
using generator_factory = std::function<any_generator(place)>;

/// Proves the schedule that `make` makes for `size` ranks, or finds out what is wrong with it. Throws
/// argument_error for a size or root that is none; what `make` throws passes through.
proof prove(collective what, rank_type size, rank_type root, const generator_factory& make);

/// Proves the schedules for 1 to `most` ranks, to every root where there are roots. The first that is not
/// proved, with size and root in front of its first finding; else that for `most` ranks.
proof prove_up_to(collective what, rank_type most, const generator_factory& make);

/// Proves a multicast: everybody gets the messages that `who` says, and keeps its own.
proof prove(const relation& who, const generator_factory& make);

#if TUTTI_BODIES
namespace detail {
/// How wide a slice of the blocks may be: as narrow as the cache likes, unless steps name so few blocks each
/// that going through them again for every slice would cost more.
TUTTI_BODY block_index slice_width(const contract& terms, const std::vector<any_generator>& generators) {
    constexpr block_index narrow = 64;
    constexpr std::int64_t most_cells = std::int64_t{1} << 26;
    if (generators.front().claims().moves_blocks) return terms.blocks; // values wander between the slices
    std::int64_t named = 0;
    std::int64_t pieces = 1;
    std::vector<step> steps;
    for (const rank_type r : {rank_type{0}, terms.root, terms.size / 2, terms.size - 1})
        for (round_index i = 0; i < generators.front().rounds(); ++i) {
            steps.clear();
            generators[static_cast<std::size_t>(r)].append(i, steps);
            for (const step& s : steps) {
                named += s.blocks.count;
                pieces += s.blocks.contiguous() || s.blocks.run <= 0
                              ? 1
                              : ceil_div(s.blocks.count, block_index{s.blocks.run});
            }
        }
    const std::int64_t worthwhile = std::max<std::int64_t>(1, named / pieces / 4);
    const block_index width = std::max(narrow, ceil_div(terms.blocks, worthwhile));
    return std::clamp<block_index>(std::min(width, most_cells / terms.size), 1, terms.blocks);
}

/// What all ranks have to agree on before anything runs, and what fits the collective.
TUTTI_BODY std::optional<finding> disagreement(const contract& terms,
                                               const std::vector<any_generator>& generators) {
    const any_generator& zero = generators.front();
    for (rank_type r = 1; r < terms.size; ++r) {
        const any_generator& g = generators[static_cast<std::size_t>(r)];
        const auto differs = [&](const char* name, std::int64_t here, std::int64_t there) {
            return find({.rank = r}, std::string(name) + " is " + std::to_string(here) + ", but "
                                         + std::to_string(there) + " on rank 0");
        };
        if (g.rounds() != zero.rounds()) return differs("rounds()", g.rounds(), zero.rounds());
        if (g.blocks() != zero.blocks()) return differs("blocks()", g.blocks(), zero.blocks());
        if (g.claims() != zero.claims()) return find({.rank = r}, "claims() differs from that of rank 0");
    }
    if (zero.blocks() < 1 || zero.rounds() < 0)
        return find({.rank = 0}, "blocks() is " + std::to_string(zero.blocks()) + " and rounds() is "
                                     + std::to_string(zero.rounds()) + "; at least 1 and 0 are needed");
    if (terms.shared() && zero.blocks() % terms.size != 0)
        return find({.rank = 0}, "blocks() is " + std::to_string(zero.blocks())
                                     + ", which is no multiple of the number of ranks, "
                                     + std::to_string(terms.size));
    return std::nullopt;
}

/// Proves that the schedule that `make` makes fulfils `terms`, whose number of blocks is still open.
TUTTI_BODY proof prove(contract terms, const generator_factory& make) {
    std::vector<any_generator> generators;
    generators.reserve(static_cast<std::size_t>(terms.size));
    for (rank_type r = 0; r < terms.size; ++r)
        generators.push_back(make({.rank = r, .size = terms.size, .root = terms.root}));

    const any_generator& zero = generators.front();
    const capabilities claims = zero.claims();
    const rank_type size = terms.size;
    terms.blocks = zero.blocks();
    proof p;
    p.rounds = zero.rounds();
    p.blocks = zero.blocks();
    p.bounds = terms.who != nullptr ? bounds_of(*terms.who, terms.blocks)
                                    : bounds_of(terms.what, size, terms.blocks);
    if (auto fault = disagreement(terms, generators)) {
        p.findings.push_back(*fault);
        return p;
    }

    if (auto busy = outside_active_rounds(generators)) {
        p.findings.push_back(*busy);
        return p;
    }

    first_pass once(size, terms.blocks, p.rounds);
    result_check results(terms, claims);
    std::vector<block_index> scratch(static_cast<std::size_t>(size));
    std::optional<finding> late_input;
    std::optional<finding> fault;
    const block_index width = slice_width(terms, generators);
    cells held(terms, width);
    for (block_index first = 0; first < terms.blocks && !fault; first += width) {
        const slice part{.first = first, .end = std::min(first + width, terms.blocks)};
        held.start(part);
        execution run(terms, generators, held, first == 0 ? &once : nullptr);
        run.run();
        fault = run.fault();
        if (stall halted(run, generators); !fault && halted.any()) fault = halted.explain();
        if (!fault) fault = results(run);
        if (!late_input) late_input = run.values().late_input();
        for (rank_type r = 0; r < size; ++r) scratch[static_cast<std::size_t>(r)] += held.scratch_of(r);
    }

    once.counted.write_to(p);
    p.scratch_blocks = *std::max_element(scratch.begin(), scratch.end());
    p.moves_blocks = once.moved.has_value();
    p.reads_input = late_input.has_value();
    if (fault) {
        p.findings.push_back(*fault);
        return p;
    }
    p.order_preserved = !results.disorder();
    p.same_bits = !results.other_tree();
    p.canonical_tree = folds(terms.what) && !results.not_canonical();
    if (claims.order_preserving && results.disorder()) p.findings.push_back(*results.disorder());
    if (claims.same_bits_on_all_ranks && results.other_tree()) p.findings.push_back(*results.other_tree());
    if (claims.canonical_tree && results.not_canonical()) p.findings.push_back(*results.not_canonical());
    if (!claims.reads_input && late_input) {
        p.findings.push_back(*late_input);
        p.findings.back().what += ", and reads_input is not claimed";
    }
    compare_claims(claims, p);
    const auto [uniform, differing] = uniform_rounds(generators);
    p.uniform_rounds = uniform;
    if (claims.uniform_rounds > uniform) p.findings.push_back(differing);
    if (const auto beyond = beyond_busiest(generators)) p.findings.push_back(*beyond);
    p.proved = p.findings.empty();
    return p;
}
} // namespace detail

TUTTI_BODY proof prove(collective what, rank_type size, rank_type root, const generator_factory& make) {
    checked({.rank = 0, .size = size, .root = root});
    if (what == collective::multicast)
        throw argument_error("what", "multicast", "a collective without a relation; else prove(who, make)");
    return detail::prove({.what = what, .size = size, .root = root}, make);
}

TUTTI_BODY proof prove_up_to(collective what, rank_type most, const generator_factory& make) {
    checked({.rank = 0, .size = most});
    proof last;
    for (rank_type size = 1; size <= most; ++size)
        for (rank_type root = 0; root < (has_root(what) ? size : 1); ++root) {
            last = prove(what, size, root, make);
            if (last.proved) continue;
            std::string& first = last.findings.front().what;
            first.insert(0, std::to_string(size)
                                .append(has_root(what) ? " ranks, root " + std::to_string(root) : " ranks")
                                .append(": "));
            return last;
        }
    return last;
}

TUTTI_BODY proof prove(const relation& who, const generator_factory& make) {
    return detail::prove({.what = collective::multicast, .size = who.size(), .who = &who}, make);
}
#endif

} // namespace tutti
