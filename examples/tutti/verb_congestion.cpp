// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "congestion_report.hpp"
#include "link_meter.hpp"
#include "network_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "traffic.hpp"
#include "verbs.hpp"
#include <tutti/core/error.hpp>

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        fat_tree_option,
        xgft_option,
        torus_option,
        dragonfly_option,
        routing_option,
        missing_option,
        ranks_option,
        {"--embedding", "compact|slots",
         "permutations of ranks (default), or of nodes, skipping missing ones"},
        {"--permutation", "P", "shift:K, xor:J, exchange:D, quarter:2,3,0,1 or table:1,2,0,.."},
        {"--collective", "all|NAME,...", "instead: all rounds of a collective; allgather by default"},
        algorithm_option,
        root_option,
        relation_option,
    },
    {
        {"--bytes", "N", "count bytes, too: so many in each block (a permutation's message is one block)"},
        {"--round", "I", "look at the links of this round; at those of the worst by default"},
        {"--worst", "N",
         "how many of the links that more than one message takes to name, with these messages; 3 by default"},
        {"--format", "table|svg",
         "svg draws the network, its links and the ways of the messages that "
         "share the worst one; table by default"},
        output_option,
        each_option,
        json_option,
    });

constexpr const char* details =
    "Exactly one network, and either --permutation or --algorithm. K, J and D may be lists as in 1..8,16, "
    "or\n"
    "all: shift:all is every shift but 0. quarter sends parts of the ranks to parts, table each rank to the\n"
    "one listed (-1: to nobody). With --embedding slots the rounds are those of as many ranks as there are\n"
    "nodes, and what would go to or come from a missing node is left out; only allgathers and\n"
    "multicasts by direct, prefix_send and kprefix can do that. Congestion is no failure: ends with 0.\n\n"
    "Columns: relation (of a multicast: see tutti verify --help), round, permutation (that the messages are, "
    "if it has a name), messages, max_load (messages on\n"
    "the link that carries most), max_bytes (bytes on the link that carries most), max_hops (links on the\n"
    "longest way), links_loaded (that carry a message), free (no link carries two). Loads are messages.\n"
    "With --routing adaptive, where routes are not fixed, max_load is the worst that can happen on the way\n"
    "down (or up, where links are too few), on slimmed trees an upper bound of that; free says whether no\n"
    "choice of ports leads to contention, and possible whether some choice avoids it. JSON has what stands "
    "above the table in each row: network,\n"
    "routing, missing (nodes), embedding, size (ranks), root, bytes (of a block). Behind the rows "
    "worst_links\n"
    "has the links that --worst and --round name, those that carry most first: row (from 0, the one whose\n"
    "messages these are), link (its name), load, and all messages that share it: round, from, to (ranks),\n"
    "bytes (null without --bytes). It is empty where nobody meets, and under adaptive routing, whose\n"
    "messages have no fixed way.\n\n"
    "Example: tutti congestion --fat-tree 4,3 --routing d-mod-k --permutation shift:8 --missing 5,9\n";

std::optional<std::int64_t> number_if_given(const arguments& given, std::string_view name,
                                            number_range allowed) {
    if (!given.has(name)) return std::nullopt;
    return one_number(name, given.value(name, ""), allowed);
}

