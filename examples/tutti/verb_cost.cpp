// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/moody_2003.hpp>
#include <tutti/model/selection.hpp>
#include <tutti/model/tabulate.hpp>

#include "cost_chart.hpp"
#include "machine_choice.hpp"
#include "network_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        machine_option,
        operation_option,
        allreduce_option,
        algorithm_option,
        sizes_option,
        root_option,
        lengths_option,
        {"--elements", "LIST", "instead: elements of the vector"},
        {"--element-bytes", "N", "bytes of an element; those of --operation, else 8"},
        ordered_option,
        same_bits_option,
        {"--unequal-blocks", "", "blocks of different lengths, as in allgatherv"},
        relation_option,
    },
    {
        {"--all-candidates", "", "a line for every candidate, not only for the best of each algorithm"},
        {"--explain", "", "the same"},
        {"--by", "walk|formula",
         "walk through the schedule (default), or the formula of the machine's paper"},
        {"--table", "FILE", "write a decision table for --size and vectors up to the longest of --bytes"},
        {"--check", "FILE", "read a decision table and check it against the algorithms' claims"},
        {"--format", "table|svg|html|vega",
         "instead of the table: a chart of the time of every algorithm over bytes, as picture, as page that "
         "says the values, or as a Vega-Lite spec"},
        {"--map", "", "which algorithm is the best for each size and length, in any format and in JSON"},
        output_option,
        each_option,
        json_option,
    });

constexpr const char* details =
    "Ranks algorithms for each collective, size and length, the best one first. Where no value of an option\n"
    "is named, several are tried (segments near the best length of a pipeline) and the best is shown. Bytes\n"
    "are those of the whole vector: of all blocks together where every rank has one.\n\n"
    "Columns: collective, algorithm, parameters, size, root, relation, bytes, predicted_us (empty if the "
    "algorithm does\n"
    "not cover the request, or was left before the end because it cannot win), formula_us (what the paper "
    "of\n"
    "the machine's model says, where it has a formula for the algorithm), x_best (times the least of that\n"
    "collective, size and length), why (not the best). On a terminal the best stands in bold, unless "
    "NO_COLOR\n"
    "is set. Above the table, and in JSON, stand the machine and what it was not measured with.\n\n"
    "A map has a mark for the fastest algorithm of each size and length, and says below which mark is "
    "whose;\n"
    "its JSON has a row for each: collective, algorithm, parameters, size, bytes, predicted_us.\n\n"
    "A chart has a line for each algorithm, with its best parameters for each length; strip and broken "
    "lines\n"
    "above show which is the best where, and where that changes (between two of --bytes: about). Lengths "
    "are\n"
    "8 to 16M, and sizes of --map 2 to 64, unless they are named.\n\n"
    "With --same-bits-for-any-size the table leaves out who cannot do so, unless it is named or --explain "
    "given.\n\n"
    "With --table the ranges of each size hold up to the next one; all collectives if none is named. With\n"
    "--check: ends with 2 if there is a fault, which is told with file, line and what is allowed.\n\n"
    "Example: tutti cost --machine quadrics-elan3-nic --collective reduce --operation float64-add --elements "
    "1 "
    "--size 31\n";

/// The operations are called after their elements: "float64-add".
std::optional<std::int64_t> element_bytes_of(std::string_view operation) {
    for (const auto& [name, bytes] :
         {std::pair{"int8", 1}, {"int16", 2}, {"int32", 4}, {"int64", 8}, {"float32", 4}, {"float64", 8}})
        if (operation.starts_with(name)) return bytes;
    return std::nullopt;
}

struct cost_request {
    tutti::machine on;
    std::vector<tutti::collective> collectives{};
    std::vector<std::string_view> relations{}; ///< of a multicast
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> bytes{};
    std::int64_t element_bytes = 8;
    tutti::rank_type root = 0;
    bool by_formula = false;
    bool all_candidates = false;
    std::string_view format{};
    bool map = false;
    bool same_bits = false;
    bool leaves_out = false; ///< of the table who cannot: most cannot

