// SPDX-License-Identifier: BSL-1.0
#include "selection.hpp"

#include <algorithm>
#include <limits>
#include <string>

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

/// The values to try of one parameter. `none` stands for "this algorithm has no such parameter".
class values {
public:
    values(const arguments& given, std::string_view option_name, number_range allowed, std::int64_t none,
           std::vector<std::int64_t> useful)
        : option_name_(option_name), given_(given.has(option_name)), none_(none), useful_(std::move(useful)) {
        if (given_) useful_ = numbers(option_name, given.value(option_name, ""), allowed);
    }

    std::vector<std::int64_t> of(std::int64_t standard, untold how) {
        if (standard == none_) return {none_};
        taken_ = true;
        std::vector<std::int64_t> list = useful_;
        if (!given_ && how == untold::defaults) list.clear();
        if (!given_ && std::find(list.begin(), list.end(), standard) == list.end()) list.push_back(standard);
        return list;
    }

    void check_taken() const {
        if (given_ && !taken_)
            throw tutti::argument_error(std::string(option_name_), "given",
                                        "with an algorithm that has such a parameter (see tutti list)");
    }

private:
    std::string_view option_name_;
    bool given_;
    bool taken_ = false;
    std::int64_t none_;
    std::vector<std::int64_t> useful_;
};

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

    constexpr std::int64_t many = 1000000;
    values radix(given, "--radix", {2, std::numeric_limits<tutti::rank_type>::max()}, 0, {2, 3, 4, 5});
    values arity(given, "--arity", {1, std::numeric_limits<tutti::rank_type>::max()}, 0, {1, 2, 3});
    values splits(given, "--splits", {0, 30}, -1, {0, 1, 2, 3});
    values segments(given, "--segments", {1, many}, 0, {1, 3});
    std::vector<candidate> list;
    for (const tutti::catalogue_entry& e : all) {
        if (std::find(chosen.begin(), chosen.end(), e.what) == chosen.end()
            || std::find(names.begin(), names.end(), e.name) == names.end())
            continue;
        for (const std::int64_t f : radix.of(e.defaults.radix, parameters))
            for (const std::int64_t k : arity.of(e.defaults.arity, parameters))
                for (const std::int64_t s : splits.of(e.defaults.splits, parameters))
                    for (const std::int64_t n : segments.of(e.defaults.segments, parameters))
                        list.push_back({.entry = &e,
                                        .with = {.radix = static_cast<tutti::rank_type>(f),
                                                 .arity = static_cast<tutti::rank_type>(k),
                                                 .splits = static_cast<int>(s),
                                                 .segments = n}});
    }
    for (const values* v : {&radix, &arity, &splits, &segments}) v->check_taken();
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
