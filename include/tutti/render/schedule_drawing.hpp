// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <tutti/core/compiled.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/symbolic_run.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <string_view>

#include <tutti/render/svg.hpp>
#endif

/// What pictures of schedules have in common: heading, legend, arrows, and what a rank holds as a small map.
namespace tutti::detail {

/// Refuses what nobody could look at: before it is executed, which would take the memory.
template <class G>
void check_drawable(const ensemble<G>& all) {
    constexpr rank_type most_ranks = 256;
    constexpr std::int64_t most_messages = 20000;
    constexpr std::int64_t most_blocks = 1 << 16; // of all ranks together
    if (all.size() > most_ranks)
        throw_argument("ranks in a picture", all.size(), "at most " + std::to_string(most_ranks));
    if (all.size() * all.blocks() > most_blocks)
        throw_argument("blocks of all ranks in a picture", all.size() * all.blocks(),
                       "at most " + std::to_string(most_blocks));
    std::int64_t messages = 0;
    for (round_index i = 0; i < all.rounds(); ++i)
        for (rank_type r = 0; r < all.size(); ++r)
            all.emit(r, i, [&](const step& s) { messages += s.kind == step_kind::send && !s.continues(); });
    if (messages > most_messages)
        throw_argument("messages in a picture", messages, "at most " + std::to_string(most_messages));
}

#if TUTTI_BODIES
/// How wide words of that size are, roughly: an upper bound for most.
inline double text_width(std::string_view words, double size) {
    double letters = 0;
    for (const char c : words)
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++letters; // a letter of several bytes is one
    return 0.58 * size * letters;
}

inline void draw_text(svg_writer& svg, double x, double y, double size, std::string_view words,
                      std::string_view anchor = "start", std::string_view colour = colours::ink,
                      std::string_view weight = "normal") {
    svg.text(x, y, size, words, anchor, colour, weight);
}

/// Markers of the two kinds of messages.
inline void define_arrows(svg_writer& svg) {
    svg.open("defs", {});
    const auto marker = [&](std::string_view id, double size) {
        svg.open("marker", {{"id", id},
                            {"viewBox", "0 0 10 10"},
                            {"refX", 9},
                            {"refY", 5},
                            {"markerWidth", size},
                            {"markerHeight", size},
                            {"markerUnits", "userSpaceOnUse"},
                            {"orient", "auto"}});
    };
    marker("fold", 9);
    svg.element("path", {{"d", "M0,1 L10,5 L0,9 z"}, {"fill", colours::folded}});
    svg.close();
    marker("copy", 9);
    svg.element(
        "path",
        {{"d", "M1,1 L9,5 L1,9"}, {"fill", "none"}, {"stroke", colours::copied}, {"stroke-width", 1.6}});
    svg.close();
    svg.close();
}

inline void draw_arrow(svg_writer& svg, bool folds, double x1, double y1, double x2, double y2,
                       const std::string& words) {
    svg.pointed("line",
                {{"class", folds ? "fold" : "copy"},
                 {"x1", x1},
                 {"y1", y1},
                 {"x2", x2},
                 {"y2", y2},
                 {"stroke", folds ? colours::folded : colours::copied},
                 {"stroke-width", folds ? 1.9 : 1.2},
                 {"marker-end", folds ? "url(#fold)" : "url(#copy)"}},
                words);
}

/// Where the text below the heading begins.
inline double heading_height(const picture_heading& heading) {
    return 44 + 18 * static_cast<double>(heading.lines.size());
}

inline void draw_heading(svg_writer& svg, const picture_heading& heading, double width) {
    const double size = std::min(18.0, (width - 48) / std::max(1.0, text_width(heading.title, 1.1)));
    draw_text(svg, 24, 34, size, heading.title, "start", colours::ink, "bold");
    double y = 34;
    for (const std::string& words : heading.lines)
        draw_text(svg, 24, y += 18, std::min(12.0, (width - 48) / std::max(1.0, text_width(words, 1))), words,
                  "start", colours::quiet);
}

/// What a rank holds, as a map: from left to right the blocks, from top to bottom the ranks that may
/// contribute. A fold makes the filled part higher, a block that arrives makes it wider; in the end of an
/// allreduce it is full. Collectives that do not fold fill the whole height.
class holdings_map {
public:
    struct frame {
        double x, y, width, height;
    };
    holdings_map(const symbolic_run& run, frame where) : run_(run), at_(where) {}

    void draw(svg_writer& svg, const block_grid& grid, round_index round, rank_type r, buffer_name buffer,
              std::string_view words) const {
        svg.pointed("rect",
                    {{"class", "vector"},
                     {"x", at_.x},
                     {"y", at_.y},
                     {"width", at_.width},
                     {"height", at_.height},
                     {"fill", colours::paper},
                     {"stroke", colours::line}},
                    words);
        for (const bool needed : {false, true}) // what matters on top
            for (block_index b = 0; b < run_.blocks();) {
                const auto look = [&](block_index k) {
                    const rank_sets::number from = grid(r, buffer, k).from;
                    return from != 0 && run_.needed(round, r, buffer, k) == needed ? from : 0;
                };
                const rank_sets::number from = look(b);
                block_index end = b + 1;
                const bool alike = !by_rank(); // then only whether there is something counts
                while (end < run_.blocks() && (alike ? (look(end) != 0) == (from != 0) : look(end) == from))
                    ++end;
                if (from != 0) fill(svg, b, end, from, needed);
                b = end;
            }
    }

    /// Whether the height tells who has contributed.
    bool by_rank() const noexcept { return folds(run_.what()) || run_.what() == collective::barrier; }

private:
    void fill(svg_writer& svg, block_index b, block_index end, rank_sets::number from, bool needed) const {
        const double wide = at_.width / static_cast<double>(run_.blocks());
        const auto bar = [&](double top, double height) {
            svg.element("rect", {{"class", needed ? "held" : "stale"},
                                 {"x", at_.x + static_cast<double>(b) * wide},
                                 {"y", at_.y + top},
                                 {"width", static_cast<double>(end - b) * wide},
                                 {"height", height},
                                 {"fill", needed ? colours::held : colours::held_no_more}});
        };
        if (!by_rank()) return bar(0, at_.height);
        const double high = at_.height / run_.size();
        for (const rank_interval& i : run_.sets()[from]) {
            const double height = std::max(1.2, (i.last - i.first + 1) * high);
            bar(std::min(i.first * high, at_.height - height), height);
        }
    }

    const symbolic_run& run_;
    frame at_;
};
#endif

} // namespace tutti::detail