    /// Whether prices are to be seen at a glance, instead of reasons to be read.
    bool charted() const { return map || format != "table"; }
};

bool names_options(const arguments& given, algorithms all) {
    const std::vector<option> known = options_of(all);
    return std::any_of(known.begin(), known.end(), [&](const option& o) { return given.has(o.name); });
}

cost_request requested(const arguments& given, algorithms catalogue) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 40;
    constexpr std::int64_t most_ranks = 1 << 20;
    cost_request r{.on = chosen_machine(given)};
    r.collectives =
        given.has("--table") ? named_collectives(given, "all") : named_collectives(given, "allreduce", true);
    r.relations = chosen_relations(given, "everybody");
    constexpr std::array<std::string_view, 4> formats{"table", "svg", "html", "vega"};
    r.format = one_word("--format", given.value("--format", "table"), formats);
    r.map = given.has("--map");
    for (const char* name : {"--json", "--table", "--by", "--explain", "--all-candidates", "--each"})
        if (given.has(name) && (r.format != "table" || (r.map && name != std::string_view("--json"))))
            throw tutti::argument_error(
                name, "given with " + (r.format == "table" ? "--map" : "--format " + std::string(r.format)),
                "one of the two");
    if (given.has("--output") && given.has("--table"))
        throw tutti::argument_error("--output", "given with --table", "one of the two");
    if (r.relations.size() > 1 && r.charted())
        throw tutti::argument_error("--relation", "'" + std::string(given.value("--relation", "")) + "'",
                                    "one in a chart");
    for (const char* name : {"--nodes", "--inner", "--outer", "--relation"})
        if (given.has(name) && given.has("--table"))
            throw tutti::argument_error(name, "given with --table",
                                        "one of the two: a table has algorithms that are made by numbers");
    r.sizes = numbers("--size", sizes_text(given, r.map ? sizes_of_map : "16"),
                      {1, most_ranks, true, "tutti simulate takes up to 64M ranks"});
    const std::int64_t smallest = *std::min_element(r.sizes.begin(), r.sizes.end());
    r.root =
        static_cast<tutti::rank_type>(one_number("--root", given.value("--root", "0"), {0, smallest - 1}));
    r.element_bytes = element_bytes_of(given.value("--operation", "")).value_or(8);
    if (given.has("--element-bytes"))
        r.element_bytes =
            one_number("--element-bytes", given.value("--element-bytes", ""), {1, 1 << 20, true});
    if (given.has("--elements")) {
        if (given.has("--bytes"))
            throw tutti::argument_error("--elements", "given with --bytes", "one of the two");
        r.bytes =
            numbers("--elements", given.value("--elements", ""), {0, most_bytes / r.element_bytes, true});
        for (std::int64_t& n : r.bytes) n *= r.element_bytes;
    } else {
        r.bytes = numbers("--bytes",
                          given.value("--bytes", r.charted()            ? lengths_of_chart
                                                 : given.has("--table") ? "16M"
                                                                        : "8"),
                          {0, most_bytes, true});
    }
    const std::string_view by = given.value("--by", "walk");
    if (by != "walk" && by != "formula")
        throw tutti::argument_error("--by", "'" + std::string(by) + "'", "walk, formula");
    r.by_formula = by == "formula";
    if (r.by_formula && std::get_if<tutti::moody_2003::model>(&r.on.model) == nullptr)
        throw tutti::argument_error("--by", "formula with the machine " + r.on.name,
                                    "walk: there are formulas for machines of the model moody_2003");
    r.all_candidates =
        given.has("--all-candidates") || given.has("--explain") || names_options(given, catalogue);
    r.same_bits = given.has(same_bits_option.name);
    r.leaves_out = r.same_bits && !r.all_candidates && !given.has("--algorithm") && !given.has("--json");
    return r;
}

