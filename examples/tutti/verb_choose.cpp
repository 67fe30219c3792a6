// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/collectives/same_bits.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/transport/waiting.hpp>
#include <tutti/tune/choosers.hpp>

#include "machine_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr std::array options{
    allreduce_option,
    sizes_option,
    root_option,
    lengths_option,
    ordered_option,
    same_bits_option,
    option{"--cores", "own|shared",
           "whether every rank has a core of its own; by default, whether this machine has as many"},
    option{"--table", "FILE",
           "what calls take after choose_by(by_table(...)): a decision table, as tutti tune writes it, "
           "instead of "
           "those that ship"},
    machine_option,
    operation_option,
    output_option,
    each_option,
    json_option,
};

constexpr const char* details =
    "What a call takes that names no algorithm, on a communicator that no chooser was given: the same among\n"
    "threads, processes and ranks of MPI. The tables that ship with tutti decide it; prices are only what a\n"
    "model says beside it. tutti::explain says it in a program.\n"
    "With --table a table of one's own decides, and where it has no rule the prices on --machine do.\n"
    "With --same-bits-for-any-size no table decides for what folds: such calls name\n"
    "tutti::same_bits_for_any_size in place of an algorithm.\n"
    "Bytes are those of the whole vector: of all blocks together where every rank has one.\n\n"
    "Columns: collective, algorithm, parameters, size, root, bytes, cores, predicted_us (the price of that\n"
    "algorithm on --machine), best (what tutti cost would take there), best_us, x_best (predicted_us over\n"
    "best_us; below 1 for a value of an option that tutti cost does not try), why (the rule of the table, "
    "or\n"
    "what it has none for).\n"
    "The tables were measured as far as that was possible. --cores changes no price.\n\n"
    "Example: tutti choose --collective allreduce,bcast --size 4 --bytes 64,64K,1M --cores shared\n\n"
    "Example: tutti choose --collective all --size 2 --bytes 8,64K --table here.table\n";

struct choose_request {
    tutti::machine on;
    std::vector<tutti::collective> collectives{};
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> bytes{};
    tutti::rank_type root = 0;
    std::optional<tutti::cores> here{}; ///< nothing: whatever this machine has for that many ranks
    std::optional<tutti::decision_table> table{};
    bool same_bits = false;
};

tutti::decision_table loaded_table(const std::string& path) {
    if (!std::ifstream(path))
        throw tutti::argument_error("--table", "'" + path + "'", "a file that can be read");
    return tutti::load_decision_table(path);
}

choose_request requested(const arguments& given) {
    choose_request r{.on = chosen_machine(given), .same_bits = given.has(same_bits_option.name)};
    r.collectives = named_collectives(given, "allreduce");
    r.sizes = numbers("--size", given.value("--size", "16"), {1, 1 << 20, true});
    r.bytes = numbers("--bytes", given.value("--bytes", "8"), {0, std::int64_t{1} << 40, true});
    const std::int64_t smallest = *std::min_element(r.sizes.begin(), r.sizes.end());
    r.root = static_cast<tutti::rank_type>(one_number(given, "--root", "0", {0, smallest - 1}));
    if (given.has("--cores")) {
        constexpr std::array<std::string_view, 2> known{"own", "shared"};
        const std::string_view cores = given.value("--cores", "");
        if (std::find(known.begin(), known.end(), cores) == known.end())
            throw tutti::argument_error("--cores", "'" + std::string(cores) + "'", joined(known));
        r.here = cores == "own" ? tutti::cores::own : tutti::cores::shared;
    }
    if (given.has("--table")) {
        if (given.has("--cores"))
            throw tutti::argument_error("--cores", "given together with --table",
                                        "one of them: the rules of a table are for any cores");
        r.table = loaded_table(std::string(given.value("--table", "")));
    }
    return r;
}

/// What is taken, and why.
struct taken {
    tutti::candidate what;
    std::string_view cores; ///< "": the rule is for any
    std::string why;
};

/// By the tables that ship.
taken by_default(const choose_request& r, const tutti::request_facts& facts, tutti::collective what) {
    const tutti::cores here =
        r.here.value_or(tutti::detail::waiting_ladder(facts.at.size).shares_cores() ? tutti::cores::shared
                                                                                    : tutti::cores::own);
    const tutti::default_rule& rule = tutti::default_choice(what, facts, here);
    return {{tutti::find_algorithm(what, rule.to.algorithm), rule.to.with},
            here == tutti::cores::own ? "own" : "shared",
            tutti::detail::reason_of(rule, what)};
}

