// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/nodes.hpp>

#include "support/extent.hpp"

/// Nodes of any sizes, and what goes between them.
namespace support {

/// Calls f(sizes) for all ways to put `ranks` ranks on nodes one after the other: 2^(ranks-1) of them.
template <class F>
void for_each_composition(tutti::rank_type ranks, F&& f) {
    for (unsigned cuts = 0; cuts < 1U << (ranks - 1); ++cuts) {
        std::vector<tutti::rank_type> sizes{1};
        for (tutti::rank_type r = 1; r < ranks; ++r)
            if ((cuts >> (r - 1) & 1U) != 0)
                sizes.push_back(1);
            else
                ++sizes.back();
        f(sizes);
    }
}

/// Nodes of these sizes, whose ranks are dealt to them in turn, as cards are.
inline tutti::node_map dealt_out(std::vector<tutti::rank_type> sizes) {
    std::vector<tutti::rank_type> name_of;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t node = 0; node < sizes.size(); ++node) {
            if (sizes[node] == 0) continue;
            --sizes[node];
            name_of.push_back(static_cast<tutti::rank_type>(node));
            any = true;
        }
    }
    return tutti::node_map(name_of);
}

/// Calls f(sizes) for some ways to put 12 to 70 ranks on nodes: on few and on many, alike but for the last
/// one, and each of one rank less than the node before. Each way once: several of these rules make one node
/// of few ranks. Where a sanitizer watches, up to 30 ranks.
template <class F>
void for_some_layouts_of_many(F&& f) {
    for (tutti::rank_type ranks = 12; ranks <= up_to(70, 30); ++ranks) {
        std::vector<std::vector<tutti::rank_type>> had;
        for (const tutti::rank_type largest : {1, 2, 5, 8, 40, 70})
            for (const tutti::rank_type less : {0, 1}) {
                std::vector<tutti::rank_type> sizes;
                for (tutti::rank_type left = ranks, next = largest; left > 0; left -= sizes.back()) {
                    sizes.push_back(std::min(next, left));
                    next = std::max(next - less, 1);
                }
                if (std::find(had.begin(), had.end(), sizes) != had.end()) continue;
                f(sizes);
                had.push_back(sizes);
            }
    }
}

/// "0 0 1": the node of each rank.
inline std::string text_of(const tutti::node_map& nodes) {
    std::string text;
    for (tutti::rank_type r = 0; r < nodes.ranks(); ++r)
        text += (r == 0 ? "" : " ") + std::to_string(nodes.node_of(r));
    return text;
}

} // namespace support
