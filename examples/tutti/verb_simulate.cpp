// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/render/chrome_trace.hpp>
#include <tutti/render/dot.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/render/timeline_svg.hpp>

#include "cost_chart.hpp"
#include "disturbance.hpp"
#include "json.hpp"
#include "machine_choice.hpp"
#include "network_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "simulating.hpp"
#include "simulation_report.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        allreduce_option,
        algorithm_option,
        {"--size", "LIST", "numbers of ranks, as in 16,1K,1M; 16 by default, 2 to 64 with --map"},
        {"--root", "all|LIST", "roots of bcast, reduce, gather and scatter, also 'last'; 0 by default"},
        {"--bytes", "LIST",
         "bytes of the whole vector, as in 8,64K,1M; by default 8, with --map 8 to 16M, in whole elements"},
        element_bytes_option,
        relation_option,
    },
    {
        {"--machine", "NAME|FILE", "a machine with the model loggops; loggops by default"},
        skew_option,
        noise_option,
        noise_rule_option,
        receiving_option,
        progress_option,
        signal_option,
        seed_option,
        fat_tree_option,
        xgft_option,
        torus_option,
        dragonfly_option,
        {"--routing", "NAME", "of fat-trees: d-mod-k (default), s-mod-k"},
        missing_option,
        link_option,
        {"--repeat", "N", "simulations of each case, with seeds that count up; 1 by default"},
        {"--path", "", "also what the last rank to finish waited for"},
        {"--histogram", "", "also how the ends of the ranks, or of the repetitions, are spread"},
        {"--format", "table|text|svg|html|trace|goal|dot|vega",
         "instead of the table, of one case: what every rank does when, as text, picture, page with the "
         "schedule and the network, or Chrome trace (for Perfetto); its schedule for LogGOPSim or Graphviz. "
         "svg and html of several cases, and vega (a Vega-Lite spec): a chart of their ends over bytes"},
        {"--map", "",
         "which algorithm is done first for each size and length, as table, svg, html, vega and in JSON"},
        output_option,
        each_option,
        json_option,
    });

constexpr const char* details =
    "Simulates every message in the model LogGOPS, by the rules of LogGOPSim; docs/simulating.md has them.\n"
    "One line per case: each algorithm, with each size, root and number of bytes. Ends with 0.\n\n"
    "Columns: size (ranks), relation (of a multicast), bytes (of the whole vector), x_best (times the least\n"
    "of those with the same collective, size, root, relation and bytes; for people these stand together, the "
    "best first, in bold on a\n"
    "terminal unless NO_COLOR is set), completion_us (when the last rank is done; with\n"
    "--repeat the mean, with completion_min_us, completion_max_us and completion_sd_us, the standard\n"
    "deviation), cpu_us (how long the collective keeps a CPU, mean over the ranks), cpu_max_us (the most of\n"
    "any rank), messages. A rank that waits in the call keeps its CPU; see --progress. With a network, "
    "links\n"
    "carry one message at a time, and ranks sit on its first nodes that are present. JSON has machine,\n"
    "network, link_ns_per_byte, skew, noise, noise_rule, receiving, progress, signal_us, seed and repeat in "
    "each\nrow, too; that of --map has a row for each size and length: collective, algorithm, parameters, "
    "size, "
    "bytes, completion_us. With --path the member "
    "paths has\n"
    "for each row an array: begin_us, end_us, rank, round, what (skew, start, send, flight, gap, recv, "
    "signal,\n"
    "fold, copy, noise), peer, bytes.\n\n"
    "Example: tutti simulate --collective reduce --algorithm fnomial --radix 2,4 --size 906 "
    "--noise random:30000:60 --repeat 100 --histogram\n";

constexpr std::array<std::string_view, 8> formats{"table", "text", "svg", "html",
                                                  "trace", "goal", "dot", "vega"};

