// SPDX-License-Identifier: BSL-1.0
#include "relation_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>
#include <tutti/schedule/pruned.hpp>

namespace program {

namespace {

/// Whether rank `from` sends to rank `to`, another one. `random` is used by those that are.
bool is_pair(std::string_view name, tutti::rank_type size, tutti::rank_type from, tutti::rank_type to,
             std::minstd_rand& random) {
    // Example with 5 ranks: neighbours of rank 0 are 4 and 1; of the halves, 0 and 1 send to 2, 3 and 4.
    if (name == "everybody") return true;
    if (name == "neighbours") return to == (from + 1) % size || from == (to + 1) % size;
    if (name == "halves") return from < size / 2 && to >= size / 2;
    if (name == "random") return random() / 1024 % 4 == 0; // its lowest bits are the worst
    return false;
}

/// What all ranks do in a multicast.
class multicast_maker final : public tutti::schedule_maker {
public:
    multicast_maker(const candidate& what, const tutti::relation& who, tutti::watcher watch) : of_(what) {
        if (of_.maker == nullptr) {
            ranks_ = tutti::make_multicasts(*of_.entry, who, of_.with, watch);
            return;
        }
        const auto make = [&](tutti::place at) { return of_.make(at); };
        for (tutti::schedule& one : tutti::all_pruned(who, make, watch)) ranks_.emplace_back(std::move(one));
    }

    tutti::any_generator make(tutti::place at) const override {
        return ranks_[static_cast<std::size_t>(at.rank)];
    }

private:
    candidate of_;
    std::vector<tutti::any_generator> ranks_;
};

bool is_multicast(const candidate& c) { return c.entry->what == tutti::collective::multicast; }

} // namespace

std::vector<candidate> multicasts_if_named(std::vector<candidate> list, const arguments& given) {
    if (given.value("--collective", "") != "all") return list;
    std::erase_if(list, is_multicast);
    if (list.empty())
        throw tutti::argument_error("--collective", "'all'",
                                    "multicast, by its name, with algorithms that serve nothing else");
    return list;
}

tutti::relation relation_named(std::string_view name, tutti::rank_type size) {
    constexpr tutti::rank_type most = 1 << 14;
    if (size > most)
        throw tutti::argument_error("--size", std::to_string(size),
                                    "at most " + std::to_string(most)
                                        + " of a multicast, whose relation has a list for each rank");
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(size));
    std::vector<std::vector<tutti::rank_type>> targets(static_cast<std::size_t>(size));
    for (tutti::rank_type from = 0; from < size; ++from)
        for (tutti::rank_type to = 0; to < size; ++to)
            if (from != to && is_pair(name, size, from, to, random))
                targets[static_cast<std::size_t>(from)].push_back(to);
    return {size, targets};
}

std::vector<std::string_view> chosen_relations(const arguments& given, std::string_view usual) {
    return words("--relation", given.value("--relation", usual), relation_names);
}

std::vector<candidate> with_relations(const std::vector<candidate>& list, const arguments& given) {
    const std::vector<std::string_view> relations = chosen_relations(given, "everybody");
    if (given.has("--relation") && std::none_of(list.begin(), list.end(), is_multicast))
        throw tutti::argument_error("--relation", "given", "with --collective multicast");
    std::vector<candidate> longer;
    for (const candidate& c : list) {
        if (!is_multicast(c)) {
            longer.push_back(c);
            continue;
        }
        for (const std::string_view name : relations) {
            longer.push_back(c);
            longer.back().relation = name;
        }
    }
    return longer;
}

candidate over_relation(const candidate& what, tutti::rank_type size) {
    return what.relation.empty() ? what : over_relation(what, relation_named(what.relation, size));
}

candidate over_relation(const candidate& what, const tutti::relation& who, tutti::watcher watch) {
    candidate made = what;
    made.maker = std::make_shared<multicast_maker>(what, who, watch);
    return made;
}

} // namespace program
