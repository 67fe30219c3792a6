// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>
#include <tutti/model/decision_table.hpp>

#if TUTTI_BODIES
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include <tutti/core/spelling.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/named.hpp>
#endif

/// Decision tables as small text files: a rule on each line, `#` begins a comment.
///
///     tutti decision table 1
///     machine quadrics-elan3-nic
///     # collective  case         size    bytes    algorithm  options
///     reduce        commutative  2..15   0..8     fnomial    radix=4
///     reduce        commutative  2..15   9..      fnomial
///     reduce        ordered      2..15   0..      binary_tree
///     bcast         all          1..     0..      fnomial
///
/// The case is `all`, or what the rule is for: `commutative` or `ordered` (operations that do not commute),
/// `equal` or `unequal` (lengths of the blocks where every rank has one), or one of each with a comma
/// between. A range without end has none after the dots; K, M and G are powers of 1024. Options that are not
/// given have the algorithm's defaults. For every collective and case that is listed, the ranges of bytes
/// must cover each size from 0 on, once, and sizes must have no gap. What is not listed is left to others.
namespace tutti {

/// The table that `text` holds. Throws argument_error, with file name and line in it, for a heading of
/// another version, a collective, algorithm or option that does not exist, a value out of range, ranges that
/// overlap or leave a gap, and an algorithm whose claims do not cover all that its rule is for.
decision_table parse_decision_table(std::string_view text, const std::string& file_name = "table");

/// The table of a file. Errors as parse_decision_table; if the file cannot be read, too.
decision_table load_decision_table(const std::string& path);

/// The file of a table: parse_decision_table(text_of(table)) == table.
std::string text_of(const decision_table& table);

#if TUTTI_BODIES
namespace detail {
/// Reads the rules of a table. Every error says file and line.
class decision_table_reader {
public:
    decision_table_reader(std::string_view text, const std::string& file_name) : file_(file_name) {
        bool begun = false;
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
            ++line_;
            line = line.substr(0, line.find('#'));
            words_.clear();
            split(line);
            if (words_.empty()) continue;
            if (!begun) {
                check_heading();
                begun = true;
            } else if (words_[0] == "machine") {
                if (words_.size() != 2) refuse("machine", rest(1), "one word, the machine's name");
                machine_name_ = words_[1];
            } else {
                rules_.push_back(rule());
            }
        }
        if (!begun) refuse("heading", "missing", heading);
    }

    decision_table table() && { return decision_table(std::move(machine_name_), std::move(rules_)); }

    static constexpr const char* heading = "tutti decision table 1";

private:
    void split(std::string_view line) {
        constexpr std::string_view blank = " \t\r";
        for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;
             at = line.find_first_not_of(blank, at)) {
            const std::size_t end = std::min(line.find_first_of(blank, at), line.size());
            words_.push_back(line.substr(at, end - at));
            at = end;
        }
    }

    std::string rest(std::size_t from) const {
        std::string all;
        for (std::size_t i = from; i < words_.size(); ++i) all.append(i > from ? " " : "").append(words_[i]);
        return all;
    }

    std::string where() const { return std::string(file_).append(":").append(std::to_string(line_)); }

    [[noreturn]] void refuse(const std::string& what, std::string value, std::string allowed) const {
        throw argument_error(where().append(": ").append(what), std::move(value), std::move(allowed));
    }

    void check_heading() const {
        if (rest(0) != heading) refuse("heading", "'" + rest(0) + "'", heading);
    }

    decision_rule rule() const {
        decision_rule r{.where = where()};
        const auto what = collective_named(words_[0]);
        if (!what) {
            std::vector<std::string_view> names;
            for (const collective c : all_collectives) names.push_back(name_of(c));
            refuse("collective", misspelt(words_[0], names), listed(names));
        }
        if (words_.size() < 5)
            refuse("line", "'" + rest(0) + "'", "collective, case, size, bytes, algorithm, options");
        r.what = *what;
        read_case(r);
        r.sizes = range<rank_type>("size", words_[2], 1);
        r.bytes = range<std::int64_t>("bytes", words_[3], 0);
        r.choice.entry = find_algorithm(*what, words_[4]);
        if (r.choice.entry == nullptr) {
            const std::vector<std::string_view> names = names_of(catalogue_of(*what));
            refuse("algorithm of " + std::string(words_[0]), misspelt(words_[4], names), listed(names));
        }
        r.choice.with = r.choice.entry->defaults;
        for (std::size_t i = 5; i < words_.size(); ++i) read_option(r, words_[i]);
        return r;
    }

