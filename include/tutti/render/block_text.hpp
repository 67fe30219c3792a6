// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/step.hpp>

namespace tutti {

/// As the enumeration spells it; "?" for what it does not have.
constexpr std::string_view name_of(buffer_name b) noexcept {
    switch (b) {
    case buffer_name::work: return "work";
    case buffer_name::input: return "input";
    case buffer_name::scratch: return "scratch";
    case buffer_name::scratch_1: return "scratch_1";
    }
    return "?";
}

/// Consecutive blocks of one buffer: never wrapping, at least one.
struct block_run {
    buffer_name buffer = buffer_name::work; ///< that all of them are in
    block_index first = 0;                  ///< in that buffer
    block_index count = 0;                  ///< >= 1; never beyond the last block

    friend constexpr bool operator==(const block_run&, const block_run&) = default;
};

/// The blocks of a message, all its steps, as runs, in the order in which it carries them.
/// Example with 5 blocks: {3, 4} is 3..4 and 0..1.
std::vector<block_run> block_runs(std::span<const step> message, block_index blocks);

/// Those blocks for people: "block 3", "blocks 3..5 0", "nothing"; "block 3 of input", "blocks 2 4 of input,
/// 1 of work" where they do not all lie in `work`. Beyond `most_runs` runs only their number is given: "32
/// blocks".
std::string block_text(std::span<const step> message, block_index blocks, std::string_view preposition = "of",
                       std::size_t most_runs = static_cast<std::size_t>(-1));

#if TUTTI_BODIES
TUTTI_BODY std::vector<block_run> block_runs(std::span<const step> message, block_index blocks) {
    std::vector<block_run> runs;
    for (const step& part : message)
        for_each_run(part.blocks, blocks, [&](block_index first, block_index count) {
            if (!runs.empty() && runs.back().buffer == part.buffer
                && runs.back().first + runs.back().count == first)
                runs.back().count += count;
            else
                runs.push_back({.buffer = part.buffer, .first = first, .count = count});
        });
    return runs;
}

TUTTI_BODY std::string block_text(std::span<const step> message, block_index blocks,
                                  std::string_view preposition, std::size_t most_runs) {
    const std::vector<block_run> runs = block_runs(message, blocks);
    if (runs.empty()) return "nothing";
    block_index count = 0;
    bool only_work = true;
    for (const block_run& run : runs) {
        count += run.count;
        only_work = only_work && run.buffer == buffer_name::work;
    }
    if (runs.size() > most_runs) return std::to_string(count).append(" blocks");

    std::string text = count == 1 ? "block" : "blocks";
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const block_run& run = runs[k];
        text.append(" ").append(std::to_string(run.first));
        if (run.count > 1)
            text.append(run.count == 2 ? " " : "..").append(std::to_string(run.first + run.count - 1));
        const bool last_of_buffer = k + 1 == runs.size() || runs[k + 1].buffer != run.buffer;
        if (!only_work && last_of_buffer)
            text.append(" ")
                .append(preposition)
                .append(" ")
                .append(name_of(run.buffer))
                .append(k + 1 < runs.size() ? "," : "");
    }
    return text;
}
#endif

} // namespace tutti
