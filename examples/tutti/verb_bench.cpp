// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <tutti/core/error.hpp>

#include "chart.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "running.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr auto options = around_algorithm_options(
    {
        collective_option,
        algorithm_option,
        {"--size", "N", "ranks, 2..256; 2 by default"},
        one_relation_option,
        {"--bytes", "LIST", "lengths of the vector, as in 8,64K,1M; 8 .. 4M by default"},
        transport_option,
        {"--repeat", "N", "timed runs of each case, 1..100000; 50 by default"},
        {"--csv", "FILE", "also write the table there, with commas"},
        {"--svg", "FILE", "also draw it there: time over bytes, a line for each algorithm"},
    },
    {
        each_option,
        json_option,
    });

std::string full_name(const candidate& one) {
    const std::string with = text_of(one.with);
    return std::string(one.entry->name) + (with.empty() ? "" : " " + with);
}

outcome run(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    const std::vector<candidate> chosen =
        with_relations(candidates(given, catalogue, untold::defaults), given);
    if (chosen_relations(given, "everybody").size() > 1)
        throw tutti::argument_error("--relation", "'" + std::string(given.value("--relation", "")) + "'",
                                    "one: times of different relations are not compared");
    const auto size = static_cast<tutti::rank_type>(one_number(
        given, "--size", sizes_text(given, "2"), {2, 256, false, "tutti cost and simulate take more ranks"}));
    const std::vector<std::int64_t> lengths = numbers(
        "--bytes", given.value("--bytes", "8,64,512,4K,32K,256K,1M,4M"), {8, std::int64_t{1} << 32, true});
    const auto repeat = static_cast<int>(one_number(given, "--repeat", "50", {1, 100'000}));
    const ranks_are over = chosen_ranks(given);

    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "relation", .identifies = true},
             {.key = "bytes", .typed = true},
             {.key = "least_us", .digits = 2},
             {.key = "median_us", .digits = 2},
             {.key = "p99_us", .digits = 2},
             {.key = "x_best"}});
    std::vector<tutti::collective> benched(tutti::all_collectives.begin(), tutti::all_collectives.end());
    benched.push_back(tutti::collective::multicast);
    std::ostringstream csv;
    csv << "collective,algorithm,parameters,relation,ranks,transport,bytes,least_us,median_us,p99_us\n";
    std::vector<chart> charts;
    std::optional<progress> shown(std::in_place, with, "bench", lengths.size() * benched.size());
    const std::unique_ptr<element_type> elements = make_double();
    for (const tutti::collective what : benched) {
        std::vector<run_case> cases;
        chart drawn{.title = std::string(tutti::name_of(what)), .least_wins = true};
        if (what == tutti::collective::multicast)
            drawn.title.append(", ").append(chosen_relations(given, "everybody").front());
        for (const candidate& one : chosen)
            if (one.entry->what == what && what != tutti::collective::barrier) {
                cases.push_back(case_of(one, size));
                cases.back().repeat = repeat;
                cases.back().over = over;
                drawn.lines.push_back({.name = full_name(one)});
            }
        for (const std::int64_t bytes : lengths) {
            if (cases.empty()) {
                shown->step();
                continue;
            }
            elements->prepare(size, bytes / static_cast<std::int64_t>(sizeof(double)));
            std::vector<std::vector<double>> times = elements->time(cases);
            for (std::size_t c = 0; c < cases.size(); ++c) {
                std::vector<double>& sorted = times[c];
                std::sort(sorted.begin(), sorted.end());
                const double least = sorted.front(), median = sorted[sorted.size() / 2],
                             p99 = sorted[(sorted.size() * 99 + 99) / 100 - 1];
                const std::string relation(cases[c].what.relation);
                t.add({std::string(tutti::name_of(what)), std::string(cases[c].what.entry->name),
                       cases[c].what.with, relation.empty() ? cell() : cell(relation), bytes, least, median,
                       p99, cell()});
                csv << tutti::name_of(what) << ',' << cases[c].what.entry->name << ','
                    << text_of(cases[c].what.with) << ',' << relation << ',' << size << ','
                    << given.value("--transport", "threads") << ',' << bytes << ',' << least << ',' << median
                    << ',' << p99 << '\n';
                drawn.lines[c].points.emplace_back(static_cast<double>(bytes), std::max(median, 1e-3));
            }
            shown->step();
        }
        if (!cases.empty()) charts.push_back(std::move(drawn));
    }
    shown.reset(); // before anything is printed
    t.compare("median_us", {"collective", "bytes"}, !given.has("--json"));
    print(t, "bench", given, with.out);
    if (given.has("--csv")) write_file("--csv", std::string(given.value("--csv", "")), csv.str());
    if (given.has("--svg"))
        write_file("--svg", std::string(given.value("--svg", "")),
                   chart_svg(std::to_string(size)
                                 + " ranks: " + std::string(given.value("--transport", "threads"))
                                 + ", median of " + std::to_string(repeat),
                             charts));
    return outcome::fine;
}

} // namespace

const verb bench_verb{
    .name = "bench",
    .summary = "times algorithms against each other, as a table and a chart",
    .details =
        "Vectors of doubles, sums, root 0. All algorithms of a collective run in turn, from a barrier on; "
        "the\n"
        "slowest rank counts. Over the mock, times are those of simulating it.\n\n"
        "Columns: bytes (of the whole vector, rounded up to equal blocks), least_us, median_us and p99_us "
        "(of all\n"
        "repetitions), x_best (median to the least of that collective and length; for people the best comes\n"
        "first, in bold on a terminal unless NO_COLOR is set).\n",
    .options = options,
    .run = run,
};

} // namespace program
