// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <tutti/core/compiled.hpp>
#include <tutti/render/symbolic_run.hpp>

#if TUTTI_BODIES
#include <tutti/render/holdings_text.hpp>
#endif

namespace tutti {

/// What a message carries or a local step works on: "A–D of 0–3", pieces with commas between; "nothing" for
/// a message without blocks. In an alltoall, where every block is somebody's own, "E of 4" is block E of
/// rank 4, wherever it lies.
std::string cargo_text(const symbolic_run& run, const movement& m);

/// "rank 2 to rank 0: A–D of 2–3, folded"
std::string movement_text(const symbolic_run& run, const movement& m);

#if TUTTI_BODIES
TUTTI_BODY std::string cargo_text(const symbolic_run& run, const movement& m) {
    constexpr std::size_t most_pieces = 3;
    std::string text;
    const bool personal = run.what() == collective::alltoall;
    const bool of_some = personal || folds(run.what()) || run.what() == collective::barrier;
    std::size_t pieces = 0;
    for (std::size_t k = 0; k < m.runs.size();) {
        std::size_t end = k + 1;
        block_index count = m.runs[k].count;
        // Neighbours that differ only in whose they are: one piece where nobody asks.
        while (!of_some && end < m.runs.size() && m.runs[end].first == m.runs[k].first + count)
            count += m.runs[end++].count;
        if (++pieces > most_pieces) return std::to_string(m.blocks()).append(" blocks");
        if (!text.empty()) text += ", ";
        const block_index named = personal ? m.runs[k].what.origin : m.runs[k].first;
        text += run.what() == collective::barrier ? "news" : detail::range_name(named, count, run.blocks());
        if (of_some) text.append(" of ").append(text_of(run.sets()[m.runs[k].what.from]));
        k = end;
    }
    return text.empty() ? "nothing" : text;
}

TUTTI_BODY std::string movement_text(const symbolic_run& run, const movement& m) {
    std::string text = "rank " + std::to_string(m.from);
    if (m.local())
        text += m.folds ? " folds at home" : " copies at home";
    else
        text.append(" to rank ").append(std::to_string(m.to));
    text.append(": ").append(cargo_text(run, m));
    if (!m.local()) text += m.runs.empty() ? ", a sign" : m.folds ? ", folded" : ", copied";
    return text;
}
#endif

} // namespace tutti
