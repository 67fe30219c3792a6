// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace program {

namespace {

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

/// A column as it is printed, under two lines of headings: "sent" over "blocks" for sent_blocks.
struct printed {
    std::string upper, lower;
    std::vector<std::string> texts;
    bool right;              ///< numbers
    bool identifies;         ///< what the row is about
    bool if_there_is_room;   ///< else it is left out
    std::size_t natural = 0; ///< its width where there is room for all
    std::size_t least = 0;   ///< where words stay whole, and lists break behind commas

    printed(const column& of, std::vector<std::string> cells, bool numbers)
        : lower(of.heading.empty() ? of.key : of.heading), texts(std::move(cells)), right(numbers),
          identifies(of.identifies), if_there_is_room(of.if_there_is_room) {
        upper = lower.substr(0, std::min(lower.find('_'), lower.size()));
        lower.erase(0, upper.size() < lower.size() ? upper.size() + 1 : 0);
        if (lower == upper) upper.clear();
        std::replace(lower.begin(), lower.end(), '_', ' ');
        least = natural = std::max(upper.size(), lower.size());
        for (const std::string& text : texts) {
            natural = std::max(natural, width_of(text));
            std::size_t begin = 0;
            for (std::size_t i = 0; i <= text.size(); ++i)
                if (i == text.size() || text[i] == ' ' || text[i] == ',') {
                    const std::size_t end = i + (i < text.size() && text[i] == ',' ? 1 : 0);
                    least = std::max(least, width_of(std::string_view(text).substr(begin, end - begin)));
                    begin = i + 1;
                }
        }
        if (right) least = natural;
    }
    std::string name() const { return upper + (upper.empty() ? "" : " ") + lower; }
    bool says_one_thing() const {
        return texts.size() > 1
               && std::count(texts.begin(), texts.end(), texts.front())
                      == static_cast<std::ptrdiff_t>(texts.size());
    }
};

/// Where the columns of a table stand: side by side, each with a width; what has no room then, or would only
/// make rows higher, follows below each row by its name: "    source: Träff 2021; volume: 2".
class layout {
public:
    layout(std::span<const printed> columns, std::size_t most) : columns_(columns), most_(most) {
        const std::vector<bool> none(columns.size());
        widths_ = most > 0 ? widths_without(none) : natural_widths();
        if (most > 0) put_below(none);
    }

    /// 0: it is below.
    std::size_t width(std::size_t i) const { return widths_[i]; }

    std::vector<std::string> lines_below(std::size_t row) const { return lines_below(widths_, row); }

private:
    std::vector<std::size_t> natural_widths() const {
        std::vector<std::size_t> widths;
        for (const printed& p : columns_) widths.push_back(p.natural);
        return widths;
    }
    static std::size_t total(std::span<const std::size_t> widths) {
        std::size_t sum = 0;
        for (const std::size_t w : widths) sum += w > 0 ? w + 2 : 0;
        return sum - 2;
    }
    bool fit(std::span<const std::size_t> widths) const { return total(widths) <= most_; }

    /// The others as wide as they may be: a character at a time is taken from the one that can spare most.
    std::vector<std::size_t> widths_without(const std::vector<bool>& below) const {
        std::vector<std::size_t> widths = natural_widths();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (below[i]) widths[i] = 0;
        const auto spare = [&](std::size_t i) { return widths[i] > 0 ? widths[i] - columns_[i].least : 0; };
        while (!fit(widths)) {
            std::size_t widest = 0;
            for (std::size_t i = 0; i < widths.size(); ++i)
                if (spare(i) > spare(widest)) widest = i;
            if (spare(widest) == 0) break;
            --widths[widest];
        }
        return widths;
    }

    std::vector<std::string> lines_below(std::span<const std::size_t> widths, std::size_t row) const {
        constexpr std::size_t indent = 4;
        std::string text;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string& mine = columns_[i].texts[row];
            if (widths[i] > 0 || mine.empty() || mine == "-") continue;
            text.append(text.empty() ? "" : "; ").append(columns_[i].name()).append(": ").append(mine);
        }
        if (text.empty()) return {};
        std::vector<std::string> lines = wrapped(text, most_ - indent);
        for (std::string& line : lines) line.insert(0, indent, ' ');
        return lines;
    }

    /// How many lines the first rows take.
    std::size_t height(std::span<const std::size_t> widths) const {
        constexpr std::size_t enough = 200;
        std::size_t sum = 0;
        for (std::size_t row = 0; row < std::min(columns_.front().texts.size(), enough); ++row) {
            std::size_t most = 1;
            for (std::size_t i = 0; i < columns_.size(); ++i)
                if (widths[i] > 0 && widths[i] < width_of(columns_[i].texts[row]))
                    most = std::max(most, wrapped(columns_[i].texts[row], widths[i]).size());
            sum += most + lines_below(widths, row).size();
        }
        return sum;
    }

