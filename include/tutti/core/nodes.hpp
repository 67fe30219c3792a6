// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/rank.hpp>

namespace tutti {

/// Which ranks lie on which node: where messages are cheap, and where they are not. Nodes may have different
/// numbers of ranks, and the ranks of a node need not follow each other. Immutable; copies share the tables.
///
/// Nodes are numbered in the order of their lowest ranks, and so are the ranks of a node in it.
/// Example with 5 ranks on nodes called 7, 7, 3, 7, 3: ranks 0, 1, 3 are on node 0, ranks 2, 4 on node 1;
/// rank 3 is number 2 of its node.
class node_map {
public:
    /// One rank, on a node of its own.
    node_map() : node_map({rank_type{0}}) {}

    /// Rank r lies on the node called name_of[r]; names are any numbers.
    explicit node_map(const std::vector<rank_type>& name_of) {
        if (name_of.empty()) detail::throw_argument("number of ranks", 0, "at least 1");
        std::vector<rank_type> names = name_of;
        std::sort(names.begin(), names.end());
        std::vector<rank_type> called(names.size(),
                                      no_rank); // the node of names[i], unless names[i - 1] is it
        tables made;
        for (std::size_t r = 0; r < name_of.size(); ++r) {
            std::size_t at = 0; // the first names[at] that is not less
            for (std::size_t end = names.size(); at < end;) {
                const std::size_t middle = at + (end - at) / 2;
                names[middle] < name_of[r] ? at = middle + 1 : end = middle;
            }
            if (called[at] == no_rank) {
                called[at] = static_cast<rank_type>(made.sizes.size());
                made.sizes.push_back(0);
            }
            made.node.push_back(called[at]);
            made.number.push_back(made.sizes[index(called[at])]++);
        }
        made.begin.push_back(0);
        for (const rank_type size : made.sizes) made.begin.push_back(made.begin.back() + index(size));
        made.rank.resize(name_of.size());
        made.is_contiguous = true;
        for (std::size_t r = 0; r < name_of.size(); ++r) {
            const std::size_t at = made.begin[index(made.node[r])] + index(made.number[r]);
            made.rank[at] = static_cast<rank_type>(r);
            made.is_contiguous = made.is_contiguous && at == r;
        }
        std::sort(made.sizes.begin(), made.sizes.end());
        tables_ = std::make_shared<const tables>(std::move(made));
    }

    /// Nodes of so many ranks each, one after the other.  Example with 5 ranks: of_sizes({3, 2}) has ranks 0,
    /// 1, 2 on node 0 and ranks 3, 4 on node 1.
    static node_map of_sizes(const std::vector<rank_type>& sizes) {
        std::vector<rank_type> name_of;
        for (std::size_t node = 0; node < sizes.size(); ++node) {
            if (sizes[node] < 1) {
                const std::string which = "ranks of node " + std::to_string(node);
                detail::throw_argument(which.c_str(), sizes[node], "at least 1");
            }
            for (rank_type n = 0; n < sizes[node]; ++n) name_of.push_back(static_cast<rank_type>(node));
        }
        return node_map(name_of);
    }

    /// How many ranks there are, on all nodes.
    rank_type ranks() const noexcept { return static_cast<rank_type>(tables_->node.size()); }
    /// How many nodes there are.
    rank_type nodes() const noexcept { return static_cast<rank_type>(tables_->begin.size()) - 1; }

    /// The node that a rank lies on, from 0.
    rank_type node_of(rank_type rank) const noexcept { return tables_->node[index(rank)]; }
    /// A rank's number on its node, from 0 on.
    rank_type number_of(rank_type rank) const noexcept { return tables_->number[index(rank)]; }

    /// The ranks of a node, lowest first.
    std::span<const rank_type> ranks_on(rank_type node) const noexcept {
        const std::size_t begin = tables_->begin[index(node)];
        return {tables_->rank.data() + begin, tables_->begin[index(node) + 1] - begin};
    }
    /// How many ranks lie on a node.
    rank_type size_of(rank_type node) const noexcept { return static_cast<rank_type>(ranks_on(node).size()); }
    /// The rank that is number `number` of its node, from 0.
    rank_type rank_at(rank_type node, rank_type number) const noexcept {
        return ranks_on(node)[index(number)];
    }

    /// Of the ranks in the order of their nodes: how many come before those of a node, and which is where.
    /// Example with 5 ranks on nodes 0, 0, 1, 0, 1: the order is 0, 1, 3, 2, 4; 3 come before node 1.
    rank_type before(rank_type node) const noexcept {
        return static_cast<rank_type>(tables_->begin[index(node)]);
    }
    /// The rank at a position, from 0, of the list of ranks node by node.
    rank_type in_order(rank_type position) const noexcept { return tables_->rank[index(position)]; }

    /// How many ranks the nodes have, smallest first.
    std::span<const rank_type> sizes() const noexcept {
        return {tables_->sizes.data(), tables_->sizes.size()};
    }
    /// Whether all nodes have the same number of ranks.
    bool all_alike() const noexcept { return tables_->sizes.front() == tables_->sizes.back(); }

    /// Whether the ranks of every node follow each other: only then can a fold inside the nodes keep the
    /// order of ranks.
    bool contiguous() const noexcept { return tables_->is_contiguous; }

    /// The same ranks on the same nodes.
    friend bool operator==(const node_map& a, const node_map& b) noexcept {
        return a.tables_->node == b.tables_->node;
    }

private:
    struct tables {
        std::vector<rank_type> node;   // of each rank
        std::vector<rank_type> number; // of each rank, in its node
        std::vector<rank_type> rank;   // node by node
        std::vector<std::size_t> begin;
        std::vector<rank_type> sizes;
        bool is_contiguous = false;
    };

    static std::size_t index(rank_type n) noexcept { return static_cast<std::size_t>(n); }

    std::shared_ptr<const tables> tables_;
};

} // namespace tutti