std::vector<std::function<traffic()>> chosen_traffic(const arguments& given, algorithms catalogue,
                                                     const embedding& where, tutti::rank_type root,
                                                     std::int64_t bytes) {
    if (given.has("--permutation")) {
        std::vector<std::string_view> of_schedules{"--collective", "--algorithm", "--root", "--relation"};
        for (const option& o : node_options) of_schedules.push_back(o.name);
        for (const option& o : options_of(catalogue)) of_schedules.push_back(o.name);
        for (const std::string_view name : of_schedules)
            if (given.has(name))
                throw tutti::argument_error(std::string(name), "given with --permutation",
                                            "one of the two: --permutation is no schedule");
        return {[one = permutations(given.value("--permutation", ""), where, bytes)] { return one; }};
    }
    if (!given.has("--collective") && !given.has("--algorithm"))
        throw tutti::argument_error("--permutation", "not given",
                                    "shift:K, xor:J, exchange:D, quarter:2,3,0,1, table:1,2,0,..; or "
                                    "--algorithm NAME for all rounds of a schedule");
    std::vector<std::function<traffic()>> all;
    const std::vector<candidate> chosen = candidates(given, catalogue, untold::defaults, "allgather");
    for (const candidate& c : with_relations(multicasts_if_named(chosen, given), given))
        all.push_back(
            [=] { return schedule_of(c, where, tutti::has_root(c.entry->what) ? root : 0, bytes); });
    return all;
}

congestion_request requested(const arguments& given, algorithms catalogue) {
    network_choice on = chosen_network(given);
    tutti::placement at = chosen_placement(given, on.nodes());
    const std::string_view kind = given.value("--embedding", "compact");
    if (kind != "compact" && kind != "slots")
        throw tutti::argument_error("--embedding", "'" + std::string(kind) + "'", "compact, slots");
    const std::string_view format = given.value("--format", "table");
    if (format != "table" && format != "svg")
        throw tutti::argument_error("--format", "'" + std::string(format) + "'", "table, svg");
    const bool draw = format == "svg";
    if (draw && given.has("--json"))
        throw tutti::argument_error("--json", "given with --format svg", "one of the two");
    constexpr tutti::link_index most_drawn = 1 << 15;
    if (draw && on.links() > most_drawn)
        throw tutti::argument_error("--format", "svg of " + std::to_string(on.links()) + " links",
                                    "svg of at most " + std::to_string(most_drawn));

    constexpr std::int64_t many = 1 << 30; // sums over many blocks and messages must not overflow
    const auto bytes = number_if_given(given, "--bytes", {0, many, true});
    if (bytes && on.adaptive)
        throw tutti::argument_error("--bytes", "given with --routing adaptive",
                                    "with fixed routes: bytes on a link depend on them");
    embedding where{.at = std::move(at), .slots = kind == "slots"};
    const auto root = static_cast<tutti::rank_type>(
        number_if_given(given, "--root", {0, where.at.ranks() - 1}).value_or(0));
    congestion_request r{
        .on = std::move(on),
        .where = where,
        .missing = 0,
        .missing_text = std::string(given.value("--missing", "")),
        .root = root,
        .bytes = bytes,
        .round = {},
        .worst = static_cast<std::size_t>(number_if_given(given, "--worst", {0, 1000000}).value_or(3)),
        .draw = draw,
        .makers = chosen_traffic(given, catalogue, where, root, bytes.value_or(0))};
    if (given.has("--missing"))
        r.missing = static_cast<std::int64_t>(
            numbers("--missing", given.value("--missing", ""), {0, r.on.nodes() - 1}).size());
    if (given.has("--round") && r.makers.size() > 1)
        throw tutti::argument_error("--round", "given with " + std::to_string(r.makers.size()) + " schedules",
                                    "one schedule");
    return r;
}

table table_of_rounds() {
    return table({{.key = "network", .identifies = true},
                  {.key = "routing", .identifies = true},
                  {.key = "missing"},
                  {.key = "embedding"},
                  {.key = "collective", .identifies = true},
                  {.key = "algorithm", .identifies = true},
                  {.key = "parameters", .identifies = true},
                  {.key = "size"},
                  {.key = "root"},
                  {.key = "relation"},
                  {.key = "bytes"},
                  {.key = "round"},
                  {.key = "permutation"},
                  {.key = "messages"},
                  {.key = "max_load"},
                  {.key = "max_bytes"},
                  {.key = "max_hops"},
                  {.key = "links_loaded"},
                  {.key = "free"},
                  {.key = "possible"}});
}

