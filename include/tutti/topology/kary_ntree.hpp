// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/topology/fat_tree.hpp>

namespace tutti {

/// The k-ary n-tree as it is defined, word for word: what fat_tree::kary(k, n) is tested against.
///
/// P = k^n processing nodes, each an n-tuple {0, .., k-1}^n, and n k^(n-1) switches, each an ordered pair <w,
/// l> of an (n-1)-tuple w and a level l in {0, .., n-1}; the switches of level 0 are connected to the nodes,
/// those of level n - 1 are the roots.
/// - Two switches <w_0, .., w_{n-2}, l> and <w'_0, .., w'_{n-2}, l'> are connected by an edge iff l' = l + 1
///   and w_i = w'_i for all i != n - 2 - l.
/// - There is an edge between the switch <w_0, .., w_{n-2}, 0> and the node {p_0, .., p_{n-1}} iff w_i = p_i
/// for
///   all i in {0, .., n-2}.
///
/// Example: in the 2-ary 3-tree node 5 is {1,0,1} and hangs on <1,0,0>, which has edges to <1,0,1> and
/// <1,1,1>. Source: Kumar and Kalé 2004, section 4.1, after Petrini and Vanneschi 1997.
class kary_ntree {
public:
    using tuple = std::vector<std::int32_t>; ///< digits to the base k, the most significant first

    /// <w, l>
    struct switch_name {
        tuple w{}; ///< n - 1 digits
        int l = 0; ///< the level, from 0, next to the nodes, to n - 1

        friend bool operator==(const switch_name&, const switch_name&) = default;
    };

    kary_ntree(std::int32_t k, int n)
        : k_(k), n_(n), nodes_(fat_tree::kary(k, n).nodes()) {} // which refuses a k or n that is none

    /// Up links of a switch, and down links.
    std::int32_t k() const noexcept { return k_; }
    /// Levels of switches.
    int n() const noexcept { return n_; }
    node_type nodes() const noexcept { return nodes_; }
    /// On each of the n levels.
    node_type switches_per_level() const noexcept { return nodes_ / k_; }
    /// On all levels.
    std::int64_t switches() const noexcept { return std::int64_t{n_} * switches_per_level(); }

    /// The tuple of a node: its digits to the base k, p_0 the most significant.
    tuple node(node_type number) const {
        if (number < 0 || number >= nodes_) detail::throw_argument_below("node", number, nodes_);
        return digits(number, n_);
    }
    /// The switch of level l whose w, read to the base k, is `number`.
    switch_name switch_at(int l, node_type number) const {
        if (l < 0 || l >= n_) detail::throw_argument_below("level", l, n_);
        if (number < 0 || number >= switches_per_level())
            detail::throw_argument_below("number of the switch", number, switches_per_level());
        return {.w = digits(number, n_ - 1), .l = l};
    }

    /// Whether there is an edge between these switches, a on the level below b's.
    bool edge(const switch_name& a, const switch_name& b) const noexcept {
        if (b.l != a.l + 1) return false;
        for (int i = 0; i <= n_ - 2; ++i)
            if (i != n_ - 2 - a.l && a.w[at(i)] != b.w[at(i)]) return false;
        return true;
    }
    /// Whether there is an edge between a switch and a node.
    bool edge(const switch_name& s, const tuple& p) const noexcept {
        if (s.l != 0) return false;
        for (int i = 0; i <= n_ - 2; ++i)
            if (s.w[at(i)] != p[at(i)]) return false;
        return true;
    }

    /// The switch that is a vertex of fat_tree::kary(k, n): level l + 1 there is level l here, and w is the
    /// subtree's digits, then the plane's.
    /// Example, 2-ary 3-tree: level 2, subtree 1, plane 0 is <1,0,1>.
    switch_name switch_of(const fat_tree::vertex& v) const {
        return switch_at(v.level - 1, static_cast<node_type>(v.subtree * power(k_, v.level - 1) + v.plane));
    }

    /// As in the paper: <w_0,..,w_{n-2},l>.
    static std::string name(const switch_name& s) {
        std::string digits;
        for (const std::int32_t w : s.w) digits += std::to_string(w) + ",";
        return "<" + digits + std::to_string(s.l) + ">";
    }

private:
    static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

    tuple digits(node_type number, int count) const {
        tuple result(at(count));
        for (int i = count; i-- > 0; number /= k_) result[at(i)] = number % k_;
        return result;
    }

    std::int32_t k_;
    int n_;
    node_type nodes_;
};

} // namespace tutti
