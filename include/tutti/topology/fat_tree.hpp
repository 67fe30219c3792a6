// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/topology/network.hpp>

#if TUTTI_BODIES
#include <limits>
#include <utility>
#endif

namespace tutti {

/// An extended generalised fat-tree XGFT(h; m_1..m_h; w_1..w_h): h levels of switches above the nodes, which
/// are level 0. A vertex of level l has m_l children below and w_{l+1} parents above. Slimmed trees have
/// w_{l+1} < m_l. The k-ary n-tree is XGFT(n; k,..,k; 1,k,..,k).
///
/// A vertex of level l is a pair (subtree, plane): which subtree of height l it tops, 0..nodes/(m_1..m_l) -
/// 1, and which of that subtree's w_1..w_l tops it is. The plane is the way up to it: ports (c_1, .., c_l),
/// packed with c_1 least significant. Its parent through port c is (subtree / m_{l+1}, plane + c * w_1..w_l).
/// So there is one way up through given ports, and one way down from any vertex to a node below it.
///
/// A link between levels l and l + 1 is named after its lower end's subtree and its upper end's plane, which
/// determine it; it exists once upwards and once downwards.
///
/// Example: the 2-ary 3-tree has 8 nodes and 3 levels of 4 switches. Node 5 is below subtree 2 of level 1
/// (nodes 4, 5), one switch, and below subtree 1 of level 2 (nodes 4..7), two switches, planes 0 and 1.
///
/// Source: Öhring, Ibel, Das and Kumar 1995, "On generalized fat trees"; k-ary n-trees: Petrini and Vanneschi
/// 1997. See kary_ntree.hpp for the latter's own definition.
class fat_tree {
public:
    /// A node (level 0) or a switch.
    struct vertex {
        int level = 0;         ///< 0 for a node
        node_type subtree = 0; ///< which subtree of that height
        link_index plane = 0;  ///< which top of that subtree

        friend constexpr bool operator==(const vertex&, const vertex&) = default;
    };

    /// A link taken apart: between `level` and `level` + 1.
    struct link_parts {
        bool up = true;        ///< away from the nodes
        int level = 0;         ///< of the lower end
        node_type subtree = 0; ///< of the lower end
        link_index plane = 0;  ///< of the upper end

        friend constexpr bool operator==(const link_parts&, const link_parts&) = default;
    };

    /// children[l - 1] is m_l, parents[l - 1] is w_l: how many parents a vertex of level l - 1 has.
    fat_tree(std::vector<std::int32_t> children, std::vector<std::int32_t> parents);

    /// The k-ary n-tree: k^n nodes, n levels of k^(n-1) switches.
    static fat_tree kary(std::int32_t k, int n);

    node_type nodes() const noexcept { return subtree_size_.back(); }
    /// h, the level of the roots.
    int levels() const noexcept { return static_cast<int>(children_.size()); }
    /// m_l, 1 <= l <= levels(): children of a vertex of level l.
    std::int32_t children(int l) const noexcept { return children_[index(l - 1)]; }
    /// w_l, 1 <= l <= levels(): parents of a vertex of level l - 1.
    std::int32_t parents(int l) const noexcept { return parents_[index(l - 1)]; }

    /// Nodes below a vertex of level l: m_1..m_l. 0 <= l <= levels() here and in the following.
    node_type subtree_size(int l) const noexcept { return subtree_size_[index(l)]; }
    /// Subtrees of height l.
    node_type subtrees(int l) const noexcept { return nodes() / subtree_size(l); }
    /// Tops of a subtree of height l: w_1..w_l.
    link_index planes(int l) const noexcept { return planes_[index(l)]; }
    /// Vertices of level l.
    link_index vertices(int l) const noexcept { return subtrees(l) * planes(l); }

    /// The subtree of height l in which a node is.  Example, 2-ary 3-tree: subtree(5, 1) == 2.
    node_type subtree(node_type node, int l) const noexcept { return node / subtree_size(l); }
    /// The height of the least subtree with both nodes: a route climbs so many links.
    /// Example, 2-ary 3-tree: height(4, 5) == 1, height(3, 4) == 3, height(4, 4) == 0.
    int height(node_type s, node_type d) const noexcept {
        int l = 0;
        while (subtree(s, l) != subtree(d, l)) ++l;
        return l;
    }

    /// Directed links: those upwards first, level by level, then those downwards in the same order.
    link_index links() const noexcept { return 2 * upward_; }
    /// Links of one direction between the levels l and l + 1, 0 <= l < levels().
    link_index links_above(int l) const noexcept { return subtrees(l) * planes(l + 1); }
    /// From the lower end in `subtree` of level l to the upper end with `plane` of level l + 1.
    link_index up_link(int l, node_type subtree, link_index plane) const noexcept {
        return first_link_[index(l)] + subtree * planes(l + 1) + plane;
    }
    /// The way back of up_link with the same arguments.
    link_index down_link(int l, node_type subtree, link_index plane) const noexcept {
        return upward_ + up_link(l, subtree, plane);
    }

    /// The parts of a link, by its number.
    link_parts parts(link_index link) const noexcept {
        link_parts p{.up = link < upward_};
        if (!p.up) link -= upward_;
        while (p.level + 1 < levels() && link >= first_link_[index(p.level + 1)]) ++p.level;
        link -= first_link_[index(p.level)];
        p.subtree = static_cast<node_type>(link / planes(p.level + 1));
        p.plane = link % planes(p.level + 1);
        return p;
    }
    /// Where a link begins that goes up, and one ends that goes down.
    vertex lower_end(const link_parts& p) const noexcept {
        return {.level = p.level, .subtree = p.subtree, .plane = p.plane % planes(p.level)};
    }
    /// Where a link ends that goes up, and one begins that goes down.
    vertex upper_end(const link_parts& p) const noexcept {
        return {.level = p.level + 1, .subtree = p.subtree / children(p.level + 1), .plane = p.plane};
    }

