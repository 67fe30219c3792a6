// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/topology/fat_tree.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/core/math.hpp>
#endif

/// The adaptive ascent of the CM-5 and of Quadrics' Elan: on its way up a message takes any up port that is
/// free; the way down from where it turns is the only one. Two questions about a set of messages, each
/// counted once:
///
/// certain    Is the way down free of contention whatever free ports the messages find? adaptive_certain()
/// below. possible   Are there ports that leave every link to one message? adaptive_possible() in
/// ascent_assignment.hpp.
///
/// What is certain on a full tree is free under S-mod-k, too: S-mod-k is one of the ways up without
/// contention.
namespace tutti {

/// What an adaptive ascent can come to.
struct certain_ascent {
    /// Messages on the busiest up link if the ascent spreads them as well as it can; 1 means that all find a
    /// free one.
    std::int64_t ascending = 0;
    /// Messages that can meet on one down link, whatever ports such an ascent picks.
    std::int64_t descending = 0;
    int level = 0;         ///< where they can meet: on the way down from level + 1 ...
    node_type subtree = 0; ///< ... into this subtree of height `level`

    /// No link carries two messages.
    bool free() const noexcept { return ascending <= 1 && descending <= 1; }

    friend constexpr bool operator==(const certain_ascent&, const certain_ascent&) = default;
};

namespace detail {

void check_messages(const fat_tree& tree, std::span<const node_message> messages);

/// How many messages leave and enter each subtree of one height.
struct subtree_traffic {
    std::vector<std::int64_t> leaving;
    std::vector<std::int64_t> entering;

    subtree_traffic(const fat_tree& tree, std::span<const node_message> messages, int level)
        : leaving(static_cast<std::size_t>(tree.subtrees(level)), 0), entering(leaving) {
        const node_type size = tree.subtree_size(level);
        for (const node_message& m : messages)
            if (m.from / size != m.to / size) {
                ++leaving[static_cast<std::size_t>(m.from / size)];
                ++entering[static_cast<std::size_t>(m.to / size)];
            }
    }
};

} // namespace detail

/// The worst that an adaptive ascent can do with these messages.
///
/// Messages from one subtree of height l leave it through different up links, so those that enter a subtree D
/// of height l come down different links if they all come from one. If they come from several, they can have
/// picked the same ports and meet. So descending is the largest number, over all l and D, of subtrees of
/// height l that send into D from outside; less where a slimmed tree has not the up links for that. In a full
/// tree it is reached; the ascent need not reach it in a slimmed one, whose lack of up links can force the
/// ports.
///
/// Example: 2-ary 3-tree, shift by 3. Into nodes 4, 5 come messages from node 1, below subtree 0 of height 1,
/// and from node 2, below subtree 1: both may climb to level 3 by the same ports, and descending is 2. Shift
/// by 2: those into nodes 4, 5 come from nodes 2, 3, which share their switch and climb by different ports;
/// all is free.
///
/// Time: O(messages * levels * log(messages)). Source: Heller 1994; Kumar and Kalé 2004, section 4.1.
certain_ascent adaptive_certain(const fat_tree& tree, std::span<const node_message> messages);

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY void check_messages(const fat_tree& tree, std::span<const node_message> messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const auto check = [&](const char* end, node_type node) {
            if (node < 0 || node >= tree.nodes())
                throw_argument_below(sentence({end, " of message ", i}).c_str(), node, tree.nodes());
        };
        check("sender", messages[i].from);
        check("receiver", messages[i].to);
    }
}

/// The subtrees between which a message crosses at some height.
struct crossing {
    node_type into = 0;
    node_type from = 0;

    friend constexpr auto operator<=>(const crossing&, const crossing&) = default;
};

/// All messages between different subtrees of height `level`, by the one they enter and then by the one they
/// leave.
inline void sort_crossings(const fat_tree& tree, std::span<const node_message> messages, int level,
                           std::vector<crossing>& crossings) {
    crossings.clear();
    const node_type size = tree.subtree_size(level);
    for (const node_message& m : messages)
        if (const crossing c{.into = m.to / size, .from = m.from / size}; c.into != c.from)
            crossings.push_back(c);
    std::sort(crossings.begin(), crossings.end());
}

/// So many messages of one subtree may come to the same plane.
struct meeting {
    node_type subtree = 0;
    std::int64_t messages = 0;
};

/// How many of `meetings`, from subtrees of height `level` in their order, can come down one link into
/// subtree `into`. On the way up from a subtree of greater height at most those of the same plane fit through
/// its up links that lead from there: `up_load` each. That only holds back anything in slimmed trees.
inline std::int64_t meet(const fat_tree& tree, int level, node_type into, std::int64_t up_load,
                         std::vector<meeting>& meetings) {
    std::int64_t met = 0;
    for (int l = level + 1; !meetings.empty(); ++l) {
        into /= tree.children(l);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < meetings.size();) {
            meeting above{.subtree = meetings[i].subtree / tree.children(l)};
            for (; i < meetings.size() && meetings[i].subtree / tree.children(l) == above.subtree; ++i)
                above.messages += meetings[i].messages;
            if (above.subtree == into) {
                met += above.messages; // they turn here
            } else {
                above.messages =
                    std::min(above.messages, up_load * (tree.planes(l + 1) / tree.planes(level + 1)));
                meetings[kept++] = above;
            }
        }
        meetings.resize(kept);
    }
    return met;
}
} // namespace detail

TUTTI_BODY certain_ascent adaptive_certain(const fat_tree& tree, std::span<const node_message> messages) {
    detail::check_messages(tree, messages);
    certain_ascent result;
    for (int l = 0; l < tree.levels(); ++l)
        for (const std::int64_t leaving : detail::subtree_traffic(tree, messages, l).leaving)
            result.ascending = std::max(result.ascending, ceil_div(leaving, tree.planes(l + 1)));

    std::vector<detail::crossing> crossings;
    std::vector<detail::meeting> meetings;
    for (int l = 0; l < tree.levels(); ++l) {
        detail::sort_crossings(tree, messages, l, crossings);
        for (std::size_t i = 0; i < crossings.size();) {
            const node_type into = crossings[i].into;
            meetings.clear();
            while (i < crossings.size() && crossings[i].into == into) {
                detail::meeting one{.subtree = crossings[i].from};
                for (; i < crossings.size()
                       && crossings[i] == detail::crossing{.into = into, .from = one.subtree};
                     ++i)
                    ++one.messages;
                one.messages = std::min(one.messages, result.ascending);
                meetings.push_back(one);
            }
            const std::int64_t met = meetings.size() == 1
                                         ? meetings[0].messages
                                         : detail::meet(tree, l, into, result.ascending, meetings);
            if (met > result.descending) {
                result.descending = met;
                result.level = l;
                result.subtree = into;
            }
        }
    }
    return result;
}
#endif

} // namespace tutti