/// What section 5 of the paper has a formula for.
std::optional<double> formula_us(const cost_request& r, const tutti::candidate& c, tutti::rank_type size,
                                 std::int64_t bytes) {
    const auto* m = std::get_if<tutti::moody_2003::model>(&r.on.model);
    if (m == nullptr || c.entry->what != tutti::collective::reduce) return std::nullopt;
    namespace moody = tutti::moody_2003;
    if (c.entry->name == "serial") return moody::reduce_serial(*m, size, bytes).us();
    if (c.entry->name == "fnomial" && c.with.get("segments") == 1)
        return moody::reduce_fnomial(*m, size, c.with.get("radix"), bytes).us();
    if (c.entry->name == "fnomial_split")
        return moody::reduce_fnomial_split(*m, size, c.with.get("radix"), c.with.get("splits"), bytes).us();
    return std::nullopt;
}

struct line {
    const tutti::rated_candidate* of;
    std::optional<double> formula;
    std::string why;
};

/// In the order of the formulas, without those that have none.
void order_by_formula(std::vector<line>& lines) {
    std::erase_if(lines, [](const line& l) { return !l.formula; });
    std::stable_sort(lines.begin(), lines.end(),
                     [](const line& a, const line& b) { return *a.formula < *b.formula; });
    for (line& l : lines)
        l.why = &l == &lines.front() ? "the least time by the formula" : "more by the formula";
}

/// To `left_out` comes who has no row.
void add_rows(table& t, const cost_request& r, const tutti::ranking& all, std::string_view relation,
              std::set<std::pair<tutti::collective, std::string_view>>& left_out) {
    std::vector<line> lines;
    for (const tutti::rated_candidate& c : all.all)
        lines.push_back({&c, formula_us(r, c.what, all.request.size, all.request.bytes), all.reason(c)});
    if (r.by_formula) order_by_formula(lines);
    std::vector<const tutti::catalogue_entry*> shown;
    for (const line& l : lines) {
        const tutti::candidate& what = l.of->what;
        if (r.leaves_out && l.of->how == tutti::rated_candidate::verdict::refused) {
            left_out.insert({what.entry->what, what.entry->name});
            continue;
        }
        const bool again = std::find(shown.begin(), shown.end(), what.entry) != shown.end();
        shown.push_back(what.entry);
        if (again && !r.all_candidates) continue;
        const bool priced = l.of->how == tutti::rated_candidate::verdict::priced;
        t.add({std::string(tutti::name_of(what.entry->what)), std::string(what.entry->name), what.with,
               std::int64_t{all.request.size},
               tutti::has_root(all.request.what) ? cell(std::int64_t{all.request.root}) : cell(),
               relation.empty() ? cell() : cell(std::string(relation)), all.request.bytes,
               priced ? cell(l.of->cost.us) : cell(), l.formula ? cell(*l.formula) : cell(), cell(), l.why});
    }
}

/// Those of a multicast; of others one, which is none.
std::vector<std::string_view> relations_of(const cost_request& r, tutti::collective what) {
    return what == tutti::collective::multicast ? r.relations : std::vector<std::string_view>{""};
}

/// Rankings, each of a collective, size, relation and length.
std::size_t cells_of(const cost_request& r) {
    std::size_t cells = 0;
    for (const tutti::collective c : r.collectives)
        cells += relations_of(r, c).size() * r.sizes.size() * r.bytes.size();
    return cells;
}

/// The candidates for a collective that is no multicast. If no values are named, those that go by the
/// request, but of algorithms that numbers alone do not make.
priced_ways ways_to(tutti::collective what, const std::vector<candidate>& among, bool as_named) {
    priced_ways ways{.apart = as_named};
    for (const candidate& one : among) {
        if (one.entry->what != what) continue;
        if (!as_named && one.maker == nullptr) {
            if (ways.among.empty() || ways.among.back().name != one.entry->name)
                ways.among.push_back(*one.entry);
            continue;
        }
        ways.makers.push_back(one.maker);
        ways.only.push_back({one.entry, one.with, one.maker.get()});
    }
    return ways;
}

