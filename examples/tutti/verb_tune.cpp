// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/time_choices.hpp>

#include "progress.hpp"
#include "verbs.hpp"

namespace program {

namespace {

using tutti::collective;
using tutti::rank_type;

constexpr option options[]{
    {"--collective", "NAMES", "what to measure; all by default"},
    {"--size", "LIST", "ranks, which are threads, 2..64; 2 by default"},
    {"--longest", "BYTES", "the longest vector, 4K..1G; 4M by default"},
    {"--budget", "SECONDS", "for each collective, size and length; 0.1 by default"},
    {"--passes", "N", "so often, with threads of their own, 1..99; means count; 1 by default"},
    {"--output", "FILE", "write a decision table there"},
    {"--defaults", "FOLDER",
     "rewrite the tables that ship, include/tutti/choose; models fill in other sizes"},
    json_option,
};

constexpr const char* details =
    "Runs every candidate on threads, interleaved, on fresh and used buffers, and writes down which is the\n"
    "fastest for which size and length: choose_by(by_table(...)) takes the table.\n\n"
    "Columns: collective, size, bytes, algorithm, us (of the best), second, ratio (second to best), chosen,\n"
    "regret (chosen to best: few rules that are nearly the best everywhere).\n\n"
    "Example: tutti tune --size 2 --output here.table\n";

/// The algorithms that the tables that ship may take, with the values of their options that are tried.
std::vector<tutti::candidate> candidates_of(collective what) {
    std::vector<tutti::candidate> all;
    for (const tutti::choice& winner : tutti::default_winners_of(what)) {
        const tutti::catalogue_entry* const entry = tutti::find_algorithm(what, winner.algorithm);
        for (const rank_type radix : {2, 4, 8})
            for (const tutti::block_index segments : {1, 4, 8, 16, 64})
                for (const std::int64_t outstanding : {1, 4, 16}) {
                    const tutti::candidate one{entry,
                                               tutti::effective(*entry, {{"radix", radix},
                                                                         {"segments", segments},
                                                                         {"outstanding", outstanding}})};
                    const auto same = [&](const tutti::candidate& c) {
                        return c.entry == one.entry && c.with == one.with;
                    };
                    if (std::none_of(all.begin(), all.end(), same)) all.push_back(one);
                }
    }
    return all;
}

/// Whether it keeps the order of ranks, for any root; always where nothing is folded.
bool keeps_order(const tutti::candidate& c, rank_type size) {
    if (!tutti::folds(c.entry->what)) return true;
    for (const rank_type root : {0, 1, size / 2, size - 1})
        if (root < size
            && !c.entry->make({0, size, tutti::has_root(c.entry->what) ? root : 0}, c.with)
                    .claims()
                    .order_preserving)
            return false;
    return true;
}

/// The cells of one collective, every size and length, each way its time.
struct measurements {
    std::vector<tutti::candidate> ways;
    std::vector<tutti::timed_cell> cells;

