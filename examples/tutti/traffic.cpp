// SPDX-License-Identifier: BSL-1.0
#include "traffic.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/pattern/permutation.hpp>
#include <tutti/topology/permutation_name.hpp>
#include <tutti/tune/choose_strategy.hpp>

#include "network_choice.hpp"
#include "relation_choice.hpp"

namespace program {

namespace {

using tutti::rank_type;

// ---- Permutations -----------------------------------------------------------------------------------------

using target_of = std::function<rank_type(rank_type, rank_type)>;

struct named_permutation {
    std::string name;
    target_of to;
};

/// The numbers behind "shift:": a list, or all in [low, high] but not 0.
std::vector<std::int64_t> distances(std::string_view text, number_range allowed) {
    if (text != "all") return numbers("--permutation", text, allowed);
    std::vector<std::int64_t> all;
    for (std::int64_t n = 1; n <= allowed.high; ++n) all.push_back(n);
    return all;
}

std::vector<rank_type> targets(std::string_view text) {
    return integers("--permutation", text, "targets with commas between, as in 1,2,0");
}

std::vector<named_permutation> named_permutations(std::string_view text, rank_type size) {
    const std::size_t colon = text.find(':');
    const std::string kind(text.substr(0, colon));
    const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    std::vector<named_permutation> list;
    const auto add_each = [&](number_range allowed, auto&& make) {
        for (const std::int64_t n : distances(rest, allowed))
            list.push_back({kind + ":" + std::to_string(n), make(static_cast<rank_type>(n))});
    };
    const int dimensions = tutti::ceil_log2(size);
    if (kind == "shift") {
        add_each({1 - size, size - 1}, [](rank_type n) { return tutti::shift{n}; });
    } else if (kind == "xor") {
        add_each({0, (std::int64_t{1} << dimensions) - 1},
                 [](rank_type n) { return tutti::exclusive_or{n}; });
    } else if (kind == "exchange") {
        if (rest == "all")
            for (int d = 0; d < dimensions; ++d)
                list.push_back({"exchange:" + std::to_string(d), tutti::hypercube_exchange{d}});
        else
            add_each({0, dimensions - 1}, [](rank_type n) { return tutti::hypercube_exchange{n}; });
    } else if (kind == "quarter") {
        tutti::quarter_permutation parts(targets(rest));
        if (parts.parts() > size)
            throw tutti::argument_error("--permutation",
                                        "a permutation of " + std::to_string(parts.parts()) + " parts",
                                        "at most " + std::to_string(size) + ", one for each rank");
        list.push_back({std::string(text), std::move(parts)});
    } else if (kind == "table") {
        tutti::permutation_table table(targets(rest));
        if (table.size() != size)
            throw tutti::argument_error("--permutation",
                                        "a table of " + std::to_string(table.size()) + " entries",
                                        std::to_string(size) + ", one for each that sends");
        list.push_back({"table", std::move(table)});
    } else {
        throw tutti::argument_error("--permutation", "'" + std::string(text) + "'",
                                    "shift:K, xor:J, exchange:D (each a list or all), quarter:2,3,0,1, "
                                    "table:1,2,0,...");
    }
    if (list.empty())
        throw tutti::argument_error("--permutation", "'" + std::string(text) + "' of one rank",
                                    "all of at least two");
    return list;
}

// ---- Schedules
// ----------------------------------------------------------------------------------------------

/// Makes the schedules of ranks that keep their slots.
class slot_maker final : public tutti::schedule_maker {
public:
    explicit slot_maker(tutti::rated_strategy how) : how_(std::move(how)) {}
    tutti::any_generator make(tutti::place at) const override { return how_.make(at); }

private:
    tutti::rated_strategy how_;
};

/// The allgather, or the multicast made of it, of ranks that keep their slots.
candidate on_slots(const candidate& what, const tutti::slot_map& slots) {
    tutti::catalogue_entry allgather = *what.entry;
    if (allgather.what == tutti::collective::multicast) allgather.what = tutti::collective::allgather;
    if (what.maker != nullptr || !can_keep_slots(allgather))
        throw tutti::argument_error(
            "--embedding", "slots with " + std::string(what.entry->name),
            "slots with allgather or multicast by direct, prefix_send or kprefix: the others pass on "
            "what they receive, which a hole cannot; compact for all");
    tutti::parameters plain = what.entry->defaults;
    if (const int* const k = what.with.find("k")) plain.set("k", *k);
    if (what.with != plain)
        throw tutti::argument_error("--embedding", "slots with flow control", "slots without it");
    candidate made = what;
    made.maker = std::make_shared<slot_maker>(
        tutti::rated_strategy{.entry = what.entry, .with = what.with, .keeps_slots = true, .slots = slots});
    return made;
}

/// The schedule on its ranks.
tutti::ensemble<tutti::any_generator> ranks_of(const candidate& what, const embedding& where,
                                               rank_type root) {
    const candidate placed = where.slots ? on_slots(what, where.at.slots()) : what;
    const candidate made = over_relation(placed, where.at.ranks());
    return {[&](tutti::place at) { return made.make(at); }, where.at.ranks(), root};
}

} // namespace

traffic permutations(std::string_view text, const embedding& where, std::int64_t bytes) {
    auto list =
        std::make_shared<const std::vector<named_permutation>>(named_permutations(text, where.size()));
    const auto round = [list, where, bytes](tutti::round_index i) {
        const named_permutation& p = (*list)[static_cast<std::size_t>(i)];
        round_traffic result{.permutation = p.name};
        for (rank_type r = 0; r < where.at.ranks(); ++r) {
            rank_type to = p.to(where.slots ? where.at.node_of(r) : r, where.size());
            if (where.slots && to != tutti::no_rank) to = where.at.rank_at(to);
            if (to != tutti::no_rank && to != r)
                result.messages.push_back({.from = r, .to = to, .bytes = bytes});
        }
        return result;
    };
    return {.rounds = static_cast<tutti::round_index>(list->size()), .round = round};
}

traffic schedule_of(const candidate& what, const embedding& where, rank_type root, std::int64_t bytes) {
    auto all = std::make_shared<const tutti::ensemble<tutti::any_generator>>(ranks_of(what, where, root));
    const auto lengths = tutti::block_bytes::even(bytes * all->blocks(), all->blocks());
    const auto round = [all, where, lengths](tutti::round_index i) {
        round_traffic result;
        tutti::for_each_message(*all, i, lengths, [&](const tutti::message& m) {
            result.messages.push_back({.from = m.from, .to = m.to, .bytes = m.bytes});
        });
        result.permutation = tutti::permutation_name(result.messages, where.size(), [&](rank_type r) {
            return where.slots ? where.at.node_of(r) : r;
        });
        return result;
    };
    return {.schedule = what, .rounds = all->rounds(), .round = round};
}

} // namespace program
