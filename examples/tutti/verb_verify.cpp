// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "progress.hpp"
#include "proving.hpp"
#include "relation_choice.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        collective_option,
        algorithm_option,
        {"--size", "LIST", "numbers of ranks, as in 1..70,128; 1..16 by default"},
        {"--root", "all|LIST", "roots of bcast, reduce, gather and scatter, also 'last'; all by default"},
        {"--relation", "all|NAME,...",
         "of multicasts: everybody, neighbours, halves, random, nobody; all by default"},
    },
    {
        each_option,
        json_option,
    });

/// What a schedule is for beside its size: a root, or of a multicast a relation.
struct purpose {
    tutti::rank_type root = 0;
    std::string_view relation{};
};

/// Proofs of one candidate for one size and some purposes, taken together.
struct verdict {
    std::int64_t schedules = 0;
    std::int64_t failed = 0;
    tutti::proof worst;        // the largest figures
    std::string first_finding; // with the root or relation
    double rounds_ratio = 0;
    double sent_ratio = 0;
    double reduced_ratio = 0;

    void add(const tutti::proof& p, const std::string& where) {
        ++schedules;
        if (!p.proved) {
            if (failed++ == 0)
                first_finding = where + (p.findings.empty() ? "not proved" : p.findings.front().what);
            return;
        }
        worst.rounds = std::max(worst.rounds, p.rounds);
        worst.blocks = std::max(worst.blocks, p.blocks);
        worst.sent_blocks = std::max(worst.sent_blocks, p.sent_blocks);
        worst.reduced_blocks = std::max(worst.reduced_blocks, p.reduced_blocks);
        const auto compare = [](double& ratio, std::int64_t figure, std::int64_t bound) {
            if (bound > 0) ratio = std::max(ratio, static_cast<double>(figure) / static_cast<double>(bound));
        };
        compare(rounds_ratio, p.critical_messages, p.bounds.rounds);
        compare(sent_ratio, p.sent_blocks, p.bounds.sent_blocks);
        compare(reduced_ratio, p.reduced_blocks, p.bounds.reduced_blocks);
    }
};

cell ratio(double x) { return x > 0 ? cell(x) : cell(); }

/// `root` and `relation`: what the proofs are for, as far as the collective has any.
row row_of(const candidate& c, tutti::rank_type size, const cell& root, const cell& relation,
           const verdict& v) {
    const bool fine = v.failed == 0;
    const auto figure = [&](std::int64_t n) { return fine ? cell(n) : cell(); };
    return {std::string(tutti::name_of(c.entry->what)),
            std::string(c.entry->name),
            c.with,
            std::int64_t{size},
            root,
            relation,
            v.schedules,
            fine,
            figure(v.worst.rounds),
            figure(v.worst.blocks),
            figure(v.worst.sent_blocks),
            figure(v.worst.reduced_blocks),
            ratio(v.rounds_ratio),
            ratio(v.sent_ratio),
            ratio(v.reduced_ratio),
            fine ? cell() : cell(v.first_finding)};
}

