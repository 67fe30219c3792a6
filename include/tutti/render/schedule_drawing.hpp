// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/schedule_colours.hpp>
#include <tutti/render/schedule_window.hpp>
#include <tutti/render/symbolic_run.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <string_view>

#include <tutti/render/svg.hpp>
#endif

/// What pictures of schedules have in common: heading, legend, arrows, and what a rank holds as a small map.
namespace tutti::detail {

inline constexpr std::int64_t most_executed = 1 << 20; // messages, blocks: also those that are not drawn
inline constexpr rank_type most_drawn_ranks = 256;
inline constexpr std::int64_t most_drawn_blocks = 1 << 16; // of all ranks together

/// Throws argument_error if value > most.
void refuse_above(const char* what, std::int64_t value, std::int64_t most);

/// ", as in rounds 0..3" before round 4, which is one too many; nothing where the first one is.
std::string words_of_fitting(round_index first, round_index too_many);

/// Refuses what would take too much memory to execute, as far as that is known before any step is read.
template <class G>
void check_blocks(const ensemble<G>& all) {
    refuse_above("blocks of all ranks of the schedule", all.size() * all.blocks(), most_executed);
}

/// Refuses what has too many ranks or blocks to be looked at, too: likewise before any step is read.
template <class G>
void check_size(const ensemble<G>& all, const schedule_window& shown = {}) {
    const rank_type ranks = shown.within(all.size(), all.rounds()).ranks();
    refuse_above("ranks in a picture", ranks, most_drawn_ranks);
    refuse_above("blocks of all ranks in a picture", ranks * all.blocks(), most_drawn_blocks);
    check_blocks(all);
}

/// Refuses what nobody could look at, and what would take too much memory to execute: before it is executed.
template <class G>
void check_drawable(const ensemble<G>& all, const schedule_window& shown = {}) {
    constexpr std::int64_t most_messages = 20000;
    check_size(all, shown);
    const schedule_window part = shown.within(all.size(), all.rounds());
    std::int64_t executed = 0;
    std::int64_t drawn = 0;
    round_index fitting = part.first_round; // the first round with which there are too many
    for (round_index i = 0; i < all.rounds(); ++i) {
        for (rank_type r = 0; r < all.size(); ++r)
            all.emit(r, i, [&](const step& s) {
                const bool sends = s.kind == step_kind::send && !s.continues();
                executed += sends;
                drawn += sends && part.has_round(i) && part.has_end_of(r, s.peer);
            });
        if (i == fitting && drawn <= most_messages) ++fitting;
    }
    if (drawn > most_messages)
        throw_argument("messages in a picture", drawn,
                       "at most " + std::to_string(most_messages)
                           + words_of_fitting(part.first_round, fitting));
    refuse_above("messages of the schedule", executed, most_executed);
}

/// The buffers worth a look: the vector that is worked on, an input apart from it, scratch where there is
/// any.
inline std::vector<buffer_name> drawn_buffers(const symbolic_run& run) {
    std::vector<buffer_name> list;
    if (run.what() == collective::alltoall || run.what() == collective::exscan)
        list.push_back(buffer_name::input);
    list.push_back(buffer_name::work);
    for (const buffer_name b : {buffer_name::scratch, buffer_name::scratch_1})
        if (run.uses(b)) list.push_back(b);
    return list;
}

#if TUTTI_BODIES
TUTTI_BODY void refuse_above(const char* what, std::int64_t value, std::int64_t most) {
    if (value > most) throw_argument(what, value, "at most " + std::to_string(most));
}

TUTTI_BODY std::string words_of_fitting(round_index first, round_index too_many) {
    return too_many == first ? "" : ", as in rounds " + schedule_window::text_of(first, too_many - 1);
}

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

/// Of the line of a message.
inline double arrow_width(bool folds) { return folds ? 1.9 : 1.2; }

/// Markers of the two kinds of messages, of lines thinner than usual if that is below 1.
inline void define_arrows(svg_writer& svg, double thinner = 1) {
    svg.open("defs", {});
    svg.open_arrow("fold", 9 * thinner);
    svg.element("path", {{"d", "M0,1 L10,5 L0,9 z"}, {"fill", colours::folded}});
    svg.close();
    svg.open_arrow("copy", 9 * thinner);
    svg.element(
        "path",
        {{"d", "M1,1 L9,5 L1,9"}, {"fill", "none"}, {"stroke", colours::copied}, {"stroke-width", 1.6}});
    svg.close();
    svg.close();
}

inline void draw_arrow(svg_writer& svg, bool folds, double x1, double y1, double x2, double y2,
                       const std::string& words, double thinner = 1) {
    svg.pointed("line",
                {{"class", folds ? "fold" : "copy"},
                 {"x1", x1},
                 {"y1", y1},
                 {"x2", x2},
                 {"y2", y2},
                 {"stroke", folds ? colours::folded : colours::copied},
                 {"stroke-width", arrow_width(folds) * thinner},
                 {"marker-end", folds ? "url(#fold)" : "url(#copy)"}},
                words);
}

/// Stripes for what is needed no more, where its height tells something else.
inline void define_hatch(svg_writer& svg) {
    svg.open("defs", {});
    svg.open("pattern", {{"id", colours::hatch},
                         {"width", 3.6},
                         {"height", 3.6},
                         {"patternUnits", "userSpaceOnUse"},
                         {"patternTransform", "rotate(45)"}});
    svg.element("rect", {{"width", 2}, {"height", 3.6}, {"fill", colours::line}});
    svg.close();
    svg.close();
}

/// Samples of the arrows that occur, with what they are; returns where the next words begin.
inline double draw_arrows_legend(svg_writer& svg, double x, double y, bool any_fold, bool any_copy) {
    for (const bool fold : {true, false}) {
        if (!(fold ? any_fold : any_copy)) continue;
        svg.element("line", {{"x1", x},
                             {"y1", y - 4},
                             {"x2", x + 28},
                             {"y2", y - 4},
                             {"stroke", fold ? colours::folded : colours::copied},
                             {"stroke-width", arrow_width(fold)},
                             {"marker-end", fold ? "url(#fold)" : "url(#copy)"}});
        const std::string_view words = fold ? "folded on arrival" : "copied";
        draw_text(svg, x + 35, y, 11, words, "start", colours::quiet);
        x += 35 + text_width(words, 11) + 22;
    }
    return x;
}

/// Where the text below the heading begins.
inline double heading_height(const picture_heading& heading) {
    return 44 + 18 * static_cast<double>(heading.lines.size());
}

inline void draw_heading(svg_writer& svg, const picture_heading& heading, double width) {
    svg.adapt_to_room(colours::in_rooms);
    const double size = std::min(18.0, (width - 48) / std::max(1.0, text_width(heading.title, 1.1)));
    draw_text(svg, 24, 34, size, heading.title, "start", colours::ink, "bold");
    double y = 34;
    for (const std::string& words : heading.lines)
        draw_text(svg, 24, y += 18, std::min(12.0, (width - 48) / std::max(1.0, text_width(words, 1))), words,
                  "start", colours::quiet);
}

/// "of each rank, from the top: input, what becomes the result": nothing where there is one buffer only.
inline std::string buffers_text(const symbolic_run& run) {
    const std::vector<buffer_name> list = drawn_buffers(run);
    if (list.size() == 1) return {};
    std::string text = "of each rank, from the top: ";
    for (std::size_t k = 0; k < list.size(); ++k) {
        text += k == 0 ? "" : ", ";
        text += list[k] == buffer_name::input  ? "input"
                : list[k] == buffer_name::work ? "what becomes the result"
                                               : "scratch";
    }
    return text;
}

/// What the colours of blocks tell, where they tell whose they are.
inline std::string colours_text(const symbolic_run& run) {
    return run.what() == collective::scatter ? "blocks, by the rank they are for:"
                                             : "blocks, by the rank they come from:";
}

/// What a rank holds, as a map: from left to right the blocks, from top to bottom the ranks that may
/// contribute. A fold makes the filled part higher, a block that arrives makes it wider; in the end of an
/// allreduce it is full. Collectives that do not fold fill the whole height, and those of personal blocks
/// have them in the colours of their ranks, outlined. What is needed no more is hatched; of personal blocks
/// it is a thin bar at the bottom.
class holdings_map {
public:
    struct frame {
        double x, y, width, height;
        round_index column = 0; ///< many ranks' colours in their order are those of define_ranks() there
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
                const auto kind = [&](block_index k) { // those of one kind are drawn as one
                    const block_content& what = grid(r, buffer, k);
                    if (what.empty() || run_.needed(round, r, buffer, k) != needed) return nothing;
                    const std::int64_t is = kind_of(what);
                    const bool own = buffer == buffer_name::input; // all of one colour, and so one piece
                    return many() && !own && is == run_.owner(k) ? in_order : is;
                };
                const std::int64_t of_first = kind(b);
                block_index end = b + 1;
                while (end < run_.blocks() && kind(end) == of_first) ++end;
                if (of_first != nothing) fill(svg, b, end, of_first, needed);
                b = end;
            }
    }