struct simulation_request {
    tutti::machine on{};
    tutti::simulation_options with{};
    std::optional<network_choice> network{};
    contention where{};
    int repeat = 1;
    bool path = false;
    bool histogram = false;
    std::string_view format;
    bool map = false;
    std::vector<simulated_case> cases{};

    /// Whether cases are compared in a chart, instead of one being shown.
    bool charted() const {
        return map || format == "vega" || ((format == "svg" || format == "html") && cases.size() > 1);
    }
};

tutti::machine machine_to_simulate(const arguments& given) {
    if (given.has("--machine")) return chosen_machine(given);
    return {
        .name = "loggops", .source = "LogGOPSim, default values of its options", .model = tutti::loggops{}};
}

/// By the options of networks, if any of them is given.
void choose_network(const arguments& given, simulation_request& r) {
    bool wanted = false;
    for (const option& o : {fat_tree_option, xgft_option, torus_option, dragonfly_option})
        wanted = wanted || given.has(o.name);
    if (!wanted) {
        for (const option& o : {routing_option, missing_option, link_option})
            if (given.has(o.name))
                throw tutti::argument_error(std::string(o.name), "given without a network",
                                            "--fat-tree, --xgft, --torus or --dragonfly with it");
        return;
    }
    r.network = chosen_network(given);
    r.where.links = chosen_links(given);
    if (r.network->adaptive)
        throw tutti::argument_error("--routing", "adaptive", "d-mod-k, s-mod-k: routes that are fixed");
    const tutti::placement at = chosen_placement(given, r.network->nodes());
    for (tutti::rank_type rank = 0; rank < at.ranks(); ++rank) r.where.nodes.push_back(at.node_of(rank));
    for (const simulated_case& c : r.cases)
        if (c.size > at.ranks())
            throw tutti::argument_error("--size", std::to_string(c.size),
                                        "at most the " + std::to_string(at.ranks())
                                            + " nodes that are present");
}

std::vector<simulated_case> chosen_cases(const arguments& given, algorithms catalogue) {
    constexpr std::int64_t most_ranks = std::int64_t{1} << 26;
    constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
    const std::vector<candidate> chosen = with_relations(
        multicasts_if_named(candidates(given, catalogue, untold::defaults, "allreduce"), given), given);
    const std::vector<std::int64_t> sizes =
        numbers("--size", sizes_text(given, given.has("--map") ? sizes_of_map : "16"),
                {1, most_ranks, true, "each takes a few hundred bytes of memory, whatever the machine"});
    const root_choice roots(given.value("--root", "0"), sizes);
    std::vector<std::int64_t> lengths =
        numbers("--bytes", given.value("--bytes", given.has("--map") ? lengths_of_chart : "8"),
                {0, most_bytes, true});
    const std::int64_t element =
        one_number("--element-bytes", given.value("--element-bytes", "8"), {1, std::int64_t{1} << 20, true});
    if (!given.has("--bytes")) { // whole elements that are nearly as long
        for (std::int64_t& bytes : lengths) bytes = std::max(element, bytes / element * element);
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    }
    for (const std::int64_t bytes : lengths)
        if (bytes % element != 0)
            throw tutti::argument_error("--bytes", std::to_string(bytes),
                                        "multiples of --element-bytes, " + std::to_string(element));

    std::vector<simulated_case> cases;
    for (const candidate& c : chosen)
        for (const std::int64_t n : sizes) {
            const auto size = static_cast<tutti::rank_type>(n);
            for (const tutti::rank_type root : roots.of(c.entry->what, size))
                for (const std::int64_t bytes : lengths) {
                    const bool no_data = c.entry->what == tutti::collective::barrier;
                    cases.push_back({.by = c,
                                     .size = size,
                                     .root = root,
                                     .bytes = no_data ? 0 : bytes,
                                     .element_bytes = element});
                    if (no_data) break;
                }
        }
    return cases;
}

