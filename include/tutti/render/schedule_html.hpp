// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/fat_tree_routing.hpp>

#if TUTTI_BODIES
#include <optional>
#include <string_view>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/render/fat_tree_layout.hpp>
#include <tutti/render/load_scale.hpp>
#include <tutti/render/page_controls.hpp>
#include <tutti/render/page_head.hpp>
#include <tutti/render/page_model.hpp>
#include <tutti/render/page_panels.hpp>
#include <tutti/render/page_stage.hpp>
#include <tutti/render/page_style.hpp>
#include <tutti/render/schedule_json.hpp>
#endif

namespace tutti {

/// What a page shows besides the schedule.
struct page_extras {
    const routed_fat_tree* network = nullptr; ///< with the loads of its links in every round
    const placement* where = nullptr;         ///< of the ranks on it; needed with a network
    std::string network_name{};               ///< "4-ary 2-tree"
    std::string timeline{};                   ///< a picture by timeline_svg, or nothing
};

namespace detail {

/// Of each round, by link: how many messages it carries. Nothing without a network.
template <class G>
std::vector<std::vector<std::int64_t>> loads_of_rounds(const page_extras& with, const ensemble<G>& all) {
    std::vector<std::vector<std::int64_t>> list;
    if (with.network == nullptr) return list;
    const block_bytes one_each(block_layout::even(all.blocks(), all.blocks()));
    round_loads<routed_fat_tree> loads(*with.network, *with.where);
    for (round_index i = 0; i < all.rounds(); ++i) {
        loads.clear();
        for_each_message(all, i, one_each, [&](const message& m) { loads.add(m.from, m.to); });
        std::vector<std::int64_t>& here = list.emplace_back();
        for (link_index l = 0; l < with.network->links(); ++l) here.push_back(loads.messages().load(l));
    }
    return list;
}

void check_extras(const page_extras& with, rank_type size);

/// What a page shows of one schedule: its elements, and what the script draws in them.
struct page_part {
    std::string elements;
    std::string data;
};

/// `number`: 0 for the first of a page, 1 for the next.
page_part part_of(const symbolic_run& run, const round_words& words, const page_extras& with,
                  const std::vector<std::vector<std::int64_t>>& loads, int number);

/// `Who` is a collective, or the relation of a multicast.
template <class Who, class G>
page_part part_of(const Who& who, const ensemble<G>& all, const page_extras& with, int number = 0) {
    check_drawable(all);
    check_extras(with, all.size());
    return part_of(symbolic_run(who, all), words_of_rounds(who, all), with, loads_of_rounds(with, all),
                   number);
}

/// `above`: elements between the heading and the controls.
std::string page_of(const picture_heading& heading, const std::string& above,
                    const std::vector<page_part>& parts);

/// "<p>" for each line.
std::string facts_of(const picture_heading& heading);

} // namespace detail

/// A schedule as one page of HTML that needs nothing else: no network, no other file. It steps through the
/// rounds by buttons, slider, keys and clicks, and shows what every rank holds before and after each, in the
/// notation of Rabenseifner and Adamidis 2004, Figure 2; what the round does is said in words, and the phases
/// are brackets over the strip of all rounds: see words_of_rounds(). The address may name a round, as in
/// page.html#round=3.
///
/// The page forbids its browser all connections. Its size: some ten bytes per step and per run of blocks that
/// changes.
/// Throws argument_error for more than 256 ranks, 20000 messages or 4096 links; see symbolic_run for what
/// else is refused.
template <class G>
std::string schedule_html(collective what, const ensemble<G>& all, const picture_heading& heading,
                          const page_extras& with = {}) {
    return detail::page_of(heading, "", {detail::part_of(what, all, with)});
}

/// The same of a multicast.
template <class G>
std::string schedule_html(const relation& who, const ensemble<G>& all, const picture_heading& heading,
                          const page_extras& with = {}) {
    return detail::page_of(heading, "", {detail::part_of(who, all, with)});
}

#if TUTTI_BODIES
namespace detail {
/// The fat-tree as lists of places, and the loads of every round.
inline void write_network(json_text& out, const page_extras& with,
                          const std::vector<std::vector<std::int64_t>>& loads) {
    const fat_tree& tree = with.network->tree();
    const fat_tree_layout layout(tree, 0);
    const double shift = layout.top() - 12; // the page writes the heading itself
    const double aside = layout.left() - 12;
    out.name("tree");
    out.open('{');
    out.name("name"), out.words(with.network_name);
    out.name("routing"), out.words(name_of(with.network->routing()));
    out.name("width"), out.fraction(layout.width() - aside);
    out.name("height"), out.fraction(layout.bottom() - shift + 24 * layout.scale());
    out.name("widths");
    out.open('[');
    for (std::size_t c = 0; c < load_classes; ++c) out.fraction(stroke_of(c).width);
    out.close(']');
    out.name("switches");
    out.open('[');
    for (int l = tree.levels(); l > 0; --l)
        for (node_type subtree = 0; subtree < tree.subtrees(l); ++subtree)
            for (link_index plane = 0; plane < tree.planes(l); ++plane) {
                const fat_tree::vertex v{.level = l, .subtree = subtree, .plane = plane};
                const fat_tree_layout::box b = layout.box_of(v);
                out.open('[');
                out.fraction(b.x - aside), out.fraction(b.y - shift), out.fraction(b.width);
                out.fraction(b.height), out.words(tree.name(v).substr(std::string_view("switch ").size()));
                out.truth(layout.upright(l)), out.fraction(layout.font(l));
                out.close(']');
            }
    out.close(']');
    out.name("nodes");
    out.open('[');
    for (node_type n = 0; n < tree.nodes(); ++n) {
        const fat_tree_layout::box b = layout.box_of({.level = 0, .subtree = n, .plane = 0});
        out.open('[');
        out.fraction(b.x - aside), out.fraction(b.y - shift), out.fraction(b.width / 2);
        out.number(with.where->rank_at(n));
        out.close(']');
    }
    out.close(']');
    // Every so many ranks there is room for a number.
    const double digits = static_cast<double>(std::to_string(tree.nodes()).size());
    rank_type every = 1;
    while (every * layout.pitch(0) < 8 * digits) ++every;
    out.name("every"), out.number(every);
    out.name("links");
    out.open('[');
    for (link_index l = 0; l < tree.links(); ++l) {
        const fat_tree_layout::ends e = layout.ends_of(tree.parts(l));
        out.open('[');
        out.fraction(e.x1 - aside), out.fraction(e.y1 - shift), out.fraction(e.x2 - aside);
        out.fraction(e.y2 - shift);
        out.close(']');
    }
    out.close(']');
    out.name("names");
    out.open('[');
    for (link_index l = 0; l < tree.links(); ++l) out.words(with.network->name(l));
    out.close(']');
    out.close('}');

    out.name("loads");
    out.open('[');
    for (const std::vector<std::int64_t>& round : loads) {
        out.open('[');
        for (std::size_t l = 0; l < round.size(); ++l)
            if (round[l] > 0) out.number(l), out.number(round[l]);
        out.close(']');
    }
    out.close(']');
}

/// A sentence per round, and the phases: first and last round, words.
inline void write_words(json_text& out, const round_words& words) {
    out.name("words");
    out.open('[');
    for (const std::string& sentence : words.rounds) out.words(sentence);
    out.close(']');
    out.name("phases");
    out.open('[');
    for (const schedule_phase& p : words.phases) {
        out.open('[');
        out.number(p.first), out.number(p.last), out.words(p.words);
        out.close(']');
    }
    out.close(']');
}

TUTTI_BODY void check_extras(const page_extras& with, rank_type size) {
    constexpr link_index most_links = 4096;
    if (with.network == nullptr) return;
    if (with.network->links() > most_links)
        throw_argument("links of the network on a page", with.network->links(),
                       "at most " + std::to_string(most_links));
    if (with.where == nullptr || with.where->ranks() != size)
        throw_argument("ranks placed on the network", with.where == nullptr ? 0 : with.where->ranks(),
                       std::to_string(size) + ", those of the schedule");
}

TUTTI_BODY std::string facts_of(const picture_heading& heading) {
    std::string text;
    for (const std::string& line : heading.lines)
        text.append("<p class=\"facts\">").append(xml_escaped(line)).append("</p>\n");
    return text;
}

/// Buttons and slider.
inline std::string controls_of_page() {
    std::string text = "<div class=\"controls\" role=\"toolbar\" aria-label=\"rounds\">\n";
    const auto button = [&](const char* id, const char* label, const char* icon) {
        text.append("<button type=\"button\" id=\"").append(id).append("\" aria-label=\"").append(label);
        text.append("\" title=\"").append(label);
        text.append("\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"").append(icon);
        text.append("\"/></svg></button>\n");
    };
    button("first", "first round", "M2 1h2.5v14H2zM14 1v14L5 8z");
    button("back", "one round back", "M11 2L5 8l6 6 1.6-1.6L8.2 8l4.4-4.4z");
    button("play", "play", "M3 1v14l11-7z");
    button("next", "one round on", "M5 2l6 6-6 6-1.6-1.6L7.8 8 3.4 3.6z");
    button("last", "last round", "M11.5 1H14v14h-2.5zM2 1v14l9-7z");
    text += R"html(<input type="range" id="slider" min="0" max="0" value="0" step="1" aria-label="round">
<output id="where" aria-live="polite"></output>
</div>
)html";
    return text;
}

/// What the script fills with one schedule; `part` stands behind the names of the elements.
inline std::string elements_of(const symbolic_run& run, const page_extras& with, const std::string& part) {
    std::string text =
        "<figure class=\"overview\" id=\"overview" + part + "\"></figure>\n<p class=\"words\" id=\"words"
        + part + "\" aria-live=\"polite\"></p>\n<div class=\"parts\">\n"
        + "<section aria-label=\"one round\">\n<figure><svg id=\"stage" + part
        + "\" role=\"group\" aria-label=\"what every rank holds before and after the round\"></svg>"
          "</figure>\n<p class=\"legend facts\">\n";
    const auto sample = [&](const std::string& drawing, const char* words) {
        text.append("<span><svg viewBox=\"0 0 34 14\" aria-hidden=\"true\">").append(drawing);
        text.append("</svg>").append(words).append("</span>\n");
    };
    const bool by_rank = folds(run.what()) || run.what() == collective::barrier;
    if (by_rank)
        sample("<g class=\"message fold\"><line class=\"way\" x1=\"1\" y1=\"7\" x2=\"32\" y2=\"7\" "
               "marker-end=\"url(#head-fold"
                   + part + ")\"/></g>",
               "folded on arrival");
    sample("<g class=\"message\"><line class=\"way\" x1=\"1\" y1=\"7\" x2=\"32\" y2=\"7\" "
           "marker-end=\"url(#head-copy"
               + part + ")\"/></g>",
           "copied");
    sample("<rect class=\"vector\" x=\"1\" y=\"1\" width=\"32\" height=\"12\"/>"
           "<rect class=\"held\" x=\"1\" y=\"4\" width=\"16\" height=\"5\"/>",
           by_rank
               ? "a vector: from left to right its blocks, from top to bottom the ranks whose parts are in"
               : "a vector: its blocks from left to right");
    if (by_rank)
        sample("<rect class=\"stale\" x=\"1\" y=\"4\" width=\"32\" height=\"6\"/>", "needed no more");
    if (drawn_buffers(run).size() > 1) {
        text += "<span>of each rank, from the top: ";
        for (const buffer_name b : drawn_buffers(run))
            text += b == buffer_name::input  ? "input"
                    : b == buffer_name::work ? ", what becomes the result"
                                             : ", scratch";
        text += "</span>\n";
    }
    text.append("</p>\n</section>\n<aside class=\"detail\" id=\"detail").append(part);
    text.append("\" aria-live=\"polite\"></aside>\n</div>\n");
    if (with.network != nullptr)
        text.append("<section class=\"of-network\"><h2>Links of the network</h2><figure id=\"network")
            .append(part)
            .append("\"></figure></section>\n");
    if (!with.timeline.empty())
        text.append(
                "<section class=\"of-timeline\"><h2>Simulation</h2><figure class=\"timeline\" id=\"timeline")
            .append(part)
            .append("\">")
            .append(with.timeline)
            .append("</figure></section>\n");
    return text;
}

TUTTI_BODY page_part part_of(const symbolic_run& run, const round_words& words, const page_extras& with,
                             const std::vector<std::vector<std::int64_t>>& loads, int number) {
    json_text data;
    data.open('{');
    schedule_json(run).write(data);
    write_words(data, words);
    if (with.network != nullptr) write_network(data, with, loads);
    data.close('}');
    const std::string part = number == 0 ? "" : "-" + std::to_string(number + 1);
    std::string script = "<script type=\"application/json\" id=\"data" + part + "\">";
    script.append(std::move(data).finish()).append("</script>\n");
    return {elements_of(run, with, part), std::move(script)};
}

TUTTI_BODY std::string page_of(const picture_heading& heading, const std::string& above,
                               const std::vector<page_part>& parts) {
    std::string text = page_head(heading.title, page_style);
    text.append("<body").append(parts.size() > 1 ? " class=\"compared\"" : "");
    text.append(">\n<header>\n<h1>").append(xml_escaped(heading.title)).append("</h1>\n");
    text.append(facts_of(heading)).append("</header>\n").append(above).append(controls_of_page());
    if (parts.size() > 1) text += "<div class=\"sides\">\n";
    for (const page_part& p : parts) text += p.elements;
    if (parts.size() > 1) text += "</div>\n";
    text +=
        R"html(<p class="hint"><kbd>←</kbd> <kbd>→</kbd> one round, <kbd>home</kbd> <kbd>end</kbd> first and last,
<kbd>space</kbd> play, <kbd>tab</kbd> and <kbd>enter</kbd> choose a rank or a message, <kbd>esc</kbd> none.</p>
)html";
    for (const page_part& p : parts) text += p.data;
    text.append("<script>").append(page_model).append(page_stage);
    text.append(page_panels).append(page_controls).append("</script>\n</body>\n</html>\n");
    return text;
}
} // namespace detail
#else
extern template std::string schedule_html(collective, const ensemble<any_generator>&, const picture_heading&,
                                          const page_extras&);
extern template std::string schedule_html(const relation&, const ensemble<any_generator>&,
                                          const picture_heading&, const page_extras&);
#endif

} // namespace tutti
