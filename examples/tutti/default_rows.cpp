// SPDX-License-Identifier: BSL-1.0
#include "default_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/error.hpp>
#include <tutti/schedule/catalogue.hpp>

namespace program {

namespace {

using tutti::collective;
using tutti::rank_type;

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

/// The lines of a text that begin so.
std::string rows_that_begin(const std::string& rows, const std::string& so) {
    std::string text;
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(so)) text.append(line).append("\n");
    return text;
}

/// The algorithms that these rows name, and the tables do not compile yet.
std::string not_among_winners(collective what, const std::string& rows) {
    std::string text;
    for (const std::string_view name : named_in(what, rows)) {
        const auto winners = tutti::default_winners_of(what);
        const bool is_one = std::any_of(winners.begin(), winners.end(), [&](const tutti::choice& winner) {
            return winner.algorithm == name;
        });
        if (!is_one) text.append(text.empty() ? "" : ", ").append(name);
    }
    return text;
}

} // namespace

std::string table_rows::text() const {
    const auto without_order = [](std::string rows) {
        for (std::size_t at = 0; (at = rows.find(", true, ", at)) != std::string::npos;)
            rows.replace(at, 8, ", false, ");
        return rows;
    };
    return commuting == without_order(in_order) ? in_order : commuting + in_order;
}

table_rows rows_of(const char* on, const tutti::measured_choices& of, rank_type most, tolerance may_cost) {
    table_rows rows;
    for (const bool in_order : {false, true})
        for (const tutti::size_rule& rule : may_cost.few_rules(in_order ? of.in_order() : of.cells))
            for (const tutti::length_rule& of_length : rule.lengths)
                (in_order ? rows.in_order : rows.commuting) += row_text(
                    on, in_order, std::min(rule.ranks, most), of_length.bytes, of.ways[of_length.way]);
    return rows;
}

std::string own_rows(table_rows first, const tutti::measured_choices& priced) {
    const table_rows more = rows_of("own", priced, tutti::default_rule::any_size, of_prices);
    first.commuting += more.commuting;
    first.in_order += more.in_order;
    return first.text();
}

std::vector<std::string_view> named_in(collective what, const std::string& rows) {
    std::vector<std::string_view> names;
    for (const tutti::catalogue_entry& entry : tutti::catalogue_of(what))
        if (rows.find(std::string("\"").append(entry.name).append("\"")) != std::string::npos)
            names.push_back(entry.name);
    return names;
}

std::string tables_header::rows_on(const char* cores) const {
    return rows_that_begin(rows, row_begin(cores));
}

table_rows tables_header::own_rows_up_to(rank_type most) const {
    const auto with = [&](bool in_order, bool as_in_order) {
        const std::string begin = row_begin("own").append(in_order ? "true, " : "false, ");
        std::string found, cut;
        rank_type reached = 0;
        std::istringstream lines(rows_that_begin(rows, begin));
        for (std::string line; std::getline(lines, line);) {
            const std::size_t end = line.find(',', begin.size());
            std::string ranks = line.substr(begin.size(), end - begin.size());
            const rank_type last = ranks == "many" ? tutti::default_rule::any_size : std::stoi(ranks);
            if (last > most && (reached == most || (!cut.empty() && cut != ranks))) break;
            if (last > most) cut = std::exchange(ranks, std::to_string(most));
            reached = std::max(reached, cut.empty() ? last : 0);
            found.append(row_begin("own"))
                .append(as_in_order ? "true, " : "false, ")
                .append(ranks)
                .append(line, end)
                .append("\n");
        }
        return found;
    };
    table_rows kept{.commuting = with(false, false), .in_order = with(true, true)};
    if (kept.commuting.empty()) kept.commuting = with(true, false); // one set serves all operations
    return kept;
}

std::string tables_header::write(collective what, const std::string& instead) const {
    std::ofstream file(path);
    file << before << instead << behind << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
    const std::string missing = not_among_winners(what, instead);
    return missing.empty() ? "" : "add to the winners in " + path + ": " + missing;
}

tables_header read_header(const std::string& folder, collective what) {
    const std::string path = folder + "/default_" + std::string(tutti::name_of(what)) + ".hpp";
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
    return {path, text.substr(0, first), text.substr(first, end - first), text.substr(end)};
}

} // namespace program
