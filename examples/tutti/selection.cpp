// SPDX-License-Identifier: BSL-1.0
#include "selection.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>

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
    std::string_view name;
    number_range allowed;
    std::vector<std::int64_t> useful;
};

option_values values_of(const tutti::catalogue_entry& entry, const char* name) {
    constexpr std::int64_t many = 1000000;
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    static const std::vector<option_values> known{
        {"radix", {2, most}, {2, 3, 4, 5}}, {"arity", {1, most}, {1, 2, 3}},
        {"splits", {0, 30}, {0, 1, 2, 3}},  {"segments", {1, many}, {1, 3}},
        {"k", {1, most}, {1, 4, 8}},        {"zeta", {0, 30}, {0, 1, 3}},
        {"outstanding", {1, many}, {1, 3}}, {"pace", {0, many}, {0, 4}},
    };
    const std::vector<int> own = entry.worth_trying(name);
    for (const option_values& v : known)
        if (v.name == name && own.empty()) return v;
    return {name, {-most, most}, {own.begin(), own.end()}};
}

} // namespace

std::vector<candidate> candidates(const arguments& given, algorithms all, untold parameters,
                                  std::string_view usual, std::string_view named_by, all_is told) {
    std::vector<tutti::collective> known(tutti::all_collectives.begin(), tutti::all_collectives.end());
    for (const tutti::catalogue_entry& e : all) // a multicast, of verbs that know what to do with it
        if (std::find(known.begin(), known.end(), e.what) == known.end()) known.push_back(e.what);
    std::vector<std::string_view> collective_names;
    for (const tutti::collective c : known) collective_names.push_back(tutti::name_of(c));
    const std::vector<std::string_view> wanted =
        collective_words(given.value("--collective", usual), collective_names, told);
    std::vector<tutti::collective> chosen;
    for (const tutti::collective c : known)
        if (std::find(wanted.begin(), wanted.end(), tutti::name_of(c)) != wanted.end()) chosen.push_back(c);
    const std::optional<tutti::node_map> nodes = chosen_nodes(given);
    check_named(given, named_by, nodes ? &*nodes : nullptr);
    std::vector<std::string_view> there = names_of(all, chosen);
    if (nodes)
        for (const std::string_view name : node_algorithm_names(*nodes)) there.push_back(name);
    const std::vector<std::string_view> names = words(named_by, given.value(named_by, "all"), there, told);

    std::vector<candidate> list;
    std::set<std::string> theirs; // the options of those that are chosen
    const auto with_values = [&](const tutti::catalogue_entry& e) {
        // Option after option, every candidate is multiplied by the values to try.
        std::vector<candidate> mine{{.entry = &e, .with = e.defaults}};
        for (const auto& [name, standard] : e.defaults) {
            const option_values v = values_of(e, name);
            const std::string word = std::string("--") + name;
            theirs.insert(word);
            std::vector<std::int64_t> values;
            if (given.has(word)) {
                values = numbers(word, given.value(word, ""), v.allowed);
            } else {
                if (parameters == untold::useful) values = v.useful;
                if (std::find(values.begin(), values.end(), standard) == values.end())
                    values.push_back(standard);
            }
            std::vector<candidate> longer;
            for (const candidate& c : mine)
                for (const std::int64_t value : values) {
                    longer.push_back(c);
                    longer.back().with.set(name, value);
                }
            mine = std::move(longer);
        }
        return mine;
    };
    const auto add = [&](const std::vector<candidate>& more) {
        list.insert(list.end(), more.begin(), more.end());
    };
    for (const tutti::catalogue_entry& e : all)
        if (std::find(chosen.begin(), chosen.end(), e.what) != chosen.end()
            && std::find(names.begin(), names.end(), e.name) != names.end())
            add(with_values(e));
    if (nodes)
        for (const auto& one : chosen_on_nodes(given, all, *nodes, chosen, names, told)) {
            std::vector<candidate> mine = with_values(one->entry);
            for (candidate& c : mine) c.maker = maker_of(one, c.with); // keeps the entry
            add(mine);
        }
    for (const option& o : options_of(all))
        if (given.has(o.name) && !theirs.contains(std::string(o.name))) {
            const std::vector<std::string_view> known_here(theirs.begin(), theirs.end());
            throw tutti::argument_error(
                std::string(o.name), "given",
                tutti::detail::sentence(
                    {"with an algorithm that has such a parameter; what is chosen here has ",
                     known_here.empty() ? "none" : joined(known_here), " (see tutti list)"}));
        }
    return list;
}

std::vector<tutti::catalogue_entry> with_multicasts(algorithms all) {
    std::vector<tutti::catalogue_entry> list(all.begin(), all.end());
    const std::vector<tutti::catalogue_entry> more = tutti::multicasts_of(all);
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

std::vector<option> options_of(algorithms all) {
    static std::set<std::string> words; // where they stay
    std::vector<option> options(algorithm_options.begin(), algorithm_options.end());
    for (const tutti::catalogue_entry& e : all)
        for (const auto& [name, value] : e.defaults) {
            const std::string& word = *words.insert(std::string("--") + name).first;
            if (std::none_of(options.begin(), options.end(), [&](const option& o) { return o.name == word; }))
                options.push_back({word, "LIST", e.name});
        }
    return options;
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
