// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/block_bytes.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/render/message_way.hpp>
#include <tutti/render/network_plan.hpp>
#include <tutti/render/picture_heading.hpp>
#include <tutti/render/round_words.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/topology/network.hpp>
#include <tutti/topology/placement.hpp>

#if TUTTI_BODIES
#include <string_view>

#include <tutti/core/error.hpp>
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

/// A network on a page: what is drawn, where the ranks are, and how messages go.
struct page_network {
    std::string name;                                     ///< "4-ary 2-tree"
    std::string routing;                                  ///< "d-mod-k"
    placement where;                                      ///< of the ranks of the schedule
    network_plan plan;                                    ///< where its parts are drawn
    std::function<message_way(rank_type, rank_type)> way; ///< of a message from rank to rank
};

/// Of a fat-tree with its routing, a torus or a dragonfly; whatever else has a plan_of().
template <network N>
page_network network_on_page(const N& on, const placement& where, std::string name, std::string routing) {
    return {.name = std::move(name),
            .routing = std::move(routing),
            .where = where,
            .plan = plan_of(on),
            .way = [on, where](rank_type from, rank_type to) { return way_of(on, where, from, to); }};
}

/// What a page shows besides the schedule.
struct page_extras {
    static constexpr std::size_t most_links = 4096; ///< of a network that is drawn

    std::optional<page_network> network{}; ///< with the loads of its links in every round
    std::string timeline{};                ///< a picture by timeline_svg, or nothing
    std::optional<block_bytes> bytes{};    ///< of its blocks, for the words: see words_of_rounds()
};

