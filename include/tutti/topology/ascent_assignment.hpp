// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/topology/adaptive_ascent.hpp>
#include <tutti/topology/fat_tree.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/topology/ascent_repair.hpp>
#include <tutti/topology/ascent_search.hpp>
#include <tutti/topology/edge_colouring.hpp>
#endif

namespace tutti {

/// Whether messages can climb such that no link, up or down, carries two, and how.
struct possible_ascent {
    /// Whether they can: undecided if the search was given up.
    enum class answer : std::uint8_t { yes, no, undecided };

    answer found = answer::undecided; ///< what was found
    /// If yes: the ports of each message, in the order of the messages, packed as fat_tree packs them: its
    /// links between the levels l and l + 1 have plane plane[i] % planes(l + 1). 0 for a message from a node
    /// to itself.
    std::vector<link_index> plane{};
    /// If not: why not, a sentence.
    std::string why{};

    /// Whether they can.
    bool free() const noexcept { return found == answer::yes; }
};

/// Calls sink(link) for every link that a message takes through the ports of `plane`, in the order of the
/// way.
template <class Sink>
void route_through(const fat_tree& tree, node_type source, node_type target, link_index plane, Sink&& sink) {
    const int height = tree.height(source, target);
    for (int l = 0; l < height; ++l)
        sink(tree.up_link(l, tree.subtree(source, l), plane % tree.planes(l + 1)));
    for (int l = height; l-- > 0;)
        sink(tree.down_link(l, tree.subtree(target, l), plane % tree.planes(l + 1)));
}

namespace detail {

/// The first subtree with more messages than links, in words; empty if there is none.
std::string overfull_subtree(const fat_tree& tree, std::span<const node_message> messages);

} // namespace detail

/// Looks for ports that leave every link, up and down, to one message.
///
/// It is necessary that no subtree has more messages leaving or entering than links up or down. That is
/// sufficient on full trees (w_{l+1} >= m_l at all levels), so every permutation can go: they are
/// rearrangeable. Level by level from the nodes up, the ports are the colours of a bipartite graph between
/// the switches of the level, which has no more edges at a switch than this has children. It is also
/// sufficient on a slimmed tree without a choice of ports below its highest slimmed level (w_1 = .. = w_l = 1
/// there).
///
/// On others it is not: in XGFT(3; 2,3,2; 1,2,1) let nodes 0, 1, 2, 8, 9 send to 10, 4, 6, 7, 5. No subtree
/// is overfull, but the senders 0 and 1, 1 and 9, 9 and 8, 8 and 2, 2 and 0 share links, and two ports cannot
/// part all five pairs. There the ports up to the highest slimmed level are sought by repairing conflicts,
/// then by trying all choices, each `effort` steps long at most: after that the answer is undecided.
///
/// Example: 2-ary 2-tree, nodes 0, 1, 2, 3 send to 2, 3, 1, 0: planes 0, 1, 0, 1.
///
/// Time, search apart: O(levels * messages * w) but for the paths that change colour, which are short as a
/// rule. Sources: Benes 1965 (rearrangeable networks); König 1916 (colours of bipartite graphs).
possible_ascent adaptive_possible(const fat_tree& tree, std::span<const node_message> messages,
                                  std::int64_t effort = 1'000'000);

#if TUTTI_BODIES
namespace detail {
/// The highest level that a subtree of which has fewer links up than its children together; 0 if there is
/// none.
inline int highest_slimmed_level(const fat_tree& tree) {
    int l = tree.levels() - 1;
    while (l > 0 && tree.parents(l + 1) >= tree.children(l)) --l;
    return l;
}

TUTTI_BODY std::string overfull_subtree(const fat_tree& tree, std::span<const node_message> messages) {
    const auto overfull = [&](int l, std::size_t subtree, std::int64_t count, const char* verb,
                              const char* way) {
        const std::int64_t size = tree.subtree_size(l);
        const std::int64_t first = static_cast<std::int64_t>(subtree) * size;
        const std::string nodes =
            size == 1 ? sentence({"node ", first}) : sentence({"nodes ", first, "..", first + size - 1});
        return sentence(
            {count, " messages ", verb, " ", nodes, ", over ", tree.planes(l + 1), " links ", way});
    };
    for (int l = 0; l < tree.levels(); ++l) {
        const subtree_traffic traffic(tree, messages, l);
        for (std::size_t s = 0; s < traffic.leaving.size(); ++s) {
            if (traffic.leaving[s] > tree.planes(l + 1))
                return overfull(l, s, traffic.leaving[s], "leave", "up");
            if (traffic.entering[s] > tree.planes(l + 1))
                return overfull(l, s, traffic.entering[s], "enter", "down");
        }
    }
    return {};
}

/// Chooses port c_{l + 1} of every message that climbs so far. Those with the same c_1..c_l leave their
/// subtrees of height l by one switch each: an edge from there to the switch where they come down, its colour
/// the port.
inline void colour_level(const fat_tree& tree, std::span<const node_message> messages, int l,
                         std::vector<link_index>& plane) {
    edge_colouring ports(tree.vertices(l), tree.vertices(l), tree.parents(l + 1));
    std::vector<std::size_t> climbing;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const node_type from = tree.subtree(messages[i].from, l);
        const node_type to = tree.subtree(messages[i].to, l);
        if (from == to) continue;
        ports.add(from * tree.planes(l) + plane[i], to * tree.planes(l) + plane[i]);
        climbing.push_back(i);
    }
    for (std::size_t e = 0; e < climbing.size(); ++e)
        plane[climbing[e]] += ports.colour(static_cast<edge_colouring::edge>(e)) * tree.planes(l);
}

/// Chooses ports c_1..c_{level + 1}: repairs, which is quick where there is an answer, and then tries all.
inline ascent_search::outcome choose_below(const fat_tree& tree, std::span<const node_message> messages,
                                           int level, std::int64_t effort, std::vector<link_index>& plane) {
    const auto take = [&](const auto& from) {
        for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = from.plane(i);
        return ascent_search::outcome::found;
    };
    ascent_repair repair(tree, messages, level);
    // Far fewer moves than that have been enough wherever repairing was of use.
    if (repair.run(std::min(effort, 200 * static_cast<std::int64_t>(messages.size())))) return take(repair);
    ascent_search search(tree, messages, level);
    const ascent_search::outcome end = search.run(effort);
    return end == ascent_search::outcome::found ? take(search) : end;
}
} // namespace detail

