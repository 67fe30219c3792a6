// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/chrome_trace.hpp>
#include <tutti/render/comparison_html.hpp>
#include <tutti/render/dot.hpp>
#include <tutti/render/msccl_xml.hpp>
#include <tutti/render/schedule_drawing.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/render/schedule_svg.hpp>
#include <tutti/render/schedule_text.hpp>
#include <tutti/render/schedule_window.hpp>
#include <tutti/render/timeline_svg.hpp>

#include "comparison.hpp"
#include "json.hpp"
#include "machine_choice.hpp"
#include "network_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "schedule_json.hpp"
#include "simulating.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        {"--collective", "NAME",
         "which collective; need not be named if only one, multicast aside, has the algorithm: 'tutti list' "
         "tells"},
        {"--algorithm", "NAME", "which algorithm; need not be named if the collective has only one"},
        {"--size", "N", "ranks; 8 by default"},
        root_option,
        {"--compare", "NAME,NAME",
         "html: instead of --algorithm, two side by side; or one, of which an option has two values"},
        one_relation_option,
    },
    {
        {"--format", "NAME", "text (default), dot, svg, html, goal, msccl or trace"},
        {"--picture", "rounds|tree",
         "svg, dot: ranks as lines and rounds as columns, or a tree; what fits by default"},
        {"--rank", "N", "text and JSON: only what this rank does"},
        {"--ranks", "A..B",
         "text, svg, dot and JSON: only these ranks, and whom they send to and receive from"},
        {"--rounds", "A..B", "text, svg, dot and JSON: only these rounds"},
        {"--width", "PIXELS",
         "svg: rounds stand in rows, so that the picture is no wider, 640..10000, where one round a row is "
         "not"},
        {"--fold", "",
         "svg, text: one row or line for ranks in a row that do the same, with peers and blocks counted from "
         "themselves"},
        fat_tree_option,
        xgft_option,
        torus_option,
        dragonfly_option,
        routing_option,
        missing_option,
        {"--bytes", "N",
         "bytes of the whole vector: for goal, trace and simulations 8 by default; the words of text, svg "
         "and html count bytes if it is given, else blocks. With --compare also those priced"},
        element_bytes_option,
        {"--machine", "NAME|FILE",
         "goal, trace: a machine with the model loggops, which is the default; html: simulate on it, too, "
         "and with --compare price on it instead of on threads"},
        {"--in-place", "yes|no",
         "msccl: for calls whose input and output are the same memory; yes by default for allreduce, bcast "
         "and "
         "reduce, as PyTorch calls them, no for the others; gather and scatter are written for both"},
        {"--protocol", "Simple|LL|LL128", "msccl: of NCCL; Simple by default"},
        {"--min-bytes", "N", "msccl: for calls of so many bytes at least; 0 by default"},
        {"--max-bytes", "N",
         "msccl: and at most; by default 1024G, or 128M where it needs scratch, which MSCCL sets aside"},
        output_option,
        {"--json", "", "instead: every step of every rank as a row of one JSON object"},
    });

constexpr const char* details =
    "Writes one schedule: one collective, one algorithm with one value of each parameter, one size and "
    "root.\n\n"
    "  text   who sends what to whom, round by round, and in words what each round and each phase does\n"
    "  svg    a picture: what every rank holds after every round, or the tree that the messages make\n"
    "  html   one page, for any browser and without a network, that steps through the rounds; with "
    "--fat-tree,\n"
    "         --xgft, --torus or --dragonfly the loads of the links in each round and the ways of messages,\n"
    "         with --machine the time line\n"
    "         of a simulation, with --compare two schedules, stepped through together, and their figures\n"
    "  dot    for Graphviz\n"
    "  goal   for LogGOPSim\n"
    "  msccl  for MSCCL, on GPUs\n"
    "  trace  a simulation as a Chrome trace, for Perfetto\n\n"
    "JSON: collective, algorithm, parameters, size, root, rounds and blocks (into which the vector is cut); "
    "each\n"
    "row has round, rank, kind (send, recv, recv_reduce, copy, reduce), peer, side (left, right: which "
    "operand "
    "comes\n"
    "in), buffer (work, input, scratch), source (of a copy or reduce), blocks: [first, count], ...\n\n"
    "In svg and html \"A-D of 0-3\" is the fold of the blocks A to D of the ranks 0 to 3, \"b11\" block 11 "
    "where\n"
    "letters do not suffice, \"5/9 blocks\" five of nine; \"scratch A of 0-1\" lies beside what becomes the "
    "result.\n"
    "In an alltoall, a gather and a scatter a block has the colour of the rank it comes from (scatter: is "
    "for).\n"
    "They show up to 256 ranks and 20000 messages; of larger schedules svg and dot show a part, by --ranks "
    "and\n"
    "--rounds. docs/showing.md says more.\n\n"
    "Example: tutti show --collective reduce --algorithm fnomial --radix 4 --size 16 --format svg\n";

