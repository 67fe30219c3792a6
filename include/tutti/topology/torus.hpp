// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#include <tutti/topology/network.hpp>

#if TUTTI_BODIES
#include <limits>
#endif

namespace tutti {

/// A torus of any number of dimensions. Nodes are numbered with the coordinate of dimension 0 running
/// fastest. Every node has a directed link up and one down in each dimension; a dimension of 2 nodes has only
/// the link up (both would lead to the same neighbour), one of 1 node has none. There are no links between
/// a node and its router: what arrives at a node arrives on the links of the torus.
///
/// Routing: dimension order, minimal. The coordinates are corrected one dimension after the other, each the
/// shorter way round; when both ways are equally long (half way round), upwards.
/// Example with 5 nodes in a ring: node 4 to node 1 takes up(4), up(0); node 1 to node 4 down(1), down(0).
class torus {
public:
    /// `extents`: nodes in each dimension, all at least 1.
    explicit torus(std::vector<node_type> extents);

    node_type nodes() const noexcept { return nodes_; }
    link_index links() const noexcept { return link_index{nodes_} * ports_; }
    /// How many there are.
    int dimensions() const noexcept { return static_cast<int>(extents_.size()); }
    /// Nodes in one dimension.
    node_type extent(int dimension) const noexcept { return extents_[index(dimension)]; }

    /// Where a node is in one dimension, from 0.
    node_type coordinate(node_type node, int dimension) const noexcept {
        return node / strides_[index(dimension)] % extents_[index(dimension)];
    }

    /// The link that leaves `node` upwards (to the next coordinate) in `dimension`, of at least 2 nodes.
    link_index up(node_type node, int dimension) const noexcept {
        return link_index{node} * ports_ + first_port_[index(dimension)];
    }
    /// The link that leaves `node` downwards in `dimension`, of at least 3 nodes.
    link_index down(node_type node, int dimension) const noexcept { return up(node, dimension) + 1; }

    /// Links on the way: the sum over the dimensions of the shorter way round.
    int hops(node_type source, node_type target) const noexcept {
        int sum = 0;
        for (int d = 0; d < dimensions(); ++d) {
            const node_type ahead = distance_up(source, target, d);
            const node_type behind = extent(d) - ahead;
            sum += ahead < behind ? ahead : behind;
        }
        return sum;
    }

    template <class Sink>
    void route(node_type source, node_type target, Sink&& sink) const {
        node_type at = source;
        for (int d = 0; d < dimensions(); ++d) {
            const node_type ahead = distance_up(source, target, d);
            const node_type behind = extent(d) - ahead;
            if (ahead <= behind)
                for (node_type i = 0; i < ahead; ++i, at = neighbour(at, d, 1)) sink(up(at, d));
            else
                for (node_type i = 0; i < behind; ++i, at = neighbour(at, d, -1)) sink(down(at, d));
        }
    }

    /// "(3,0) up dimension 0 to (0,0)"
    std::string name(link_index link) const;

private:
    static std::size_t index(int dimension) noexcept { return static_cast<std::size_t>(dimension); }

    node_type distance_up(node_type source, node_type target, int d) const noexcept {
        return mod(coordinate(target, d) - coordinate(source, d), extent(d));
    }
    node_type neighbour(node_type node, int d, node_type step) const noexcept {
        const node_type from = coordinate(node, d);
        return node + (mod(from + step, extent(d)) - from) * strides_[index(d)];
    }
    /// "(1,0,2)", dimension 0 first
    std::string name_of(node_type node) const;

    std::vector<node_type> extents_;
    std::vector<node_type> strides_;    // from one coordinate to the next
    std::vector<node_type> first_port_; // of each dimension, among the links that leave a node
    node_type nodes_ = 1;
    node_type ports_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY torus::torus(std::vector<node_type> extents) : extents_(std::move(extents)) {
    if (extents_.empty()) detail::throw_argument("dimensions of a torus", 0, "at least 1");
    for (std::size_t d = 0; d < extents_.size(); ++d) {
        const node_type n = extents_[d];
        const std::string which = detail::sentence({"dimension ", d, " of a torus"});
        if (n < 1) detail::throw_argument(which.c_str(), n, "at least 1");
        if (n > std::numeric_limits<node_type>::max() / nodes_)
            detail::throw_argument(which.c_str(), n, "such that the nodes can be numbered in 32 bits");
        strides_.push_back(nodes_);
        first_port_.push_back(ports_);
        nodes_ *= n;
        ports_ += n > 2 ? 2 : n - 1;
    }
}

TUTTI_BODY std::string torus::name(link_index link) const {
    const auto node = static_cast<node_type>(link / ports_);
    const auto port = static_cast<node_type>(link % ports_);
    int d = dimensions() - 1;
    while (first_port_[index(d)] > port) --d; // of equal ones the last: those before it have no links
    const bool is_up = port == first_port_[index(d)];
    return name_of(node) + (is_up ? " up" : " down") + " dimension " + std::to_string(d) + " to "
           + name_of(neighbour(node, d, is_up ? 1 : -1));
}

TUTTI_BODY std::string torus::name_of(node_type node) const {
    std::string text;
    for (int d = 0; d < dimensions(); ++d)
        text.append(d == 0 ? "(" : ",").append(std::to_string(coordinate(node, d)));
    return text + ")";
}
#endif

} // namespace tutti