/// That of the first multicast; none if there is no multicast.
std::string_view charted_relation(const simulation_request& r) {
    const auto first = std::find_if(r.cases.begin(), r.cases.end(),
                                    [](const simulated_case& c) { return !c.by.relation.empty(); });
    return first != r.cases.end() ? first->by.relation : "";
}

simulation_request requested(const arguments& given, algorithms catalogue) {
    simulation_request r{.on = machine_to_simulate(given),
                         .path = given.has("--path"),
                         .histogram = given.has("--histogram"),
                         .format = one_word("--format", given.value("--format", "table"), formats),
                         .map = given.has("--map"),
                         .cases = chosen_cases(given, catalogue)};
    r.with.machine = loggops_of(r.on);
    tutti::rank_type smallest = r.cases.front().size;
    for (const simulated_case& c : r.cases) smallest = std::min(smallest, c.size);
    r.with.skew = chosen_skew(given, smallest);
    r.with.noise = chosen_noise(given);
    r.with.receiving = chosen_receiving(given);
    const progress_choice by = chosen_progress(given);
    r.with.by = by.by;
    r.with.signal_us = by.signal_us;
    choose_network(given, r);
    constexpr std::int64_t most_repeats = 1000000;
    r.repeat = static_cast<int>(one_number("--repeat", given.value("--repeat", "1"), {1, most_repeats}));
    r.with.skew.seed = r.with.noise.seed = static_cast<std::uint64_t>(
        one_number("--seed", given.value("--seed", "1"), {0, std::int64_t{1} << 62}));

    constexpr std::array<std::string_view, 4> of_maps{"table", "svg", "html", "vega"};
    if (r.map && std::find(of_maps.begin(), of_maps.end(), r.format) == of_maps.end())
        throw tutti::argument_error("--format", "'" + std::string(r.format) + "' with --map",
                                    joined(of_maps));
    const bool of_one = r.format != "table" && !r.charted();
    if (of_one && r.cases.size() != 1)
        throw tutti::argument_error(
            "--format", std::string(r.format) + " of " + std::to_string(r.cases.size()) + " cases",
            "one algorithm, size, root and number of bytes, as by --algorithm "
                + std::string(typed_name(r.cases.front().by.entry->name)) + " --size "
                + std::to_string(r.cases.front().size) + "; table, svg, html and vega take several");
    const bool of_table = r.format == "table"; // a map of which may be, too
    for (const auto& [name, taken] : {std::pair{"--json", of_table},
                                      {"--each", of_table && !r.map},
                                      {"--path", of_table && !r.map},
                                      {"--histogram", of_table && !r.map},
                                      {"--repeat", !of_one}})
        if (given.has(name) && !taken)
            throw tutti::argument_error(
                name, "given with " + (r.format == "table" ? "--map" : "--format " + std::string(r.format)),
                "one of the two");
    for (const simulated_case& c : r.cases)
        if (r.charted() && c.root != r.cases.front().root)
            throw tutti::argument_error("--root", std::to_string(c.root) + " and others in a chart", "one");
    const std::string_view relation = charted_relation(r);
    for (const simulated_case& c : r.cases)
        if (r.charted() && !c.by.relation.empty() && c.by.relation != relation)
            throw tutti::argument_error("--relation", std::string(c.by.relation) + " and others in a chart",
                                        "one");
    if (given.has("--json") && given.has("--histogram"))
        throw tutti::argument_error("--histogram", "given with --json", "one of the two: it is for people");
    const bool is_picture = of_one && (r.format == "svg" || r.format == "html");
    r.with.keep_path = r.path || is_picture;
    r.with.keep_timeline = r.format == "text" || is_picture || r.format == "trace";
    return r;
}

/// A root waits for its result, also where messages interrupt; without one all ranks can leave the call.
tutti::simulation_options options_for(const simulation_request& r, const simulated_case& c,
                                      tutti::watcher watch) {
    tutti::simulation_options with = r.with;
    with.watch = watch;
    with.root_waits = tutti::has_root(c.by.entry->what);
    return with;
}

