// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/collective.hpp>

/// What MPIs and tutti are held against each other in; known to the programs that time and to the one that
/// starts them.
namespace contest {

/// A collective and the length of its whole vector: where there is a block per rank, each has its share.
struct cell {
    tutti::collective what;
    std::size_t bytes;

    friend bool operator==(const cell&, const cell&) = default;
};

/// "8,16384" or "8,16K,4M"
inline std::vector<std::size_t> sizes_of(std::string_view list) {
    const auto refuse = [&] {
        throw std::invalid_argument("sizes are '" + std::string(list)
                                    + "'; allowed: as in 8,16K,4M, multiples of 8");
    };
    std::vector<std::size_t> sizes(1);
    for (const char c : list) {
        std::size_t& last = sizes.back();
        if (c >= '0' && c <= '9' && last < std::size_t{1} << 36)
            last = last * 10 + static_cast<std::size_t>(c - '0');
        else if (c == 'K')
            last <<= 10;
        else if (c == 'M')
            last <<= 20;
        else if (c == ',')
            sizes.push_back(0);
        else
            refuse();
    }
    for (const std::size_t bytes : sizes)
        if (bytes == 0 || bytes % sizeof(double) != 0) refuse();
    return sizes;
}

/// A barrier once, the others in every size.
inline std::vector<cell> cells_of(const std::vector<std::size_t>& sizes) {
    std::vector<cell> all;
    for (const tutti::collective what : tutti::all_collectives)
        if (what == tutti::collective::barrier)
            all.push_back({what, 0});
        else
            for (const std::size_t bytes : sizes) all.push_back({what, bytes});
    return all;
}

} // namespace contest