    /// As they are for operations that need not commute: who does not keep the order takes for ever.
    std::vector<tutti::timed_cell> in_order() const {
        std::vector<tutti::timed_cell> result = cells;
        for (tutti::timed_cell& cell : result)
            for (std::size_t w = 0; w < ways.size(); ++w)
                if (!keeps_order(ways[w], cell.size)) cell.us[w] = std::numeric_limits<double>::infinity();
        return result;
    }
};

/// Forgets the ways of algorithms that hardly any cell needs; see dispensable_ways.
void leave_out_dispensable(collective what, measurements& own, measurements& shared) {
    std::vector<tutti::timed_cell> all;
    for (const measurements* of : {&own, &shared}) {
        all.insert(all.end(), of->cells.begin(), of->cells.end());
        if (!tutti::folds(what)) continue;
        const std::vector<tutti::timed_cell> in_order = of->in_order();
        all.insert(all.end(), in_order.begin(), in_order.end());
    }
    std::vector<std::size_t> algorithm;
    for (const tutti::candidate& c : own.ways) {
        const auto first = std::find_if(own.ways.begin(), own.ways.end(), [&](const tutti::candidate& other) {
            return other.entry == c.entry;
        });
        algorithm.push_back(static_cast<std::size_t>(first - own.ways.begin()));
    }
    const std::vector<bool> left_out = tutti::dispensable_ways(all, algorithm);
    for (measurements* of : {&own, &shared})
        for (tutti::timed_cell& cell : of->cells)
            for (std::size_t w = 0; w < left_out.size(); ++w)
                if (left_out[w]) cell.us[w] = std::numeric_limits<double>::infinity();
}

std::vector<std::int64_t> lengths(collective what, std::int64_t longest) {
    if (what == collective::barrier) return {8};
    std::vector<std::int64_t> all;
    // Where vectors outgrow the caches the winner changes more often.
    for (std::int64_t bytes = 8; bytes <= longest; bytes *= bytes < 65536 ? 4 : 2) all.push_back(bytes);
    return all;
}

void measure(measurements& of, collective what, rank_type size, std::int64_t longest, double seconds,
             progress& shown) {
    std::vector<tutti::choice> choices;
    for (const tutti::candidate& c : of.ways) choices.push_back(tutti::choice_of(c));
    tutti::threads::run(size, [&](auto& comm) {
        for (const std::int64_t bytes : lengths(what, longest)) {
            // Those of many segments are not worth the time on short vectors.
            std::vector<tutti::choice> some;
            std::vector<std::size_t> index;
            for (std::size_t w = 0; w < choices.size(); ++w)
                if (of.ways[w].with.get("segments") <= std::max<std::int64_t>(1, bytes / 1024)) {
                    some.push_back(choices[w]);
                    index.push_back(w);
                }
            const std::vector<double> us =
                tutti::time_choices(comm, {.what = what, .bytes = bytes}, some, seconds);
            if (comm.rank() != 0) continue;
            tutti::timed_cell cell{.size = size, .bytes = bytes, .us = {}};
            cell.us.assign(choices.size(), std::numeric_limits<double>::infinity());
            for (std::size_t i = 0; i < us.size(); ++i) cell.us[index[i]] = us[i];
            of.cells.push_back(std::move(cell));
            shown.step();
        }
    });
}

void price(measurements& of, collective what, rank_type size, std::int64_t longest) {
    for (const std::int64_t bytes : lengths(what, longest)) {
        tutti::timed_cell cell{.size = size, .bytes = bytes, .us = {}};
        cell.us.assign(of.ways.size(), std::numeric_limits<double>::infinity());
        const tutti::ranking all = tutti::rank_candidates(
            tutti::default_machine(), {.what = what, .size = size, .bytes = bytes}, of.ways);
        for (const tutti::rated_candidate& rated : all.all)
            for (std::size_t w = 0; w < of.ways.size(); ++w)
                if (rated.how == tutti::rated_candidate::verdict::priced
                    && of.ways[w].entry == rated.what.entry && of.ways[w].with == rated.what.with)
                    cell.us[w] = rated.cost.us;
        of.cells.push_back(std::move(cell));
    }
}

/// "{cores::own, false, 8, 4095, "fnomial", {{"radix", 4}}},"
std::string row_text(const char* on, bool in_order, rank_type ranks, std::int64_t bytes,
                     const tutti::candidate& c) {
    std::string text = std::string("        {cores::") + on + (in_order ? ", true, " : ", false, ");
    text.append(ranks == tutti::default_rule::any_size ? "many" : std::to_string(ranks)).append(", ");
    text.append(bytes == tutti::default_rule::any_bytes ? "all" : std::to_string(bytes));
    text.append(", \"").append(c.entry->name).append("\"");
    std::string given;
    for (const auto& [name, value] : c.with)
        if (c.entry->defaults.get(name) != value)
            given.append(given.empty() ? "{\"" : ", {\"")
                .append(name)
                .append("\", ")
                .append(std::to_string(value))
                .append("}");
    if (!given.empty()) text.append(", {").append(given).append("}");
    return text.append("},\n");
}

std::string rows_of(const char* on, collective what, const measurements& of) {
    std::string text;
    for (const bool in_order : {false, true}) {
        if (!in_order && !tutti::folds(what)) continue;
        for (const tutti::size_rule& rule : tutti::few_rules(in_order ? of.in_order() : of.cells))
            for (const tutti::length_rule& of_length : rule.lengths)
                text += row_text(on, in_order, rule.ranks, of_length.bytes, of.ways[of_length.way]);
    }
    return text;
}

std::string header_of(const std::string& folder, collective what) {
    return folder + "/default_" + std::string(tutti::name_of(what)) + ".hpp";
}

/// A header with its rows between two marks: the text up to the first mark, and from the second one on.
std::pair<std::string, std::string> text_around_rows(const std::string& path) {
    constexpr std::string_view from = "from here\n";
    std::ostringstream before;
    if (std::ifstream file(path); file) before << file.rdbuf();
    const std::string text = before.str();
    const std::size_t begin = text.find(from);
    const std::size_t end = text.find("        // to here\n");
    if (begin == std::string::npos || end == std::string::npos)
        throw tutti::argument_error("--defaults", "'" + path + "'",
                                    "a header whose rows lie between 'from here' and 'to here'");
    return {text.substr(0, begin + from.size()), text.substr(end)};
}

void rewrite(const std::string& path, const std::string& rows) {
    const auto [before, behind] = text_around_rows(path);
    std::ofstream file(path);
    file << before << rows << behind << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
}

/// What a row of the table says of a cell: the two best ways, and the one that the few rules take.
void describe(table& t, std::string_view collective_name, const measurements& of,
              const measurements& worth_a_rule) {
    const std::vector<tutti::size_rule> few = tutti::few_rules(worth_a_rule.cells);
    for (const tutti::timed_cell& cell : of.cells) {
        std::vector<std::size_t> order(of.ways.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return cell.us[a] < cell.us[b]; });
        const auto mine = std::find_if(few.begin(), few.end(),
                                       [&](const tutti::size_rule& r) { return cell.size <= r.ranks; });
        const std::size_t chosen = tutti::detail::way_for(mine->lengths, cell.bytes);
        const double best = cell.us[order[0]];
        const bool has_second = order.size() > 1;
        t.add({std::string(collective_name), std::int64_t{cell.size}, cell.bytes, name_of(of.ways[order[0]]),
               best, has_second ? program::cell(name_of(of.ways[order[1]])) : program::cell(),
               has_second ? program::cell(cell.us[order[1]] / best) : program::cell(),
               name_of(of.ways[chosen]), cell.us[chosen] / best});
    }
}

/// The same as rules of a decision table, for sizes from `first` on.
void add_rules(std::vector<tutti::decision_rule>& rules, collective what, const measurements& of,
               rank_type first) {
    for (const bool in_order : {false, true}) {
        if (in_order && !tutti::folds(what)) continue;
        rank_type from_rank = first;
        for (const tutti::size_rule& rule : tutti::few_rules(in_order ? of.in_order() : of.cells)) {
            const rank_type last = std::min(rule.ranks, of.cells.back().size);
            std::int64_t from = 0;
            for (const tutti::length_rule& r : rule.lengths) {
                rules.push_back({.what = what,
                                 .commutative = !in_order,
                                 .ordered = in_order || !tutti::folds(what),
                                 .sizes = {from_rank, last},
                                 .bytes = {from, r.bytes},
                                 .choice = of.ways[r.way]});
                if (r.bytes != tutti::default_rule::any_bytes) from = r.bytes + 1;
            }
            from_rank = last + 1;
        }
    }
}

/// Own cores for more ranks than were measured: priced.
void write_defaults(const std::string& folder, collective what, measurements own, measurements shared,
                    std::int64_t longest) {
    const rank_type measured = own.cells.empty() ? 0 : own.cells.back().size;
    for (const rank_type size : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024})
        if (size > measured) price(own, what, size, longest);
    leave_out_dispensable(what, own, shared);
    rewrite(header_of(folder, what), rows_of("own", what, own) + rows_of("shared", what, shared));
}

