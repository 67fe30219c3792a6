// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <utility>

#include <tutti/core/error.hpp>

#include "json.hpp"

namespace program {

std::string fixed(double x, int digits) {
    std::array<char, 400> buffer{}; // the longest double has 309 digits before the point
    std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, x);
    return buffer.data();
}

namespace {

struct to_json {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t n) const { return std::to_string(n); }
    std::string operator()(double x) const { return std::isfinite(x) ? fixed(x, 4) : "null"; }
    std::string operator()(const std::string& s) const { return in_quotes(s); }
    std::string operator()(const tutti::parameters& p) const { return json_of(p); }
};

} // namespace

std::string json_of(const tutti::parameters& p) {
    std::string text = "{";
    for (const auto& [name, value] : p)
        text.append(text.size() > 1 ? ", " : "")
            .append(in_quotes(name))
            .append(": ")
            .append(std::to_string(value));
    return text + '}';
}

std::string text_of(const tutti::parameters& p) {
    std::string text;
    for (const auto& [name, value] : p)
        text.append(text.empty() ? "" : " ").append(name).append("=").append(std::to_string(value));
    return text;
}

std::size_t table::column_of(std::string_view key) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i].key == key) return i;
    throw tutti::error("no column " + std::string(key));
}

void table::compare(std::string_view time, std::initializer_list<std::string_view> alike, bool sorted) {
    const std::size_t of = column_of(time);
    const std::size_t ratio = column_of("x_best");
    std::vector<std::size_t> same;
    for (const std::string_view key : alike) same.push_back(column_of(key));
    const auto us = [&](const row& r) { return std::get_if<double>(&r[of]); };
    const auto equal = [&](const row& a, const row& b) {
        return std::all_of(same.begin(), same.end(), [&](std::size_t i) { return a[i] == b[i]; });
    };
    std::vector<std::vector<row>> groups; // in the order in which they appear
    std::vector<std::size_t> group_of;    // of each row
    for (const row& r : rows_) {
        const auto at = std::find_if(groups.begin(), groups.end(),
                                     [&](const std::vector<row>& g) { return equal(g.front(), r); });
        group_of.push_back(static_cast<std::size_t>(at - groups.begin()));
        (at == groups.end() ? groups.emplace_back() : *at).push_back(r);
    }
    for (std::vector<row>& group : groups) {
        const auto less = [&](const row& a, const row& b) {
            return us(a) != nullptr && (us(b) == nullptr || *us(a) < *us(b));
        };
        const row& best = *std::min_element(group.begin(), group.end(), less);
        const double least = us(best) != nullptr ? *us(best) : 0;
        const auto timed = std::count_if(group.begin(), group.end(), [&](const row& r) { return us(r); });
        if (timed > 1 && least > 0)
            for (row& r : group)
                if (us(r) != nullptr) r[ratio] = *us(r) / least;
        if (sorted) std::stable_sort(group.begin(), group.end(), less);
    }
    std::vector<std::size_t> next(groups.size());
    std::vector<row> all;
    if (sorted)
        for (std::vector<row>& group : groups) std::move(group.begin(), group.end(), std::back_inserter(all));
    else
        for (const std::size_t g : group_of) all.push_back(std::move(groups[g][next[g]++]));
    rows_ = std::move(all);
    best_.clear();
    for (const row& r : rows_) best_.push_back(r[ratio] == cell(1.0));
}

void table::print_json(std::ostream& out, std::string_view verb, std::string_view more) const {
    out << json_heading(verb) << ", \"rows\": [";
    const char* before = "\n";
    for (const row& r : rows_) {
        out << std::exchange(before, ",\n") << "  {";
        for (std::size_t i = 0; i < r.size(); ++i)
            out << (i > 0 ? ", " : "") << in_quotes(columns_[i].key) << ": " << std::visit(to_json{}, r[i]);
        out << '}';
    }
    out << "\n]" << more << "}\n";
}

} // namespace program
