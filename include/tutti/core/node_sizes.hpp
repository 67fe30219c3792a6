// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string_view>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

#if TUTTI_BODIES
#include <charconv>
#include <cstddef>
#include <system_error>
#endif

namespace tutti {

/// How many ranks each node has, as people write it: "3,5" is two nodes, of 3 and of 5 ranks, "8x4" eight
/// nodes of 4, and "8x4,2" one more of 2. For node_map::of_sizes. None where the text says something else, a
/// node has no rank, or there are more than `most` ranks in all.
std::vector<rank_type> node_sizes_from(std::string_view text, rank_type most);

#if TUTTI_BODIES
TUTTI_BODY std::vector<rank_type> node_sizes_from(std::string_view text, rank_type most) {
    std::vector<rank_type> sizes;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&] { // 0 if there is none that can be
        rank_type n = 0;
        const auto [behind, trouble] = std::from_chars(at, end, n);
        at = behind;
        return trouble == std::errc() && n > 0 && n <= most ? n : 0;
    };
    for (rank_type left = most;;) {
        rank_type nodes = 1;
        rank_type size = number();
        if (at != end && *at == 'x') {
            ++at;
            nodes = size;
            size = number();
        }
        if (nodes == 0 || size == 0 || size > left / nodes) return {};
        left -= nodes * size;
        sizes.insert(sizes.end(), static_cast<std::size_t>(nodes), size);
        if (at == end) return sizes;
        if (*at++ != ',') return {};
    }
}
#endif

} // namespace tutti
