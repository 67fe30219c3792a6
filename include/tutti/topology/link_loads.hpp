// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/inline.hpp>
#include <tutti/topology/network.hpp>

namespace tutti {

/// A link and what it carries.
struct loaded_link {
    link_index link = 0;   ///< its number
    std::int64_t load = 0; ///< the sum of weights
    std::string name{};    ///< in words

    friend bool operator==(const loaded_link&, const loaded_link&) = default;
};

/// What the links of a network carry: the sum of the weights of the messages that take them. With weight 1
/// that is the number of messages, and a set of messages is free of congestion if max() <= 1; with their
/// bytes it is, divided by the bandwidth, the time the set needs at least. A message from a node to itself
/// and one of weight 0 load nothing.
///
/// add() costs the length of the route, max() nothing, clear() no more than the routes added since the last
/// one.
template <network N>
class link_loads {
public:
    explicit link_loads(N on)
        : network_(std::move(on)), loads_(static_cast<std::size_t>(network_.links())),
          few_(loads_.size() / 16) {}

    /// The network.
    const N& on() const noexcept { return network_; }

    /// Puts `weight` on every link of the way. Returns how many these are.
    TUTTI_INLINE int add(node_type from, node_type to, std::int64_t weight = 1) {
        if (out_of_range(from)) detail::throw_argument_below("from", from, network_.nodes());
        if (out_of_range(to)) detail::throw_argument_below("to", to, network_.nodes());
        if (weight < 0) detail::throw_argument("weight", weight, "at least 0");
        int hops = 0;
        std::int64_t most = max_;
        std::int64_t* const loads = loads_.data();
        network_.route(from, to, [&](link_index link) TUTTI_INLINE {
            const std::int64_t load = loads[link] += weight;
            most = load > most ? load : most;
            ++hops;
        });
        max_ = most;
        // Beyond a few routes it is cheaper to wipe all links than to walk the routes again.
        if (routes_.size() <= few_) routes_.push_back({from, to});
        return hops;
    }
    /// The same, of a message.
    int add(const node_message& m) { return add(m.from, m.to, m.weight); }

    /// As new: no link carries anything.
    void clear() {
        if (routes_.size() <= few_) {
            for (const auto& [from, to] : routes_)
                network_.route(from, to,
                               [this](link_index link) { loads_[static_cast<std::size_t>(link)] = 0; });
        } else {
            std::fill(loads_.begin(), loads_.end(), 0);
        }
        routes_.clear();
        max_ = 0;
    }

    /// The load of the link that carries most.
    std::int64_t max() const noexcept { return max_; }
    /// What one link carries.
    std::int64_t load(link_index link) const noexcept { return loads_[static_cast<std::size_t>(link)]; }

    /// How many links carry how much; those that carry nothing too.
    std::map<std::int64_t, link_index> distribution() const {
        std::map<std::int64_t, link_index> links_with;
        for (const std::int64_t load : loads_) ++links_with[load];
        return links_with;
    }

    /// The `most` links that carry most, most first, by name; none that carries nothing.
    std::vector<loaded_link> worst(std::size_t most) const {
        std::vector<link_index> links;
        for (link_index link = 0; link < network_.links(); ++link)
            if (load(link) > 0) links.push_back(link);
        const std::size_t many = std::min(most, links.size());
        std::partial_sort(
            links.begin(), links.begin() + static_cast<std::ptrdiff_t>(many), links.end(),
            [this](link_index a, link_index b) { return load(a) != load(b) ? load(a) > load(b) : a < b; });
        std::vector<loaded_link> result;
        for (std::size_t i = 0; i < many; ++i)
            result.push_back({.link = links[i], .load = load(links[i]), .name = network_.name(links[i])});
        return result;
    }

private:
    bool out_of_range(node_type node) const noexcept {
        return static_cast<std::uint32_t>(node) >= static_cast<std::uint32_t>(network_.nodes());
    }

    N network_;
    std::vector<std::int64_t> loads_;
    std::size_t few_;
    std::vector<std::pair<node_type, node_type>> routes_; // since the last clear(), few_ + 1 at most
    std::int64_t max_ = 0;
};

/// Deduces the type of the network.
template <class N>
link_loads(N) -> link_loads<N>;

} // namespace tutti