std::string title_of(const simulation_request& r, const simulated_case& c) {
    std::string title(tutti::name_of(c.by.entry->what));
    title.append(" by ").append(c.by.entry->name);
    if (const std::string parameters = text_of(c.by.with); !parameters.empty())
        title.append(" (").append(parameters).append(")");
    title.append(", ").append(std::to_string(c.size)).append(" ranks");
    if (!c.by.relation.empty()) title.append(", ").append(c.by.relation);
    if (c.by.entry->what != tutti::collective::barrier)
        title.append(", ").append(std::to_string(c.bytes)).append(" bytes");
    title.append(", ").append(r.on.name);
    if (r.network) title.append(" on a ").append(r.network->name);
    return title;
}

table table_of_cases() {
    return table({{.key = "collective", .identifies = true},
                  {.key = "algorithm", .identifies = true},
                  {.key = "parameters", .identifies = true},
                  {.key = "size", .typed = true},
                  {.key = "root"},
                  {.key = "relation"},
                  {.key = "bytes", .typed = true},
                  {.key = "machine"},
                  {.key = "network"},
                  {.key = "link_ns_per_byte"},
                  {.key = "skew"},
                  {.key = "noise"},
                  {.key = "noise_rule"},
                  {.key = "receiving"},
                  {.key = "progress"},
                  {.key = "signal_us"},
                  {.key = "seed"},
                  {.key = "repeat"},
                  {.key = "completion_us"},
                  {.key = "x_best"},
                  {.key = "completion_min_us"},
                  {.key = "completion_max_us"},
                  {.key = "completion_sd_us"},
                  {.key = "cpu_us"},
                  {.key = "cpu_max_us"},
                  {.key = "messages"}});
}

double link_us_per_byte(const simulation_request& r) {
    const double own = r.where.links.us_per_byte;
    return own == tutti::link_options::as_machine ? r.with.machine.G : own;
}

row row_of(const simulation_request& r, const simulated_case& c, const simulated& s, const arguments& given) {
    const bool json = given.has("--json"); // what is the same in all rows stands above the table for people
    const auto constant = [&](cell value) { return json ? value : cell(); };
    const auto repeated = [&](double us) { return r.repeat > 1 ? cell(us) : cell(); };
    const tutti::collective what = c.by.entry->what;
    return {std::string(tutti::name_of(what)),
            std::string(c.by.entry->name),
            c.by.with,
            std::int64_t{c.size},
            tutti::has_root(what) ? cell(std::int64_t{c.root}) : cell(),
            c.by.relation.empty() ? cell() : cell(std::string(c.by.relation)),
            what == tutti::collective::barrier ? cell() : cell(c.bytes),
            constant(r.on.name),
            r.network ? constant(r.network->name) : cell(),
            r.network ? constant(link_us_per_byte(r) * 1000) : cell(),
            constant(std::string(given.value("--skew", "none"))),
            constant(std::string(given.value("--noise", "none"))),
            given.has("--noise") ? constant(std::string(given.value("--noise-rule", "logGOPSim"))) : cell(),
            constant(std::string(given.value("--receiving", "cpu"))),
            constant(std::string(name_of(r.with.by))),
            r.with.by == tutti::progress_by::bypass ? constant(r.with.signal_us) : cell(),
            constant(static_cast<std::int64_t>(r.with.skew.seed)),
            constant(std::int64_t{r.repeat}),
            s.completion_us(),
            cell(),
            repeated(s.least_us()),
            repeated(s.most_us()),
            repeated(s.deviation_us()),
            s.cpu_us,
            s.cpu_max_us,
            s.first.messages};
}

