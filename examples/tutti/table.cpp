// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include <tutti/core/error.hpp>

#include "json.hpp"

namespace program {

std::string fixed(double x, int digits) {
    std::array<char, 400> buffer{}; // the longest double has 309 digits before the point
    std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, x);
    return buffer.data();
}

namespace {

// ---- JSON
// ----------------------------------------------------------------------------------------------------

struct to_json {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t n) const { return std::to_string(n); }
    std::string operator()(double x) const { return std::isfinite(x) ? fixed(x, 4) : "null"; }
    std::string operator()(const std::string& s) const { return in_quotes(s); }
    std::string operator()(const tutti::parameters& p) const { return json_of(p); }
};

// ---- For people
// ------------------------------------------------------------------------------------------------

struct to_text {
    const column& of;
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(bool b) const { return b ? "yes" : "no"; }
    std::string operator()(std::int64_t n) const { return of.typed ? typed(n) : std::to_string(n); }
    std::string operator()(double x) const { return fixed(x, of.digits); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const tutti::parameters& p) const { return text_of(p); }
};

bool empty(const cell& c) { return std::holds_alternative<std::monostate>(c); }
bool is_number(const cell& c) {
    return std::holds_alternative<std::int64_t>(c) || std::holds_alternative<double>(c);
}

/// The range of the numbers; true if all are; else the different texts in the order of appearance.
cell folded_cell(const std::vector<const cell*>& cells, const column& of) {
    constexpr std::size_t most_listed = 6;
    std::vector<const cell*> there;
    for (const cell* c : cells)
        if (!empty(*c)) there.push_back(c);
    if (there.empty()) return {};
    if (std::all_of(there.begin(), there.end(), [&](const cell* c) { return *c == *there.front(); }))
        return *there.front();
    if (std::holds_alternative<bool>(*there.front())) return false;
    const auto text = [&](const cell* c) { return std::visit(to_text{of}, *c); };
    if (std::all_of(there.begin(), there.end(), [](const cell* c) { return is_number(*c); })) {
        const auto value = [](const cell* c) {
            const auto* n = std::get_if<std::int64_t>(c);
            return n != nullptr ? static_cast<double>(*n) : std::get<double>(*c);
        };
        const auto [low, high] = std::minmax_element(
            there.begin(), there.end(), [&](const cell* a, const cell* b) { return value(a) < value(b); });
        const std::string from = text(*low);
        const std::string to = text(*high);
        return from == to ? from : from + ".." + to;
    }
    std::vector<std::string> listed;
    for (const cell* c : there)
        if (std::find(listed.begin(), listed.end(), text(c)) == listed.end()) listed.push_back(text(c));
    std::string result;
    for (std::size_t i = 0; i < listed.size() && i < most_listed; ++i)
        result.append(i > 0 ? "," : "").append(listed[i]);
    return listed.size() > most_listed ? result + ",..." : result;
}

/// Bytes that begin a character of UTF-8.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// `text` in lines of at most `most` characters, broken at blanks; longer words stay whole.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
    std::vector<std::string> lines(1);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > most) lines.emplace_back();
        lines.back().append(lines.back().empty() ? "" : " ").append(word);
        begin = end + 1;
    }
    return lines;
}

} // namespace

long& line_width(std::ostream& out) {
    static const int place = std::ios_base::xalloc();
    return out.iword(place);
}

long& may_be_bold(std::ostream& out) {
    static const int place = std::ios_base::xalloc();
    return out.iword(place);
}

std::string typed(std::int64_t n) {
    for (const auto& [letter, shift] : {std::pair{'G', 30}, {'M', 20}, {'K', 10}})
        if (n > 0 && n % (std::int64_t{1} << shift) == 0) return std::to_string(n >> shift) + letter;
    return std::to_string(n);
}

std::string json_of(const tutti::parameters& p) {
    std::string text = "{";
    for (const auto& [name, value] : p)
        text.append(text.size() > 1 ? ", " : "")
            .append(in_quotes(name))
            .append(": ")
            .append(std::to_string(value));
    return text + '}';
}