outcome verify(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    const std::vector<candidate> chosen = candidates(given, catalogue, untold::useful);
    const std::vector<std::int64_t> sizes =
        numbers("--size", sizes_text(given, "1..16"),
                {1, 1 << 20, false, "a proof keeps in memory what every rank holds"});
    const root_choice roots(given.value("--root", "all"), sizes);
    const std::vector<std::string_view> relations = chosen_relations(given, "all");
    const bool all_relations = given.value("--relation", "all") == "all";
    const auto purposes = [&](const candidate& c, tutti::rank_type size) {
        std::vector<purpose> list;
        if (c.entry->what == tutti::collective::multicast)
            for (const std::string_view name : relations) list.push_back({.relation = name});
        else
            for (const tutti::rank_type root : roots.of(c.entry->what, size)) list.push_back({.root = root});
        return list;
    };

    // One task per candidate and size, the largest last: these are begun first.
    std::vector<std::int64_t> ascending = sizes;
    std::sort(ascending.begin(), ascending.end());
    std::vector<std::vector<row>> rows(chosen.size() * ascending.size()); // of each task
    std::vector<verdict> totals(rows.size());
    std::optional<progress> shown(std::in_place, with, "verify", rows.size());
    for_each_in_parallel(rows.size(), *shown, [&](std::size_t task) {
        const candidate& c = chosen[task % chosen.size()];
        const auto size = static_cast<tutti::rank_type>(ascending[task / chosen.size()]);
        const bool rooted = tutti::has_root(c.entry->what);
        const bool related = c.entry->what == tutti::collective::multicast;
        const bool together = rooted ? roots.all() : related && all_relations;
        verdict all;
        for (const auto& [root, relation] : purposes(c, size)) {
            const std::string name(relation);
            candidate one_of_them = c;
            one_of_them.relation = relation;
            const tutti::proof p = prove(one_of_them, size, root);
            const std::string where = rooted    ? "root " + std::to_string(root) + ": "
                                      : related ? name + ": "
                                                : "";
            all.add(p, where);
            if (together) continue;
            verdict one;
            one.add(p, where);
            rows[task].push_back(row_of(c, size, rooted ? cell(std::int64_t{root}) : cell(),
                                        related ? cell(name) : cell(), one));
        }
        const cell every(std::string("all"));
        if (together)
            rows[task].push_back(row_of(c, size, rooted ? every : cell(), related ? every : cell(), all));
        totals[task] = all;
    });
    shown.reset(); // before anything is printed

    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "size"},
             {.key = "root", .if_there_is_room = roots.all()},
             {.key = "relation", .if_there_is_room = all_relations},
             {.key = "schedules", .if_there_is_room = true},
             {.key = "proved"},
             {.key = "rounds"},
             {.key = "blocks", .if_there_is_room = true},
             {.key = "sent_blocks", .if_there_is_room = true},
             {.key = "reduced_blocks", .if_there_is_room = true},
             {.key = "rounds_vs_bound", .heading = "rounds_x bound", .if_there_is_room = true},
             {.key = "sent_vs_bound", .heading = "sent_x bound", .if_there_is_room = true},
             {.key = "reduced_vs_bound", .heading = "reduced_x bound", .if_there_is_room = true},
             {.key = "finding"}});
    std::int64_t schedules = 0;
    std::int64_t failed = 0;
    for (std::size_t c = 0; c < chosen.size(); ++c)
        for (std::size_t s = 0; s < ascending.size(); ++s) {
            const std::size_t task = s * chosen.size() + c;
            for (row& r : rows[task]) t.add(std::move(r));
            schedules += totals[task].schedules;
            failed += totals[task].failed;
        }
    print(t, "verify", given, with.out);

    std::ostream& talk = given.has("--json") ? with.err : with.out;
    if (failed > 0 || !given.has("--json"))
        flowing(talk) << '\n' << schedules - failed << " schedules proved, " << failed << " failed\n";
    return failed > 0 ? outcome::check_failed : outcome::fine;
}

} // namespace

const verb verify_verb{
    .name = "verify",
    .summary = "proves algorithms by executing them on symbolic values",
    .details =
        "Parameters that are not given are tried with several values. Proved: every contribution "
        "arrives exactly\n"
        "once and in order where that is claimed, no deadlock without buffering, no hazard inside a "
        "round, all\n"
        "claims true, rounds and volume as stated.\n\n"
        "Columns: rounds, blocks (into which the vector is cut), sent_blocks and reduced_blocks (of "
        "the busiest\n"
        "rank; over the roots or relations the largest). ..._vs_bound (\"x bound\"): times what no "
        "algorithm can beat; for\n"
        "rounds a rank that sends or receives k messages in one round counts k. finding: what is wrong, and "
        "where. In a\n"
        "narrow terminal figures are left out, and named below the table, if a row would take two lines.\n\n"
        "Relations: everybody (to all others), neighbours (both, in a ring), halves (every rank of the "
        "lower half\n"
        "to every one of the upper), random (every pair with a chance of a quarter, always the same), "
        "nobody.\n",
    .options = options,
    .run = verify,
};

} // namespace program