    /// What names every row stands beside the others as long as there is anything else to move.
    bool may_go(std::size_t i, const std::vector<bool>& below) const {
        const auto names_rows = [&](std::size_t k) {
            const printed& p = columns_[k];
            return p.identifies && std::find(p.texts.begin(), p.texts.end(), "") == p.texts.end();
        };
        if (i == 0 || below[i]) return false;
        if (!names_rows(i)) return true;
        for (std::size_t k = 1; k < columns_.size(); ++k)
            if (!below[k] && !names_rows(k)) return false;
        return true;
    }

    /// Moves one column after the other until all fit, and then as long as that saves lines; never the first.
    void put_below(std::vector<bool> below) {
        std::size_t lines = fit(widths_) ? height(widths_) : std::numeric_limits<std::size_t>::max();
        for (;;) {
            const bool fitted_before = fit(widths_);
            std::size_t chosen = 0;
            std::size_t widest = 0; // goes if no single one makes the others fit
            for (std::size_t i = columns_.size() - 1; i > 0; --i) {
                if (!may_go(i, below)) continue;
                if (widest == 0 || columns_[i].least > columns_[widest].least) widest = i;
                below[i] = true;
                const std::vector<std::size_t> widths = widths_without(below);
                below[i] = false;
                if (!fit(widths)) continue;
                const std::size_t taken = height(widths);
                // Numbers are compared, which is easier in a column; else what is at the right goes.
                const bool ties = taken == lines && chosen != 0;
                if (taken > lines || (taken == lines && !ties)) continue;
                if (ties && (columns_[i].right || !columns_[chosen].right)) continue;
                chosen = i;
                lines = taken;
            }
            if (chosen == 0 && !fitted_before) chosen = widest;
            if (chosen == 0) return;
            below[chosen] = true;
            widths_ = widths_without(below);
        }
    }

    const std::span<const printed> columns_;
    const std::size_t most_;
    std::vector<std::size_t> widths_{};
};

} // namespace

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

    std::vector<printed> columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto blank = [i](const row& r) {
            const auto* p = std::get_if<tutti::parameters>(&r[i]);
            return empty(r[i]) || (p != nullptr && p->empty());
        };
        if (std::all_of(shown.begin(), shown.end(), blank)) continue;
        std::vector<std::string> texts;
        for (const row& r : shown) texts.push_back(std::visit(to_text{columns_[i]}, r[i]));
        columns.emplace_back(
            columns_[i], std::move(texts),
            std::any_of(rows_.begin(), rows_.end(), [i](const row& r) { return is_number(r[i]); }));
    }
    if (columns.empty()) return;

    const auto most = static_cast<std::size_t>(std::max(line_width(out), 0L));
    std::size_t all = 2 * columns.size() - 2;
    for (const printed& p : columns) all += p.natural;
    if (most > 0 && all > most) { // what is the same in all lines is said once
        std::string once;
        std::erase_if(columns, [&](const printed& p) {
            if (!p.says_one_thing()) return false;
            once.append(once.empty() ? "" : ", ").append(p.name()).append(" ").append(p.texts.front());
            return true;
        });
        if (!once.empty()) out << fitted(once, most) << '\n';
        if (columns.empty()) return;
    }

    std::string left_out;
    if (most > 0) {
        const auto width = [&](std::size_t widest) {
            std::size_t sum = 2 * columns.size() - 2;
            for (const printed& p : columns) sum += std::min(p.natural, widest);
            return sum;
        };
        all = width(all);
        // A longer text takes several lines anyway.
        for (std::size_t i = columns.size(); i-- > 1 && width(most / 2) > most;) {
            if (!columns[i].if_there_is_room) continue;
            left_out = columns[i].name() + (left_out.empty() ? "" : ", ") + left_out;
            columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    const layout where(columns, most);
    const bool bold = may_be_bold(out) != 0;
    const auto write = [&](const std::string& line, bool marked) {
        out << (marked && bold ? "\033[1m" + line + "\033[0m" : line) << '\n';
    };
    const auto print_line = [&](auto&& text_in, bool marked = false) {
        std::string line;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (where.width(i) == 0) continue;
            const std::string text = text_in(i);
            const std::string gap(where.width(i) - std::min(where.width(i), width_of(text)), ' ');
            line += (line.empty() ? "" : "  ") + (columns[i].right ? gap + text : text + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        write(line, marked);
    };
    print_line([&](std::size_t i) { return columns[i].upper; });
    print_line([&](std::size_t i) { return columns[i].lower; });
    for (std::size_t k = 0; k < shown.size(); ++k) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string& text = columns[i].texts[k];
            const bool is_whole = columns[i].right || where.width(i) == 0;
            cells.push_back(is_whole ? std::vector{text} : wrapped(text, where.width(i)));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t line = 0; line < height; ++line)
            print_line([&](std::size_t i) { return line < cells[i].size() ? cells[i][line] : std::string(); },
                       best[k]);
        for (const std::string& line : where.lines_below(k)) write(line, best[k]);
    }
    if (!left_out.empty())
        out << fitted(
            "No room for " + left_out + ": COLUMNS=" + std::to_string(all) + " or --json shows them", most)
            << '\n';
}

} // namespace program