/// Multicasts over a relation, a ranking for each request; these differ in bytes alone. What all ranks of one
/// do is made, priced for every length and dropped before the next is made: it takes gigabytes for thousands
/// of ranks. `watch` is told how many of the requests are done, all together.
std::vector<tutti::ranking> ranked_multicasts(const tutti::machine& on,
                                              const std::vector<tutti::selection_request>& requests,
                                              std::string_view relation, const std::vector<candidate>& among,
                                              tutti::watcher watch) {
    const tutti::relation who = relation_named(relation, requests.front().size);
    std::vector<tutti::ranking> all;
    for (const tutti::selection_request& request : requests)
        all.push_back({.request = request, .machine_name = on.name});
    std::vector<const candidate*> ways;
    for (const candidate& c : among)
        if (c.relation == relation) ways.push_back(&c);
    // To make a way takes about as long as to price it once.
    const double each = static_cast<double>(requests.size()) / static_cast<double>(requests.size() + 1)
                        / static_cast<double>(ways.size());
    double done = 0;
    const auto making = [&](double part) { watch(each * (done + part)); };
    for (const candidate* way : ways) {
        const candidate made = over_relation(*way, who, tutti::watcher(making));
        making(1);
        ++done;
        const tutti::candidate one{made.entry, made.with, made.maker.get()};
        for (tutti::ranking& to : all) {
            to.all.push_back(tutti::rank_candidates(on, to.request, std::span(&one, 1)).best());
            to.all.back().what.maker = nullptr; // which does not live longer
            watch(each * ++done);
        }
    }
    for (tutti::ranking& one : all) std::stable_sort(one.all.begin(), one.all.end(), tutti::ranks_before);
    return all;
}

outcome rank(const arguments& given, surroundings& with, const cost_request& r) {
    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "size", .identifies = true, .typed = true},
             {.key = "root", .identifies = true},
             {.key = "relation", .identifies = true},
             {.key = "bytes", .identifies = true, .typed = true},
             {.key = "predicted_us"},
             {.key = "formula_us"},
             {.key = "x_best"},
             {.key = "why"}});
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    std::string wanted; // also where none is named
    for (const tutti::collective c : r.collectives)
        wanted.append(wanted.empty() ? "" : ",").append(tutti::name_of(c));
    const bool as_named = names_options(given, with.catalogue);
    const auto chosen = [&](untold parameters) {
        return with_relations(candidates(given, catalogue, parameters, wanted), given);
    };
    const std::vector<candidate> named = chosen(untold::defaults);
    const std::vector<candidate> tried = as_named ? named : chosen(untold::useful);
    for (const tutti::collective c : r.collectives) {
        if (std::any_of(named.begin(), named.end(),
                        [c](const candidate& one) { return one.entry->what == c; }))
            continue;
        std::vector<std::string_view> names;
        for (const tutti::catalogue_entry& e : catalogue)
            if (e.what == c) names.push_back(e.name);
        throw tutti::argument_error("--algorithm", "'" + std::string(given.value("--algorithm", "")) + "'",
                                    "one for " + std::string(tutti::name_of(c))
                                        + " at least: " + joined(names));
    }
    std::vector<charted_price> drawn;
    std::set<std::pair<tutti::collective, std::string_view>> left_out;
    std::optional<progress> shown(std::in_place, with, "cost", cells_of(r));
    const auto part = [&](double done) { shown->part(done); };
    const tutti::watcher watch(part);
    shown->during([&] {
        for (const tutti::collective c : r.collectives)
            for (const std::int64_t size : r.sizes)
                for (const std::string_view relation : relations_of(r, c)) {
                    std::vector<tutti::selection_request> requests;
                    for (const std::int64_t bytes : r.bytes)
                        requests.push_back({.what = c,
                                            .size = static_cast<tutti::rank_type>(size),
                                            .root = tutti::has_root(c) ? r.root : 0,
                                            .bytes = bytes,
                                            .element_bytes = r.element_bytes,
                                            .commutative = !given.has("--ordered"),
                                            .canonical_tree = r.same_bits,
                                            .equal_blocks = !given.has("--unequal-blocks")});
                    if (!relation.empty()) {
                        for (const tutti::ranking& all :
                             ranked_multicasts(r.on, requests, relation, tried, watch)) {
                            if (r.map)
                                add_best(drawn, all, as_named);
                            else if (r.charted())
                                add_prices(drawn, all, as_named);
                            else
                                add_rows(t, r, all, relation, left_out);
                        }
                        shown->step(requests.size());
                        continue;
                    }
                    const priced_ways ways = ways_to(c, tried, as_named);
                    for (const tutti::selection_request& request : requests) {
                        if (r.charted() && !r.map)
                            add_prices(drawn, r.on, request, ways, watch);
                        else if (const tutti::ranking all = ways.ranked(r.on, request, watch); r.map)
                            add_best(drawn, all, as_named);
                        else
                            add_rows(t, r, all, relation, left_out);
                        shown->step();
                    }
                }
    });
    shown.reset(); // before anything is printed
    const priced_on where{r.on, *std::max_element(r.sizes.begin(), r.sizes.end()),
                          *std::max_element(r.bytes.begin(), r.bytes.end())};
    if (r.format != "table") {
        std::string title = "Prices on the machine " + r.on.name;
        if (std::find(r.collectives.begin(), r.collectives.end(), tutti::collective::multicast)
            != r.collectives.end())
            title.append(", multicasts: ").append(r.relations.front());
        write_output(given, with, [&](std::ostream& out) {
            out << drawn_as(r.format, {title + where.remark(), "cost", "predicted_us", r.map}, drawn);
        });
        return outcome::fine;
    }
    if (r.map)
        t = table_of_best(drawn, "predicted_us");
    else
        t.compare(r.by_formula ? "formula_us" : "predicted_us", {"collective", "size", "relation", "bytes"},
                  false);
    write_output(given, with, [&](std::ostream& out) {
        if (!given.has("--json")) flowing(out) << where.lines() << '\n';
        if (!left_out.empty())
            flowing(out) << left_out.size()
                         << " algorithms cannot do so, and are left out: --explain says why\n\n";
        if (r.map && !given.has("--json"))
            print_map(drawn, out);
        else
            print(t, "cost", given, out, where.json_members());
    });
    return outcome::fine;
}