namespace detail {

void check_extras(const page_extras& with, rank_type size);

/// What a page shows of one schedule: its elements, and what the script draws in them.
struct page_part {
    std::string elements;
    std::string data;
};

/// `number`: 0 for the first of a page, 1 for the next.
page_part part_of(const symbolic_run& run, const round_words& words, const page_extras& with, int number);

/// `Who` is a collective, or the relation of a multicast.
template <class Who, class G>
page_part part_of(const Who& who, const ensemble<G>& all, const page_extras& with, int number = 0) {
    check_drawable(all);
    check_extras(with, all.size());
    return part_of(symbolic_run(who, all), words_of_rounds(who, all, with.bytes), with, number);
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
/// page.html#round=3. On paper all rounds stand one below the other, in light colours.
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
/// The links that each movement takes, none where it stays at home.
inline void write_ways(json_text& out, const page_network& on, const std::vector<movement>& moves) {
    out.open('[');
    for (const movement& m : moves) {
        out.open('[');
        if (!m.local())
            for (const link_index l : on.way(m.from, m.to).links) out.number(l);
        out.close(']');
    }
    out.close(']');
}

/// The network as lists of places, and the links that every movement of every round takes.
inline void write_network(json_text& out, const page_network& on, const symbolic_run& run) {
    const auto list = [&](std::string_view name, const auto& items, const auto& write) {
        out.name(name);
        out.open('[');
        for (const auto& item : items) write(item);
        out.close(']');
    };
    const network_plan& plan = on.plan;
    out.name("network");
    out.open('{');
    out.name("name"), out.words(on.name);
    out.name("routing"), out.words(on.routing);
    out.name("width"), out.fraction(plan.width);
    out.name("height"), out.fraction(plan.height);
    out.name("widths");
    out.open('[');
    for (std::size_t c = 0; c < load_classes; ++c) out.fraction(stroke_of(c).width);
    out.close(']');
    out.name("dashes");
    out.open('[');
    for (std::size_t c = 0; c < load_classes; ++c) out.words(stroke_of(c).dashes);
    out.close(']');
    list("switches", plan.switches, [&](const network_plan::box& b) {
        out.open('[');
        out.fraction(b.x), out.fraction(b.y), out.fraction(b.width), out.fraction(b.height);
        out.words(b.label), out.truth(b.upright), out.fraction(b.font);
        out.close(']');
    });
    node_type node = 0;
    list("nodes", plan.nodes, [&](const network_plan::disc& d) {
        out.open('[');
        out.fraction(d.x), out.fraction(d.y), out.fraction(d.radius);
        out.number(on.where.rank_at(node++)), out.fraction(d.label_x), out.fraction(d.label_y);
        out.close(']');
    });
    out.name("every"), out.number(plan.every);
    list("links", plan.links, [&](const std::string& path) { out.words(path); });
    list("names", plan.names, [&](const std::string& name) { out.words(name); });
    out.close('}');

    out.name("ways");
    out.open('[');
    for (round_index i = 0; i < run.rounds(); ++i) write_ways(out, on, run.movements(i));
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
    if (!with.network) return;
    if (with.network->plan.links.size() > page_extras::most_links)
        throw_argument("links of the network on a page",
                       static_cast<std::int64_t>(with.network->plan.links.size()),
                       "at most " + std::to_string(page_extras::most_links));
    if (with.network->where.ranks() != size)
        throw_argument("ranks placed on the network", with.network->where.ranks(),
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

/// Heads of arrows, and the stripes of what is needed no more, for all pictures of the page.
inline constexpr const char* page_definitions =
    R"html(<svg class="defs" aria-hidden="true">
<marker id="head-fold" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path class="head-fold" d="M0,1 L10,5 L0,9 z"/></marker>
<marker id="head-copy" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path class="head-copy" d="M1,1 L9,5 L1,9"/></marker>
<pattern id="stale" width="3.6" height="3.6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="stripe" width="2" height="3.6"/></pattern>
</svg>
)html";

/// What the script fills with one schedule; `part` stands behind the names of the elements.
inline std::string elements_of(const symbolic_run& run, const page_extras& with, const std::string& part) {
    std::string text =
        "<figure class=\"overview\" id=\"overview" + part
        + "\"></figure>\n<div class=\"every-round\" id=\"every-round" + part
        + "\"></div>\n<p class=\"words\" id=\"words" + part
        + "\" aria-live=\"polite\"></p>\n<div class=\"parts" + (with.network ? " networked" : "") + "\">\n"
        + "<section aria-label=\"one round\">\n<figure><svg id=\"stage" + part
        + "\" role=\"group\" aria-label=\"what every rank holds before and after the round\"></svg>"
          "</figure>\n<p class=\"legend facts\">\n";
    const auto sample = [&](const std::string& drawing, std::string_view words) {
        text.append("<span><svg viewBox=\"0 0 34 14\" aria-hidden=\"true\">").append(drawing);
        text.append("</svg>").append(words).append("</span>\n");
    };
    const bool by_rank = folds(run.what()) || run.what() == collective::barrier;
    if (by_rank)
        sample("<g class=\"message fold\"><line class=\"way\" x1=\"1\" y1=\"7\" x2=\"32\" y2=\"7\" "
               "marker-end=\"url(#head-fold)\"/></g>",
               "folded on arrival");
    sample("<g class=\"message\"><line class=\"way\" x1=\"1\" y1=\"7\" x2=\"32\" y2=\"7\" "
           "marker-end=\"url(#head-copy)\"/></g>",
           "copied");
    if (!run.personal())
        sample(
            "<rect class=\"vector\" x=\"1\" y=\"1\" width=\"32\" height=\"12\"/>"
            "<rect class=\"held\" x=\"1\" y=\"4\" width=\"16\" height=\"5\"/>",
            by_rank
                ? "a vector: from left to right its blocks, from top to bottom the ranks whose parts are in"
                : "a vector: its blocks from left to right");
    const auto ramp = [](bool needed) {
        std::string drawing;
        constexpr rank_type samples = 8;
        for (rank_type k = 0; k < samples; ++k) {
            drawing.append("<rect class=\"own\" x=\"").append(std::to_string(1 + 4 * k));
            drawing.append(needed ? "\" y=\"1\" height=\"12\"" : "\" y=\"9\" height=\"4\"");
            drawing.append(" width=\"4\" style=\"fill: ");
            drawing.append(colours::of_rank(k, samples)).append("\"/>");
        }
        return drawing;
    };
    if (run.personal()) {
        sample(ramp(true), colours_text(run) + " 0 to " + std::to_string(run.size() - 1));
        sample(ramp(false), "needed no more");
    }
    if (by_rank)
        sample("<rect class=\"stale\" x=\"1\" y=\"4\" width=\"32\" height=\"6\"/>", "needed no more");
    if (const std::string buffers = buffers_text(run); !buffers.empty())
        text.append("<span>").append(buffers).append("</span>\n");
    text += "</p>\n</section>\n";
    if (with.network)
        text.append("<section class=\"of-network\" aria-label=\"links of the network\"><figure id=\"network")
            .append(part)
            .append("\"></figure></section>\n");
    text.append("<aside class=\"detail\" id=\"detail").append(part);
    text.append("\" aria-live=\"polite\"></aside>\n</div>\n");
    if (!with.timeline.empty())
        text.append(
                "<section class=\"of-timeline\"><h2>Simulation</h2><figure class=\"timeline\" id=\"timeline")
            .append(part)
            .append("\" tabindex=\"0\" aria-label=\"time line; arrow keys go from message to message\">")
            .append(with.timeline)
            .append("</figure><p class=\"hint\">A click on a bar, or a line between ranks: when its message "
                    "was sent, under way and taken, and who waited for it.</p>\n<ul id=\"of-message")
            .append(part)
            .append("\" aria-live=\"polite\"></ul></section>\n");
    return text;
}

TUTTI_BODY page_part part_of(const symbolic_run& run, const round_words& words, const page_extras& with,
                             int number) {
    json_text data;
    data.open('{');
    schedule_json(run).write(data);
    write_words(data, words);
    if (with.network) write_network(data, *with.network, run);
    data.close('}');
    const std::string part = number == 0 ? "" : "-" + std::to_string(number + 1);
    std::string script = "<script type=\"application/json\" id=\"data" + part + "\">";
    script.append(std::move(data).finish()).append("</script>\n");
    return {elements_of(run, with, part), std::move(script)};
}

TUTTI_BODY std::string page_of(const picture_heading& heading, const std::string& above,
                               const std::vector<page_part>& parts) {
    std::string text = page_head(heading.title, colours::page_variables() + page_style);
    text.append("<body").append(parts.size() > 1 ? " class=\"compared\"" : "");
    text.append(">\n")
        .append(page_definitions)
        .append("<header>\n<h1>")
        .append(xml_escaped(heading.title))
        .append("</h1>\n");
    text.append(facts_of(heading)).append("</header>\n");
    text += "<noscript><p>This page draws with JavaScript, which is off here. A picture without it: "
            "--format svg.</p></noscript>\n";
    text.append(above).append(controls_of_page());
    if (parts.size() > 1) text += "<div class=\"sides\">\n";
    for (const page_part& p : parts) text += p.elements;
    if (parts.size() > 1) text += "</div>\n";
    text +=
        R"html(<p class="hint"><kbd>←</kbd> <kbd>→</kbd> one round, <kbd>home</kbd> <kbd>end</kbd> first and last,
<kbd>space</kbd> play; <kbd>tab</kbd> leads into the picture, <kbd>↑</kbd> <kbd>↓</kbd> from rank to rank and message to message,
<kbd>enter</kbd> chooses one, <kbd>esc</kbd> none.</p>
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
