// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tutti/pattern/permutation.hpp>
#include <tutti/topology/adaptive_ascent.hpp>
#include <tutti/topology/ascent_assignment.hpp>
#include <tutti/topology/fat_tree.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/link_loads.hpp>

// The permutations that Lemmas 1-6 of Kumar and Kalé speak of, on any k-ary n-tree, and how many of them are
// free of contention: for the test of the lemmas and for that of the table in docs/lemmas.md.

namespace lemmas {

using tutti::node_type;
using tutti::rank_type;

struct tree_shape {
    std::int32_t k = 2;
    int n = 1;

    rank_type nodes() const { return static_cast<rank_type>(tutti::power(k, n)); }
    bool power_of_two() const { return nodes() == tutti::floor_pow2(nodes()); }
    std::string name() const { return std::to_string(k) + "-ary " + std::to_string(n); }
};

/// Every k-ary n-tree with k >= 2 and levels of switches from `levels` on, up to so many nodes.
inline std::vector<tree_shape> all_trees(rank_type most_nodes, int levels) {
    std::vector<tree_shape> result;
    for (std::int32_t k = 2; k <= most_nodes; ++k)
        for (int n = 1; tutti::power(k, n) <= most_nodes; ++n)
            if (n >= levels) result.push_back({k, n});
    return result;
}

enum class ascent { d_mod_k, s_mod_k, certain, possible };

inline constexpr ascent all_ascents[] = {ascent::d_mod_k, ascent::s_mod_k, ascent::certain, ascent::possible};

inline std::string name_of(ascent a) {
    switch (a) {
    case ascent::d_mod_k: return "d-mod-k";
    case ascent::s_mod_k: return "s-mod-k";
    case ascent::certain: return "certain";
    default: return "possible";
    }
}

template <class P>
void find_messages(const P& p, rank_type size, std::vector<tutti::node_message>& into) {
    into.clear();
    for (rank_type r = 0; r < size; ++r)
        if (const rank_type t = p(r, size); t != tutti::no_rank && t != r)
            into.push_back({.from = r, .to = t});
}

template <class P>
std::vector<tutti::node_message> messages_of(const P& p, rank_type size) {
    std::vector<tutti::node_message> result;
    find_messages(p, size, result);
    return result;
}

/// Whether permutations of the nodes of one tree are free of contention.
class judge {
public:
    explicit judge(tree_shape shape)
        : tree_(tutti::fat_tree::kary(shape.k, shape.n)),
          by_target_(tutti::routed_fat_tree(tree_, tutti::fat_tree_routing::d_mod_k)),
          by_source_(tutti::routed_fat_tree(tree_, tutti::fat_tree_routing::s_mod_k)) {}

    const tutti::fat_tree& tree() const { return tree_; }

    template <class P>
    bool free(ascent how, const P& p) {
        find_messages(p, tree_.nodes(), messages_);
        switch (how) {
        case ascent::d_mod_k: return load(by_target_, messages_) <= 1;
        case ascent::s_mod_k: return load(by_source_, messages_) <= 1;
        case ascent::certain: return tutti::adaptive_certain(tree_, messages_).free();
        default: return assigned(messages_);
        }
    }

private:
    using loads = tutti::link_loads<tutti::routed_fat_tree>;

    static std::int64_t load(loads& on, const std::vector<tutti::node_message>& messages) {
        on.clear();
        for (const tutti::node_message& m : messages) on.add(m);
        return on.max();
    }

    /// An assignment is believed only after its links have been counted.
    bool assigned(const std::vector<tutti::node_message>& messages) {
        const tutti::possible_ascent found = tutti::adaptive_possible(tree_, messages);
        if (!found.free()) return false;
        taken_.assign(static_cast<std::size_t>(tree_.links()), false);
        bool once = true;
        for (std::size_t i = 0; i < messages.size(); ++i)
            tutti::route_through(tree_, messages[i].from, messages[i].to, found.plane[i],
                                 [&](tutti::link_index l) {
                                     once = once && !taken_[static_cast<std::size_t>(l)];
                                     taken_[static_cast<std::size_t>(l)] = true;
                                 });
        return once;
    }

