// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/topology/fat_tree.hpp>

namespace tutti {

/// Which of the ways up a message takes; the way down from there is the only one.
enum class fat_tree_routing : std::uint8_t {
    d_mod_k, ///< by the target: all messages to a node come down one way
    s_mod_k, ///< by the source: all messages of a node go up one way
};

/// Both that are fixed.
inline constexpr std::array all_fat_tree_routings{fat_tree_routing::d_mod_k, fat_tree_routing::s_mod_k};

/// "d-mod-k": as users type it.
constexpr std::string_view name_of(fat_tree_routing r) noexcept {
    return r == fat_tree_routing::d_mod_k ? "d-mod-k" : "s-mod-k";
}

/// The one that has this name.
constexpr std::optional<fat_tree_routing> fat_tree_routing_named(std::string_view name) noexcept {
    for (fat_tree_routing r : all_fat_tree_routings)
        if (name_of(r) == name) return r;
    return std::nullopt;
}

/// A fat-tree with a static routing: a network.
///
/// With x the target (D-mod-k) or the source (S-mod-k), port c_i is floor(x / (w_1..w_{i-1})) mod w_i, i =
/// 1..height. Packed as fat_tree packs them, c_1 least significant, the ports up to level l + 1 are plainly
/// x mod (w_1..w_{l+1}): that is the plane of the link between the levels l and l + 1, both upwards and
/// downwards. In a k-ary n-tree D-mod-k therefore climbs from level l through the link that has the number
/// s - s mod k^l + d mod k^l among those of its level: distinct for the messages of every cyclic shift of all
/// nodes, and of every xor.
///
/// Example: 2-ary 3-tree, from node 1 to node 6 = 110 in binary. D-mod-k: c_2 = 0, c_3 = 1; up to switches
/// <0,0,0>, <0,0,1>, <1,0,2>, down through <1,0,1>, <1,1,0> to node 6. S-mod-k: c_2 = 1, c_3 = 0.
///
/// Time of a route: O(its length), without a division: 8 bytes per node and level are tabled, half of what
/// the loads of the links take. Copies share the table. Source: Zahavi 2012, "Fat-tree routing and node
/// ordering providing contention free traffic for MPI global collectives" (D-mod-k); Öhring, Ibel, Das and
/// Kumar 1995 (the trees).
class routed_fat_tree {
public:
    explicit routed_fat_tree(fat_tree tree, fat_tree_routing routing = fat_tree_routing::d_mod_k);

    /// The tree that it goes through.
    const fat_tree& tree() const noexcept { return tree_; }
    /// By whose digits it climbs.
    fat_tree_routing routing() const noexcept { return routing_; }

    node_type nodes() const noexcept { return tree_.nodes(); }
    link_index links() const noexcept { return tree_.links(); }

    /// 0 <= source, target < nodes().
    template <class Sink>
    TUTTI_INLINE void route(node_type source, node_type target, Sink&& sink) const {
        const entry* const from = row(source);
        const entry* const to = row(target);
        const entry* const by = routing_ == fat_tree_routing::d_mod_k ? to : from;
        std::size_t l = 0;
        // Subtrees of one height start their links at different numbers: no need to ask for the height.
        for (; l < levels_ && from[l].start != to[l].start; ++l)
            sink(first_[l] + (from[l].start + by[l].plane));
        while (l-- > 0) sink(downward_ + first_[l] + (to[l].start + by[l].plane));
    }

    /// Links on the way, up and down.
    int hops(node_type source, node_type target) const noexcept {
        const entry* const from = row(source);
        const entry* const to = row(target);
        std::size_t l = 0;
        while (l < levels_ && from[l].start != to[l].start) ++l;
        return 2 * static_cast<int>(l);
    }

    /// A link in words.
    std::string name(link_index link) const { return tree_.name(link); }

private:
    static constexpr std::int64_t most_entries = std::int64_t{1} << 28; // 2 GiB

    struct entry {
        std::uint32_t start; // first link above the node's subtree of level l, counted within the level
        std::uint32_t plane; // node mod (w_1..w_{l+1})
    };

    const entry* row(node_type node) const noexcept {
        return table_->data() + static_cast<std::size_t>(node) * levels_;
    }

    fat_tree tree_;
    fat_tree_routing routing_;
    std::size_t levels_;
    link_index downward_; // the first of the links downwards
    std::array<link_index, 31> first_{};
    std::shared_ptr<const std::vector<entry>> table_;
};

static_assert(network<routed_fat_tree>);

#if TUTTI_BODIES
TUTTI_BODY routed_fat_tree::routed_fat_tree(fat_tree tree, fat_tree_routing routing)
    : tree_(std::move(tree)), routing_(routing), levels_(static_cast<std::size_t>(tree_.levels())),
      downward_(tree_.down_link(0, 0, 0)) {
    if (const std::int64_t entries = std::int64_t{nodes()} * tree_.levels(); entries > most_entries)
        detail::throw_argument("nodes times levels of the routed fat-tree", entries,
                               detail::sentence({"at most ", most_entries, ", for each takes memory"}));
    auto made = std::make_shared<std::vector<entry>>(static_cast<std::size_t>(tree_.nodes()) * levels_);
    std::size_t at = 0;
    for (node_type v = 0; v < tree_.nodes(); ++v)
        for (int l = 0; l < tree_.levels(); ++l, ++at)
            (*made)[at] = {
                .start = static_cast<std::uint32_t>(tree_.subtree(v, l) * tree_.planes(l + 1)),
                .plane = static_cast<std::uint32_t>(v % tree_.planes(l + 1)),
            };
    for (int l = 0; l < tree_.levels(); ++l) first_[static_cast<std::size_t>(l)] = tree_.up_link(l, 0, 0);
    table_ = std::move(made);
}
#endif

} // namespace tutti
