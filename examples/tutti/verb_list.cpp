// SPDX-License-Identifier: BSL-1.0
#include "verbs.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "bounds_table.hpp"

namespace program {

namespace {

constexpr option options[]{
    collective_option, algorithm_option, {"--markdown", "", "print what docs/algorithms.md is"}, json_option};

/// What an algorithm claims for every size and root; tried on a few sizes, powers of two and others.
struct common_claims {
    bool order = true;
    bool order_to_root_0 = true;
    bool same_bits = true;
    bool canonical = true;
    bool canonical_to_root_0 = true;
    bool canonical_for_powers_of_two = true;
    bool equal_blocks = false;
    bool reads_input = false;

    explicit common_claims(const candidate& c) {
        for (const tutti::rank_type size : {2, 3, 4, 5, 6, 7, 8, 9, 17}) // 17: the third partition of k = 8
            for (tutti::rank_type root = 0; root < (tutti::has_root(c.entry->what) ? size : 1); ++root) {
                const tutti::capabilities one = c.make({0, size, root}).claims();
                order = order && one.order_preserving;
                order_to_root_0 = order_to_root_0 && (root != 0 || one.order_preserving);
                same_bits = same_bits && one.same_bits_on_all_ranks;
                canonical = canonical && one.canonical_tree;
                canonical_to_root_0 = canonical_to_root_0 && (root != 0 || one.canonical_tree);
                if (tutti::floor_pow2(size) == size)
                    canonical_for_powers_of_two = canonical_for_powers_of_two && one.canonical_tree;
                equal_blocks = equal_blocks || one.moves_blocks;
                reads_input = reads_input || one.reads_input;
            }
    }
    std::string any_size_bits() const {
        if (canonical) return "yes";
        return canonical_to_root_0 ? "root 0" : canonical_for_powers_of_two ? "p = 2^n" : "no";
    }
    std::string whose_bits() const {
        const std::string any_size = any_size_bits();
        if (any_size == "no") return same_bits ? "yes" : "no";
        return any_size == "yes" ? "any size" : "any size: " + any_size;
    }
    std::string keeps_order() const { return order ? "yes" : order_to_root_0 ? "root 0" : "no"; }
};

/// What is to be said of a collective before its table.
std::string_view preface(tutti::collective what) {
    switch (what) {
    case tutti::collective::multicast:
        return R"(Every allgather, which then carries what a relation asks for and nothing else: no more
rounds and volume than there. Its own, with rounds and volume of everybody to everybody:

)";
    case tutti::collective::alltoall:
        return R"(`alltoallv` and `ialltoallv` take them all; `plan_alltoallv` those that send every block straight,
`pairwise`, `prefix_send`, `kprefix` and `kshift`. By the others blocks pass through ranks that do not
know their lengths: each round is two, of lengths and of elements (Fan et al. 2022 for `bruck`).

)";
    default: return "";
    }
}

/// A table for every collective.
void print_markdown(const std::vector<candidate>& all, std::ostream& out) {
    out << R"(# Algorithms

All of `tutti list`, which writes this page (`tutti list --markdown`). Each is proved by the prover for
1 to 70 ranks and every root when the tests run; for 96, 97, 127 to 129 and 255 to 257 ranks and
roots 0, 1, p/2 and p-1; and for 906 ranks, unless they cut the vector into more than 906 blocks.

p ranks, q = ceil(lg p), p' = 2^floor(lg p), w binary digits 1 of p-1, f radix, k arity or the k of
kprefix and kshift, s splits, 1 to q (0: fnomial), S segments, zeta at most the number of dimensions,
F = (f-1) e + ceil(p/f^e) - 1 with e = floor(log_f p), the children of the root of an f-nomial tree.
Volumes are those of the busiest rank, in vectors; in parentheses what p that is no power of two (for
kring: that g does not divide; by a radix that is none: that leaves ranks over) adds or makes it; "to", <=
and < are bounds. A test calculates all of them for 2 to 200 ranks, by the defaults of options and, of each
that a formula names, by two other values at least; up to 12 ranks, or 6k, in some trees nobody has as much,
nor in kprefix up to k. None names outstanding and pace, or message_blocks: headers say what these make.
*Order*: operations need not be commutative. *Same bits*: all ranks get the same floating-point bits;
*any size*: those of the one tree that `same_bits_for_any_size` promises. *Equal blocks*: all of one length.
)";
    std::string_view before;
    const auto is_listed = [&](const candidate& c) { // as an allgather
        return c.entry->what == tutti::collective::multicast
               && std::any_of(all.begin(), all.end(), [&](const candidate& other) {
                      return other.entry->what == tutti::collective::allgather
                             && other.entry->name == c.entry->name;
                  });
    };
    for (const candidate& c : all) {
        if (is_listed(c)) continue;
        const std::string_view what = tutti::name_of(c.entry->what);
        const bool folds = tutti::folds(c.entry->what);
        if (what != before)
            out << "\n## " << what << "\n\n"
                << preface(c.entry->what) << "| algorithm | options |"
                << (folds ? " order | same bits |" : " equal blocks |")
                << " rounds | volume | source |\n|---|---|---|" << (folds ? "---|" : "") << "---|---|---|\n";
        before = what;
        const common_claims claims(c);
        std::string own_options;
        for (const auto& [name, value] : c.entry->defaults)
            own_options.append(own_options.empty() ? "" : ", ")
                .append(name)
                .append(" = ")
                .append(std::to_string(value));
        out << "| `" << c.entry->name << "` | " << own_options << " | ";
        out << (folds                 ? claims.keeps_order() + " | " + claims.whose_bits()
                : claims.equal_blocks ? "yes"
                                      : "no");
        out << " | " << c.entry->rounds << " | " << c.entry->volume << " | " << c.entry->source << " |\n";
    }
}

