// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tutti/render/typed_number.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "wrapping.hpp"

/// What the verbs print: rows under named columns, as a table for people or as JSON for programs.
namespace program {

/// Nothing (the column does not apply), or a value. Parameters become an object in JSON.
using cell = std::variant<std::monostate, bool, std::int64_t, double, std::string, tutti::parameters>;
using row = std::vector<cell>;

struct column {
    std::string key;         ///< in JSON; in the table the heading, with blanks for underscores
    bool identifies{};       ///< rows equal in all such columns may be folded into one
    int digits = 2;          ///< behind the point of fractions
    bool typed{};            ///< numbers as they are typed: 64K, 1M; in JSON as they are
    std::string heading{};   ///< in the table, if it is not the key
    bool if_there_is_room{}; ///< else the table leaves it out, and names it below
};

/// "64K", "1M", "1000": as it may be typed.
inline std::string typed(std::int64_t n) { return tutti::typed_number(n); }

/// With so many digits behind the point.
std::string fixed(double x, int digits);

class table {
public:
    explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

    void add(row cells) { rows_.push_back(std::move(cells)); }
    const std::vector<row>& rows() const { return rows_; }
    std::size_t column_of(std::string_view key) const;

    /// Compares rows that are equal in the columns `alike`, if there are several with a time: fills the
    /// column x_best, how many times the least that is, and marks the best. If `sorted`, rows that are alike
    /// stand together from then on, by time, those without one last.
    void compare(std::string_view time, std::initializer_list<std::string_view> alike, bool sorted);

    /// {"program": "tutti", "version": ..., "schema": ..., "verb": verb, "rows": [one flat object per row]},
    /// with `more` members behind the rows: each begins with a comma.
    void print_json(std::ostream& out, std::string_view verb, std::string_view more = {}) const;

    /// Aligned columns; those that are empty in all rows are left out. With `folded`, neighbouring rows that
    /// only differ in what does not identify them become one, with ranges: "1..70".
    void print(std::ostream& out, bool folded) const;

private:
    std::vector<column> columns_;
    std::vector<row> rows_;
    std::vector<bool> best_; ///< of each row; or empty
};

/// {"radix": 4, "segments": 1}
std::string json_of(const tutti::parameters& p);

/// "radix=4 segments=1"; "" if there are none.
std::string text_of(const tutti::parameters& p);

} // namespace program
