// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cctype>
#include <string_view>

#include "chart.hpp"
#include "table.hpp"

namespace program {

namespace {

/// How the columns of a map share a line.
struct map_columns {
    std::size_t label = 0;   ///< characters of the number of ranks
    std::size_t pitch = 0;   ///< from a column to the next one
    std::size_t levels = 1;  ///< lines of headings, which take turns where one would be too long
    std::size_t at_once = 0; ///< columns that have room beside each other
};

map_columns columns_of(const chart_map& m, std::size_t mark, std::size_t width) {
    constexpr std::size_t most_levels = 3;
    std::size_t longest = 0;
    for (const std::int64_t n : m.bytes) longest = std::max(longest, typed(n).size());
    map_columns c{.label = std::string_view("ranks").size()};
    for (const std::int64_t n : m.sizes) c.label = std::max(c.label, typed(n).size());
    for (c.levels = 1;; ++c.levels) {
        c.pitch = std::max(mark + 1, (longest + c.levels) / c.levels); // of a level, a blank behind each
        // The last heading may stand out over its column.
        const std::size_t room = width > c.label + 2 + longest ? width - c.label - 2 - longest : 0;
        c.at_once = std::min(m.bytes.size(), room / c.pitch + 1);
        if (c.at_once == m.bytes.size() || c.levels == most_levels) return c;
    }
}

void add_line(std::string& to, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    to.append(line).append("\n");
}
std::string right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// The columns from `first` on, as many as have room.
void add_part(std::string& to, const chart_map& m, const map_columns& c, std::size_t first,
              const std::vector<std::string>& names, const std::vector<std::string>& marks) {
    const std::size_t end = std::min(m.bytes.size(), first + c.at_once);
    for (std::size_t level = 0; level < c.levels; ++level) {
        std::string line = right(level + 1 == c.levels ? "ranks" : level == 0 ? "bytes" : "", c.label) + "  ";
        const std::size_t begin = line.size();
        for (std::size_t k = first + level; k < end; k += c.levels) {
            line.resize(begin + (k - first) * c.pitch, ' ');
            line += typed(m.bytes[k]);
        }
        add_line(to, std::move(line));
    }
    for (std::size_t row = 0; row < m.sizes.size(); ++row) {
        std::string line = right(typed(m.sizes[row]), c.label) + "  ";
        for (std::size_t k = first; k < end; ++k) {
            const std::string& best = m.best[k * m.sizes.size() + row];
            const auto at = std::find(names.begin(), names.end(), best);
            std::string mark = at == names.end() ? "-" : marks[static_cast<std::size_t>(at - names.begin())];
            mark.resize(c.pitch, ' ');
            line += mark;
        }
        add_line(to, std::move(line));
    }
}

} // namespace

std::vector<std::string> marks_of(const std::vector<std::string>& names) {
    std::vector<std::string> marks;
    const auto is_free = [&](const std::string& mark) {
        return std::find(marks.begin(), marks.end(), mark) == marks.end();
    };
    for (const std::string& name : names) {
        std::string tried;
        for (const bool large : {false, true})
            for (std::size_t i = 0; i < name.size(); ++i)
                if (std::isalpha(static_cast<unsigned char>(name[i])) != 0
                    && (i == 0 || std::isalnum(static_cast<unsigned char>(name[i - 1])) == 0))
                    tried += static_cast<char>(large ? std::toupper(static_cast<unsigned char>(name[i]))
                                                     : std::tolower(static_cast<unsigned char>(name[i])));
        tried += "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        const auto letter =
            std::find_if(tried.begin(), tried.end(), [&](char c) { return is_free(std::string(1, c)); });
        marks.push_back(letter != tried.end() ? std::string(1, *letter) : std::to_string(marks.size()));
    }
    return marks;
}

std::string map_text(const std::vector<chart_map>& maps, std::size_t width) {
    const std::vector<std::string> names = winning_names(maps);
    const std::vector<std::string> marks = marks_of(names);
    std::size_t mark = 1;
    for (const std::string& m : marks) mark = std::max(mark, m.size());
    std::string text;
    for (const chart_map& m : maps) {
        text.append(text.empty() ? "" : "\n")
            .append(m.title)
            .append(": ranks downwards, bytes to the right\n\n");
        const map_columns c = columns_of(m, mark, width);
        for (std::size_t first = 0; first < m.bytes.size(); first += c.at_once) {
            add_part(text, m, c, first, names, marks);
            text += "\n";
        }
        const std::string all = " of " + std::to_string(m.best.size());
        for (std::size_t k = 0; k < names.size(); ++k)
            if (const auto won = std::count(m.best.begin(), m.best.end(), names[k]); won > 0)
                add_line(text, right(marks[k], c.label) + "  " + names[k] + ", " + std::to_string(won) + all);
        if (const auto none = std::count(m.best.begin(), m.best.end(), ""); none > 0)
            add_line(text, right("-", c.label) + "  no algorithm, " + std::to_string(none) + all);
    }
    return text;
}

} // namespace program
