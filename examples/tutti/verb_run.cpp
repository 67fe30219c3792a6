// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>

#include "progress.hpp"
#include "proving.hpp"
#include "relation_choice.hpp"
#include "running.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        collective_option,
        algorithm_option,
        {"--size", "LIST", "numbers of ranks, up to 256; 1..9,13,16,17 by default"},
        {"--root", "all|LIST", "roots of bcast, reduce, gather and scatter, also 'last'; 0,last by default"},
        relation_option,
        {"--elements", "LIST", "elements of the vector; 0,1,7,1000,100003 by default"},
        {"--bytes", "LIST", "the same in bytes, as in 8,64K,1M"},
        {"--type", "all|TYPE,...",
         "int, double, struct (24 bytes), matrix (not commutative); all by default"},
        transport_option,
        {"--repeat", "N", "timed runs of each case; 3 by default"},
        {"--deadline", "SECONDS", "how long ranks wait for each other; 60 by default, 0: for ever"},
    },
    {
        each_option,
        json_option,
    });

struct named_type {
    std::string_view name;
    std::unique_ptr<element_type> (*make)();
};
constexpr std::array types{named_type{"int", make_int}, named_type{"double", make_double},
                           named_type{"struct", make_struct}, named_type{"matrix", make_matrix}};

/// Proofs of what runs; each schedule once, however many vectors it carries.
class proofs {
public:
    /// `number`: of the candidate `what`.
    const tutti::proof& of(const candidate& what, std::size_t number, tutti::rank_type size,
                           tutti::rank_type root) {
        const auto key = std::tuple(number, size, root);
        const auto found = known_.find(key);
        return found != known_.end() ? found->second
                                     : known_.emplace(key, prove(what, size, root)).first->second;
    }

private:
    std::map<std::tuple<std::size_t, tutti::rank_type, tutti::rank_type>, tutti::proof> known_;
};

row row_of(const run_case& one, const cell& type, const run_result& r, const tutti::proof& p) {
    const tutti::collective what = one.what.entry->what;
    const bool has_elements = what != tutti::collective::barrier;
    const auto with_elements = [&](std::int64_t n) { return has_elements ? cell(n) : cell(); };
    const auto if_proved = [&](cell c) { return p.proved ? c : cell(); };
    cell finding;
    if (!r.wrong.empty())
        finding = r.wrong;
    else if (!p.proved)
        finding = p.findings.empty() ? "not proved" : p.findings.front().what;
    return {std::string(tutti::name_of(what)),
            std::string(one.what.entry->name),
            one.what.with,
            type,
            std::int64_t{one.size},
            tutti::has_root(what) ? cell(std::int64_t{one.root}) : cell(),
            one.what.relation.empty() ? cell() : cell(std::string(one.what.relation)),
            with_elements(r.elements),
            with_elements(r.bytes),
            r.time_us < 0 ? cell() : cell(r.time_us),
            if_proved(p.rounds),
            if_proved(p.sent_blocks),
            if_proved(p.reduced_blocks),
            p.proved && has_elements
                ? cell(static_cast<double>(p.sent_blocks) / static_cast<double>(p.blocks))
                : cell(),
            p.proved,
            r.refused ? cell(std::string("refused")) : cell(std::string("ran")),
            r.wrong.empty(),
            finding};
}

} // namespace

ranks_are chosen_ranks(const arguments& given) {
    constexpr std::array<std::string_view, 3> names{"threads", "processes", "mock"};
    const std::string_view word = given.value("--transport", "threads");
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
        throw tutti::argument_error("--transport", "'" + std::string(word) + "'",
                                    "threads, processes or mock");
    return static_cast<ranks_are>(found - names.begin());
}

run_case case_of(const candidate& what, tutti::rank_type size) {
    if (what.relation.empty()) return {.what = what, .size = size};
    const tutti::relation who = relation_named(what.relation, size);
    return {.what = over_relation(what, who), .size = size, .who = who};
}