outcome write_table(const arguments& given, surroundings& with, const cost_request& r) {
    tutti::tabulation what{.collectives = r.collectives,
                           .sizes = {},
                           .most_bytes =
                               std::max(*std::max_element(r.bytes.begin(), r.bytes.end()), r.element_bytes),
                           .element_bytes = r.element_bytes};
    for (const std::int64_t size : r.sizes) what.sizes.push_back(static_cast<tutti::rank_type>(size));
    std::sort(what.sizes.begin(), what.sizes.end());
    std::optional<progress> shown(std::in_place, with, "cost", 1);
    const auto part = [&](double done) { shown->part(done); };
    what.watch = tutti::watcher(part);
    tutti::decision_table made;
    shown->during([&] { made = tutti::tabulate(r.on, what); });
    shown.reset(); // before anything is printed
    const std::string path(given.value("--table", ""));
    std::ofstream file(path);
    if (!file) throw tutti::argument_error("--table", "'" + path + "'", "a file that can be written");
    file << tutti::text_of(made) << std::flush;
    if (!file) throw std::runtime_error("'" + path + "' could not be written");
    flowing(with.out) << path << ": " << made.rules().size() << " rules for the machine " << r.on.name
                      << '\n';
    return outcome::fine;
}

outcome check_table(const arguments& given, surroundings& with) {
    const std::string path(given.value("--check", ""));
    const tutti::decision_table loaded = tutti::load_decision_table(path);
    flowing(with.out) << path << ": " << loaded.rules().size() << " rules"
                      << (loaded.machine_name().empty() ? "" : " for the machine ") << loaded.machine_name()
                      << ", all covered by the claims of their algorithms\n";
    return outcome::fine;
}

outcome cost(const arguments& given, surroundings& with) {
    if (given.has("--check")) return check_table(given, with);
    const cost_request r = requested(given, with.catalogue);
    return given.has("--table") ? write_table(given, with, r) : rank(given, with, r);
}

} // namespace

const verb cost_verb{
    .name = "cost",
    .summary = "which algorithm, with which parameters, on which machine, and why",
    .details = details,
    .options = options,
    .run = cost,
};

} // namespace program