    tutti::fat_tree tree_;
    loads by_target_;
    loads by_source_;
    std::vector<tutti::node_message> messages_; // memory kept: there are tens of thousands of permutations
    std::vector<bool> taken_;
};

/// Not std::shuffle, which draws as the standard library pleases: figures in docs/lemmas.md depend on it.
template <class T>
void shuffle(std::vector<T>& items, std::mt19937& random) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

/// A permutation that maps the tree into itself: the children of every switch change places, each subtree as
/// a whole.
inline tutti::permutation_table random_automorphism(const tutti::fat_tree& tree, std::mt19937& random) {
    std::vector<rank_type> target(static_cast<std::size_t>(tree.nodes()));
    std::iota(target.begin(), target.end(), 0);
    for (int l = 1; l <= tree.levels(); ++l) {
        const auto size = static_cast<std::size_t>(tree.subtree_size(l));
        const auto part = static_cast<std::size_t>(tree.subtree_size(l - 1));
        for (std::size_t first = 0; first < target.size(); first += size) {
            std::vector<std::size_t> order(size / part);
            std::iota(order.begin(), order.end(), std::size_t{0});
            shuffle(order, random);
            const std::vector<rank_type> before(target.begin() + static_cast<std::ptrdiff_t>(first),
                                                target.begin() + static_cast<std::ptrdiff_t>(first + size));
            for (std::size_t i = 0; i < size; ++i)
                target[first + i] = before[order[i / part] * part + i % part];
        }
    }
    return tutti::permutation_table(std::move(target));
}

inline std::vector<rank_type> random_order(rank_type size, std::mt19937& random) {
    std::vector<rank_type> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random);
    return order;
}

/// All orders of `parts` if these are 24 at most, else 24 that a fixed seed draws.
inline std::vector<std::vector<rank_type>> orders(rank_type parts) {
    std::vector<std::vector<rank_type>> result;
    std::vector<rank_type> order(static_cast<std::size_t>(parts));
    std::iota(order.begin(), order.end(), 0);
    if (parts <= 4) {
        do result.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
    } else {
        std::mt19937 random(20);
        for (int i = 0; i < 24; ++i) result.push_back(random_order(parts, random));
    }
    return result;
}

/// The permutations of a lemma.
enum class family {
    shift_by_1,    ///< Lemma 1
    quarters,      ///< Lemma 2: the k top subtrees, order kept inside
    finer_parts,   ///< the same with k^2 parts
    automorphisms, ///< Lemma 3: 24 at random
    exchanges,     ///< Lemma 4: one per dimension
    xors,          ///< Lemma 5: j = 1, 2, .. as long as one node has a partner
    named_shifts,  ///< Lemma 6: a * k^j, 0 < a < k, and the way back
    shifts,        ///< 1..P - 1
    any,           ///< 24 at random
};

inline std::vector<tutti::permutation_table> permutations(family f, tree_shape shape) {
    using namespace tutti;
    const rank_type size = shape.nodes();
    std::vector<permutation_table> result;
    std::mt19937 random(4);
    switch (f) {
    case family::shift_by_1: result.push_back(table_of(shift{1}, size)); break;
    case family::quarters:
        for (auto& to : orders(shape.k)) result.push_back(table_of(quarter_permutation(std::move(to)), size));
        break;
    case family::finer_parts:
        for (auto& to : orders(shape.k * shape.k))
            result.push_back(table_of(quarter_permutation(std::move(to)), size));
        break;
    case family::automorphisms:
        for (int i = 0; i < 24; ++i)
            result.push_back(random_automorphism(fat_tree::kary(shape.k, shape.n), random));
        break;
    case family::exchanges:
        for (int d = 0; d < ceil_log2(size); ++d) result.push_back(table_of(hypercube_exchange{d}, size));
        break;
    case family::xors:
        for (rank_type j = 1; j < power(2, ceil_log2(size)); ++j)
            result.push_back(table_of(exclusive_or{j}, size));
        break;
    case family::named_shifts:
        for (int j = 0; j < shape.n; ++j)
            for (std::int32_t a = 1; a < shape.k; ++a) {
                const auto by = static_cast<rank_type>(a * power(shape.k, j));
                result.push_back(table_of(shift{by}, size));
                result.push_back(table_of(shift{-by}, size));
            }
        break;
    case family::shifts:
        for (rank_type k = 1; k < size; ++k) result.push_back(table_of(shift{k}, size));
        break;
    case family::any:
        for (int i = 0; i < 24; ++i) result.push_back(permutation_table(random_order(size, random)));
        break;
    }
    return result;
}

struct share {
    std::int64_t free = 0;
    std::int64_t of = 0;

    /// As the table in docs/lemmas.md has it.
    std::string text() const {
        if (free == of) return "all";
        if (free == 0) return "none";
        return std::to_string(free) + " of " + std::to_string(of);
    }
};

inline share free_share(judge& on, ascent how, const std::vector<tutti::permutation_table>& of) {
    share result{.free = 0, .of = static_cast<std::int64_t>(of.size())};
    for (const tutti::permutation_table& p : of) result.free += on.free(how, p) ? 1 : 0;
    return result;
}

} // namespace lemmas
