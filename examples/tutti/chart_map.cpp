// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chart.hpp"
#include "chart_parts.hpp"
#include "table.hpp"

namespace program {

namespace {

double cell_width(const chart_map& m) {
    return std::clamp(600.0 / static_cast<double>(std::max<std::size_t>(1, m.sizes.size())), 24.0, 60.0);
}

/// Of the maps on a sheet.
class map_measures {
public:
    map_measures(const std::vector<chart_map>& maps, const std::vector<std::string>& names) {
        for (const chart_map& m : maps)
            cells_ = std::max(cells_, cell_width(m) * static_cast<double>(m.sizes.size()));
        std::size_t longest = 0;
        for (const std::string& name : names) longest = std::max(longest, name.size());
        letter = letter_height(cells_ + 20, labels / letter_width);
        left = labels * letter;
        over = 3.2 * letter;
        under = 3.6 * letter;
        cell_height = 1.6 * letter;
        entry_width = words(longest + std::string_view(", 1000 of 1000").size()) + 2 * letter;
        entry_height = 1.5 * letter;
    }

    double words(std::size_t letters) const { return letter_width * letter * static_cast<double>(letters); }
    double sheet_width() const { return std::max(left + cells_ + 20, 20 + entry_width); }
    /// Entries of the legend beside each other.
    std::size_t abreast() const {
        return std::max<std::size_t>(1, static_cast<std::size_t>((sheet_width() - 20) / entry_width));
    }
    double height_of(const chart_map& m, std::size_t names) const {
        return over + cell_height * static_cast<double>(m.bytes.size()) + under
               + entry_height * static_cast<double>((names + abreast() - 1) / abreast()) + letter;
    }

    double letter = 0; ///< height
    double left = 0, over = 0, under = 0, cell_height = 0, entry_width = 0, entry_height = 0;

private:
    static constexpr double labels = 5; // how wide those of the rows are, in letters' heights
    double cells_ = 0;
};

void draw(tutti::svg_writer& to, const map_measures& sizes, const chart_map& m,
          const std::vector<std::string>& names, double top) {
    const double wide = cell_width(m), high = sizes.cell_height, left = sizes.left, letter = sizes.letter;
    const std::size_t columns = m.sizes.size(), rows = m.bytes.size();
    const double bottom = top + sizes.over + high * static_cast<double>(rows);
    const auto at_x = [&](std::size_t column) { return left + wide * static_cast<double>(column); };
    const auto at_y = [&](std::size_t row) { return bottom - high * static_cast<double>(row + 1); };
    const auto words = [&](double x, double y, std::string_view what, std::string_view anchor,
                           std::string_view colour, std::string_view weight = "normal") {
        to.text(x, y, letter, what, anchor, colour, weight);
    };
    const auto look = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    to.text(left, top + 1.2 * letter, 1.1 * letter, m.title, "start", tint::ink, "bold");
    struct place {
        std::size_t row = 0, column = 0, length = 0;
    };
    std::vector<place> longest(names.size());
    for (std::size_t row = 0; row < rows; ++row) {
        words(left - 8, at_y(row) + high / 2 + to_baseline * letter,
              bytes_text(static_cast<double>(m.bytes[row])), "end", tint::quiet);
        std::size_t length = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t k = row * columns + column;
            length = column > 0 && m.best[k] == m.best[k - 1] ? length + 1 : 1;
            if (m.best[k].empty()) continue;
            place& so_far = longest[look(m.best[k])];
            if (length > so_far.length) so_far = {row, column + 1 - length, length};
            to.pointed("rect",
                       {{"class", "cell"},
                        {"x", at_x(column)},
                        {"y", at_y(row)},
                        {"width", wide},
                        {"height", high},
                        {"fill", chart_colour_of(look(m.best[k]))}},
                       m.notes[k]);
        }
    }
    for (std::size_t k = 0; k < m.best.size(); ++k) { // borders between winners
        const std::size_t row = k / columns, column = k % columns;
        const auto border = [&](double x2, double y2) {
            to.element("line", {{"x1", at_x(column)},
                                {"y1", at_y(row)},
                                {"x2", x2},
                                {"y2", y2},
                                {"stroke", tint::sheet},
                                {"stroke-width", 1.5}});
        };
        if (column > 0 && m.best[k] != m.best[k - 1]) border(at_x(column), at_y(row) + high);
        if (row + 1 < rows && m.best[k] != m.best[k + columns]) border(at_x(column) + wide, at_y(row));
    }
    for (std::size_t k = 0; k < names.size(); ++k) // where there is room
        if (longest[k].length > 0
            && sizes.words(names[k].size()) + 8 < wide * static_cast<double>(longest[k].length))
            words(at_x(longest[k].column) + wide * static_cast<double>(longest[k].length) / 2,
                  at_y(longest[k].row) + high / 2 + to_baseline * letter, names[k], "middle", tint::sheet,
                  "bold");
    std::size_t digits = 1;
    for (const std::int64_t n : m.sizes) digits = std::max(digits, typed(n).size());
    const auto every =
        static_cast<std::size_t>(std::ceil((sizes.words(digits) + 2) / wide)); // where it has room
    for (std::size_t column = 0; column < columns; column += every)
        words(at_x(column) + wide / 2, bottom + 1.4 * letter, typed(m.sizes[column]), "middle", tint::quiet);
    words(left + wide * static_cast<double>(columns) / 2, bottom + 2.8 * letter, "ranks", "middle",
          tint::quiet);
    words(left - 8, top + sizes.over - 0.5 * letter, "bytes", "end", tint::quiet);
    std::size_t entry = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto won = std::count(m.best.begin(), m.best.end(), names[k]);
        if (won == 0) continue;
        const double x = 20 + sizes.entry_width * static_cast<double>(entry % sizes.abreast());
        const double y =
            bottom + sizes.under + sizes.entry_height * static_cast<double>(entry / sizes.abreast());
        ++entry;
        to.element("rect",
                   {{"x", x}, {"y", y}, {"width", letter}, {"height", letter}, {"fill", chart_colour_of(k)}});
        words(x + 1.4 * letter, y + 0.86 * letter,
              names[k] + ", " + std::to_string(won) + " of " + std::to_string(m.best.size()), "start",
              tint::ink);
    }
}

} // namespace

std::vector<std::string> winning_names(const std::vector<chart_map>& maps) {
    std::vector<std::pair<int, std::string>> all;
    for (const chart_map& m : maps)
        for (const std::string& name : m.best) {
            if (name.empty()) continue;
            const auto at =
                std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.second == name; });
            if (at == all.end())
                all.emplace_back(-1, name);
            else
                --at->first;
        }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (auto& a : all) names.push_back(std::move(a.second));
    return names;
}

std::string map_svg(const std::string& title, const std::vector<chart_map>& maps) {
    const std::vector<std::string> names = winning_names(maps);
    const map_measures sizes(maps, names);
    const sheet_heading heading(title, sizes.sheet_width(), sizes.letter);
    double all = heading.height();
    for (const chart_map& m : maps) all += sizes.height_of(m, names.size());
    tutti::svg_writer to(sizes.sheet_width(), all, title);
    heading.draw(to);
    double top = heading.height();
    for (const chart_map& m : maps) {
        draw(to, sizes, m, names, top);
        top += sizes.height_of(m, names.size());
    }
    return std::move(to).finish();
}

} // namespace program
