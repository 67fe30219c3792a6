// SPDX-License-Identifier: BSL-1.0
#include "network_choice.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <tutti/core/error.hpp>

namespace program {

namespace {

constexpr std::int64_t most_nodes = 1 << 20;

std::string joined_numbers(const std::vector<std::int32_t>& numbers, const char* separator) {
    std::string text;
    for (const std::int32_t n : numbers) text.append(text.empty() ? "" : separator).append(std::to_string(n));
    return text;
}

void check_size(std::string_view option_name, std::string_view text, std::int64_t nodes) {
    if (nodes > most_nodes)
        throw tutti::argument_error(std::string(option_name), "'" + std::string(text) + "'",
                                    "at most " + std::to_string(most_nodes) + " nodes, not "
                                        + std::to_string(nodes));
}

tutti::fat_tree kary_tree(std::string_view text) {
    const std::string shape = "K,N, both at least 1, as in 4,3";
    const std::vector<std::int32_t> given = integers("--fat-tree", text, shape);
    if (given.size() != 2) throw tutti::argument_error("--fat-tree", "'" + std::string(text) + "'", shape);
    return tutti::fat_tree::kary(given[0], given[1]);
}

tutti::fat_tree extended_tree(std::string_view text) {
    const std::string shape = "children and parents per level, as in '4,4,4;1,4,2'";
    const std::size_t cut = text.find(';');
    if (cut == std::string_view::npos)
        throw tutti::argument_error("--xgft", "'" + std::string(text) + "'", shape);
    return {integers("--xgft", text.substr(0, cut), shape), integers("--xgft", text.substr(cut + 1), shape)};
}

network_choice routed(const arguments& given, std::string_view option_name, std::string_view text,
                      tutti::fat_tree tree, std::string name) {
    check_size(option_name, text, tree.nodes());
    const std::string_view routing = given.value("--routing", "d-mod-k");
    const bool adaptive = routing == "adaptive";
    const std::optional<tutti::fat_tree_routing> known =
        adaptive ? tutti::fat_tree_routing::d_mod_k : tutti::fat_tree_routing_named(routing);
    if (!known)
        throw tutti::argument_error("--routing", "'" + std::string(routing) + "'",
                                    "d-mod-k, s-mod-k, adaptive");
    return {.on = tutti::routed_fat_tree(std::move(tree), *known),
            .name = std::move(name),
            .routing = std::string(routing),
            .adaptive = adaptive};
}

tutti::dragonfly_shape dragonfly_shape_of(std::string_view text) {
    const std::string shape = "A,P,H or A,P,H,G, as in 4,2,2";
    const std::vector<std::int32_t> n = integers("--dragonfly", text, shape);
    if (n.size() != 3 && n.size() != 4)
        throw tutti::argument_error("--dragonfly", "'" + std::string(text) + "'", shape);
    // 0 groups would stand for the most, which nobody asks for by that number.
    if (n.size() == 4 && n[3] < 1)
        throw tutti::argument_error("--dragonfly", "'" + std::string(text) + "'", "at least 1 group");
    return {.routers = n[0], .nodes = n[1], .globals = n[2], .groups = n.size() == 4 ? n[3] : 0};
}

} // namespace

std::vector<std::int32_t> integers(std::string_view option_name, std::string_view text,
                                   const std::string& shape) {
    std::vector<std::int32_t> list;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (;;) {
        std::int32_t value = 0;
        const auto [behind, fault] = std::from_chars(at, end, value);
        if (fault != std::errc{} || (behind != end && *behind != ','))
            throw tutti::argument_error(std::string(option_name), "'" + std::string(text) + "'", shape);
        list.push_back(value);
        if (behind == end) return list;
        at = behind + 1;
    }
}

network_choice chosen_network(const arguments& given) {
    const std::vector<std::string_view> kinds{"--fat-tree", "--xgft", "--torus", "--dragonfly"};
    std::string_view kind;
    for (const std::string_view k : kinds) {
        if (!given.has(k)) continue;
        if (!kind.empty())
            throw tutti::argument_error(std::string(k), "given with " + std::string(kind), "one network");
        kind = k;
    }
    if (kind.empty()) throw tutti::argument_error("network", "not given", joined(kinds));
    const std::string_view text = given.value(kind, "");
    if (kind == "--fat-tree") {
        tutti::fat_tree tree = kary_tree(text);
        std::string name =
            std::to_string(tree.children(1)) + "-ary " + std::to_string(tree.levels()) + "-tree";
        return routed(given, kind, text, std::move(tree), std::move(name));
    }
    if (kind == "--xgft") {
        tutti::fat_tree tree = extended_tree(text);
        std::string name = "XGFT(" + std::to_string(tree.levels()) + ";" + std::string(text) + ")";
        return routed(given, kind, text, std::move(tree), std::move(name));
    }
    if (given.has("--routing"))
        throw tutti::argument_error("--routing", "given with " + std::string(kind),
                                    "with --fat-tree or --xgft");
    if (kind == "--torus") {
        const std::vector<std::int32_t> extents = integers(kind, text, "nodes per dimension, as in 4,4,4");
        tutti::torus torus(extents);
        check_size(kind, text, torus.nodes());
        return {.on = std::move(torus),
                .name = joined_numbers(extents, "x") + " torus",
                .routing = "dimension-order"};
    }
    const tutti::dragonfly dragonfly(dragonfly_shape_of(text));
    check_size(kind, text, dragonfly.nodes());
    return {.on = dragonfly,
            .name = "dragonfly of " + std::to_string(dragonfly.groups()) + " groups of "
                    + std::to_string(dragonfly.routers() / dragonfly.groups()) + " routers",
            .routing = "minimal"};
}

tutti::placement chosen_placement(const arguments& given, tutti::node_type nodes) {
    std::vector<tutti::node_type> missing;
    if (given.has("--missing"))
        for (const std::int64_t n : numbers("--missing", given.value("--missing", ""), {0, nodes - 1}))
            missing.push_back(static_cast<tutti::node_type>(n));
    if (!given.has("--ranks")) return tutti::placement::compact(nodes, missing);
    constexpr std::int64_t most = std::numeric_limits<tutti::rank_type>::max();
    const std::int64_t ranks = one_number("--ranks", given.value("--ranks", ""), {1, most});
    return tutti::placement::compact(nodes, static_cast<tutti::rank_type>(ranks), missing);
}

} // namespace program