outcome tune(const arguments& given, surroundings& with) {
    std::vector<std::string_view> names;
    for (const collective c : tutti::all_collectives) names.push_back(tutti::name_of(c));
    std::vector<collective> wanted;
    for (const std::string_view name : words("--collective", given.value("--collective", "all"), names))
        wanted.push_back(*tutti::collective_named(name));
    std::vector<rank_type> sizes;
    for (const std::int64_t size : numbers("--size", given.value("--size", "2"), {2, 64}))
        sizes.push_back(static_cast<rank_type>(size));
    std::sort(sizes.begin(), sizes.end());
    const auto longest = numbers("--longest", given.value("--longest", "4M"), {4096, 1 << 30, true}).front();
    const double budget = seconds("--budget", given.value("--budget", "0.1"));
    const auto cores = static_cast<rank_type>(tutti::detail::usable_cores());
    const std::string folder(given.value("--defaults", ""));
    if (given.has("--defaults")) {
        for (const collective c : wanted) (void)text_around_rows(header_of(folder, c));
        if (sizes.front() > cores || sizes.back() <= cores)
            throw tutti::argument_error("--size", std::string(given.value("--size", "2")),
                                        "sizes with cores of their own and sizes above "
                                            + std::to_string(cores)
                                            + ", the number of cores, where tables that ship are written");
    }
    std::ofstream file;
    const std::string path(given.value("--output", ""));
    if (given.has("--output")) {
        file.open(path, std::ios::app); // leaves alone what is there until the end
        if (!file) throw tutti::argument_error("--output", "'" + path + "'", "a file that can be written");
    }

    std::size_t cells = 0;
    const std::int64_t passes = numbers("--passes", given.value("--passes", "1"), {1, 99}).front();
    for (const collective c : wanted)
        cells += static_cast<std::size_t>(passes) * sizes.size() * lengths(c, longest).size();
    table results({{.key = "collective", .identifies = true},
                   {.key = "size", .identifies = true},
                   {.key = "bytes", .identifies = true},
                   {.key = "algorithm"},
                   {.key = "us"},
                   {.key = "second"},
                   {.key = "ratio"},
                   {.key = "chosen"},
                   {.key = "regret"}});
    std::vector<tutti::decision_rule> rules;
    std::optional<progress> shown(std::in_place, with.err, with.terminal, "tune", cells);
    std::map<collective, std::vector<std::vector<tutti::timed_cell>>> own_passes, shared_passes;
    for (std::int64_t pass = 0; pass < passes; ++pass)
        for (const collective what : wanted) {
            measurements own{candidates_of(what), {}};
            measurements shared{own.ways, {}};
            for (const rank_type size : sizes)
                measure(size <= cores ? own : shared, what, size, longest, budget, *shown);
            own_passes[what].push_back(std::move(own.cells));
            shared_passes[what].push_back(std::move(shared.cells));
        }
    for (const collective what : wanted) {
        const measurements own{candidates_of(what), tutti::joined_passes(own_passes[what])};
        const measurements shared{own.ways, tutti::joined_passes(shared_passes[what])};
        measurements own_few = own;
        measurements shared_few = shared;
        leave_out_dispensable(what, own_few, shared_few);
        const rank_type first_shared = own.cells.empty() ? sizes.front() : own.cells.back().size + 1;
        if (!own.cells.empty()) {
            describe(results, tutti::name_of(what), own, own_few);
            add_rules(rules, what, own_few, sizes.front());
        }
        if (!shared.cells.empty()) {
            describe(results, tutti::name_of(what), shared, shared_few);
            add_rules(rules, what, shared_few, first_shared);
        }
        if (given.has("--defaults")) write_defaults(folder, what, own, shared, longest);
    }
    shown.reset();
    print(results, "tune", given, with.out);
    if (given.has("--output")) {
        file.close();
        file.open(path, std::ios::trunc);
        file << tutti::text_of(tutti::decision_table("this-machine", rules)) << std::flush;
        if (!file) throw std::runtime_error("'" + path + "' could not be written");
    }
    return outcome::fine;
}

} // namespace

const verb tune_verb{
    .name = "tune",
    .summary = "measures which algorithm is the fastest, and writes a decision table",
    .details = details,
    .options = options,
    .run = tune,
};

} // namespace program
