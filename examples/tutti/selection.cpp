// SPDX-License-Identifier: BSL-1.0
#include "selection.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/core/error.hpp>

namespace program {

namespace {

std::vector<std::string_view> names_of(algorithms all, const std::vector<tutti::collective>& of) {
    std::vector<std::string_view> names;
    for (const tutti::catalogue_entry& e : all)
        if (std::find(of.begin(), of.end(), e.what) != of.end()
            && std::find(names.begin(), names.end(), e.name) == names.end())
            names.push_back(e.name);
    return names;
}

/// What an option of the algorithms may be on the command line, and what is tried where it is not given.
struct option_values {
    const char* name; // as in tutti::parameters
    number_range allowed;
    std::vector<std::int64_t> useful;
};

const option_values& values_of(std::string_view name) {
    constexpr std::int64_t many = 1000000;
    constexpr std::int64_t ranks = std::numeric_limits<tutti::rank_type>::max();
    static const std::vector<option_values> all{
        {"radix", {2, ranks}, {2, 3, 4, 5}}, {"arity", {1, ranks}, {1, 2, 3}},
        {"splits", {0, 30}, {0, 1, 2, 3}},   {"segments", {1, many}, {1, 3}},
        {"k", {1, ranks}, {1, 4, 8}},        {"zeta", {0, 30}, {0, 1, 3}},
        {"outstanding", {1, many}, {1, 3}},  {"pace", {0, many}, {0, 4}},
    };
    for (const option_values& v : all)
        if (v.name == name) return v;
    throw std::logic_error("no values for option " + std::string(name));
}

} // namespace

std::vector<candidate> candidates(const arguments& given, algorithms all, untold parameters) {
    std::vector<std::string_view> collective_names;
    for (const tutti::collective c : tutti::all_collectives) collective_names.push_back(tutti::name_of(c));
    std::vector<tutti::collective> chosen;
    for (const std::string_view name :
         words("--collective", given.value("--collective", "all"), collective_names))
        chosen.push_back(*tutti::collective_named(name));
    const std::vector<std::string_view> names =
        words("--algorithm", given.value("--algorithm", "all"), names_of(all, chosen));

    std::vector<candidate> list;
    for (const tutti::catalogue_entry& e : all)
        if (std::find(chosen.begin(), chosen.end(), e.what) != chosen.end()
            && std::find(names.begin(), names.end(), e.name) != names.end())
            list.push_back({.entry = &e, .with = e.defaults});

    // Option after option, every candidate that has it is multiplied by the values to try.
    tutti::for_each_option([&](const auto& option) {
        const option_values& v = values_of(option.name);
        const std::string word = std::string("--") + option.name;
        const bool is_given = given.has(word);
        std::vector<std::int64_t> values;
        if (is_given)
            values = numbers(word, given.value(word, ""), v.allowed);
        else if (parameters == untold::useful)
            values = v.useful;
        bool is_taken = false;
        std::vector<candidate> longer;
        for (const candidate& c : list) {
            if (!option.is_given(c.entry->defaults)) {
                longer.push_back(c);
                continue;
            }
            is_taken = true;
            using type = std::remove_cvref_t<decltype(c.with.*option.member)>;
            candidate with = c;
            for (const std::int64_t value : values) {
                with.with.*option.member = static_cast<type>(value);
                longer.push_back(with);
            }
            const auto standard = static_cast<std::int64_t>(c.entry->defaults.*option.member);
            if (!is_given && std::find(values.begin(), values.end(), standard) == values.end())
                longer.push_back(c);
        }
        if (is_given && !is_taken)
            throw tutti::argument_error(word, "given",
                                        "with an algorithm that has such a parameter (see tutti list)");
        list = std::move(longer);
    });
    return list;
}

root_choice::root_choice(std::string_view text, std::span<const std::int64_t> sizes) : all_(text == "all") {
    if (all_) return;
    // "last" stands for another number with every size: taken out, the others are numbers.
    std::string others;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        if (part == "last")
            last_ = true;
        else
            others.append(others.empty() ? "" : ",").append(part);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (others.empty() && last_) return;
    const std::int64_t smallest = *std::min_element(sizes.begin(), sizes.end());
    try {
        listed_ = numbers("--root", others, {0, smallest - 1});
    } catch (const tutti::argument_error& e) {
        throw tutti::argument_error(e.argument(), e.value(),
                                    "all, last, or " + e.allowed() + " (below the smallest size, "
                                        + std::to_string(smallest) + ")");
    }
}

std::vector<tutti::rank_type> root_choice::of(tutti::collective what, tutti::rank_type size) const {
    if (!tutti::has_root(what)) return {0};
    std::vector<tutti::rank_type> roots;
    for (tutti::rank_type r = 0; r < size; ++r)
        if (all_ || (last_ && r == size - 1) || std::find(listed_.begin(), listed_.end(), r) != listed_.end())
            roots.push_back(r);
    return roots;
}

} // namespace program
