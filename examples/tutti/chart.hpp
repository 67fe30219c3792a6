// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace program {

/// A line of a chart: what it is, and its points, ascending.
struct chart_line {
    std::string name;
    std::vector<std::pair<double, double>> points{}; ///< both positive
};
struct chart {
    std::string title;
    std::vector<chart_line> lines{};
    std::string unit = " us"; ///< of what stands over the bytes
    double base = 10;         ///< of its axis: a line for every power
    bool least_wins = false;  ///< who is lowest where stands in a strip above; who never is, is grey
};

/// One below the other, times or the like over bytes, both axes logarithmic; at each line's end its name.
/// Without a title what is drawn begins at once. In a dark room as programs show it that know of one
/// (prefers-color-scheme).
std::string chart_svg(const std::string& title, const std::vector<chart>& charts);

/// The same as one page that needs nothing else: the picture of each chart, and beside it what all lines are
/// at the length that is pointed at, or stepped to by the arrow keys.
std::string chart_html(const std::string& title, const std::vector<chart>& charts);

/// Which line is the lowest from where to where.
struct winning_range {
    double first, last; ///< two neighbours have one end in common: where their lines cross
    std::size_t line;
};
/// From left to right, each line as far as it is the lowest; where two points lie on different sides of a
/// crossing, it is taken to be where straight lines between them cross in logarithms.
std::vector<winning_range> winners(const chart& c);

/// Who is the best for each number of ranks and each length.
struct chart_map {
    std::string title;
    std::vector<std::int64_t> sizes;  ///< of the columns
    std::vector<std::int64_t> bytes;  ///< of the rows
    std::vector<std::string> best{};  ///< row by row; "" where nobody is
    std::vector<std::string> notes{}; ///< of each: parameters, time
};

/// One below the other, under a title if there is one: ranks to the right, bytes upwards, a colour for each
/// algorithm.
std::string map_svg(const std::string& title, const std::vector<chart_map>& maps);

/// The same as one page that needs nothing else: the picture of each map, and below it what is known of the
/// cell that is pointed at, or stepped to by the arrow keys.
std::string map_html(const std::string& title, const std::vector<chart_map>& maps);

/// The same for a terminal, in lines of at most `width` characters where that can be: ranks downwards, bytes
/// to the right, a mark for each algorithm, and below what the marks mean.
std::string map_text(const std::vector<chart_map>& maps, std::size_t width);

/// The algorithms that are the best somewhere, those first that are so most often.
std::vector<std::string> winning_names(const std::vector<chart_map>& maps);

/// For each name a mark of its own: an initial of one of its words if that is still free, else another
/// letter or digit, else a number.
std::vector<std::string> marks_of(const std::vector<std::string>& names);

/// "64 Ki"
std::string bytes_text(double bytes);

/// "12.5 us", "3.2 ms": of microseconds in the unit that suits, of all else in its own.
std::string value_text(double value, std::string unit);

/// Places at least a pitch apart, in the order given and as near to `wanted` (ascending) as that allows: who
/// stands too near to the ones before moves together with them. All are in low..high if there is room.
/// Example: of 0, 1 and 50 with a pitch of 10 between -100 and 100 the first two stand at -4.5 and 5.5.
std::vector<double> spread(const std::vector<double>& wanted, double low, double high, double pitch);

} // namespace program
