// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/rank_algorithms.hpp>

#include "table.hpp"

/// Times as charts: prices, ends of simulations, what was measured.
namespace program {

/// What an algorithm takes, with its best parameters.
struct charted_price {
    tutti::collective what{};
    tutti::rank_type size = 0;
    std::int64_t bytes = 0;
    std::string algorithm{};
    tutti::parameters with{};
    double us = 0;
    bool apart = false; ///< its parameters are named: others are shown beside it

    /// What it is called: by its parameters, too, if these are named.
    std::string name() const;
};

/// What is to be priced.
struct priced_ways {
    std::vector<tutti::catalogue_entry> among{}; ///< with the values of their options that are worth trying
    std::vector<tutti::candidate> only{};        ///< with these values; those of an algorithm side by side
    std::vector<std::shared_ptr<const tutti::schedule_maker>> makers{}; ///< that `only` points to
    bool apart = false; ///< each of `only` is shown, because its values are named

    tutti::ranking ranked(const tutti::machine& on, const tutti::selection_request& request,
                          tutti::watcher watch) const {
        return tutti::rank_algorithms(on, request, among, watch, only);
    }
};

/// Prices each algorithm for itself, so that none is left before the end. What does not cover the request has
/// no price.
void add_prices(std::vector<charted_price>& to, const tutti::machine& on,
                const tutti::selection_request& request, const priced_ways& ways, tutti::watcher watch);

/// The same of a ranking of which none was left before the end. `apart`: as in priced_ways.
void add_prices(std::vector<charted_price>& to, tutti::ranking all, bool apart);

/// Only the best of a ranking, if there is any: what a map needs, and sooner had.
void add_best(std::vector<charted_price>& to, const tutti::ranking& all, bool apart);

/// Of a chart whose lengths are not named, and of a map whose sizes are not.
inline constexpr const char* lengths_of_chart =
    "8,16,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,512K,1M,2M,4M,8M,16M";
inline constexpr const char* sizes_of_map = "2..17,24,31..33,48,63,64";

/// What is drawn, of times that stand together where collective, size and bytes are equal.
struct drawn_times {
    std::string title;
    std::string_view verb; ///< whose it is
    std::string_view time; ///< what is charted, as the columns of tables are called: "predicted_us"
    bool map = false;      ///< a map of the best for each collective, instead of a chart for each and size
};

/// As the option --format says: "svg", "html" (a page that says the values), or "vega" (a spec for Vega-Lite
/// with the data in it).
std::string drawn_as(std::string_view format, const drawn_times& what, std::span<const charted_price> times);

/// The best of each collective, size and length, a row for each: collective, algorithm, parameters, size,
/// bytes, `time`.
table table_of_best(std::span<const charted_price> times, std::string time);

/// The map of them for people.
void print_map(std::span<const charted_price> times, std::ostream& out);

} // namespace program
