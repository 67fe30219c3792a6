// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/values.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/model/default_machine.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/tune/default_tables.hpp>
#include <tutti/tune/measure_choices.hpp>
#include <tutti/tune/price_choices.hpp>

#include "busy.hpp"
#include "default_rows.hpp"
#include "progress.hpp"
#include "tuning.hpp"
#include "verbs.hpp"
#include "wrapping.hpp"

namespace program {

namespace {

using tutti::collective;
using tutti::rank_type;

constexpr option options[]{
    measured_option,
    {"--size", "LIST", "ranks, which are threads, 2..64; 2 by default"},
    longest_option,
    budget_option,
    measured_algorithms_option,
    {"--passes", "N", "so often, with threads of their own, 1..99; the worse half counts; 1 by default"},
    output_option,
    {"--defaults", "FOLDER",
     "rewrite the rows of what was measured (cores: own, shared) of the tables that ship; models fill in "
     "more ranks"},
    {"--price-beyond", "RANKS",
     "with --defaults: measure nothing, and price anew the rows for more ranks with cores of their own, for "
     "vectors of up to 64M unless --longest says how long"},
    json_option,
};

constexpr const char* details =
    "Runs every candidate on threads, interleaved, on fresh and used buffers, and writes down which is the\n"
    "fastest for which size and length: choose_by(by_table(...)) takes the table, tutti choose --table says "
    "what\n"
    "it takes. Says so if something else had the cores of the ranks meanwhile.\n\n"
    "Columns: collective, size, bytes, algorithm, us (of the best), second, ratio (second to best), chosen,\n"
    "regret (chosen to best: few rules that are nearly the best everywhere).\n\n"
    "Example: tutti tune --size 2 --output here.table\n";

/// On so many threads. `lost`: what they did not have of their cores, if they have cores of their own.
std::vector<tutti::timed_cell> measure(const std::vector<tutti::candidate>& ways, rank_type size,
                                       const tuning& told, progress& shown, coreless_time& lost) {
    std::vector<tutti::timed_cell> of_rank_0;
    tutti::threads::run(size, [&](auto& comm) {
        const coreless_time::of_thread mine;
        std::vector<tutti::timed_cell> cells =
            tutti::measure_choices(comm, ways, told.longest, told.budget, [&] {
                if (comm.rank() == 0) shown.step();
            });
        const double share = comm.has_cores() == tutti::cores::own ? mine.share().value_or(0) : 0;
        const double worst = tutti::allreduce(comm, share, tutti::max{});
        if (comm.rank() != 0) return;
        of_rank_0 = std::move(cells);
        lost.add(worst);
    });
    return of_rank_0;
}

/// What a row of the table says of a cell: the two best ways, and the one that the few rules take.
void describe(table& t, const tutti::measured_choices& of, const tutti::measured_choices& worth_a_rule,
              tolerance may_cost = of_times) {
    if (of.cells.empty()) return;
    const std::vector<tutti::size_rule> few = may_cost.few_rules(worth_a_rule.cells);
    for (const tutti::timed_cell& cell : of.cells) {
        std::vector<std::size_t> order(of.ways.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return cell.us[a] < cell.us[b]; });
        const auto mine = std::find_if(few.begin(), few.end(),
                                       [&](const tutti::size_rule& r) { return cell.size <= r.ranks; });
        const std::size_t chosen = tutti::detail::way_for(mine->lengths, cell.bytes);
        const double best = cell.us[order[0]];
        const bool has_second = order.size() > 1;
        t.add({std::string(tutti::name_of(of.what)), std::int64_t{cell.size}, cell.bytes,
               name_of(of.ways[order[0]]), best,
               has_second ? program::cell(name_of(of.ways[order[1]])) : program::cell(),
               has_second ? program::cell(cell.us[order[1]] / best) : program::cell(),
               name_of(of.ways[chosen]), cell.us[chosen] / best});
    }
}

/// The sizes that are priced, if they are greater than `beyond`. The rules of each are for sizes below it,
/// too, those of the last one for all that are left: powers of two, which butterflies like best, are not all
/// of them, nor the last.
std::vector<rank_type> sizes_to_price(rank_type beyond) {
    std::vector<rank_type> sizes{1,  2,  3,   4,   6,   8,   12,  16,   17,   24,  32,
                                 48, 64, 100, 128, 192, 256, 512, 1000, 1024, 4000};
    std::erase_if(sizes, [&](rank_type size) { return size <= beyond; });
    return sizes;
}

/// What models say of more ranks than `beyond`, with cores of their own; priced() is called for each size.
template <class Priced>
tutti::measured_choices price_beyond(rank_type beyond, collective what, const arguments& given,
                                     const tuning& told, const Priced& priced) {
    const std::int64_t longest = given.has("--longest") ? told.longest : 64 << 20; // to price takes no memory
    const std::vector<rank_type> sizes = sizes_to_price(beyond);
    tutti::measured_choices all{
        .what = what, .ways = tutti::ways_to_price(what, told.among, sizes.back()), .first = beyond + 1};
    for (const rank_type size : sizes) {
        const std::vector<tutti::timed_cell> more =
            tutti::price_choices(tutti::default_machine(), all.ways, size, longest);
        all.cells.insert(all.cells.end(), more.begin(), more.end());
        priced();
    }
    return all;
}

/// Without what can be had by algorithms that `others`, rows of the same table, name: they are compiled
/// anyway.
tutti::measured_choices worth_a_rule(tutti::measured_choices priced, const std::string& others) {
    tutti::leave_out_dispensable({&priced, 1}, named_in(priced.what, others));
    return priced;
}

/// Own cores for more ranks than were measured: priced. Where nothing was measured rows stay as they are: it
/// takes another machine to measure more ranks with cores of their own than ranks that share few.
std::string write_defaults(const std::string& folder, tutti::measured_choices own,
                           tutti::measured_choices shared, const arguments& given, const tuning& told) {
    constexpr rank_type all_sizes = tutti::default_rule::any_size;
    const collective what = own.what;
    const tables_header old = read_header(folder, what);
    std::string rows = old.rows_on("own");
    std::string of_shared = old.rows_on("shared");
    const std::string stays = (own.cells.empty() ? rows : "") + (shared.cells.empty() ? of_shared : "");
    std::array both{std::move(own), std::move(shared)};
    tutti::leave_out_dispensable(both, named_in(what, stays));
    if (!both[1].cells.empty()) of_shared = rows_of("shared", both[1], all_sizes, of_times).text();
    if (!both[0].cells.empty()) {
        const rank_type measured = both[0].cells.back().size;
        const table_rows few = rows_of("own", both[0], measured, of_times);
        rows = own_rows(
            few, worth_a_rule(price_beyond(measured, what, given, told, [] {}), few.text() + of_shared));
    }
    return old.write(what, rows + of_shared);
}

void tell(const std::vector<std::string>& to_do, surroundings& with) {
    flowing notes(with.err, 2);
    for (const std::string& note : to_do)
        if (!note.empty()) notes << "tutti: note: " << note << "\n";
}

/// See --price-beyond.
outcome price(const arguments& given, surroundings& with, const tuning& told, const std::string& folder,
              table results) {
    for (const char* const option : {"--size", "--budget", "--passes", "--output"})
        if (given.has(option))
            throw tutti::argument_error(option, "given together with --price-beyond",
                                        "none: nothing is measured");
    const auto beyond =
        static_cast<rank_type>(one_number(given, "--price-beyond", "", {1, sizes_to_price(0).back() - 1}));
    std::vector<std::string> to_do;
    std::optional<progress> shown(std::in_place, with, "tune",
                                  told.wanted.size() * sizes_to_price(beyond).size());
    shown->announce();
    for (const collective what : told.wanted) {
        const tables_header old = read_header(folder, what);
        const table_rows kept = old.own_rows_up_to(beyond);
        const std::string shared = old.rows_on("shared");
        const tutti::measured_choices all = price_beyond(beyond, what, given, told, [&] { shown->step(); });
        const tutti::measured_choices few = worth_a_rule(all, kept.text() + shared);
        describe(results, all, few, of_prices);
        to_do.push_back(old.write(what, own_rows(kept, few) + shared));
    }
    shown.reset();
    tell(to_do, with);
    print(results, "tune", given, with.out);
    return outcome::fine;
}

outcome tune(const arguments& given, surroundings& with) {
    const tuning told =
        tuning_of(given, {2, 64, false, "tutti cost prices more ranks by what was measured with few"}, "2");
    const auto cores = static_cast<rank_type>(tutti::detail::usable_cores());
    const std::string folder(given.value("--defaults", ""));
    if (given.has("--defaults"))
        for (const collective c : told.wanted) (void)read_header(folder, c);
    else if (given.has("--price-beyond"))
        throw tutti::argument_error("--price-beyond", "given without --defaults", "both: it writes there");
    table results({{.key = "collective", .identifies = true},
                   {.key = "size", .identifies = true},
                   {.key = "bytes", .identifies = true},
                   {.key = "algorithm"},
                   {.key = "us"},
                   {.key = "second"},
                   {.key = "ratio"},
                   {.key = "chosen"},
                   {.key = "regret"}});
    if (given.has("--price-beyond")) return price(given, with, told, folder, std::move(results));
    const table_file file(given);
    const std::int64_t passes = numbers("--passes", given.value("--passes", "1"), {1, 99}).front();
    std::vector<tutti::decision_rule> rules;
    std::vector<std::string> to_do;
    std::optional<progress> shown(std::in_place, with, "tune",
                                  static_cast<std::size_t>(passes) * told.cells());
    shown->announce();
    coreless_time lost;
    std::map<collective, std::vector<tutti::candidate>> ways;
    for (const collective what : told.wanted) ways[what] = told.ways(what);
    std::map<collective, std::vector<std::vector<tutti::timed_cell>>> own_passes, shared_passes;
    for (std::int64_t pass = 0; pass < passes; ++pass)
        for (const collective what : told.wanted) {
            std::vector<tutti::timed_cell>& own = own_passes[what].emplace_back();
            std::vector<tutti::timed_cell>& shared = shared_passes[what].emplace_back();
            for (const rank_type size : told.sizes) {
                const std::vector<tutti::timed_cell> more = measure(ways[what], size, told, *shown, lost);
                std::vector<tutti::timed_cell>& cells = size <= cores ? own : shared;
                cells.insert(cells.end(), more.begin(), more.end());
            }
        }
    for (const collective what : told.wanted) {
        const tutti::measured_choices own{.what = what,
                                          .ways = ways[what],
                                          .cells = tutti::joined_passes(own_passes[what]),
                                          .first = told.sizes.front()};
        const tutti::measured_choices shared{.what = what,
                                             .ways = own.ways,
                                             .cells = tutti::joined_passes(shared_passes[what]),
                                             .first =
                                                 own.cells.empty() ? own.first : own.cells.back().size + 1};
        std::array few{own, shared};
        tutti::leave_out_dispensable(few);
        describe(results, own, few[0]);
        describe(results, shared, few[1]);
        for (const tutti::measured_choices& of : few)
            for (tutti::decision_rule& rule : tutti::rules_of(of)) rules.push_back(std::move(rule));
        if (given.has("--defaults")) to_do.push_back(write_defaults(folder, own, shared, given, told));
    }
    to_do.push_back(lost.note());
    shown.reset();
    tell(to_do, with);
    print(results, "tune", given, with.out);
    file.write(tutti::decision_table("this-machine", std::move(rules)));
    return outcome::fine;
}

} // namespace

const verb tune_verb{
    .name = "tune",
    .summary = "measures which algorithm is the fastest, and writes a decision table",
    .details = details,
    .options = options,
    .run = tune,
};

} // namespace program
