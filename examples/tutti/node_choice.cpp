// SPDX-License-Identifier: BSL-1.0
#include "node_choice.hpp"

#include <algorithm>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/node_sizes.hpp>
#include <tutti/schedule/alltoall/by_nodes.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/three_step.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/multi_lane.hpp>
#include <tutti/schedule/named.hpp>
#include <tutti/schedule/parts_by_nodes.hpp>
#include <tutti/schedule/scan_by_nodes.hpp>

namespace program {

namespace {

using tutti::collective;

/// An algorithm of the catalogue, with those of the given options that it has.
struct part {
    std::span<const tutti::catalogue_entry> all;
    std::string_view name;
    tutti::parameters given;
};

template <collective C>
tutti::any_generator generate(tutti::collective_constant<C>, const part& how, tutti::place at) {
    const tutti::catalogue_entry& entry =
        tutti::detail::entry_named(C, how.name, tutti::detail::part_of(how.all, C));
    return entry.make(at, effective(entry, how.given));
}

using make_function = tutti::any_generator (*)(const tutti::node_map&, const part& inner, const part& outer,
                                               tutti::place);

template <collective C, template <class, class> class Combined>
tutti::any_generator make(const tutti::node_map& nodes, const part& inner, const part& outer,
                          tutti::place at) {
    const Combined<part, part> how{nodes, inner, outer};
    return tutti::any_generator::made_by([&] { return generate(tutti::of<C>, how, at); });
}

/// Where a rank speaks to each node straight, the generators of both parts have to say to whom: by their
/// type.
tutti::any_generator make_straight(const tutti::node_map& nodes, const part&, const part&, tutti::place at) {
    return generate(tutti::of<collective::alltoall>, tutti::by_nodes<tutti::pairwise>{nodes, {}, {}}, at);
}
tutti::any_generator make_three_step(const tutti::node_map& nodes, const part&, const part&,
                                     tutti::place at) {
    return generate(tutti::of<collective::alltoall>, tutti::three_step{nodes}, at);
}

/// In lanes, where what is inside the nodes is an allgather and a scatter before it, or a reduce-scatter and
/// a gather behind it; with a radix of their own if there is one.
template <collective C, template <class> class Inside>
tutti::any_generator make_rooted(const tutti::node_map& nodes, const part& inner, const part& outer,
                                 tutti::place at) {
    const Inside<part> inside{inner.given.get("radix", 2), inner};
    const tutti::multi_lane<Inside<part>, part> how{nodes, inside, outer};
    return tutti::any_generator::made_by([&] { return generate(tutti::of<C>, how, at); });
}

/// How a collective is made of two algorithms.
struct kind {
    std::string_view name;
    collective what;
    std::vector<collective> inner; ///< what the algorithm inside has to have
    collective outer;
    std::string_view usual_inner;
    std::string_view usual_outer;
    std::string_view source;
    make_function make;

    bool is_straight() const { ///< and takes no other parts
        return make == &make_straight || make == &make_three_step;
    }