/// Where to look for what others call otherwise, and what is not there.
void print_other_names(std::ostream& out) {
    out << R"(
## Under other names

| others say | here |
|---|---|
| alltoall direct, linear, with so many messages outstanding | `pairwise` with `outstanding` |
| Bine butterfly (De Sensi et al. 2025) | `swing`, `swing_latency`: the same distances, 1, -1, 3, -5, 11, ... |
| PAT (Jeaugey 2025) | `sparbit` with `message_blocks` |
| linear scan, linear exscan | `chain` with one segment |
| circulant with other skips (Träff 2024): that fall by n at most; by one, a peer a round | `circulant` with `message_blocks` = n; = 1 |
| k_reduce_scatter_allgather (MPICH), sra_knomial (UCC) | `reduce_scatter_allgather` |
| binomial and k-nomial trees | `fnomial` |

In C++ alone, as they take more than numbers: skips of one's own (`circulant{.skips = ...}`), and any allgather or
reduce_scatter in `scatter_allgather` and `reduce_scatter_gather` (UCC's srg_knomial: `recursive_multiplying` there).
)";
}

outcome list(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    if (given.has("--markdown")) {
        print_markdown(candidates(given, catalogue, untold::defaults), with.out);
        print_other_names(with.out);
        print_bounds(candidates(given, catalogue, untold::useful), with.out);
        return outcome::fine;
    }
    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters"},
             {.key = "keeps_order"},
             {.key = "same_bits"},
             {.key = "any_size_bits"},
             {.key = "equal_blocks"},
             {.key = "reads_input"},
             {.key = "rounds"},
             {.key = "volume"},
             {.key = "source"}});
    for (const candidate& c : candidates(given, catalogue, untold::defaults)) {
        const common_claims claims(c);
        t.add({std::string(tutti::name_of(c.entry->what)), std::string(c.entry->name), c.with,
               claims.keeps_order(), claims.same_bits, claims.any_size_bits(), claims.equal_blocks,
               claims.reads_input, std::string(c.entry->rounds), std::string(c.entry->volume),
               std::string(c.entry->source)});
    }
    if (given.has("--json")) {
        t.print_json(with.out, "list");
        return outcome::fine;
    }
    flowing out(with.out);
    t.print(out, false);
    out << "\np ranks, q = ceil(lg p), p' = 2^floor(lg p), w digits 1 of p-1, f radix, k arity, s splits, S "
           "segments, F "
           "children of "
           "an f-nomial root: (f-1) e+ceil(p/f^e)-1, e = floor(log_f p); volume: of the busiest rank, in "
           "vectors. What stands in brackets is added, or is it, if p is no power of two.\nWith --nodes "
           "other verbs also know by_nodes and multi_lane, made of one of "
           "these inside the nodes and one between them, and three_step.\n";
    return outcome::fine;
}

} // namespace

const verb list_verb{
    .name = "list",
    .summary = "the algorithms, with options, claims, rounds, volume and source",
    .details =
        "Columns: parameters (the defaults of its options), keeps_order (operations need not be\n"
        "commutative: yes, no, or root 0 if only for that root), same_bits (all ranks get the same\n"
        "floating-point bits), any_size_bits (those are the bits of one tree that depends on nothing "
        "but the number\n"
        "of ranks, see `cost --same-bits-for-any-size`: yes, no, or where), equal_blocks (blocks must "
        "have equal lengths), reads_input (a call in place\n"
        "copies its input first), rounds, volume (of a multicast those of everybody to everybody, which "
        "are the most), source.\n",
    .options = options,
    .run = list,
};

} // namespace program