void print_setting(const simulation_request& r, const arguments& given, std::ostream& to) {
    flowing out(to);
    const tutti::loggops& m = r.with.machine;
    out << r.on.name << ": L " << m.L << " us, o " << m.o << " us, g " << m.g << " us, G " << m.G * 1000
        << " ns/B, O " << m.O * 1000 << " ns/B, S " << m.S << " B";
    if (m.fold_per_byte > 0) out << ", folds " << m.fold_per_byte * 1000 << " ns/B";
    if (m.copy_per_byte > 0) out << ", copies " << m.copy_per_byte * 1000 << " ns/B";
    out << '\n';
    if (r.network) {
        out << "on a " << r.network->name;
        if (!r.network->routing.empty()) out << ", " << r.network->routing;
        if (given.has(link_option.name))
            out << ", links of " << link_us_per_byte(r) * 1000 << " ns/B\n";
        else
            out << ", links as fast as network interfaces\n";
    }
    for (const char* name :
         {"--skew", "--noise", "--noise-rule", "--receiving", "--progress", "--signal", "--repeat"})
        if (given.has(name)) out << std::string_view(name).substr(2) << ' ' << given.value(name, "") << '\n';
    out << '\n';
}

/// Below the table: of every case what --path and --histogram ask for.
void print_more(const simulation_request& r, const simulated_case& c, const simulated& s, std::ostream& out) {
    if (!r.path && !r.histogram) return;
    out << '\n' << title_of(r, c) << '\n';
    if (r.path) print_path(s.first, out);
    if (!r.histogram) return;
    std::vector<tutti::ticks> times = s.first.finish;
    if (r.repeat > 1) {
        times.clear();
        for (const double us : s.completions_us) times.push_back(tutti::to_ticks(us));
    }
    out << (r.repeat == 1 ? "When ranks are done:\n" : "When the last rank is done:\n");
    print_histogram(times, out);
}

/// work(progress, watcher of a simulation), while whoever waits for it sees how far it is.
void waiting(const simulation_request& r, const surroundings& with,
             const std::function<void(progress&, tutti::watcher)>& work) {
    progress shown(with, "simulate", r.cases.size() * static_cast<std::size_t>(r.repeat));
    const auto part = [&](double done) { shown.part(done); };
    shown.during([&] { work(shown, tutti::watcher(part)); });
}

/// The network beside the schedule, unless it is too large to be drawn: the time line has its links all the
/// same.
std::optional<tutti::page_network> drawn_network(const simulation_request& r, const simulated_case& c) {
    if (!r.network || static_cast<std::size_t>(r.network->links()) > tutti::page_extras::most_links)
        return {};
    return r.network->on_page(tutti::placement::on_nodes(
        r.network->nodes(), {r.where.nodes.begin(), r.where.nodes.begin() + c.size}));
}

/// Everything but the table and GOAL.
void print_one(const simulation_request& r, const surroundings& with, std::ostream& out) {
    const simulated_case& c = r.cases.front();
    const schedule all = c.all();
    const tutti::block_bytes bytes = c.blocks(all);
    const std::string title = title_of(r, c);
    if (r.format == "dot") {
        out << tutti::dot_text(all, title);
    } else {
        tutti::simulation_result result;
        const char* const advice = "fewer by --size; --format text and trace show more";
        waiting(r, with, [&](progress&, tutti::watcher watch) {
            result = simulate_once(all, bytes, options_for(r, c, watch), r.where);
        });
        const auto picture = [&] {
            return tutti::timeline_svg(result, {.title = title},
                                       r.network ? r.network->link_names() : std::vector<std::string>());
        };
        if (r.format == "trace") {
            out << tutti::chrome_trace(result, r.with.machine, title, ", " + json_origin("simulate"));
        } else if (r.format == "svg") {
            out << advised(advice, picture);
        } else if (r.format == "html") {
            out << advised(advice, [&] {
                const tutti::page_extras extras{
                    .network = drawn_network(r, c), .timeline = picture(), .bytes = bytes};
                if (!c.by.relation.empty())
                    return tutti::schedule_html(relation_named(c.by.relation, c.size), all, {.title = title},
                                                extras);
                return tutti::schedule_html(c.by.entry->what, all, {.title = title}, extras);
            });
        } else {
            flowing text(out);
            text << title << '\n';
            print_activities(result.timeline, text);
        }
    }
}