constexpr std::array<std::string_view, 7> formats{"text", "dot", "svg", "html", "goal", "msccl", "trace"};

/// What was asked for, checked.
struct show_request {
    candidate by{};
    std::optional<candidate> beside{}; ///< what it is compared with
    tutti::rank_type size = 8;
    tutti::rank_type root = 0;
    std::string_view relation{};          ///< the name
    std::optional<tutti::relation> who{}; ///< of a multicast
    std::int64_t bytes = 8;
    std::int64_t element_bytes = 8;
    bool told_in_bytes = false;         ///< what rounds send; else in blocks
    std::vector<std::int64_t> priced{}; ///< bytes of vectors, ascending, where two are compared
    std::string_view format{};
    tutti::schedule_picture picture = tutti::schedule_picture::fitting;
    bool json = false;
    std::optional<tutti::rank_type> rank{};
    tutti::schedule_window shown{};
    bool fold = false;
    tutti::msccl_options msccl{};
    std::optional<tutti::machine> on{};      ///< if one was named
    std::optional<tutti::loggops> machine{}; ///< its parameters
    std::optional<network_choice> network{};
    std::optional<tutti::placement> where{};

    schedule all() const {
        return schedule([this](tutti::place at) { return by.make(at); }, size, root);
    }
};

std::string counted(std::int64_t n, const char* what) {
    return std::to_string(n).append(" ").append(what).append(n == 1 ? "" : "s");
}

/// "ring" or "fnomial radix=2 segments=1"
std::string name_of(const candidate& c) {
    const std::string with = text_of(c.with);
    return std::string(c.entry->name).append(with.empty() ? "" : " ").append(with);
}

/// "allreduce ring, reduce ring"
std::string listed(const std::vector<candidate>& list, bool with_collectives, bool with_parameters) {
    std::string names;
    for (const candidate& c : list) {
        names.append(names.empty() ? "" : ", ");
        if (with_collectives) names.append(tutti::name_of(c.entry->what)).append(" ");
        names.append(with_parameters ? name_of(c) : std::string(c.entry->name));
    }
    return names;
}

/// The one that is meant.
candidate chosen_algorithm(const arguments& given, algorithms catalogue) {
    if (!given.has("--collective") && !given.has("--algorithm")) {
        std::vector<std::string_view> names;
        for (const tutti::collective c : tutti::all_collectives) names.push_back(tutti::name_of(c));
        names.push_back(tutti::name_of(tutti::collective::multicast));
        throw tutti::argument_error("--collective", "not given", "one of " + joined(names));
    }
    const std::vector<candidate> list =
        candidates(given, catalogue, untold::defaults, "all", "--algorithm", all_is::hidden);
    if (list.size() == 1) return list.front();
    const candidate& first = list.front();
    const auto differ = [&](auto&& of) {
        return std::any_of(list.begin(), list.end(), [&](const candidate& c) { return of(c) != of(first); });
    };
    const bool collectives = differ([](const candidate& c) { return c.entry->what; });
    const bool parameters = !differ([](const candidate& c) { return c.entry; });
    std::string words =
        collectives ? "--collective " + std::string(tutti::name_of(first.entry->what)) + " " : "";
    words.append("--algorithm ").append(typed_name(first.entry->name));
    if (parameters)
        for (const auto& [name, value] : first.with)
            words.append(" --").append(name).append(" ").append(std::to_string(value));
    const std::string named =
        given.has("--algorithm") ? "'" + std::string(given.value("--algorithm", "")) + "'" : "not given";
    throw tutti::argument_error("--algorithm", named + ", of " + std::to_string(list.size()) + " schedules",
                                "one of them, as by " + words + ": " + listed(list, collectives, parameters));
}