/// As by_table does.
taken by_own_table(const choose_request& r, const tutti::request_facts& facts, tutti::collective what) {
    const tutti::selection_request request = tutti::detail::request_of(what, facts);
    if (const tutti::decision_rule* rule = r.table->rule_for(request))
        return {rule->choice, "", "by " + rule->where};
    const tutti::choice priced = tutti::by_machine(r.on)->choose(what, facts);
    return {{tutti::find_algorithm(what, priced.algorithm), priced.with},
            "",
            "by price: the table has no rule for " + r.table->lacks(request)};
}

/// As same_bits_for_any_size does where something is folded, on any cores.
taken by_same_bits(const tutti::request_facts& facts, tutti::collective what) {
    const tutti::catalogue_entry* one =
        tutti::find_algorithm(what, tutti::same_bits_for_any_size{}.algorithm(what, facts.bytes));
    return {{one, one->defaults}, "", "by same_bits_for_any_size: along the tree for any size"};
}

taken chosen(const choose_request& r, const tutti::request_facts& facts, tutti::collective what) {
    if (r.same_bits && tutti::folds(what)) return by_same_bits(facts, what);
    return r.table ? by_own_table(r, facts, what) : by_default(r, facts, what);
}

void add_row(table& t, const choose_request& r, const tutti::selection_request& request, algorithms among,
             tutti::watcher watch) {
    const tutti::request_facts facts{
        .at = {0, request.size, request.root}, .bytes = request.bytes, .commutative = request.commutative};
    const taken by = chosen(r, facts, request.what);
    const tutti::ranking alone = tutti::rank_candidates(r.on, request, std::array{by.what});
    const tutti::ranking all = tutti::rank_algorithms(r.on, request, among, watch);
    const double us = alone.best().cost.us;
    const double best_us = all.any() ? all.best().cost.us : 0;
    t.add({std::string(tutti::name_of(request.what)), std::string(by.what.entry->name), by.what.with,
           std::int64_t{request.size},
           tutti::has_root(request.what) ? cell(std::int64_t{request.root}) : cell(), request.bytes,
           by.cores.empty() ? cell() : cell(std::string(by.cores)), us,
           all.any() ? cell(name_of(all.best().what)) : cell(), all.any() ? cell(best_us) : cell(),
           best_us > 0 ? cell(us / best_us) : cell(), by.why});
}

outcome choose(const arguments& given, surroundings& with) {
    const choose_request r = requested(given);
    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "size", .identifies = true, .typed = true},
             {.key = "root", .identifies = true},
             {.key = "bytes", .identifies = true, .typed = true},
             {.key = "cores", .identifies = true},
             {.key = "predicted_us"},
             {.key = "best"},
             {.key = "best_us"},
             {.key = "x_best"},
             {.key = "why"}});
    std::optional<progress> shown(std::in_place, with, "choose",
                                  r.collectives.size() * r.sizes.size() * r.bytes.size());
    const auto part = [&](double done) { shown->part(done); };
    const tutti::watcher watch(part);
    shown->during([&] {
        for (const tutti::collective c : r.collectives)
            for (const std::int64_t size : r.sizes)
                for (const std::int64_t bytes : r.bytes) {
                    add_row(t, r,
                            {.what = c,
                             .size = static_cast<tutti::rank_type>(size),
                             .root = tutti::has_root(c) ? r.root : 0,
                             .bytes = bytes,
                             .commutative = !given.has("--ordered"),
                             .canonical_tree = r.same_bits},
                            tutti::catalogue_of(c), watch);
                    shown->step();
                }
    });
    shown.reset(); // before anything is printed
    const priced_on where{r.on, *std::max_element(r.sizes.begin(), r.sizes.end()),
                          *std::max_element(r.bytes.begin(), r.bytes.end())};
    write_output(given, with, [&](std::ostream& out) {
        if (!given.has("--json"))
            flowing(out)
                << (r.same_bits ? "What folds is by same_bits_for_any_size, what does not as ever:\n" : "")
                << (r.table ? "The table decides, and where it has no rule prices do:\n"
                            : "The tables that ship with tutti decide; prices are only what a model says:\n")
                << where.lines() << '\n';
        print(t, "choose", given, out, where.json_members());
    });
    return outcome::fine;
}

} // namespace

const verb choose_verb{
    .name = "choose",
    .summary = "which algorithm a call takes that names none, and by which rule",
    .details = details,
    .options = options,
    .run = choose,
};

} // namespace program
