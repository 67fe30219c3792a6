// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <string_view>

#include "chart.hpp"
#include "chart_parts.hpp"

namespace program {

namespace {

constexpr double map_left = 76, over_map = 30, under_map = 44;
constexpr double cell_height = 20;

double cell_width(const chart_map& m) {
    return std::clamp(640.0 / static_cast<double>(std::max<std::size_t>(1, m.sizes.size())), 24.0, 60.0);
}
double height_of(const chart_map& m, std::size_t names) {
    return over_map + under_map
           + std::max(cell_height * static_cast<double>(m.bytes.size()), 18.0 * static_cast<double>(names));
}

void draw(tutti::svg_writer& to, const chart_map& m, const std::vector<std::string>& names, double top) {
    const double wide = cell_width(m);
    const std::size_t columns = m.sizes.size(), rows = m.bytes.size();
    const double bottom = top + over_map + cell_height * static_cast<double>(rows);
    const auto at_x = [&](std::size_t column) { return map_left + wide * static_cast<double>(column); };
    const auto at_y = [&](std::size_t row) { return bottom - cell_height * static_cast<double>(row + 1); };
    const auto look = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    to.text(map_left, top + 16, 14, m.title, "start", tint::ink, "bold");
    struct place {
        std::size_t row = 0, column = 0, length = 0;
    };
    std::vector<place> longest(names.size());
    for (std::size_t row = 0; row < rows; ++row) {
        to.text(map_left - 8, at_y(row) + cell_height / 2 + 4, 10,
                bytes_text(static_cast<double>(m.bytes[row])), "end", tint::quiet, "normal");
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
                        {"height", cell_height},
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
        if (column > 0 && m.best[k] != m.best[k - 1]) border(at_x(column), at_y(row) + cell_height);
        if (row + 1 < rows && m.best[k] != m.best[k + columns]) border(at_x(column) + wide, at_y(row));
    }
    for (std::size_t k = 0; k < names.size(); ++k) // where there is room
        if (longest[k].length > 0
            && 6.4 * static_cast<double>(names[k].size()) + 8 < wide * static_cast<double>(longest[k].length))
            to.text(at_x(longest[k].column) + wide * static_cast<double>(longest[k].length) / 2,
                    at_y(longest[k].row) + cell_height / 2 + 4, 10, names[k], "middle", tint::sheet, "bold");
    for (std::size_t column = 0; column < columns; ++column)
        to.text(at_x(column) + wide / 2, bottom + 16, 10, std::to_string(m.sizes[column]), "middle",
                tint::quiet, "normal");
    to.text(map_left + wide * static_cast<double>(columns) / 2, bottom + 34, 11, "ranks", "middle",
            tint::quiet, "normal");
    to.text(map_left - 8, top + over_map - 6, 11, "bytes", "end", tint::quiet, "normal");
    double y = top + over_map;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto won = std::count(m.best.begin(), m.best.end(), names[k]);
        if (won == 0) continue;
        to.element("rect", {{"x", at_x(columns) + 16},
                            {"y", y},
                            {"width", 12},
                            {"height", 12},
                            {"fill", chart_colour_of(k)}});
        to.text(at_x(columns) + 34, y + 10, 11,
                names[k] + ", " + std::to_string(won) + " of " + std::to_string(m.best.size()), "start",
                tint::ink, "normal");
        y += 18;
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
    double wide = 40 + 9.5 * static_cast<double>(title.size()), all = heading_height(title);
    std::size_t longest = 0;
    for (const std::string& name : names) longest = std::max(longest, name.size());
    for (const chart_map& m : maps) {
        all += height_of(m, names.size());
        wide = std::max(wide, map_left + cell_width(m) * static_cast<double>(m.sizes.size()) + 60
                                  + 7.3 * static_cast<double>(longest + 12));
    }
    tutti::svg_writer to(wide, all, title);
    double top = draw_heading(to, title);
    for (const chart_map& m : maps) {
        draw(to, m, names, top);
        top += height_of(m, names.size());
    }
    return std::move(to).finish();
}

} // namespace program