    /// Whether there is such an algorithm for all that it is needed for.
    bool has(std::span<const tutti::catalogue_entry> all, std::string_view algorithm, std::string_view usual,
             std::span<const collective> needed) const {
        if (is_straight()) return algorithm == usual;
        return std::all_of(needed.begin(), needed.end(), [&](collective c) {
            return tutti::find_algorithm(tutti::detail::part_of(all, c), algorithm) != nullptr;
        });
    }
    bool has_inner(std::span<const tutti::catalogue_entry> all, std::string_view algorithm) const {
        return has(all, algorithm, usual_inner, inner);
    }
    bool has_outer(std::span<const tutti::catalogue_entry> all, std::string_view algorithm) const {
        return has(all, algorithm, usual_outer, std::span(&outer, 1));
    }
};

constexpr std::string_view by_leaders = "by_nodes";
constexpr std::string_view in_lanes = "multi_lane";
constexpr std::string_view in_steps = "three_step";

constexpr std::string_view mpich = "SMP-aware collectives of MPICH";
constexpr std::string_view lanes = "Träff and Hunold 2020";
constexpr std::string_view steps = "Bienz, Gropp and Olson 2020 (arXiv 1904.05838)";

// A table, one way per line.
// clang-format off
const std::vector<kind>& kinds() {
    using enum collective;
    static const std::vector<kind> all{
        {by_leaders, barrier, {reduce, bcast}, barrier, "fnomial", "dissemination", mpich, &make<barrier, tutti::by_nodes>},
        {by_leaders, bcast, {bcast}, bcast, "fnomial", "fnomial", mpich, &make<bcast, tutti::by_nodes>},
        {in_lanes, bcast, {allgather}, bcast, "circulant", "fnomial", lanes, &make_rooted<bcast, tutti::scatter_allgather>},
        {by_leaders, reduce, {reduce}, reduce, "fnomial", "fnomial", mpich, &make<reduce, tutti::by_nodes>},
        {in_lanes, reduce, {reduce_scatter}, reduce, "circulant", "fnomial", lanes, &make_rooted<reduce, tutti::reduce_scatter_gather>},
        {by_leaders, allreduce, {reduce, bcast}, allreduce, "fnomial", "fnomial", mpich, &make<allreduce, tutti::by_nodes>},
        {in_lanes, allreduce, {reduce_scatter, allgather}, allreduce, "circulant", "circulant", lanes, &make<allreduce, tutti::multi_lane>},
        {by_leaders, reduce_scatter, {reduce, scatter}, reduce_scatter, "fnomial", "circulant", mpich, &make<reduce_scatter, tutti::by_nodes>},
        {in_lanes, reduce_scatter, {reduce_scatter}, reduce_scatter, "circulant", "circulant", lanes, &make<reduce_scatter, tutti::multi_lane>},
        {by_leaders, allgather, {gather, bcast}, allgather, "fnomial", "circulant", mpich, &make<allgather, tutti::by_nodes>},
        {in_lanes, allgather, {allgather}, allgather, "circulant", "circulant", lanes, &make<allgather, tutti::multi_lane>},
        {by_leaders, gather, {gather}, gather, "fnomial", "fnomial", mpich, &make<gather, tutti::by_nodes>},
        {in_lanes, gather, {gather}, gather, "fnomial", "fnomial", lanes, &make<gather, tutti::multi_lane>},
        {by_leaders, scatter, {scatter}, scatter, "fnomial", "fnomial", mpich, &make<scatter, tutti::by_nodes>},
        {in_lanes, scatter, {scatter}, scatter, "fnomial", "fnomial", lanes, &make<scatter, tutti::multi_lane>},
        {by_leaders, alltoall, {alltoall}, alltoall, "pairwise", "pairwise", lanes, &make_straight},
        {in_lanes, alltoall, {alltoall}, alltoall, "pairwise", "pairwise", lanes, &make<alltoall, tutti::multi_lane>},
        {in_steps, alltoall, {alltoall}, alltoall, "pairwise", "pairwise", steps, &make_three_step},
        {by_leaders, exscan, {exscan, bcast}, exscan, "binary_tree", "doubling_123", mpich, &make<exscan, tutti::by_nodes>},
        {by_leaders, scan, {scan, bcast}, exscan, "binary_tree", "doubling_123", mpich, &make<scan, tutti::by_nodes>},
    };
    return all;
}
// clang-format on

/// The words of --inner or --outer; those that are usual for each kind if it is not given, as "".
std::vector<std::string_view>
parts_named(const arguments& given, std::string_view option_name, std::span<const tutti::catalogue_entry> all,
            const std::vector<const kind*>& chosen,
            bool (kind::*has)(std::span<const tutti::catalogue_entry>, std::string_view) const, all_is told) {
    if (!given.has(option_name)) return {""};
    std::vector<std::string_view> there;
    for (const tutti::catalogue_entry& e : all)
        if (std::find(there.begin(), there.end(), e.name) == there.end()
            && std::any_of(chosen.begin(), chosen.end(),
                           [&](const kind* k) { return (k->*has)(all, e.name); }))
            there.push_back(e.name);
    return words(option_name, given.value(option_name, ""), there, told);
}

/// Of the algorithm, with both parts' options.
tutti::parameters options_of_parts(const kind& how, const node_algorithm& made) {
    tutti::parameters both;
    if (how.is_straight()) return both;
    const auto add = [&](collective what, std::string_view name) {
        const tutti::catalogue_entry* const entry =
            tutti::find_algorithm(tutti::detail::part_of(made.parts, what), name);
        for (const auto& [option, value] : entry->defaults)
            if (both.find(option) == nullptr) both.set(option, value);
    };
    for (const collective what : how.inner) add(what, made.inner);
    add(how.outer, made.outer);
    return both;
}

std::string nodes_text(const arguments& given) { // a name has no commas: it stands in lists of names
    std::string text(given.value("--nodes", ""));
    std::replace(text.begin(), text.end(), ',', '+');
    return text;
}

class node_maker final : public tutti::schedule_maker {
public:
    node_maker(std::shared_ptr<const node_algorithm> how, const tutti::parameters& with)
        : how_(std::move(how)), with_(with) {}