    /// "node 5", or the switch's name in a k-ary n-tree as Kumar and Kalé write it: <w_0,..,w_{n-2},l>, l
    /// being one less than the level here. The digits are those of the subtree, largest first, then c_l, ..,
    /// c_1 (c_1 only if w_1 > 1: it says nothing in a k-ary n-tree). Example, 2-ary 3-tree: level 2, subtree
    /// 1, plane 1 is switch <1,1,1>; it tops nodes 4..7.
    std::string name(const vertex& v) const;
    /// A link in words: the names of both ends.
    std::string name(const link_parts& p) const;
    /// The same, by its number.
    std::string name(link_index link) const { return name(parts(link)); }

    friend bool operator==(const fat_tree&, const fat_tree&) = default;

private:
    static constexpr std::size_t most_levels = 31;       // 2^31 nodes are already too many
    static constexpr link_index most_links = 0xffffffff; // of one direction between two levels

    static constexpr std::size_t index(int l) noexcept { return static_cast<std::size_t>(l); }
    static void check_positive(const char* which, std::size_t l, std::int32_t value);

    std::vector<std::int32_t> children_;
    std::vector<std::int32_t> parents_;
    std::vector<node_type> subtree_size_; // of levels 0..h
    std::vector<link_index> planes_;      // of levels 0..h
    std::vector<link_index> first_link_;  // of levels 0..h-1
    link_index upward_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY fat_tree::fat_tree(std::vector<std::int32_t> children, std::vector<std::int32_t> parents)
    : children_(std::move(children)), parents_(std::move(parents)) {
    const std::size_t h = children_.size();
    if (h < 1 || h > most_levels)
        detail::throw_argument("levels of the fat-tree", static_cast<std::int64_t>(h), "1..31");
    if (parents_.size() != h)
        detail::throw_argument("numbers of parents (w) of the fat-tree",
                               static_cast<std::int64_t>(parents_.size()),
                               detail::sentence({h, ", as many as numbers of children (m)"}));
    subtree_size_.assign(1, 1);
    planes_.assign(1, 1);
    for (std::size_t l = 1; l <= h; ++l) {
        check_positive("m_", l, children_[l - 1]);
        check_positive("w_", l, parents_[l - 1]);
        const std::int64_t size = std::int64_t{subtree_size_.back()} * children_[l - 1];
        if (size > std::numeric_limits<node_type>::max())
            throw argument_error("number of nodes of the fat-tree", detail::sentence({"at least ", size}),
                                 "at most 2147483647");
        subtree_size_.push_back(static_cast<node_type>(size));
    }
    for (std::size_t l = 1; l <= h; ++l) {
        // Both factors are below 2^32 and 2^31, so that neither product overflows.
        const link_index planes = planes_.back() * parents_[l - 1];
        const link_index subtrees = nodes() / subtree_size_[l - 1];
        if (planes > most_links || subtrees * planes > most_links)
            throw argument_error(detail::sentence({"links above level ", l - 1, " of the fat-tree"}),
                                 detail::sentence({"more than ", most_links}),
                                 detail::sentence({"at most ", most_links}));
        planes_.push_back(planes);
        first_link_.push_back(upward_);
        upward_ += subtrees * planes;
    }
}

TUTTI_BODY fat_tree fat_tree::kary(std::int32_t k, int n) {
    if (k < 1) detail::throw_argument("k of the k-ary n-tree", k, "at least 1");
    if (n < 1 || n > static_cast<int>(most_levels))
        detail::throw_argument("n of the k-ary n-tree", n, "1..31");
    std::int64_t nodes = 1;
    for (int l = 0; l < n; ++l) {
        nodes *= k;
        if (nodes > std::numeric_limits<node_type>::max())
            throw argument_error("number of nodes k^n of the k-ary n-tree", detail::sentence({k, "^", n}),
                                 "at most 2147483647");
    }
    std::vector<std::int32_t> parents(static_cast<std::size_t>(n), k);
    parents[0] = 1;
    return {std::vector<std::int32_t>(static_cast<std::size_t>(n), k), std::move(parents)};
}

TUTTI_BODY std::string fat_tree::name(const vertex& v) const {
    if (v.level == 0) return "node " + std::to_string(v.subtree);
    std::string digits;
    for (int l = levels(); l > v.level; --l)
        digits +=
            std::to_string(v.subtree / (subtree_size(l - 1) / subtree_size(v.level)) % children(l)) + ",";
    for (int l = v.level; l >= (parents(1) > 1 ? 1 : 2); --l)
        digits += std::to_string(v.plane / planes(l - 1) % parents(l)) + ",";
    return "switch <" + digits + std::to_string(v.level - 1) + ">";
}

TUTTI_BODY std::string fat_tree::name(const link_parts& p) const {
    const std::string low = name(lower_end(p));
    const std::string high = name(upper_end(p));
    return p.up ? "up from " + low + " to " + high : "down from " + high + " to " + low;
}

TUTTI_BODY void fat_tree::check_positive(const char* which, std::size_t l, std::int32_t value) {
    if (value < 1)
        throw argument_error(detail::sentence({which, l, " of the fat-tree"}), detail::sentence({value}),
                             "at least 1");
}
#endif

} // namespace tutti
