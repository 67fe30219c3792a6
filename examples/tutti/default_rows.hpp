// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/measure_choices.hpp>

/// The rows of the tables that ship, as text: choose/default_<collective>.hpp.
namespace program {

/// What few rules may cost.
struct tolerance {
    double within;
    double joint;

    std::vector<tutti::size_rule> few_rules(const std::vector<tutti::timed_cell>& cells) const {
        return tutti::few_rules(cells, within, joint);
    }
};
constexpr tolerance of_times{1.05, 1.10};
constexpr tolerance of_prices{1.10, 1.20}; // which are off by more than that

/// The rows of a collective for ranks of one kind.
struct table_rows {
    std::string commuting; ///< for operations that commute
    std::string in_order;  ///< for all others

    /// What stands in a table: those of operations that commute only where they differ.
    std::string text() const;
};

/// The few rules, with cores "own" or "shared", for up to `most` ranks; for all that are left where that is
/// default_rule::any_size.
table_rows rows_of(const char* on, const tutti::measured_choices& of, tutti::rank_type most,
                   tolerance may_cost);

/// Rows for ranks with cores of their own, and behind them those for more ranks.
std::string own_rows(table_rows first, const tutti::measured_choices& priced);

/// The algorithms that these rows name.
std::vector<std::string_view> named_in(tutti::collective what, const std::string& rows);

/// A header whose rows lie between two marks.
struct tables_header {
    std::string path, before, rows, behind;

    /// The rows for ranks with cores "own" or "shared", as they are.
    std::string rows_on(const char* cores) const;

    /// The rows for ranks with cores of their own, up to `most` of them: rows for more ranks, too, are cut
    /// there.
    table_rows own_rows_up_to(tutti::rank_type most) const;

    /// Writes these rows, and returns what is left to do by hand, or "".
    std::string write(tutti::collective what, const std::string& instead) const;
};

/// That of a collective in a folder. Throws argument_error for --defaults where there is none.
tables_header read_header(const std::string& folder, tutti::collective what);

} // namespace program