std::string text_of(const tutti::parameters& p) {
    std::string text;
    for (const auto& [name, value] : p)
        text.append(text.empty() ? "" : " ").append(name).append("=").append(std::to_string(value));
    return text;
}

std::size_t table::column_of(std::string_view key) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i].key == key) return i;
    throw tutti::error("no column " + std::string(key));
}

void table::compare(std::string_view time, std::initializer_list<std::string_view> alike, bool sorted) {
    const std::size_t of = column_of(time);
    const std::size_t ratio = column_of("x_best");
    std::vector<std::size_t> same;
    for (const std::string_view key : alike) same.push_back(column_of(key));
    const auto us = [&](const row& r) { return std::get_if<double>(&r[of]); };
    const auto equal = [&](const row& a, const row& b) {
        return std::all_of(same.begin(), same.end(), [&](std::size_t i) { return a[i] == b[i]; });
    };
    std::vector<std::vector<row>> groups; // in the order in which they appear
    std::vector<std::size_t> group_of;    // of each row
    for (const row& r : rows_) {
        const auto at = std::find_if(groups.begin(), groups.end(),
                                     [&](const std::vector<row>& g) { return equal(g.front(), r); });
        group_of.push_back(static_cast<std::size_t>(at - groups.begin()));
        (at == groups.end() ? groups.emplace_back() : *at).push_back(r);
    }
    for (std::vector<row>& group : groups) {
        const auto less = [&](const row& a, const row& b) {
            return us(a) != nullptr && (us(b) == nullptr || *us(a) < *us(b));
        };
        const row& best = *std::min_element(group.begin(), group.end(), less);
        const double least = us(best) != nullptr ? *us(best) : 0;
        const auto timed = std::count_if(group.begin(), group.end(), [&](const row& r) { return us(r); });
        if (timed > 1 && least > 0)
            for (row& r : group)
                if (us(r) != nullptr) r[ratio] = *us(r) / least;
        if (sorted) std::stable_sort(group.begin(), group.end(), less);
    }
    std::vector<std::size_t> next(groups.size());
    std::vector<row> all;
    if (sorted)
        for (std::vector<row>& group : groups) std::move(group.begin(), group.end(), std::back_inserter(all));
    else
        for (const std::size_t g : group_of) all.push_back(std::move(groups[g][next[g]++]));
    rows_ = std::move(all);
    best_.clear();
    for (const row& r : rows_) best_.push_back(r[ratio] == cell(1.0));
}

void table::print_json(std::ostream& out, std::string_view verb, std::string_view more) const {
    out << json_heading(verb) << ", \"rows\": [";
    const char* before = "\n";
    for (const row& r : rows_) {
        out << std::exchange(before, ",\n") << "  {";
        for (std::size_t i = 0; i < r.size(); ++i)
            out << (i > 0 ? ", " : "") << in_quotes(columns_[i].key) << ": " << std::visit(to_json{}, r[i]);
        out << '}';
    }
    out << "\n]" << more << "}\n";
}