/// The two that are meant.
std::pair<candidate, candidate> compared_algorithms(const arguments& given, algorithms catalogue) {
    if (given.has("--algorithm"))
        throw tutti::argument_error("--algorithm", "given with --compare", "one of the two");
    const std::vector<candidate> list =
        candidates(given, catalogue, untold::defaults, "all", "--compare", all_is::hidden);
    if (list.size() == 2 && list[0].entry->what == list[1].entry->what) {
        const std::string_view named = given.value("--compare", "");
        const bool turned = // from how they are listed
            named.substr(0, named.find(',')) != typed_name(list[0].entry->name);
        return {list[turned ? 1 : 0], list[turned ? 0 : 1]};
    }
    throw tutti::argument_error("--compare",
                                "that of " + counted(static_cast<std::int64_t>(list.size()), "schedule")
                                    + ", " + listed(list, !given.has("--collective"), true),
                                "two algorithms of one collective, or one with two values of one of its "
                                "options");
}

void choose_relation(show_request& r, const arguments& given) {
    if (r.by.entry->what != tutti::collective::multicast) {
        if (given.has("--relation"))
            throw tutti::argument_error("--relation", "given", "with --collective multicast");
        return;
    }
    r.relation = one_word("--relation", given.value("--relation", "everybody"), relation_names);
    r.who = relation_named(r.relation, r.size);
    const auto over = [&](candidate c) {
        c.relation = r.relation;
        return over_relation(c, r.size);
    };
    r.by = over(r.by);
    if (r.beside) r.beside = over(*r.beside);
}

/// Options that would have no effect are mistakes.
void check_used(const arguments& given, std::string_view name, bool used, const char* allowed) {
    if (given.has(name) && !used)
        throw tutti::argument_error(std::string(name),
                                    "given with --format " + std::string(given.value("--format", "text")),
                                    allowed);
}

constexpr std::array network_options{"--fat-tree", "--xgft", "--torus", "--dragonfly"};

bool has_network(const arguments& given) {
    return std::any_of(network_options.begin(), network_options.end(),
                       [&](const char* name) { return given.has(name); });
}

void choose_network(show_request& r, const arguments& given) {
    if (!has_network(given)) {
        for (const char* name : {"--routing", "--missing"})
            if (given.has(name))
                throw tutti::argument_error(name, "given without a network",
                                            "with --fat-tree, --xgft, --torus or --dragonfly");
        return;
    }
    r.network = chosen_network(given);
    if (r.network->adaptive)
        throw tutti::argument_error("--routing", "'adaptive'", "d-mod-k, s-mod-k: loads need fixed routes");
    const tutti::placement present = chosen_placement(given, r.network->nodes());
    if (r.size > present.ranks())
        throw tutti::argument_error("--size", std::to_string(r.size),
                                    "at most " + std::to_string(present.ranks())
                                        + ", the nodes of the network that are there");
    std::vector<tutti::node_type> nodes;
    for (tutti::rank_type rank = 0; rank < r.size; ++rank) nodes.push_back(present.node_of(rank));
    r.where = tutti::placement::on_nodes(r.network->nodes(), std::move(nodes));
}

/// What to type where a picture of a vector of so many blocks is refused.
std::string advice_for(const show_request& r, tutti::block_index blocks, tutti::round_index rounds) {
    if (r.size * blocks > tutti::detail::most_executed)
        return "fewer by --size; --format text --rank 0 shows what one rank does";
    if (r.format == "html")
        return "fewer by --size; --format svg and dot draw parts, by --ranks and --rounds";
    const std::int64_t ranks = std::clamp<std::int64_t>(
        tutti::detail::most_drawn_blocks / std::max<std::int64_t>(blocks, 1), 1, std::min(r.size, 64));
    std::string text = "parts of it by --ranks 0.." + std::to_string(ranks - 1);
    if (rounds > 1)
        text.append(" and --rounds 0..").append(std::to_string(std::min<tutti::round_index>(rounds, 4) - 1));
    if (!r.fold) text.append(", ranks that are alike as one row by --fold");
    return text.append(", fewer by --size; --format text, dot and --json show more");
}