    /// The colours of all ranks side by side, for the maps of a column: where there are many ranks, blocks
    /// that lie in order are one piece. (Else a picture of p ranks and p rounds would have p^3 pieces.)
    static void define_ranks(svg_writer& svg, const symbolic_run& run, const frame& at) {
        if (!run.personal() || run.size() <= most_apart) return;
        svg.open("defs", {});
        svg.open("linearGradient", {{"id", "ranks-" + std::to_string(at.column)},
                                    {"gradientUnits", "userSpaceOnUse"},
                                    {"x1", at.x},
                                    {"x2", at.x + at.width}});
        for (rank_type r = 0; r < run.size(); ++r)
            svg.element("stop", {{"offset", (r + 0.5) / run.size()},
                                 {"stop-color", colours::of_rank(r, run.size())}});
        svg.close();
        svg.close();
    }

    /// A block of a rank's own, in its colour, or what is left of one that is needed no more.
    static void draw_own(svg_writer& svg, std::string_view of_class, frame at, bool needed,
                         std::string_view colour) {
        const double height = needed ? at.height : left_of(at.height);
        svg.element("rect", {{"class", of_class},
                             {"x", at.x},
                             {"y", at.y + at.height - height},
                             {"width", at.width},
                             {"height", height},
                             {"fill", colour},
                             {"stroke", colours::quiet},
                             {"stroke-width", 0.6}});
    }