/// For people what is the same in all rows stands above the table, once.
row row_of(const congestion_request& r, const traffic& t, tutti::round_index round, const round_traffic& now,
           const measured& m, bool for_people) {
    const auto constant = [for_people](cell c) { return for_people ? cell() : c; };
    const auto text_or_none = [](const std::string& s) { return s.empty() ? cell() : cell(s); };
    const candidate* const by = t.schedule ? &*t.schedule : nullptr;
    return {constant(r.on.name),
            constant(r.on.routing),
            constant(r.missing),
            constant(std::string(r.where.slots ? "slots" : "compact")),
            by ? cell(std::string(tutti::name_of(by->entry->what))) : cell(),
            by ? cell(std::string(by->entry->name)) : cell(),
            by ? cell(by->with) : cell(),
            constant(std::int64_t{r.where.at.ranks()}),
            by && tutti::has_root(by->entry->what) ? constant(std::int64_t{r.root}) : cell(),
            by && !by->relation.empty() ? cell(std::string(by->relation)) : cell(),
            r.bytes ? constant(*r.bytes) : cell(),
            round,
            text_or_none(now.permutation),
            m.figures.messages,
            m.figures.max_load,
            r.bytes ? cell(m.figures.max_bytes) : cell(),
            std::int64_t{m.figures.max_hops},
            m.links_loaded ? cell(*m.links_loaded) : cell(),
            m.figures.free(),
            text_or_none(m.possible)};
}

void print_all(const congestion_request& r, const table& t, const std::vector<totals>& sums,
               const shown_round& shown, const arguments& given, std::ostream& out) {
    if (r.draw) {
        draw_links(r, shown, out);
    } else if (given.has("--json")) {
        print(t, "congestion", given, out, json_of_links(r, shown));
    } else {
        flowing text(out);
        text << where_in_words(r) << "\n\n";
        if (!t.rows().empty()) {
            print(t, "congestion", given, text);
            text << '\n';
        }
        for (std::size_t k = 0; k < r.all.size(); ++k) print_summary(r.all[k], sums[k], text);
        if (shown.any()) print_links(r, shown, text);
    }
}

outcome congestion(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> all = with_multicasts(with.catalogue);
    congestion_request r = requested(given, all);
    const std::unique_ptr<link_meter> meter = make_meter(r.on, r.where.at, r.bytes.has_value());
    table t = table_of_rounds();
    shown_round shown;
    std::vector<totals> sums(r.makers.size());
    std::optional<progress> waited(std::in_place, with, "congestion", r.makers.size());
    for (std::size_t k = 0; k < r.makers.size(); ++k, waited->step()) {
        r.all.push_back(r.makers[k]());
        traffic& one = r.all.back();
        r.round = number_if_given(given, "--round", {0, one.rounds - 1});
        for (tutti::round_index i = 0; i < one.rounds; ++i) {
            waited->part(static_cast<double>(i) / static_cast<double>(one.rounds));
            const round_traffic now = one.round(i);
            const measured m = meter->measure(now);
            if (m.figures.max_load > sums[k].figures.worst.max_load) sums[k].worst = i;
            sums[k].figures.add(m.figures);
            sums[k].names.push_back(now.permutation);
            const bool wanted =
                r.round ? i == *r.round : !shown.any() || m.figures.max_load > shown.what.figures.max_load;
            if (wanted)
                shown = {.of = k,
                         .row = t.rows().size(),
                         .round = i,
                         .permutation = now.permutation,
                         .what = m,
                         .links = meter->links(r.worst)};
            t.add(row_of(r, one, i, now, m, !given.has("--json")));
        }
        one.round = nullptr; // and with it the schedule, before the next is made
        r.makers[k] = nullptr;
    }
    waited.reset(); // before anything is printed

    write_output(given, with, [&](std::ostream& out) { print_all(r, t, sums, shown, given, out); });
    return outcome::fine;
}

} // namespace

const verb congestion_verb{
    .name = "congestion",
    .summary = "how messages load the links of a network, round by round",
    .details = details,
    .options = options,
    .run = congestion,
};

} // namespace program
