// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <tutti/core/compiled.hpp>
#include <tutti/render/symbolic_run.hpp>

#if TUTTI_BODIES
#include <tutti/core/collective.hpp>
#endif

namespace tutti {

namespace detail {

/// "A–D" for blocks first..first+count-1.
std::string range_name(block_index first, block_index count, block_index blocks);

} // namespace detail

/// What rank r holds before round `round` and still needs, in words: "A–D of 0–3" is the fold of the blocks A
/// to D of the ranks 0 to 3, as Rabenseifner and Adamidis write it. Of collectives that fold nothing only
/// the blocks are said, of a barrier whose news has come; what is in many pieces is counted, "5/9 blocks"
/// being 5 of 9. "scratch A of 0–1" lies beside what becomes the result; "input A–I" is said while there is
/// nothing else.
std::string holdings_text(const symbolic_run& run, const block_grid& grid, round_index round, rank_type r);

#if TUTTI_BODIES
namespace detail {
TUTTI_BODY std::string range_name(block_index first, block_index count, block_index blocks) {
    std::string text = block_name(first, blocks);
    if (count > 1) text.append("–").append(block_name(first + count - 1, blocks));
    return text;
}

inline std::string holdings_of_buffer(const symbolic_run& run, const block_grid& grid, round_index round,
                                      rank_type r, buffer_name buffer) {
    constexpr int most_pieces = 2; // more than that nobody reads
    std::string text;
    int pieces = 0;
    block_index held = 0;
    const auto counts = [&](block_index b) {
        return !grid(r, buffer, b).empty() && run.needed(round, r, buffer, b);
    };
    for (block_index b = 0; b < run.blocks();) {
        if (!counts(b)) {
            ++b;
            continue;
        }
        const block_content first = grid(r, buffer, b);
        block_index end = b + 1;
        while (end < run.blocks() && counts(end)
               && (!folds(run.what()) || grid(r, buffer, end).from == first.from))
            ++end;
        held += end - b;
        if (++pieces <= most_pieces) {
            if (!text.empty()) text += ", ";
            const bool of_some = folds(run.what()) || run.what() == collective::barrier;
            text += run.what() == collective::barrier ? "news" : range_name(b, end - b, run.blocks());
            if (of_some) text.append(" of ").append(text_of(run.sets()[first.from]));
        }
        b = end;
    }
    const bool scattered = run.what() == collective::alltoall && buffer != buffer_name::input;
    if (pieces > most_pieces || (scattered && held > 0))
        return std::to_string(held).append("/").append(std::to_string(run.blocks())).append(" blocks");
    return text;
}
} // namespace detail

TUTTI_BODY std::string holdings_text(const symbolic_run& run, const block_grid& grid, round_index round,
                                     rank_type r) {
    std::string text = detail::holdings_of_buffer(run, grid, round, r, buffer_name::work);
    for (const buffer_name scratch : {buffer_name::scratch, buffer_name::scratch_1}) {
        if (!run.uses(scratch)) continue;
        const std::string more = detail::holdings_of_buffer(run, grid, round, r, scratch);
        if (!more.empty()) text.append(text.empty() ? "" : "; ").append("scratch ").append(more);
    }
    if (!text.empty()) return text;
    const std::string given = detail::holdings_of_buffer(run, grid, round, r, buffer_name::input);
    return given.empty() ? text : text.append("input ").append(given);
}
#endif

} // namespace tutti
