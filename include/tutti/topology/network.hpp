// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

/// What every network is to those who count loads: nodes, numbered directed links, and one fixed route
/// between any two nodes. How a network is built and what its switches look like stays its own business.
///
/// nodes()                       how many nodes send and receive, numbered from 0
/// links()                       how many directed links there are, numbered from 0; a cable counts twice
/// route(source, target, sink)   calls sink(link) for every link on the way, in the order of the way, and not
///                               at all if source == target; the same way every time
/// name(link)                    the link in words, for people
///
/// A network may also have
/// hops(source, target)          the number of links on the way, where it is known without walking
namespace tutti {

/// Number of a node of a network; also a number of nodes.
using node_type = std::int32_t;

/// Number of a directed link; also a number of links. 64 bits: a node has many.
using link_index = std::int64_t;

/// A message between nodes.
struct node_message {
    node_type from = 0;      ///< its sender
    node_type to = 0;        ///< its receiver
    std::int64_t weight = 1; ///< its bytes, or 1 where messages are counted

    friend constexpr bool operator==(const node_message&, const node_message&) = default;
};

namespace detail {
struct ignore_link {
    constexpr void operator()(link_index) const noexcept {}
};
} // namespace detail

/// What every network satisfies: see the top of this header.
template <class N>
concept network = std::copy_constructible<N>
                  && requires(const N& n, node_type node, link_index link, detail::ignore_link sink) {
                         { n.nodes() } -> std::same_as<node_type>;
                         { n.links() } -> std::same_as<link_index>;
                         n.route(node, node, sink);
                         { n.name(link) } -> std::convertible_to<std::string>;
                     };

/// Links on the way from `source` to `target`.
template <network N>
constexpr int hops_between(const N& n, node_type source, node_type target) {
    if constexpr (requires { n.hops(source, target); }) {
        return static_cast<int>(n.hops(source, target));
    } else {
        int hops = 0;
        n.route(source, target, [&hops](link_index) { ++hops; });
        return hops;
    }
}

} // namespace tutti