namespace {

outcome run(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    const std::vector<candidate> chosen =
        with_relations(candidates(given, catalogue, untold::defaults), given);
    const std::vector<std::int64_t> sizes = numbers(
        "--size", sizes_text(given, "1..9,13,16,17"),
        {1, 256, false, "tutti verify proves, cost and simulate time more ranks than can be started"});
    const root_choice roots(given.value("--root", "0,last"), sizes);
    const bool in_bytes = given.has("--bytes");
    if (in_bytes && given.has("--elements"))
        throw tutti::argument_error("--bytes", "given together with --elements", "one of the two");
    const std::vector<std::int64_t> lengths =
        in_bytes ? numbers("--bytes", given.value("--bytes", ""), {0, std::int64_t{1} << 34, true})
                 : numbers("--elements", given.value("--elements", "0,1,7,1000,100003"),
                           {0, std::int64_t{1} << 30});
    const auto repeat = static_cast<int>(one_number(given, "--repeat", "3", {1, 1000000}));
    const auto deadline = static_cast<unsigned>(one_number(given, "--deadline", "60", {0, 1000000}));
    const ranks_are ranks = chosen_ranks(given);
    std::vector<std::string_view> type_names;
    for (const named_type& t : types) type_names.push_back(t.name);
    const std::vector<std::string_view> wanted = words("--type", given.value("--type", "all"), type_names);

    // Candidate, size, root, length, type: the order of the table. What is run after what is another matter.
    using place_in_table = std::array<std::size_t, 5>;
    std::map<place_in_table, row> rows;
    std::int64_t wrong = 0;
    std::int64_t refused = 0;
    std::int64_t not_proved = 0;
    proofs known;
    std::optional<progress> shown(std::in_place, with, "run", sizes.size() * lengths.size() * wanted.size());
    shown->announce();
    std::vector<run_case> cases;        // of the size at hand, to be run together
    std::vector<place_in_table> places; // of each of them
    std::vector<run_case>
        of_size; // of every candidate: types, lengths and roots differ in what is done with it
    const auto add = [&](const place_in_table& at, tutti::rank_type root) {
        run_case one = of_size[at[0]];
        one.root = root;
        one.repeat = repeat;
        one.over = ranks;
        one.deadline = deadline;
        cases.push_back(std::move(one));
        places.push_back(at);
    };
    const auto finish = [&](const cell& type, const std::vector<run_result>& results) {
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const std::size_t number = places[k][0];
            const tutti::proof& p = known.of(chosen[number], number, cases[k].size, cases[k].root);
            wrong += results[k].wrong.empty() ? 0 : 1;
            refused += results[k].refused ? 1 : 0;
            not_proved += p.proved ? 0 : 1;
            rows.emplace(places[k], row_of(cases[k], type, results[k], p));
        }
        cases.clear();
        places.clear();
    };
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        const auto size = static_cast<tutti::rank_type>(sizes[s]);
        of_size.clear();
        for (const candidate& one : chosen) of_size.push_back(case_of(one, size));
        for (std::size_t c = 0; c < chosen.size(); ++c)
            if (chosen[c].entry->what == tutti::collective::barrier) add({c, s, 0, 0, 0}, 0);
        finish(cell(), run_barriers(cases));
        for (std::size_t t = 0; t < wanted.size(); ++t) {
            const std::unique_ptr<element_type> elements =
                std::find_if(types.begin(), types.end(), [&](const named_type& n) {
                    return n.name == wanted[t];
                })->make();
            for (std::size_t l = 0; l < lengths.size(); ++l) {
                elements->prepare(
                    size, in_bytes ? lengths[l] / static_cast<std::int64_t>(elements->bytes_per_element())
                                   : lengths[l]);
                for (std::size_t c = 0; c < chosen.size(); ++c) {
                    if (chosen[c].entry->what == tutti::collective::barrier) continue;
                    const std::vector<tutti::rank_type> at = roots.of(chosen[c].entry->what, size);
                    for (std::size_t r = 0; r < at.size(); ++r) add({c, s, r, l, t}, at[r]);
                }
                finish(std::string(wanted[t]), elements->run(cases));
                shown->step();
            }
        }
    }
    shown.reset(); // before anything is printed

    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "type"},
             {.key = "size"},
             {.key = "root"},
             {.key = "relation"},
             {.key = "elements"},
             {.key = "bytes"},
             {.key = "time_us", .digits = 1},
             {.key = "rounds"},
             {.key = "sent_blocks"},
             {.key = "reduced_blocks"},
             {.key = "volume"},
             {.key = "proved"},
             {.key = "outcome"},
             {.key = "correct"},
             {.key = "finding"}});
    const auto all = static_cast<std::int64_t>(rows.size());
    for (auto& [at, cells] : rows) t.add(std::move(cells));
    print(t, "run", given, with.out);

    const bool failed = wrong > 0 || not_proved > 0;
    std::ostream& talk = given.has("--json") ? with.err : with.out;
    if (failed || !given.has("--json"))
        flowing(talk) << '\n'
                      << all << " cases: " << all - wrong << " correct (" << refused
                      << " of them by refusing an operation that is not commutative), " << wrong << " wrong, "
                      << not_proved << " not proved\n";
    return failed ? outcome::check_failed : outcome::fine;
}

} // namespace

const verb run_verb{
    .name = "run",
    .summary = "really runs collectives and compares with a serial program",
    .details =
        "Every case is run apart and in place on known data; the results must be what a serial program "
        "computes,\n"
        "and the inputs untouched. Algorithms that do not keep the order of ranks must refuse the matrix "
        "type\n"
        "before the first message. A case that waits in vain, or whose process dies or does not come back "
        "for\n"
        "twice the deadline, is wrong, and those behind it get new ranks. The vector is what a rank gives or "
        "gets, whichever is longer; allgather "
        "and\n"
        "alltoall round it up to equal blocks; a multicast over its relation has blocks of different\n"
        "lengths. All that have blocks are compared with very different ones, too, as allgatherv,\n"
        "gatherv, scatterv and alltoallv have them: none for rank 0, ever more for those behind it.\n\n"
        "Columns: time_us (median of the slowest rank, on this machine), rounds, sent_blocks and\n"
        "reduced_blocks (of the busiest rank), volume (vectors sent by it), proved (see tutti verify), "
        "outcome (ran\n"
        "or refused), correct, finding (what is wrong).\n",
    .options = options,
    .run = run,
};

} // namespace program
