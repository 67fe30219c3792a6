// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>

#include "cost_chart.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "relation_choice.hpp"
#include "running.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr std::array<std::string_view, 5> formats{"table", "svg", "html", "vega", "csv"};

constexpr auto options = around_algorithm_options(
    {
        collective_option,
        algorithm_option,
        {"--size", "N", "ranks, 2..256; 2 by default"},
        one_relation_option,
        {"--bytes", "LIST", "lengths of the vector, as in 8,64K,1M; 8 .. 4M by default"},
        transport_option,
        {"--repeat", "N", "timed runs of each case, 1..100000; 50 by default"},
        {"--format", "table|svg|html|vega|csv",
         "instead of the table: a chart of the medians of every algorithm over bytes, as picture, as page "
         "that says the values, or as a Vega-Lite spec; or the table with commas"},
        output_option,
        {"--csv", "FILE", "also write the table there, with commas"},
        {"--svg", "FILE", "also draw the picture there"},
    },
    {
        each_option,
        json_option,
    });

struct bench_request {
    std::vector<candidate> chosen{}; ///< without barriers, which have no bytes
    std::string_view relation{};     ///< of multicasts
    tutti::rank_type size = 2;
    std::vector<std::int64_t> lengths{};
    int repeat = 1;
    ranks_are over{};
    std::string transport{};
    std::string_view format{};

    drawn_times chart() const {
        drawn_times what{.title = "Measured over " + transport + ", medians of " + std::to_string(repeat),
                         .verb = "bench",
                         .time = "median_us"};
        if (std::any_of(chosen.begin(), chosen.end(), [](const candidate& c) { return !c.relation.empty(); }))
            what.title.append(", multicasts: ").append(relation);
        return what;
    }
};

bench_request requested(const arguments& given, algorithms catalogue) {
    bench_request r;
    for (const candidate& one : with_relations(candidates(given, catalogue, untold::defaults), given))
        if (one.entry->what != tutti::collective::barrier) r.chosen.push_back(one);
    r.relation = one_word("--relation", given.value("--relation", "everybody"), relation_names);
    r.size = static_cast<tutti::rank_type>(one_number(
        given, "--size", sizes_text(given, "2"), {2, 256, false, "tutti cost and simulate take more ranks"}));
    r.lengths = numbers("--bytes", given.value("--bytes", "8,64,512,4K,32K,256K,1M,4M"),
                        {8, std::int64_t{1} << 32, true});
    r.repeat = static_cast<int>(one_number(given, "--repeat", "50", {1, 100'000}));
    r.over = chosen_ranks(given);
    r.transport = given.value("--transport", "threads");
    r.format = one_word("--format", given.value("--format", "table"), formats);
    for (const char* name : {"--json", "--each"})
        if (given.has(name) && r.format != "table")
            throw tutti::argument_error(name, "given with --format " + std::string(r.format),
                                        "one of the two");
    return r;
}

/// What came of it.
struct measured {
    table rows{{{.key = "collective", .identifies = true},
                {.key = "algorithm", .identifies = true},
                {.key = "parameters", .identifies = true},
                {.key = "relation", .identifies = true},
                {.key = "bytes", .typed = true},
                {.key = "least_us", .digits = 2},
                {.key = "median_us", .digits = 2},
                {.key = "p99_us", .digits = 2},
                {.key = "x_best"}}};
    std::string csv =
        "collective,algorithm,parameters,relation,ranks,transport,bytes,least_us,median_us,p99_us\n";
    std::vector<charted_price> medians{};

    void add(const bench_request& r, const candidate& of, std::int64_t bytes, std::vector<double> times) {
        std::sort(times.begin(), times.end());
        const double least = times.front(), median = times[times.size() / 2],
                     p99 = times[(times.size() * 99 + 99) / 100 - 1];
        const std::string what(tutti::name_of(of.entry->what)), name(of.entry->name), relation(of.relation);
        rows.add({what, name, of.with, relation.empty() ? cell() : cell(relation), bytes, least, median, p99,
                  cell()});
        std::ostringstream line;
        line << what << ',' << name << ',' << text_of(of.with) << ',' << relation << ',' << r.size << ','
             << r.transport << ',' << bytes << ',' << least << ',' << median << ',' << p99 << '\n';
        csv += line.view();
        medians.push_back({of.entry->what, r.size, bytes, name, of.with, median, true});
    }
};

measured measure(const bench_request& r, const surroundings& with) {
    measured all;
    std::vector<tutti::collective> benched(tutti::all_collectives.begin(), tutti::all_collectives.end());
    benched.push_back(tutti::collective::multicast);
    progress shown(with, "bench", r.lengths.size() * benched.size());
    shown.announce();
    const std::unique_ptr<element_type> elements = make_double();
    for (const tutti::collective what : benched) {
        std::vector<run_case> cases;
        for (const candidate& one : r.chosen)
            if (one.entry->what == what) {
                cases.push_back(case_of(one, r.size));
                cases.back().repeat = r.repeat;
                cases.back().over = r.over;
            }
        for (const std::int64_t bytes : r.lengths) {
            if (!cases.empty()) {
                elements->prepare(r.size, bytes / static_cast<std::int64_t>(sizeof(double)));
                std::vector<std::vector<double>> times = elements->time(cases);
                for (std::size_t c = 0; c < cases.size(); ++c)
                    all.add(r, cases[c].what, bytes, std::move(times[c]));
            }
            shown.step();
        }
    }
    return all;
}

outcome run(const arguments& given, surroundings& with) {
    const std::vector<tutti::catalogue_entry> catalogue = with_multicasts(with.catalogue);
    const bench_request r = requested(given, catalogue);
    measured all;
    write_output(given, with, [&](std::ostream& out) {
        all = measure(r, with);
        all.rows.compare("median_us", {"collective", "bytes"}, !given.has("--json"));
        if (r.format == "table")
            print(all.rows, "bench", given, out);
        else
            out << (r.format == "csv" ? all.csv : drawn_as(r.format, r.chart(), all.medians));
    });
    // Behind that: a file that cannot be written must not take the other with it.
    if (given.has("--csv")) write_file("--csv", std::string(given.value("--csv", "")), all.csv);
    if (given.has("--svg"))
        write_file("--svg", std::string(given.value("--svg", "")), drawn_as("svg", r.chart(), all.medians));
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
