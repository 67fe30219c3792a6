// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
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

#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/measure_choices.hpp>

#include "progress.hpp"
#include "tuning.hpp"
#include "verbs.hpp"

namespace program {

namespace {

using tutti::collective;
using tutti::rank_type;

constexpr option options[]{
    measured_option,
    {"--size", "LIST", "ranks, which are threads, 2..64; 2 by default"},
    longest_option,
    budget_option,
    measured_algorithms_option,
    {"--passes", "N", "so often, with threads of their own, 1..99; means count; 1 by default"},
    output_option,
    {"--defaults", "FOLDER",
     "rewrite the rows of what was measured (cores: own, shared) of the tables that ship; models fill in "
     "more ranks"},
    json_option,
};

constexpr const char* details =
    "Runs every candidate on threads, interleaved, on fresh and used buffers, and writes down which is the\n"
    "fastest for which size and length: choose_by(by_table(...)) takes the table.\n\n"
    "Columns: collective, size, bytes, algorithm, us (of the best), second, ratio (second to best), chosen,\n"
    "regret (chosen to best: few rules that are nearly the best everywhere).\n\n"
    "Example: tutti tune --size 2 --output here.table\n";

/// On so many threads.
std::vector<tutti::timed_cell> measure(const std::vector<tutti::candidate>& ways, rank_type size,
                                       const tuning& told, progress& shown) {
    std::vector<tutti::timed_cell> of_rank_0;
    tutti::threads::run(size, [&](auto& comm) {
        std::vector<tutti::timed_cell> cells =
            tutti::measure_choices(comm, ways, told.longest, told.budget, [&] {
                if (comm.rank() == 0) shown.step();
            });
        if (comm.rank() == 0) of_rank_0 = std::move(cells);
    });
    return of_rank_0;
}

void price(tutti::measured_choices& of, rank_type size, std::int64_t longest) {
    for (const std::int64_t bytes : tutti::lengths_to_measure(of.what, longest)) {
        tutti::timed_cell cell{.size = size, .bytes = bytes, .us = {}};
        cell.us.assign(of.ways.size(), std::numeric_limits<double>::infinity());
        const tutti::ranking all = tutti::rank_candidates(
            tutti::default_machine(), {.what = of.what, .size = size, .bytes = bytes}, of.ways);
        for (const tutti::rated_candidate& rated : all.all)
            for (std::size_t w = 0; w < of.ways.size(); ++w)
                if (rated.how == tutti::rated_candidate::verdict::priced
                    && of.ways[w].entry == rated.what.entry && of.ways[w].with == rated.what.with)
                    cell.us[w] = rated.cost.us;
        of.cells.push_back(std::move(cell));
    }
}

std::string row_begin(const char* on) { return std::string("        {cores::").append(on).append(", "); }

/// "{cores::own, false, 8, 4095, "fnomial", {{"radix", 4}}},"
std::string row_text(const char* on, bool in_order, rank_type ranks, std::int64_t bytes,
                     const tutti::candidate& c) {
    std::string text = row_begin(on).append(in_order ? "true, " : "false, ");
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

std::string rows_of(const char* on, const tutti::measured_choices& of) {
    const std::vector<tutti::size_rule> for_all = tutti::few_rules(of.in_order());
    const std::vector<tutti::size_rule> commuting = tutti::few_rules(of.cells);
    std::string text;
    const auto add = [&](bool in_order, const std::vector<tutti::size_rule>& rules) {
        for (const tutti::size_rule& rule : rules)
            for (const tutti::length_rule& of_length : rule.lengths)
                text += row_text(on, in_order, rule.ranks, of_length.bytes, of.ways[of_length.way]);
    };
    if (commuting != for_all) add(false, commuting);
    add(true, for_all);
    return text;
}

std::string header_of(const std::string& folder, collective what) {
    return folder + "/default_" + std::string(tutti::name_of(what)) + ".hpp";
}

/// A header whose rows lie between two marks.
struct tables_header {
    std::string before, rows, behind;

    /// The rows that begin so, as they are.
    std::string rows_that_begin(const std::string& so) const {
        std::string text;
        std::istringstream lines(rows);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with(so)) text.append(line).append("\n");
        return text;
    }
};

tables_header read_header(const std::string& path) {
    constexpr std::string_view from = "from here\n";
    std::ostringstream read;
    if (std::ifstream file(path); file) read << file.rdbuf();
    const std::string text = read.str();
    const std::size_t begin = text.find(from);
    const std::size_t end = text.find("        // to here\n");
    if (begin == std::string::npos || end == std::string::npos)
        throw tutti::argument_error("--defaults", "'" + path + "'",
                                    "a header whose rows lie between 'from here' and 'to here'");
    const std::size_t first = begin + from.size();
    return {text.substr(0, first), text.substr(first, end - first), text.substr(end)};
}

/// What a row of the table says of a cell: the two best ways, and the one that the few rules take.
void describe(table& t, const tutti::measured_choices& of, const tutti::measured_choices& worth_a_rule) {
    if (of.cells.empty()) return;
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
        t.add({std::string(tutti::name_of(of.what)), std::int64_t{cell.size}, cell.bytes,
               name_of(of.ways[order[0]]), best,
               has_second ? program::cell(name_of(of.ways[order[1]])) : program::cell(),
               has_second ? program::cell(cell.us[order[1]] / best) : program::cell(),
               name_of(of.ways[chosen]), cell.us[chosen] / best});
    }
}

/// The algorithms that these rows name and the tables do not compile yet.
std::string not_among_winners(collective what, const std::string& rows) {
    std::string text;
    for (const tutti::catalogue_entry& entry : tutti::catalogue_of(what)) {
        const std::string in_quotes = std::string("\"").append(entry.name).append("\"");
        const auto winners = tutti::default_winners_of(what);
        const bool is_one = std::any_of(winners.begin(), winners.end(), [&](const tutti::choice& winner) {
            return winner.algorithm == entry.name;
        });
        if (!is_one && rows.find(in_quotes) != std::string::npos)
            text.append(text.empty() ? "" : ", ").append(entry.name);
    }
    return text;
}

/// Own cores for more ranks than were measured: priced. Where nothing was measured rows stay as they are: it
/// takes another machine to measure more ranks with cores of their own than ranks that share few. Returns
/// what is left to do by hand, or "".
std::string write_defaults(const std::string& folder, tutti::measured_choices own,
                           tutti::measured_choices shared, std::int64_t longest) {
    const std::string path = header_of(folder, own.what);
    const tables_header old = read_header(path);
    if (!own.cells.empty()) {
        const rank_type measured = own.cells.back().size;
        for (const rank_type size : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024})
            if (size > measured) price(own, size, longest);
    }
    std::array both{std::move(own), std::move(shared)};
    tutti::leave_out_dispensable(both);
    const auto rows = [&](const char* on, const tutti::measured_choices& of) {
        return of.cells.empty() ? old.rows_that_begin(row_begin(on)) : rows_of(on, of);
    };
    std::ofstream file(path);
    const std::string all = rows("own", both[0]) + rows("shared", both[1]);
    file << old.before << all << old.behind << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
    const std::string missing = not_among_winners(both[0].what, all);
    return missing.empty() ? "" : "add to the winners in " + path + ": " + missing;
}