/// By --fold. All steps are read for that: a schedule too large for a picture is refused before.
tutti::schedule_window folded(const show_request& r) {
    const schedule all = r.all();
    return advised(advice_for(r, all.blocks(), all.rounds()), [&] {
        tutti::detail::check_blocks(all);
        return tutti::fold_alike(all, r.shown);
    });
}

/// Whether rows, and what rounds do in words, are told: of all ranks that are shown.
bool has_rows(const show_request& r, const arguments& given) {
    return r.format == "svg" || (r.format == "text" && !given.has("--rank") && !given.has("--json"));
}

/// By --rank, --ranks and --rounds.
void choose_window(show_request& r, const arguments& given) {
    const bool has_parts = r.format == "text" || r.format == "svg" || r.format == "dot"; // JSON has no format
    for (const char* name : {"--ranks", "--rounds"})
        check_used(given, name, has_parts, "with --format text, svg or dot, or --json");
    check_used(given, "--rank", r.format == "text", "with --format text or --json");
    if (given.has("--rank") && given.has("--ranks"))
        throw tutti::argument_error("--rank", "given with --ranks", "one of the two");
    if ((given.has("--ranks") || given.has("--rounds")) && r.picture == tutti::schedule_picture::tree)
        throw tutti::argument_error("--picture", "'tree'", "rounds with --ranks or --rounds");
    for (const char* name : {"--rank", "--ranks"}) {
        if (!given.has(name)) continue;
        const auto [first, last] = one_range(name, given.value(name, ""), {0, r.size - 1});
        r.shown.first_rank = static_cast<tutti::rank_type>(first);
        r.shown.last_rank = static_cast<tutti::rank_type>(last);
    }
    if (given.has("--rank")) {
        if (r.shown.ranks() != 1)
            throw tutti::argument_error("--rank", std::string(given.value("--rank", "")),
                                        "one number; --ranks for several");
        r.rank = r.shown.first_rank;
    }
    check_used(given, "--fold", has_rows(r, given), "with --format svg, or text without --rank");
    if (given.has("--fold") && r.picture == tutti::schedule_picture::tree)
        throw tutti::argument_error("--picture", "'tree'", "rounds with --fold");
    r.fold = given.has("--fold");
    check_used(given, "--width", r.format == "svg" && r.picture != tutti::schedule_picture::tree,
               "with --format svg, for pictures of rounds");
    const auto width =
        static_cast<double>(one_number("--width", given.value("--width", "640"), {640, 10000}));
    if (r.fold) r.shown = folded(r);
    if (given.has("--width")) r.shown.most_width = width;
    if (!given.has("--rounds")) return;
    const tutti::round_index rounds = r.all().rounds();
    if (rounds == 0)
        throw tutti::argument_error("--rounds", "given", "left out: this schedule has no rounds");
    std::tie(r.shown.first_round, r.shown.last_round) =
        one_range("--rounds", given.value("--rounds", ""), {0, rounds - 1});
}

/// What MSCCL's executors take an algorithm for; see tutti::msccl_options.
tutti::msccl_options chosen_msccl(const arguments& given, std::string_view format, tutti::collective what) {
    for (const char* name : {"--in-place", "--protocol", "--min-bytes", "--max-bytes"})
        check_used(given, name, format == "msccl", "with --format msccl");
    using tutti::collective;
    const bool usual =
        what == collective::allreduce || what == collective::bcast || what == collective::reduce;
    const std::string_view in_place = given.value("--in-place", usual ? "yes" : "no");
    if (in_place != "yes" && in_place != "no")
        throw tutti::argument_error("--in-place", "'" + std::string(in_place) + "'", "yes, no");
    constexpr std::int64_t most = std::int64_t{1} << 60;
    tutti::msccl_options chosen;
    chosen.in_place = in_place == "yes";
    chosen.protocol = given.value("--protocol", chosen.protocol);
    chosen.min_bytes = one_number("--min-bytes", given.value("--min-bytes", "0"), {0, most, true});
    if (given.has("--max-bytes"))
        chosen.max_bytes =
            one_number("--max-bytes", given.value("--max-bytes", ""), {chosen.min_bytes + 1, 2 * most, true});
    return chosen;
}

