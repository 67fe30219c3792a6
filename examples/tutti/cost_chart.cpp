// SPDX-License-Identifier: BSL-1.0
#include "cost_chart.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "chart.hpp"
#include "json.hpp"

namespace program {

namespace {

/// The values of a member, each once, in the order in which they come.
template <class Value>
std::vector<Value> each_once(std::span<const charted_price> prices, Value charted_price::*member) {
    std::vector<Value> all;
    for (const charted_price& p : prices)
        if (std::find(all.begin(), all.end(), p.*member) == all.end()) all.push_back(p.*member);
    return all;
}

bool alike(const charted_price& a, const charted_price& b) {
    return a.what == b.what && a.size == b.size && a.bytes == b.bytes;
}

std::string with_parameters(const charted_price& p) {
    const std::string with = text_of(p.with);
    return with.empty() ? p.algorithm : p.algorithm + " " + with;
}

void add(std::vector<charted_price>& to, const tutti::selection_request& request,
         const tutti::rated_candidate& c, bool apart) {
    to.push_back({request.what, request.size, request.bytes, std::string(c.what.entry->name), c.what.with,
                  c.cost.us, apart});
}

/// The first of the least of each collective, size and length.
std::vector<charted_price> best_of(std::span<const charted_price> prices) {
    std::vector<charted_price> best;
    for (const charted_price& p : prices)
        if (best.empty() || !alike(best.back(), p))
            best.push_back(p);
        else if (p.us < best.back().us)
            best.back() = p;
    return best;
}

std::vector<chart> charts_of(std::span<const charted_price> prices) {
    std::vector<chart> charts;
    const charted_price* before = nullptr;
    for (const charted_price& p : prices) {
        if (before == nullptr || before->what != p.what || before->size != p.size)
            charts.push_back({.title = std::string(tutti::name_of(p.what)) + ", " + std::to_string(p.size)
                                       + (p.size == 1 ? " rank" : " ranks"),
                              .least_wins = true});
        before = &p;
        if (p.bytes == 0 || !(p.us > 0)) continue; // logarithms have no place for it
        std::vector<chart_line>& lines = charts.back().lines;
        auto at = std::find_if(lines.begin(), lines.end(),
                               [name = p.name()](const chart_line& l) { return l.name == name; });
        if (at == lines.end()) at = lines.insert(lines.end(), chart_line{p.name()});
        at->points.emplace_back(static_cast<double>(p.bytes), p.us);
    }
    for (chart& c : charts)
        for (chart_line& l : c.lines) std::sort(l.points.begin(), l.points.end());
    return charts;
}

std::vector<chart_map> maps_of(std::span<const charted_price> prices) {
    std::vector<chart_map> maps;
    const std::vector<charted_price> best = best_of(prices);
    for (const tutti::collective what : each_once(prices, &charted_price::what)) {
        std::vector<charted_price> of_it;
        std::copy_if(best.begin(), best.end(), std::back_inserter(of_it),
                     [&](const charted_price& p) { return p.what == what; });
        chart_map m{.title = "The fastest " + std::string(tutti::name_of(what)), .sizes = {}, .bytes = {}};
        for (const tutti::rank_type n : each_once(of_it, &charted_price::size)) m.sizes.push_back(n);
        m.bytes = each_once(of_it, &charted_price::bytes);
        std::sort(m.sizes.begin(), m.sizes.end());
        std::sort(m.bytes.begin(), m.bytes.end());
        m.best.resize(m.sizes.size() * m.bytes.size());
        m.notes.resize(m.best.size());
        for (const charted_price& p : of_it) {
            const auto column = std::find(m.sizes.begin(), m.sizes.end(), p.size) - m.sizes.begin();
            const auto row = std::find(m.bytes.begin(), m.bytes.end(), p.bytes) - m.bytes.begin();
            const auto k = static_cast<std::size_t>(row) * m.sizes.size() + static_cast<std::size_t>(column);
            m.best[k] = p.name();
            m.notes[k] = with_parameters(p) + ", " + std::to_string(p.size) + " ranks, "
                         + bytes_text(static_cast<double>(p.bytes)) + ": " + fixed(p.us, 4) + " us";
        }
        maps.push_back(std::move(m));
    }
    return maps;
}

std::string vega_of(const drawn_times& what, std::span<const charted_price> prices) {
    const auto& [title, verb, time, map] = what;
    const std::vector<charted_price> best = best_of(prices);
    const std::span<const charted_price> shown = map ? std::span<const charted_price>(best) : prices;
    std::string text =
        "{\n\"$schema\": \"https://vega.github.io/schema/vega-lite/v5.json\",\n\"title\": " + in_quotes(title)
        + ",\n\"usermeta\": {" + json_origin(verb) + "},\n\"data\": {\"values\": [";
    for (const charted_price& p : shown)
        text.append(&p == shown.data() ? "\n" : ",\n")
            .append("  {\"collective\": ")
            .append(in_quotes(tutti::name_of(p.what)))
            .append(", \"size\": ")
            .append(std::to_string(p.size))
            .append(", \"bytes\": ")
            .append(std::to_string(p.bytes))
            .append(", \"algorithm\": ")
            .append(in_quotes(p.name()))
            .append(", \"parameters\": ")
            .append(in_quotes(text_of(p.with)))
            .append(", \"")
            .append(time)
            .append("\": ")
            .append(fixed(p.us, 4))
            .append("}");
    text.append("\n]},\n\"transform\": [{\"filter\": \"datum.bytes > 0 && datum.")
        .append(time)
        .append(" > 0\"}],\n");
    std::string tips = "\"tooltip\": [{\"field\": \"algorithm\"}, {\"field\": \"parameters\"}, "
                       "{\"field\": \"size\"}, {\"field\": \"bytes\"}, {\"field\": \"";
    tips.append(time).append("\"}]");
    if (map)
        text += "\"mark\": \"rect\",\n\"encoding\": {\n"
                "  \"x\": {\"field\": \"size\", \"type\": \"ordinal\", \"title\": \"ranks\"},\n"
                "  \"y\": {\"field\": \"bytes\", \"type\": \"ordinal\", \"sort\": \"descending\"},\n"
                "  \"row\": {\"field\": \"collective\"},\n"
                "  \"color\": {\"field\": \"algorithm\", \"scale\": {\"scheme\": \"tableau20\"}},\n  "
                + tips + "\n}\n}\n";
    else
        text += "\"mark\": {\"type\": \"line\", \"point\": true},\n\"encoding\": {\n"
                "  \"x\": {\"field\": \"bytes\", \"type\": \"quantitative\", \"scale\": {\"type\": \"log\", "
                "\"base\": 2}},\n"
                "  \"y\": {\"field\": \""
                + std::string(time)
                + "\", \"type\": \"quantitative\", \"scale\": {\"type\": "
                  "\"log\"}},\n"
                  "  \"row\": {\"field\": \"collective\"}, \"column\": {\"field\": \"size\"},\n"
                  "  \"color\": {\"field\": \"algorithm\", \"scale\": {\"scheme\": \"tableau20\"}},\n  "
                + tips + "\n}\n}\n";
    return text;
}

} // namespace

std::string charted_price::name() const { return apart ? with_parameters(*this) : algorithm; }

void add_prices(std::vector<charted_price>& to, const tutti::machine& on,
                const tutti::selection_request& request, const priced_ways& ways, tutti::watcher watch) {
    for (const tutti::catalogue_entry& one : ways.among)
        add_best(to, tutti::rank_algorithms(on, request, std::span(&one, 1), watch), false);
    const std::vector<tutti::candidate>& only = ways.only;
    for (std::size_t k = 0, end = 0; k < only.size(); k = end) {
        end = k + 1;
        while (!ways.apart && end < only.size() && only[end].entry == only[k].entry) ++end;
        add_best(to, tutti::rank_candidates(on, request, std::span(only).subspan(k, end - k), watch),
                 ways.apart);
    }
}

void add_prices(std::vector<charted_price>& to, tutti::ranking all, bool apart) {
    // In the order of the catalogue, in which entries lie.
    std::stable_sort(all.all.begin(), all.all.end(),
                     [](const auto& a, const auto& b) { return std::less<>()(a.what.entry, b.what.entry); });
    const tutti::catalogue_entry* before = nullptr;
    for (const tutti::rated_candidate& c : all.all)
        if (c.how == tutti::rated_candidate::verdict::priced
            && (apart || std::exchange(before, c.what.entry) != c.what.entry))
            add(to, all.request, c, apart);
}

void add_best(std::vector<charted_price>& to, const tutti::ranking& all, bool apart) {
    if (all.any()) add(to, all.request, all.best(), apart);
}

table table_of_best(std::span<const charted_price> times, std::string time) {
    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "size", .identifies = true, .typed = true},
             {.key = "bytes", .identifies = true, .typed = true},
             {.key = std::move(time)}});
    for (const charted_price& p : best_of(times))
        t.add(
            {std::string(tutti::name_of(p.what)), p.algorithm, p.with, std::int64_t{p.size}, p.bytes, p.us});
    return t;
}

void print_map(std::span<const charted_price> times, std::ostream& out) {
    flowing text(out, 0, usual_width);
    text << map_text(maps_of(times), static_cast<std::size_t>(line_width(text)));
}

std::string drawn_as(std::string_view format, const drawn_times& what, std::span<const charted_price> times) {
    if (format == "vega") return vega_of(what, times);
    const bool page = format == "html";
    if (what.map) return (page ? map_html : map_svg)(what.title, maps_of(times));
    return (page ? chart_html : chart_svg)(what.title, charts_of(times));
}

} // namespace program