void table::print(std::ostream& out, bool folded) const {
    const auto same = [&](const row& a, const row& b) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (columns_[i].identifies && a[i] != b[i]) return false;
        return true;
    };
    std::vector<row> shown;
    std::vector<bool> best;
    for (std::size_t first = 0; first < rows_.size();) {
        std::size_t end = first + 1;
        while (folded && end < rows_.size() && same(rows_[first], rows_[end])) ++end;
        row& one = shown.emplace_back();
        best.push_back(end == first + 1 && first < best_.size() && best_[first]);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            std::vector<const cell*> cells;
            for (std::size_t k = first; k < end; ++k) cells.push_back(&rows_[k][i]);
            one.push_back(folded_cell(cells, columns_[i]));
        }
        first = end;
    }

    // Two lines of headings: "rounds" over "vs bound" for rounds_vs_bound.
    struct printed {
        std::string upper, lower;
        std::vector<std::string> texts;
        std::size_t width;
        bool right;

        /// Words stay whole.
        std::size_t least() const {
            if (right) return width;
            std::size_t most = std::max(upper.size(), lower.size());
            for (const std::string& text : texts)
                for (const std::string& line : wrapped(text, 1)) most = std::max(most, width_of(line));
            return most;
        }
        bool says_one_thing() const {
            return texts.size() > 1
                   && std::count(texts.begin(), texts.end(), texts.front())
                          == static_cast<std::ptrdiff_t>(texts.size());
        }
    };
    std::vector<printed> columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto blank = [i](const row& r) {
            const auto* p = std::get_if<tutti::parameters>(&r[i]);
            return empty(r[i]) || (p != nullptr && p->empty());
        };
        if (std::all_of(shown.begin(), shown.end(), blank)) continue;
        std::string heading = columns_[i].key;
        const std::size_t cut = heading.find('_');
        std::string upper = cut == std::string::npos ? "" : heading.substr(0, cut);
        std::string lower = cut == std::string::npos ? heading : heading.substr(cut + 1);
        std::replace(lower.begin(), lower.end(), '_', ' ');
        printed p{.upper = upper,
                  .lower = lower,
                  .texts = {},
                  .width = std::max(upper.size(), lower.size()),
                  .right =
                      std::any_of(rows_.begin(), rows_.end(), [i](const row& r) { return is_number(r[i]); })};
        for (const row& r : shown) {
            p.texts.push_back(std::visit(to_text{columns_[i]}, r[i]));
            p.width = std::max(p.width, width_of(p.texts.back()));
        }
        columns.push_back(std::move(p));
    }
    const bool bold = may_be_bold(out) != 0;
    const auto print_line = [&](auto&& text_in, bool marked = false) {
        std::string line;
        for (const printed& p : columns) {
            const std::string text = text_in(p);
            const std::string gap(p.width - std::min(p.width, width_of(text)), ' ');
            line += (line.empty() ? "" : "  ") + (p.right ? gap + text : text + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << (marked && bold ? "\033[1m" + line + "\033[0m" : line) << '\n';
    };
    const auto most = static_cast<std::size_t>(std::max(line_width(out), 0L));
    const auto total = [&] {
        std::size_t sum = 2 * columns.size() - 2;
        for (const printed& p : columns) sum += p.width;
        return sum;
    };
    const bool is_narrow = most > 0 && total() > most;
    if (is_narrow) { // what is the same in all lines is said once
        std::string once;
        std::erase_if(columns, [&](const printed& p) {
            if (!p.says_one_thing()) return false;
            once.append(once.empty() ? "" : ", ").append(p.upper).append(p.upper.empty() ? "" : " ");
            once.append(p.lower).append(" ").append(p.texts.front());
            return true;
        });
        if (!once.empty()) out << once << '\n';
        std::vector<std::size_t> least;
        for (const printed& p : columns) least.push_back(p.least());
        while (total() > most) { // a character from the one that can spare most
            std::size_t widest = 0;
            for (std::size_t i = 0; i < columns.size(); ++i)
                if (columns[i].width - least[i] > columns[widest].width - least[widest]) widest = i;
            if (columns[widest].width == least[widest]) break;
            --columns[widest].width;
        }
    }
    print_line([](const printed& p) { return p.upper; });
    print_line([](const printed& p) { return p.lower; });
    for (std::size_t k = 0; k < shown.size(); ++k) {
        std::vector<std::vector<std::string>> lines;
        std::size_t height = 1;
        for (const printed& p : columns) {
            lines.push_back(p.right ? std::vector{p.texts[k]} : wrapped(p.texts[k], p.width));
            height = std::max(height, lines.back().size());
        }
        for (std::size_t line = 0; line < height; ++line)
            print_line(
                [&](const printed& p) {
                    const auto& mine = lines[static_cast<std::size_t>(&p - columns.data())];
                    return line < mine.size() ? mine[line] : std::string();
                },
                best[k]);
    }
}

} // namespace program