/// What is wrong, in the words of the command line.
std::string msccl_of(const show_request& r, const schedule& all, const std::string& title) {
    tutti::msccl_options with = r.msccl;
    with.name = title;
    try {
        return tutti::msccl_xml(all, r.by.entry->what, with);
    } catch (const tutti::argument_error& e) {
        if (e.argument() == "in_place")
            throw tutti::argument_error("--in-place", "yes", "no: this schedule reads the input");
        if (e.argument() == "collective")
            throw tutti::argument_error("--format", "msccl, which has no " + e.value(),
                                        e.allowed()
                                            + "; of others --format goal and --json list all messages");
        if (e.argument() == "protocol")
            throw tutti::argument_error("--protocol", "'" + with.protocol + "'", e.allowed());
        throw;
    }
}

show_request requested(const arguments& given, algorithms catalogue) {
    constexpr std::int64_t most_ranks = 1 << 16; // text of more nobody reads; simulate takes more
    constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
    show_request r;
    r.format = one_word("--format", given.value("--format", "text"), formats);
    const bool html = r.format == "html";
    const bool compared = given.has("--compare");
    check_used(given, "--compare", html, "with --format html");
    if (compared)
        std::tie(r.by, r.beside) = compared_algorithms(given, catalogue);
    else
        r.by = chosen_algorithm(given, catalogue);
    r.size = static_cast<tutti::rank_type>(one_number(
        "--size", sizes_text(given, "8"), {1, most_ranks, true, "tutti simulate takes up to 64M ranks"}));
    check_used(given, "--root", tutti::has_root(r.by.entry->what) || given.value("--root", "0") == "0",
               "with bcast or reduce");
    r.root = static_cast<tutti::rank_type>(one_number("--root", given.value("--root", "0"), {0, r.size - 1}));
    if (r.by.entry->what == tutti::collective::multicast && !given.has("--ranks") && !given.has("--fold")
        && (html || r.format == "svg")) // a relation lists all pairs
        advised(advice_for(r, r.size, 0), [&] {
            tutti::detail::refuse_above("ranks in a picture", r.size, tutti::detail::most_drawn_ranks);
        });
    choose_relation(r, given);
    r.element_bytes =
        one_number("--element-bytes", given.value("--element-bytes", "8"), {1, std::int64_t{1} << 20, true});
    r.bytes =
        one_number("--bytes", given.value("--bytes", std::to_string(r.element_bytes)), {0, most_bytes, true});
    if (r.bytes % r.element_bytes != 0)
        throw tutti::argument_error("--bytes", std::to_string(r.bytes),
                                    "multiples of --element-bytes, " + std::to_string(r.element_bytes));

    r.msccl = chosen_msccl(given, r.format, r.by.entry->what);
    const bool timed = html || r.format == "goal" || r.format == "trace";
    const bool simulated = timed && (!html || compared || given.has("--machine"));
    r.told_in_bytes = given.has("--bytes") && r.by.entry->what != tutti::collective::barrier
                      && (html || has_rows(r, given));
    check_used(given, "--picture", r.format == "svg" || r.format == "dot", "with --format svg or dot");
    if (given.has("--json") && given.has("--format"))
        throw tutti::argument_error("--json", "given with --format " + std::string(r.format),
                                    "one of the two");
    r.json = given.has("--json");
    check_used(given, "--machine", timed, "with --format html, goal or trace");
    for (const char* name : {"--bytes", "--element-bytes"})
        check_used(given, name, r.told_in_bytes || simulated,
                   "with --format goal or trace, or html with --machine or --compare; --bytes, unless of a "
                   "barrier, with html, svg, or text without --rank");
    for (const char* name : network_options) check_used(given, name, html, "with --format html");

    const std::string_view picture = given.value("--picture", "");
    if (picture == "rounds" || picture == "tree")
        r.picture = picture == "tree" ? tutti::schedule_picture::tree : tutti::schedule_picture::rounds;
    else if (given.has("--picture"))
        throw tutti::argument_error("--picture", "'" + std::string(picture) + "'", "rounds, tree");
    choose_window(r, given);
    if (given.has("--machine")) {
        r.on = chosen_machine(given);
        r.machine = loggops_of(*r.on);
    }
    r.priced = {r.bytes};
    if (!given.has("--bytes")) // one element, and others
        for (const std::int64_t n : {4 << 10, 64 << 10, 1 << 20})
            if (const std::int64_t whole = n / r.element_bytes * r.element_bytes; whole > r.priced.back())
                r.priced.push_back(whole);
    choose_network(r, given);
    return r;
}

