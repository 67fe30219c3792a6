// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/topology/network.hpp>

#if TUTTI_BODIES
#include <limits>
#endif

namespace tutti {

/// How large a dragonfly is.
struct dragonfly_shape {
    node_type routers = 1; ///< a: routers per group, all linked with each other
    node_type nodes = 1;   ///< p: nodes per router
    node_type globals = 1; ///< h: ports of a router for links to other groups
    node_type groups = 0;  ///< g <= a h + 1; 0 stands for the most, a h + 1
};

/// A dragonfly (Kim, Dally, Scott and Abts 2008). Node d is on router d / p, router r in group r / a.
///
/// Links between groups in the absolute arrangement (Hastings et al. 2015): the ports of a group are numbered
/// router by router, and port j of group i leads to the j-th of the other groups, that is to group j for
/// j < i and to group j + 1 otherwise. With fewer groups than a h + 1 each pair has
/// floor(a h / (g - 1)) links: the ports go round the other groups as often as that, the rest stay unused.
/// Example with 5 groups (a = 4, h = 1): port 2 of group 3 is on its router 2 and leads to group 2; it
/// arrives at port 2 of group 2, which leads to group 3.
///
/// Routing: minimal, at most one local link, one global link, one local link. Of several links between two
/// groups those with the fewest local links around count; among these the target's router chooses, modulo
/// their number. (Two global links through a third group may be shorter; this is no minimal route in a
/// dragonfly's sense.)
class dragonfly {
public:
    explicit dragonfly(dragonfly_shape shape);

    node_type nodes() const noexcept { return routers() * p_; }
    /// How many there are.
    node_type routers() const noexcept { return g_ * a_; }
    /// How many there are.
    node_type groups() const noexcept { return g_; }
    /// Directed links from one group to another.
    node_type links_per_pair() const noexcept { return copies_; }
    link_index links() const noexcept { return first_global_ + link_index{g_} * ports(); }

    /// The router that a node hangs on.
    node_type router_of(node_type node) const noexcept { return node / p_; }
    /// The group that a router is in.
    node_type group_of(node_type router) const noexcept { return router / a_; }

    /// Links between a node and its router.
    link_index from_node(node_type node) const noexcept { return node; }
    /// From its router to a node.
    link_index to_node(node_type node) const noexcept { return link_index{nodes()} + node; }
    /// From a router to another one of its group.
    link_index local(node_type from, node_type to) const noexcept {
        return first_local_ + link_index{from} * (a_ - 1) + rank_among_others(to % a_, from % a_);
    }
    /// From a group to another one, the `copy`-th of their links.
    link_index global(node_type from, node_type to, node_type copy = 0) const noexcept {
        return first_global_ + link_index{from} * ports() + port(from, to, copy);
    }

    /// The router of group `from` that has the `copy`-th link to group `to`.
    node_type router_at(node_type from, node_type to, node_type copy) const noexcept {
        return from * a_ + port(from, to, copy) / h_;
    }

    /// Links on the way, those between node and router included.
    int hops(node_type source, node_type target) const noexcept {
        int count = 0;
        route(source, target, [&](link_index) { ++count; });
        return count;
    }

    template <class Sink>
    void route(node_type source, node_type target, Sink&& sink) const {
        if (source == target) return;
        const node_type from = router_of(source);
        const node_type to = router_of(target);
        sink(from_node(source));
        if (group_of(from) == group_of(to)) {
            if (from != to) sink(local(from, to));
        } else {
            const node_type copy = chosen_copy(from, to);
            const node_type exit = router_at(group_of(from), group_of(to), copy);
            const node_type entry = router_at(group_of(to), group_of(from), copy);
            if (from != exit) sink(local(from, exit));
            sink(global(group_of(from), group_of(to), copy));
            if (entry != to) sink(local(entry, to));
        }
        sink(to_node(target));
    }

