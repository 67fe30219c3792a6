// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/pattern/tree.hpp>

#include "support/catch2.hpp"

namespace tutti::testing {

/// The children that `shape` serves in `round`, in the order of visits.
template <class Tree>
std::vector<rank_type> children_of(const Tree& shape, round_index round) {
    std::vector<rank_type> visited;
    shape.children(round, [&](rank_type child) { visited.push_back(child); });
    return visited;
}

/// What is wrong with the trees that make(place) makes on all ranks, as a sentence; "" if nothing is. Counts
/// what the trees state in closed form.
template <class Make>
std::string tree_fault(rank_type size, rank_type root, const Make& make) {
    const auto at = [](rank_type rank) { return static_cast<std::size_t>(rank); };
    const auto say = [](const std::string& what, rank_type rank) {
        return what + ", rank " + std::to_string(rank);
    };
    std::vector<int> times_child(at(size), 0);
    std::vector<std::vector<std::int64_t>> edges(at(size)); // per rank and round
    round_index last_round = no_round;
    std::int64_t most_children = 0;
    const round_index rounds = make(place{root, size, root}).rounds();
    for (rank_type r = 0; r < size; ++r) {
        const auto shape = make(place{r, size, root});
        if (shape.rounds() != rounds) return say("rounds() differs from the root's", r);
        if ((shape.parent() == no_rank) != (r == root)) return say("a parent at the root or none below", r);
        if ((shape.parent_round() == no_round) != (r == root)) return say("wrong kind of parent_round()", r);
        last_round = std::max(last_round, shape.parent_round());
        edges[at(r)].resize(at(static_cast<rank_type>(rounds)), 0);
        if (r != root) ++edges[at(r)][static_cast<std::size_t>(shape.parent_round())];
        std::int64_t own = 0;
        if constexpr (std::same_as<decltype(shape), const tree>)
            for (round_index i = 0; i < rounds; ++i) {
                std::vector<rank_type> turned = children_of(shape, i);
                std::reverse(turned.begin(), turned.end());
                std::vector<rank_type> visited;
                shape.children_last_first(i, [&](rank_type child) { visited.push_back(child); });
                if (visited != turned) return say("children_last_first() is not children() turned round", r);
                if (!visited.empty() && i > shape.last_round()) return say("serves after last_round()", r);
            }
        for (round_index i = 0; i < rounds; ++i)
            for (const rank_type child : children_of(shape, i)) {
                if (child < 0 || child >= size) return say("a child that is no rank", r);
                if (i <= shape.parent_round()) return say("serves a child before it has received", r);
                const auto below = make(place{child, size, root});
                if (below.parent() != r) return say("its child has another parent", r);
                if (below.parent_round() != i) return say("its child expects it in another round", r);
                ++times_child[at(child)];
                ++edges[at(r)][static_cast<std::size_t>(i)];
                ++own;
            }
        most_children = std::max(most_children, own);
    }
    for (rank_type r = 0; r < size; ++r)
        if (times_child[at(r)] != (r == root ? 0 : 1)) return say("not the child of exactly one rank", r);
    if (last_round + 1 != rounds) return "rounds() is not the last parent_round() + 1";
    const auto shape = make(place{root, size, root});
    if (shape.most_children() != most_children)
        return "most_children() is not the counted " + std::to_string(most_children);
    for (round_index window = 1; window <= rounds + 1; ++window) {
        std::int64_t most = 0;
        for (const auto& row : edges)
            for (std::size_t i = 0; i < row.size(); ++i) {
                std::int64_t sum = 0;
                for (std::size_t k = i; k < row.size() && k < i + static_cast<std::size_t>(window); ++k)
                    sum += row[k];
                most = std::max(most, sum);
            }
        if (shape.most_messages(window) != most)
            return "most_messages(" + std::to_string(window) + ") is not the counted " + std::to_string(most);
        if (window == 8 && rounds > 16) window = rounds - 1; // long chains: nothing new in between
    }
    return "";
}

/// One line per rank: "3: parent 0 in round 1; round 0: 5 4".
template <class Make>
std::string tree_text(rank_type size, rank_type root, const Make& make) {
    std::string text;
    for (rank_type r = 0; r < size; ++r) {
        const auto shape = make(place{r, size, root});
        text += std::to_string(r) + ":";
        if (shape.parent() != no_rank)
            text += " parent " + std::to_string(shape.parent()) + " in round "
                    + std::to_string(shape.parent_round());
        for (round_index i = 0; i < shape.rounds(); ++i) {
            const auto served = children_of(shape, i);
            if (served.empty()) continue;
            text += (text.back() == ':' ? " round " : "; round ") + std::to_string(i) + ":";
            for (const rank_type child : served) text += " " + std::to_string(child);
        }
        text += "\n";
    }
    return text;
}

/// Requires tree_fault to find nothing for all sizes up to `largest` and all roots.
template <class Make>
void check_trees(rank_type largest, const Make& make) {
    for (rank_type size = 1; size <= largest; ++size)
        for (rank_type root = 0; root < size; ++root) {
            const std::string fault = tree_fault(size, root, make);
            if (!fault.empty()) {
                INFO("size " << size << ", root " << root);
                REQUIRE(fault == "");
            }
        }
    SUCCEED("all trees are sound");
}

} // namespace tutti::testing