/// " on 13 ranks, root 2"
std::string placed_text(const show_request& r) {
    std::string text = " on " + counted(r.size, "rank");
    if (r.who) text.append(", ").append(r.relation);
    if (r.root != 0) text.append(", root ").append(std::to_string(r.root));
    return text;
}

/// "allreduce by halving_doubling on 13 ranks"
std::string title_of(const show_request& r) {
    std::string title(tutti::name_of(r.by.entry->what));
    title.append(" by ").append(r.by.entry->name);
    if (const std::string with = text_of(r.by.with); !with.empty())
        title.append(" (").append(with).append(")");
    return title += placed_text(r);
}

/// That, and below it figures and source; all steps are read for the figures.
tutti::picture_heading heading_of(const show_request& r, const schedule& all) {
    tutti::picture_heading heading{.title = title_of(r), .lines = {}};
    std::int64_t messages = 0;
    for (tutti::round_index i = 0; i < all.rounds(); ++i)
        for (tutti::rank_type rank = 0; rank < r.size; ++rank)
            all.emit(rank, i, [&](const tutti::step& s) {
                messages += s.kind == tutti::step_kind::send && !s.continues();
            });
    heading.lines.push_back(counted(all.rounds(), "round").append(", ").append(counted(messages, "message")));
    if (r.by.entry->what != tutti::collective::barrier) {
        std::string& line = heading.lines.back().append(", a vector of ");
        if (r.told_in_bytes) line.append(typed(r.bytes)).append(r.bytes == 1 ? " byte in " : " bytes in ");
        line.append(counted(all.blocks(), "block"));
    }
    heading.lines.back().append(".");
    if (!r.by.entry->source.empty()) heading.lines.back().append(" ").append(r.by.entry->source).append(".");
    if (std::string part = tutti::words_of_window(all, r.shown); !part.empty())
        heading.lines.push_back(std::move(part));
    return heading;
}

tutti::block_bytes bytes_of(const show_request& r, const schedule& all) {
    return tutti::block_bytes::even(r.bytes, all.blocks(), r.element_bytes);
}

/// For the words of rounds.
std::optional<tutti::block_bytes> told_bytes_of(const show_request& r, const schedule& all) {
    if (!r.told_in_bytes) return {};
    return bytes_of(r, all);
}

tutti::simulation_options simulation_of(const show_request& r) {
    tutti::simulation_options how;
    how.machine = r.machine.value_or(tutti::loggops{});
    how.keep_timeline = true;
    how.keep_path = r.format == "html";
    return how;
}

tutti::page_extras extras_of(const show_request& r, const schedule& all) {
    tutti::page_extras with;
    with.bytes = told_bytes_of(r, all);
    if (r.network) with.network = r.network->on_page(*r.where);
    if (r.machine) {
        std::string title = counted(r.bytes, "byte").append(" on ").append(r.on->name);
        contention links; // the loads that the page shows take their time, too
        if (r.network) {
            links.on = &*r.network;
            for (tutti::rank_type rank = 0; rank < r.size; ++rank)
                links.nodes.push_back(r.where->node_of(rank));
            title.append(" with the links of the ").append(r.network->name);
        }
        with.timeline = tutti::timeline_svg(simulate_once(all, bytes_of(r, all), simulation_of(r), links),
                                            {.title = std::move(title)},
                                            r.network ? r.network->link_names() : std::vector<std::string>());
    }
    return with;
}

