// SPDX-License-Identifier: BSL-1.0
#include "tuning.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <tutti/core/error.hpp>
#include <tutti/model/decision_table_file.hpp>

#include "selection.hpp"

namespace program {

std::size_t tuning::cells() const {
    std::size_t lengths = 0;
    for (const tutti::collective c : wanted) lengths += tutti::lengths_to_measure(c, longest).size();
    return sizes.size() * lengths;
}

std::vector<tutti::candidate> tuning::ways(tutti::collective what) const {
    return tutti::ways_to_measure(what, among, sizes.back());
}

tuning tuning_of(const arguments& given, number_range sizes, std::string_view default_sizes) {
    tuning told;
    told.wanted = named_collectives(given, "all");
    for (const std::int64_t size : numbers("--size", given.value("--size", default_sizes), sizes))
        told.sizes.push_back(static_cast<tutti::rank_type>(size));
    std::sort(told.sizes.begin(), told.sizes.end());
    told.longest = numbers("--longest", given.value("--longest", "4M"), {4096, 1 << 30, true}).front();
    told.budget = seconds("--budget", given.value("--budget", "0.1"));
    const std::string_view which =
        given.value("--candidates", given.has("--defaults") ? "winners" : "catalogue");
    if (which != "winners" && which != "catalogue")
        throw tutti::argument_error("--candidates", "'" + std::string(which) + "'", "catalogue or winners");
    told.among = which == "winners" ? tutti::measured_ones::winners : tutti::measured_ones::catalogue;
    return told;
}

table_file::table_file(const arguments& given) : path_(given.value("--output", "")) {
    if (given.has("--output") && !std::ofstream(path_, std::ios::app))
        throw tutti::argument_error("--output", "'" + path_ + "'", "a file that can be written");
}

void table_file::write(const tutti::decision_table& table) const {
    if (path_.empty()) return;
    std::ofstream file(path_);
    file << tutti::text_of(table) << std::flush;
    if (!file) throw std::runtime_error("'" + path_ + "' could not be written");
}

} // namespace program
