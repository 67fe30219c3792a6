// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/rank_algorithms.hpp>

#include "selection.hpp"

/// Prices as charts.
namespace program {

/// What an algorithm takes, with its best parameters.
struct charted_price {
    tutti::collective what{};
    tutti::rank_type size = 0;
    std::int64_t bytes = 0;
    std::string algorithm{}; ///< with its parameters, if these are named
    std::string parameters{};
    double us = 0;
};

/// Prices each algorithm of `among` for itself, so that none is left before the end; if there are any in
/// `only`, these instead. What does not cover the request has no price.
void add_prices(std::vector<charted_price>& to, const tutti::machine& on,
                const tutti::selection_request& request, const std::vector<tutti::candidate>& only,
                algorithms among, tutti::watcher watch);

/// A chart for each collective and size; with `map` a map of the best for each collective.
std::string picture_of_prices(const std::string& title, std::span<const charted_price> prices, bool map);

/// The same for Vega-Lite: a spec with the data in it, in which the price is called `time`.
std::string vega_of_prices(const std::string& title, std::span<const charted_price> prices, bool map,
                           std::string_view time = "predicted_us");

} // namespace program