    void read_case(decision_rule& r) const {
        std::string_view left = words_[1];
        if (left == "all") return;
        std::string allowed = "all";
        if (folds(r.what)) allowed += ", commutative, ordered";
        if (has_unequal_blocks(r.what)) allowed += ", equal, unequal";
        if (folds(r.what) && has_unequal_blocks(r.what)) allowed += ", one of each with a comma between";
        for (bool more = true; more;) {
            const std::size_t comma = left.find(',');
            const std::string_view word = left.substr(0, comma);
            more = comma != std::string_view::npos;
            if (more) left.remove_prefix(comma + 1);
            const bool both_orders = r.commutative && r.ordered;
            const bool both_blocks = r.equal_blocks && r.unequal_blocks;
            if (word == "commutative" && folds(r.what) && both_orders)
                r.ordered = false;
            else if (word == "ordered" && folds(r.what) && both_orders)
                r.commutative = false;
            else if (word == "equal" && has_unequal_blocks(r.what) && both_blocks)
                r.unequal_blocks = false;
            else if (word == "unequal" && has_unequal_blocks(r.what) && both_blocks)
                r.equal_blocks = false;
            else
                refuse("case", "'" + std::string(words_[1]) + "'", allowed);
        }
    }

    /// The number at the beginning of `text`, which it is taken from.
    static bool take_number(std::string_view& text, std::int64_t& value) {
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (fault != std::errc{} || value < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        const std::size_t unit =
            text.empty() ? std::string_view::npos : std::string_view("KMG").find(text[0]);
        if (unit == std::string_view::npos) return true;
        const int shift = 10 * (static_cast<int>(unit) + 1);
        if (value > std::numeric_limits<std::int64_t>::max() >> shift) return false;
        value <<= shift;
        text.remove_prefix(1);
        return true;
    }

    template <class Integer>
    closed_range<Integer> range(const char* what, std::string_view text, std::int64_t least) const {
        constexpr std::int64_t most = std::numeric_limits<Integer>::max();
        const auto wrong = [&] {
            refuse(what, "'" + std::string(text) + "'",
                   "a range as 2..15, 16.. or 7, from " + std::to_string(least) + " to "
                       + std::to_string(most));
        };
        std::string_view left = text;
        std::int64_t first = 0;
        if (!take_number(left, first)) wrong();
        std::int64_t last = first;
        if (left == "..") {
            last = most;
        } else if (left.starts_with("..")) {
            left.remove_prefix(2);
            if (!take_number(left, last) || !left.empty()) wrong();
        } else if (!left.empty()) {
            wrong();
        }
        if (first < least || last > most || last < first) wrong();
        return {static_cast<Integer>(first), static_cast<Integer>(last)};
    }

    void read_option(decision_rule& r, std::string_view word) const {
        const std::size_t equals = std::min(word.find('='), word.size());
        std::vector<std::string_view> names;
        for (const auto& [name, standard] : r.choice.entry->defaults) {
            names.push_back(name);
            if (word.substr(0, equals) != name || equals == word.size()) continue;
            const std::string_view value = word.substr(equals + 1);
            int number = 0;
            const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
            if (fault != std::errc{} || end != value.data() + value.size())
                refuse(name, "'" + std::string(value) + "'", "a number of 32 bits");
            return r.choice.with.set(name, number);
        }
        refuse("option of " + std::string(r.choice.entry->name),
               "'" + std::string(word) + "'" + did_you_mean(word.substr(0, equals), names),
               names.empty() ? "none" : listed(names) + ", each with = and a number");
    }

    const std::string& file_;
    std::size_t line_ = 0;
    std::vector<std::string_view> words_;
    std::string machine_name_;
    std::vector<decision_rule> rules_;
};

inline std::string text_of_case(const decision_rule& r) {
    std::string text;
    if (folds(r.what) && r.commutative != r.ordered) text = r.commutative ? "commutative" : "ordered";
    if (has_unequal_blocks(r.what) && r.equal_blocks != r.unequal_blocks)
        text.append(text.empty() ? "" : ",").append(r.equal_blocks ? "equal" : "unequal");
    return text.empty() ? "all" : text;
}
} // namespace detail

TUTTI_BODY decision_table parse_decision_table(std::string_view text, const std::string& file_name) {
    return detail::decision_table_reader(text, file_name).table();
}

TUTTI_BODY decision_table load_decision_table(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || file.bad())
        throw argument_error("decision table", "'" + path + "'", "a file that can be read");
    return parse_decision_table(text.str(), path);
}

TUTTI_BODY std::string text_of(const decision_table& table) {
    const auto column = [](std::string text, std::size_t width) {
        if (text.size() < width) text.resize(width, ' ');
        return text.append("  ");
    };
    std::string text = std::string(detail::decision_table_reader::heading).append("\n");
    if (!table.machine_name().empty()) text.append("machine ").append(table.machine_name()).append("\n");
    text.append("# collective    case                size          bytes                  algorithm\n");
    for (const decision_rule& r : table.rules())
        text.append(column(std::string(name_of(r.what)), 14))
            .append(column(detail::text_of_case(r), 18))
            .append(column(text_of(r.sizes), 12))
            .append(column(text_of(r.bytes), 21))
            .append(name_of(r.choice))
            .append("\n");
    return text;
}
#endif

} // namespace tutti