    /// Whether the height tells who has contributed.
    bool by_rank() const noexcept { return folds(run_.what()) || run_.what() == collective::barrier; }

private:
    static constexpr rank_type most_apart = 32;
    static constexpr std::int64_t nothing = -1;
    static constexpr std::int64_t in_order = -2; // each block where its rank is

    /// Of personal blocks the rank, of folds the number of the set of those whose parts are in.
    std::int64_t kind_of(const block_content& what) const {
        return by_rank() ? what.from : run_.personal() ? run_.whose(what) : 0;
    }
    bool many() const noexcept { return run_.personal() && run_.size() > most_apart; }

    static double left_of(double height) { return std::max(1.2, 0.3 * height); }

    std::string colour(std::int64_t kind, bool needed) const {
        if (!run_.personal()) return std::string(needed ? colours::held : colours::hatched);
        if (kind == in_order) return "url(#ranks-" + std::to_string(at_.column) + ")";
        return colours::of_rank(static_cast<rank_type>(kind), run_.size());
    }

    void fill(svg_writer& svg, block_index b, block_index end, std::int64_t kind, bool needed) const {
        const double wide = at_.width / static_cast<double>(run_.blocks());
        const char* const of_class = needed ? "held" : "stale";
        const double x = at_.x + static_cast<double>(b) * wide;
        const double width = static_cast<double>(end - b) * wide;
        if (run_.personal())
            return draw_own(svg, of_class, {x, at_.y, width, at_.height}, needed, colour(kind, needed));
        const auto bar = [&](double top, double height) {
            svg.element("rect", {{"class", of_class},
                                 {"x", x},
                                 {"y", at_.y + top},
                                 {"width", width},
                                 {"height", height},
                                 {"fill", colour(kind, needed)}});
        };
        if (!by_rank()) return bar(0, at_.height);
        const double high = at_.height / run_.size();
        for (const rank_interval& i : run_.sets()[static_cast<rank_sets::number>(kind)]) {
            const double height = std::max(1.2, (i.last - i.first + 1) * high);
            bar(std::min(i.first * high, at_.height - height), height);
        }
    }

    const symbolic_run& run_;
    frame at_;
};
#endif

} // namespace tutti::detail
