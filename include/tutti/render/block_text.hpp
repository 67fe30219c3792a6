// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// The blocks of a message, or of a local step, as runs of consecutive ones in the order in which it carries
/// them: first and last of each.  Example with 5 blocks: {3, 4} is 3..4 and 0..1.
inline std::vector<std::pair<block_index, block_index>> block_runs(std::span<const step> pieces,
                                                                   block_index blocks) {
    std::vector<std::pair<block_index, block_index>> runs;
    for (const step& piece : pieces)
        for_each_run(piece.blocks, blocks, [&](block_index first, block_index count) {
            if (!runs.empty() && runs.back().second + 1 == first)
                runs.back().second += count;
            else
                runs.emplace_back(first, first + count - 1);
        });
    return runs;
}

/// Those blocks for people: "block 3", "blocks 3..4 0..1", "nothing". Beyond `most_runs` runs only their
/// number is given: "32 blocks".
inline std::string block_text(std::span<const step> pieces, block_index blocks,
                              std::size_t most_runs = static_cast<std::size_t>(-1)) {
    const auto runs = block_runs(pieces, blocks);
    if (runs.empty()) return "nothing";
    if (runs.size() > most_runs) {
        block_index count = 0;
        for (const auto& [first, last] : runs) count += last - first + 1;
        return std::to_string(count).append(" blocks");
    }
    std::string text = runs.size() == 1 && runs[0].first == runs[0].second ? "block" : "blocks";
    for (const auto& [first, last] : runs) {
        text.append(" ").append(std::to_string(first));
        if (last == first + 1)
            text.append(" ").append(std::to_string(last));
        else if (last > first)
            text.append("..").append(std::to_string(last));
    }
    return text;
}

} // namespace tutti
