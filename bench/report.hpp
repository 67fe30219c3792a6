// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bench {

/// A figure of a table: text, a whole number, or a measured value printed with `digits` behind the point.
struct measured {
    double value = 0;
    int digits = 2;
};
using cell = std::variant<std::string, std::int64_t, measured>;

/// "8 B", "16 KiB", "4 MiB"
std::string size_text(std::size_t bytes);

/// One table under a title. Printed as a whole, columns aligned; kept for the JSON file.
struct table {
    std::string name; ///< stays the same, for programs that read the JSON
    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<cell>> rows{};

    void row(std::vector<cell> cells) { rows.push_back(std::move(cells)); }
};

/// What the figures are held against. Nothing fails when an aim is missed: it is printed.
struct aim {
    enum class direction : bool { at_most, at_least };

    std::string what;
    double value = 0;
    direction wanted = direction::at_most;
    double limit = 0;
    std::string unit;

    bool met() const { return wanted == direction::at_most ? value <= limit : value >= limit; }
};

/// Prints as it goes and remembers everything for --json.
class report {
public:
    void add(table finished);
    void at_most(std::string what, double value, double limit, std::string unit = {});
    void at_least(std::string what, double value, double limit, std::string unit = {});

    /// A wrong result is no measurement: the program ends with 1.
    void wrong(const std::string& what);
    bool all_correct() const { return correct_; }

    void print_aims() const;
    bool write_json(const std::string& path) const;

private:
    void judge(aim a);

    std::vector<table> tables_;
    std::vector<aim> aims_;
    bool correct_ = true;
};

} // namespace bench