void print_cases(const simulation_request& r, const arguments& given, surroundings& with, std::ostream& out) {
    table t = table_of_cases();
    std::ostringstream more;
    std::string paths; // of the rows, for programs
    waiting(r, with, [&](progress& shown, tutti::watcher watch) {
        for (const simulated_case& c : r.cases) {
            const schedule all = c.all();
            const simulated s = simulate_case(all, c.blocks(all), options_for(r, c, watch), r.where, r.repeat,
                                              [&] { shown.step(); });
            t.add(row_of(r, c, s, given));
            if (!given.has("--json"))
                print_more(r, c, s, more);
            else if (r.path)
                paths.append(paths.empty() ? "\n  " : ",\n  ").append(path_json(s.first));
        }
    });
    const bool sorted = !given.has("--json") && !is_folded(t, given); // paths go by the order of the rows
    t.compare("completion_us", {"collective", "size", "root", "relation", "bytes"}, sorted);
    if (!given.has("--json")) print_setting(r, given, out);
    if (r.path) paths = ", \"paths\": [" + paths + "\n]";
    print(t, "simulate", given, out, paths);
    flowing(out) << more.view();
}

void print_chart(const simulation_request& r, const arguments& given, const surroundings& with,
                 std::ostream& out) {
    std::vector<charted_price> ends;
    waiting(r, with, [&](progress& shown, tutti::watcher watch) {
        for (const simulated_case& c : r.cases) {
            const schedule all = c.all();
            const simulated s = simulate_case(all, c.blocks(all), options_for(r, c, watch), r.where, r.repeat,
                                              [&] { shown.step(); });
            ends.push_back({c.by.entry->what, c.size, c.bytes, std::string(c.by.entry->name), c.by.with,
                            s.completion_us(), true});
        }
    });
    const auto order = [](const charted_price& p) { return std::tuple(p.what, p.size, p.bytes); };
    std::stable_sort(ends.begin(), ends.end(),
                     [&](const charted_price& a, const charted_price& b) { return order(a) < order(b); });
    std::string title = "Simulated on the machine " + r.on.name;
    if (r.network) title.append(" and a ").append(r.network->name);
    if (const std::string_view relation = charted_relation(r); !relation.empty())
        title.append(", multicasts: ").append(relation);
    if (r.repeat > 1) title.append(", means of ").append(std::to_string(r.repeat));
    if (r.format != "table") {
        out << drawn_as(r.format, {title, "simulate", "completion_us", r.map}, ends);
    } else if (given.has("--json")) {
        print(table_of_best(ends, "completion_us"), "simulate", given, out,
              ", \"machine\": " + in_quotes(r.on.name));
    } else {
        print_setting(r, given, out);
        print_map(ends, out);
    }
}

outcome simulate(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> all = with_multicasts(with.catalogue);
    simulation_request r = requested(given, all);
    if (r.network) r.where.on = &*r.network; // stays where it is from now on
    if (r.format == "goal") {
        const simulated_case& c = r.cases.front();
        const schedule written = c.all();
        print_goal(written, c.blocks(written), r.with, title_of(r, c), "simulate", given, with);
        return outcome::fine;
    }
    write_output(given, with, [&](std::ostream& out) {
        if (r.charted())
            print_chart(r, given, with, out);
        else if (r.format == "table")
            print_cases(r, given, with, out);
        else
            print_one(r, with, out);
    });
    return outcome::fine;
}

} // namespace

const verb simulate_verb{
    .name = "simulate",
    .summary = "when a collective is done at scale: every message, with late ranks and noise",
    .details = details,
    .options = options,
    .run = simulate,
};

} // namespace program
