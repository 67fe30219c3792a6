// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/rank_algorithms.hpp>

#include "table.hpp"

/// Prices as charts.
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

/// Only the best of them, if there is any: what a map needs, and sooner had.
void add_best(std::vector<charted_price>& to, const tutti::machine& on,
              const tutti::selection_request& request, const priced_ways& ways, tutti::watcher watch);

/// A row for each: collective, algorithm, parameters, size, bytes, predicted_us.
table table_of_prices(std::span<const charted_price> prices);

/// A map of the best for each collective, in lines of at most so many characters where that can be.
std::string text_of_best(std::span<const charted_price> prices, std::size_t columns);

/// A chart for each collective and size; with `map` a map of the best for each collective.
std::string picture_of_prices(const std::string& title, std::span<const charted_price> prices, bool map);

/// The same as a page that says the values.
std::string page_of_prices(const std::string& title, std::span<const charted_price> prices, bool map);

/// The same for Vega-Lite: a spec with the data in it, in which the price is called `time`.
std::string vega_of_prices(const std::string& title, std::span<const charted_price> prices, bool map,
                           std::string_view time = "predicted_us");

} // namespace program