TUTTI_BODY possible_ascent adaptive_possible(const fat_tree& tree, std::span<const node_message> messages,
                                             std::int64_t effort) {
    detail::check_messages(tree, messages);
    if (effort < 0) detail::throw_argument("effort", effort, "at least 0");
    possible_ascent result;
    result.why = detail::overfull_subtree(tree, messages);
    if (!result.why.empty()) {
        result.found = possible_ascent::answer::no;
        return result;
    }
    std::vector<link_index> plane(messages.size(), 0);
    int next = 0;
    // Above the highest slimmed level the messages of a switch's children fit its ports whatever was chosen
    // before.
    const int slimmed = detail::highest_slimmed_level(tree);
    if (tree.planes(slimmed) > 1) {
        using outcome = detail::ascent_search::outcome;
        const outcome end = detail::choose_below(tree, messages, slimmed, effort, plane);
        if (end != outcome::found) {
            const bool none = end == outcome::impossible;
            result.found = none ? possible_ascent::answer::no : possible_ascent::answer::undecided;
            result.why = detail::sentence(
                {"no subtree has more messages than links, but no choice of ports ",
                 none ? "avoids all conflicts" : detail::sentence({"was found in ", effort, " trials"})});
            return result;
        }
        next = slimmed + 1;
    }
    for (int l = next; l < tree.levels(); ++l) detail::colour_level(tree, messages, l, plane);
    result.found = possible_ascent::answer::yes;
    result.plane = std::move(plane);
    return result;
}
#endif

} // namespace tutti