outcome tune(const arguments& given, surroundings& with) {
    const tuning told =
        tuning_of(given, {2, 64, false, "tutti cost prices more ranks by what was measured with few"}, "2");
    const auto cores = static_cast<rank_type>(tutti::detail::usable_cores());
    const std::string folder(given.value("--defaults", ""));
    if (given.has("--defaults"))
        for (const collective c : told.wanted) (void)read_header(header_of(folder, c));
    const table_file file(given);
    const std::int64_t passes = numbers("--passes", given.value("--passes", "1"), {1, 99}).front();
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
    std::vector<std::string> to_do;
    std::optional<progress> shown(std::in_place, with, "tune",
                                  static_cast<std::size_t>(passes) * told.cells());
    shown->announce();
    std::map<collective, std::vector<tutti::candidate>> ways;
    for (const collective what : told.wanted) ways[what] = told.ways(what);
    std::map<collective, std::vector<std::vector<tutti::timed_cell>>> own_passes, shared_passes;
    for (std::int64_t pass = 0; pass < passes; ++pass)
        for (const collective what : told.wanted) {
            std::vector<tutti::timed_cell>& own = own_passes[what].emplace_back();
            std::vector<tutti::timed_cell>& shared = shared_passes[what].emplace_back();
            for (const rank_type size : told.sizes) {
                const std::vector<tutti::timed_cell> more = measure(ways[what], size, told, *shown);
                std::vector<tutti::timed_cell>& cells = size <= cores ? own : shared;
                cells.insert(cells.end(), more.begin(), more.end());
            }
        }
    for (const collective what : told.wanted) {
        const tutti::measured_choices own{.what = what,
                                          .ways = ways[what],
                                          .cells = tutti::joined_passes(own_passes[what]),
                                          .first = told.sizes.front()};
        const tutti::measured_choices shared{.what = what,
                                             .ways = own.ways,
                                             .cells = tutti::joined_passes(shared_passes[what]),
                                             .first =
                                                 own.cells.empty() ? own.first : own.cells.back().size + 1};
        std::array few{own, shared};
        tutti::leave_out_dispensable(few);
        describe(results, own, few[0]);
        describe(results, shared, few[1]);
        for (const tutti::measured_choices& of : few)
            for (tutti::decision_rule& rule : tutti::rules_of(of)) rules.push_back(std::move(rule));
        if (given.has("--defaults")) to_do.push_back(write_defaults(folder, own, shared, told.longest));
    }
    shown.reset();
    for (const std::string& note : to_do)
        if (!note.empty()) with.err << "tutti: note: " << note << "\n";
    print(results, "tune", given, with.out);
    file.write(tutti::decision_table("this-machine", std::move(rules)));
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