    tutti::any_generator make(tutti::place at) const override {
        try {
            return kinds()[how_->kind].make(how_->nodes, {how_->parts, how_->inner, with_},
                                            {how_->parts, how_->outer, with_}, at);
        } catch (const tutti::argument_error& e) { // of one of several, maybe, that are made of these parts
            throw tutti::argument_error(how_->name + ": " + e.argument(), e.value(), e.allowed());
        }
    }

private:
    std::shared_ptr<const node_algorithm> how_;
    tutti::parameters with_;
};

} // namespace

std::optional<tutti::node_map> chosen_nodes(const arguments& given) {
    if (!given.has("--nodes")) {
        for (const char* name : {"--inner", "--outer"})
            if (given.has(name)) throw tutti::argument_error(name, "given", "with --nodes");
        return std::nullopt;
    }
    constexpr tutti::rank_type most = 1 << 20;
    const std::string text(given.value("--nodes", ""));
    const std::vector<tutti::rank_type> sizes = tutti::node_sizes_from(text, most);
    if (sizes.empty())
        throw tutti::argument_error("--nodes", "'" + text + "'",
                                    "numbers of ranks, as in 4,4 or 8x4 for 8 nodes of 4, up to "
                                        + std::to_string(most) + " in all");
    tutti::node_map nodes = tutti::node_map::of_sizes(sizes);
    if (given.has("--size")) {
        const std::string_view size = given.value("--size", "");
        if (numbers("--size", size, {1, std::int64_t{1} << 26, true})
            != std::vector<std::int64_t>{nodes.ranks()})
            throw tutti::argument_error("--size", "'" + std::string(size) + "'",
                                        std::to_string(nodes.ranks()) + ", the ranks on --nodes " + text);
    }
    return nodes;
}

std::string sizes_text(const arguments& given, std::string_view usual) {
    if (given.has("--size")) return std::string(given.value("--size", ""));
    const std::optional<tutti::node_map> nodes = chosen_nodes(given);
    return nodes ? std::to_string(nodes->ranks()) : std::string(usual);
}

std::vector<std::string_view> node_algorithm_names(const tutti::node_map& nodes) {
    if (nodes.all_alike()) return {by_leaders, in_lanes, in_steps};
    return {by_leaders};
}

void check_named(const arguments& given, std::string_view option_name, const tutti::node_map* nodes) {
    const std::string named = "," + std::string(given.value(option_name, "")) + ",";
    for (const std::string_view name : {by_leaders, in_lanes, in_steps}) {
        if (named.find("," + std::string(name) + ",") == std::string::npos) continue;
        const std::string quoted = "'" + std::string(name) + "'";
        if (nodes == nullptr)
            throw tutti::argument_error(std::string(option_name), quoted,
                                        "with --nodes, the ranks of each node, as in --nodes 4,4");
        if (name != by_leaders && !nodes->all_alike())
            throw tutti::argument_error(std::string(option_name), quoted,
                                        "with nodes of equally many ranks; by_nodes for all");
    }
}

node_algorithms chosen_on_nodes(const arguments& given, std::span<const tutti::catalogue_entry> all,
                                const tutti::node_map& nodes, const std::vector<tutti::collective>& of,
                                const std::vector<std::string_view>& names, all_is told) {
    std::vector<const kind*> chosen;
    const std::vector<std::string_view> possible = node_algorithm_names(nodes);
    const auto among = [](const auto& list, const auto& one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (const kind& k : kinds())
        if (among(of, k.what) && among(names, k.name) && among(possible, k.name)) chosen.push_back(&k);
    const auto refuse_none = [](bool none) {
        if (none)
            throw tutti::argument_error(
                "--nodes", "given",
                "with algorithms for nodes, by_nodes, multi_lane or "
                "three_step, which are for collectives that have them, and parts that serve these");
    };
    refuse_none(chosen.empty());
    const std::vector<std::string_view> inner =
        parts_named(given, "--inner", all, chosen, &kind::has_inner, told);
    const std::vector<std::string_view> outer =
        parts_named(given, "--outer", all, chosen, &kind::has_outer, told);
    node_algorithms list;
    for (const kind* const k : chosen)
        for (const std::string_view in : inner)
            for (const std::string_view out : outer) {
                auto one = std::make_shared<node_algorithm>();
                one->inner = in.empty() ? k->usual_inner : in;
                one->outer = out.empty() ? k->usual_outer : out;
                if (!k->has_inner(all, one->inner) || !k->has_outer(all, one->outer)) continue;
                one->parts = all;
                one->nodes = nodes;
                one->kind = static_cast<std::size_t>(k - kinds().data());
                one->name.append(k->name).append("(").append(nodes_text(given)).append(": ");
                one->name.append(one->inner).append("/").append(one->outer).append(")");
                one->entry = {.what = k->what,
                              .name = one->name,
                              .defaults = options_of_parts(*k, *one),
                              .rounds = {},
                              .volume = {},
                              .source = k->source,
                              .make = nullptr,
                              .worth_trying = [](const char*) { return std::vector<int>(); }};
                list.push_back(std::move(one));
            }
    refuse_none(list.empty());
    return list;
}

std::shared_ptr<const tutti::schedule_maker> maker_of(std::shared_ptr<const node_algorithm> how,
                                                      const tutti::parameters& with) {
    return std::make_shared<node_maker>(std::move(how), with);
}

} // namespace program
