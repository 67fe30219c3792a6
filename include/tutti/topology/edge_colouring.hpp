// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti {

/// Colours the edges of a bipartite graph, one after the other, so that no two at a vertex have the same
/// colour. That succeeds with as many colours as the busiest vertex has edges (König 1916).
///
/// Example: two colours. Edges (0, 0) and (1, 1) both get colour 0. For (2, 1) left vertex 2 has colour 0
/// free, right vertex 1 only colour 1: edge (1, 1) changes to 1, and (2, 1) gets 0.
class edge_colouring {
public:
    using edge = std::int32_t; ///< number of an edge, from 0

    edge_colouring(std::int64_t left, std::int64_t right, std::int32_t colours)
        : colours_(static_cast<std::size_t>(colours)), left_(static_cast<std::size_t>(left)),
          at_((left_ + static_cast<std::size_t>(right)) * colours_, no_edge) {}

    /// The next edge, numbered from 0. Each end must have fewer edges than there are colours.
    void add(std::int64_t left, std::int64_t right) {
        const auto u = static_cast<std::size_t>(left);
        const auto v = left_ + static_cast<std::size_t>(right);
        const std::int32_t at_u = free_colour(u);
        const std::int32_t at_v = free_colour(v);
        // The colour free at u is made free at v: on the path from v whose edges have the two colours in
        // turn, they change places. The path ends somewhere, and not at u: to a left vertex it comes by at_u,
        // which u lacks.
        path_.clear();
        std::size_t end = v;
        std::int32_t colour = at_u;
        for (edge e = at(end, colour); e != no_edge; e = at(end, colour)) {
            path_.push_back(e);
            const ends& ab = ends_[static_cast<std::size_t>(e)];
            end = ab.left + ab.right - end;
            colour = at_u + at_v - colour;
        }
        for (const edge e : path_) put(e, no_edge);
        for (const edge e : path_) {
            ends& ab = ends_[static_cast<std::size_t>(e)];
            ab.colour = at_u + at_v - ab.colour;
            put(e, e);
        }
        ends_.push_back({.left = u, .right = v, .colour = at_u});
        put(static_cast<edge>(ends_.size() - 1), static_cast<edge>(ends_.size() - 1));
    }

    /// 0..colours - 1. Later edges may change it.
    std::int32_t colour(edge e) const noexcept { return ends_[static_cast<std::size_t>(e)].colour; }

private:
    static constexpr edge no_edge = -1;

    struct ends {
        std::size_t left = 0;
        std::size_t right = 0; // right vertices are numbered after the left ones
        std::int32_t colour = 0;
    };

    edge& at(std::size_t vertex, std::int32_t colour) {
        return at_[vertex * colours_ + static_cast<std::size_t>(colour)];
    }
    void put(edge e, edge value) {
        const ends& ab = ends_[static_cast<std::size_t>(e)];
        at(ab.left, ab.colour) = value;
        at(ab.right, ab.colour) = value;
    }
    std::int32_t free_colour(std::size_t vertex) {
        std::int32_t c = 0;
        while (at(vertex, c) != no_edge) ++c;
        return c;
    }

    std::size_t colours_;
    std::size_t left_;
    std::vector<edge> at_; // of each vertex and colour
    std::vector<ends> ends_;
    std::vector<edge> path_;
};

} // namespace tutti