    std::string name(link_index link) const; ///< by the routers at its ends
    /// "<2,3>": the fourth router of the third group.
    std::string router_name(node_type router) const {
        return std::string("<")
            .append(std::to_string(group_of(router)))
            .append(",")
            .append(std::to_string(router % a_))
            .append(">");
    }

private:
    /// Where `other` stands among all but `own`, and back.
    static node_type rank_among_others(node_type other, node_type own) noexcept {
        return other < own ? other : other - 1;
    }
    static node_type other_of_rank(node_type rank, node_type own) noexcept {
        return rank < own ? rank : rank + 1;
    }

    /// Global links that leave a group; its ports that are used.
    node_type ports() const noexcept { return copies_ * (g_ - 1); }
    node_type port(node_type from, node_type to, node_type copy) const noexcept {
        return rank_among_others(to, from) + copy * (g_ - 1);
    }

    node_type chosen_copy(node_type from, node_type to) const noexcept {
        const auto detours = [&](node_type copy) {
            return (router_at(group_of(from), group_of(to), copy) != from ? 1 : 0)
                   + (router_at(group_of(to), group_of(from), copy) != to ? 1 : 0);
        };
        int fewest = 2;
        node_type equal = 0; // copies with so few
        for (node_type c = 0; c < copies_; ++c) {
            const int n = detours(c);
            if (n > fewest) continue;
            equal = n == fewest ? equal + 1 : 1;
            fewest = n;
        }
        node_type wanted = to % equal;
        for (node_type c = 0;; ++c)
            if (detours(c) == fewest && wanted-- == 0) return c;
    }

    node_type a_;
    node_type p_;
    node_type h_;
    node_type g_;
    node_type copies_ = 0; // of the links between two groups
    link_index first_local_ = 0;
    link_index first_global_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY dragonfly::dragonfly(dragonfly_shape shape)
    : a_(shape.routers), p_(shape.nodes), h_(shape.globals), g_(shape.groups) {
    const auto at_least_one = [](const char* what, node_type value) {
        if (value < 1) detail::throw_argument(what, value, "at least 1");
    };
    at_least_one("routers per group", a_);
    at_least_one("nodes per router", p_);
    at_least_one("global links per router", h_);
    constexpr std::int64_t most = std::numeric_limits<node_type>::max();
    const std::int64_t most_groups = std::int64_t{a_} * h_ + 1;
    const std::int64_t wanted = g_ == 0 ? most_groups : g_;
    if (wanted < 1 || wanted > most_groups)
        detail::throw_argument(
            "groups of a dragonfly", wanted,
            detail::sentence({"1..", most_groups, " (global links of a group, and one more)"}));
    if (wanted > most / a_ / p_)
        detail::throw_argument("groups of a dragonfly", wanted,
                               "such that the nodes can be numbered in 32 bits");
    g_ = static_cast<node_type>(wanted);
    copies_ = g_ > 1 ? static_cast<node_type>((most_groups - 1) / (g_ - 1)) : 0;
    first_local_ = 2 * link_index{nodes()};
    first_global_ = first_local_ + link_index{routers()} * (a_ - 1);
}

TUTTI_BODY std::string dragonfly::name(link_index link) const {
    if (link < nodes()) {
        const auto node = static_cast<node_type>(link);
        return "node " + std::to_string(node) + " to router " + router_name(router_of(node));
    }
    if (link < first_local_) {
        const auto node = static_cast<node_type>(link - nodes());
        return "router " + router_name(router_of(node)) + " to node " + std::to_string(node);
    }
    if (link < first_global_) {
        const auto from = static_cast<node_type>((link - first_local_) / (a_ - 1));
        const auto other = static_cast<node_type>((link - first_local_) % (a_ - 1));
        return "local link of router " + router_name(from) + " to "
               + router_name(from / a_ * a_ + other_of_rank(other, from % a_));
    }
    const auto from = static_cast<node_type>((link - first_global_) / ports());
    const auto leaving = static_cast<node_type>((link - first_global_) % ports());
    const node_type to = other_of_rank(leaving % (g_ - 1), from);
    const node_type arriving = port(to, from, leaving / (g_ - 1));
    return "global link of router " + router_name(from * a_ + leaving / h_) + " port "
           + std::to_string(leaving % h_) + " to " + router_name(to * a_ + arriving / h_) + " port "
           + std::to_string(arriving % h_);
}
#endif

} // namespace tutti