std::string comparison_of(const show_request& r, const schedule& all) {
    show_request other = r;
    other.by = *r.beside;
    const schedule beside = other.all();
    const auto side = [](const show_request& of, const schedule& its) {
        return tutti::compared_schedule<tutti::any_generator>{
            its, {.title = name_of(of.by), .lines = heading_of(of, its).lines}, extras_of(of, its)};
    };
    const tutti::collective what = r.by.entry->what;
    tutti::picture_heading heading;
    heading.title.append(tutti::name_of(what)).append(placed_text(r)).append(": ");
    heading.title.append(name_of(r.by)).append(" beside ").append(name_of(other.by));
    const tutti::machine& on = r.on ? *r.on : tutti::default_machine();
    if (const std::string remark = priced_on{on, r.size, r.priced.back()}.remark(); !remark.empty())
        heading.lines.push_back("Prices on the machine " + on.name + remark + ".");
    const std::vector<tutti::compared_figure> figures =
        figures_of(what, all, beside, on, r.priced, r.element_bytes);
    if (r.who) return tutti::comparison_html(*r.who, side(r, all), side(other, beside), heading, figures);
    return tutti::comparison_html(what, side(r, all), side(other, beside), heading, figures);
}

std::string page_of(const show_request& r, const schedule& all) {
    if (r.beside) return comparison_of(r, all);
    if (r.who) return tutti::schedule_html(*r.who, all, heading_of(r, all), extras_of(r, all));
    return tutti::schedule_html(r.by.entry->what, all, heading_of(r, all), extras_of(r, all));
}

void print_schedule(const show_request& r, std::ostream& out) {
    const schedule all = r.all();
    const auto picture = [&](auto&& make) { // what is too large is refused before all steps are read
        return advised(advice_for(r, all.blocks(), all.rounds()), [&] {
            tutti::detail::check_size(all, r.shown);
            return make();
        });
    };
    if (r.json) {
        print_json(r.by, all, r.shown, out);
    } else if (r.format == "text" && r.rank) {
        flowing(out) << tutti::schedule_text(all, *r.rank, r.shown);
    } else if (r.format == "text") {
        flowing text(out);
        const tutti::picture_heading heading = heading_of(r, all);
        text << heading.title << '\n';
        for (const std::string& line : heading.lines) text << line << '\n';
        text << '\n'
             << (r.who ? tutti::schedule_text(*r.who, all, r.shown, told_bytes_of(r, all))
                       : tutti::schedule_text(r.by.entry->what, all, r.shown, told_bytes_of(r, all)));
    } else if (r.format == "dot") {
        std::string title = title_of(r);
        if (const std::string part = tutti::words_of_window(all, r.shown); !part.empty())
            title.append("\n").append(part);
        out << tutti::dot_text(all, title, r.picture, r.shown);
    } else if (r.format == "svg") {
        out << picture([&] {
            const tutti::picture_heading heading = heading_of(r, all);
            const std::optional<tutti::block_bytes> bytes = told_bytes_of(r, all);
            return r.who ? tutti::schedule_svg(*r.who, all, heading, r.picture, r.shown, bytes)
                         : tutti::schedule_svg(r.by.entry->what, all, heading, r.picture, r.shown, bytes);
        });
    } else if (r.format == "html") {
        out << picture([&] { return page_of(r, all); });
    } else if (r.format == "msccl") {
        out << msccl_of(r, all, title_of(r));
    } else {
        const tutti::simulation_options how = simulation_of(r);
        out << tutti::chrome_trace(simulate_once(all, bytes_of(r, all), how, {}), how.machine, title_of(r),
                                   ", " + json_origin("show"));
    }
}

outcome show(const arguments& given, surroundings& with) {
    // An algorithm without its collective is not the multicast by it.
    const std::vector<tutti::catalogue_entry> all = with_multicasts(with.catalogue);
    const show_request r = requested(given, given.has("--collective") ? algorithms(all) : with.catalogue);
    if (r.format == "goal") {
        const schedule written = r.all();
        print_goal(written, bytes_of(r, written), simulation_of(r), title_of(r), "show", given, with);
        return outcome::fine;
    }
    std::ostringstream made;
    if (!given.has("--output")) line_width(made) = line_width(with.out);
    std::optional<progress> shown(std::in_place, with, "show", 1);
    shown->during([&] { print_schedule(r, made); });
    shown.reset(); // before anything is printed
    write_output(given, with, [&](std::ostream& out) { out << made.view(); });
    return outcome::fine;
}

} // namespace

const verb show_verb{
    .name = "show",
    .summary = "one schedule as text, picture, page that steps through it, or for other programs",
    .details = details,
    .options = options,
    .run = show,
};

} // namespace program
