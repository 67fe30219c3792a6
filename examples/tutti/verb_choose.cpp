// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/rank_algorithms.hpp>
#include <tutti/transport/waiting.hpp>

#include "machine_choice.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr std::array options{
    allreduce_option,
    sizes_option,
    root_option,
    lengths_option,
    ordered_option,
    option{"--cores", "own|shared",
           "whether every rank has a core of its own; by default, whether this machine has as many"},
    machine_option,
    operation_option,
    output_option,
    each_option,
    json_option,
};

constexpr const char* details =
    "What a call takes that names no algorithm, on a communicator that no chooser was given: the same among\n"
    "threads, processes and ranks of MPI. The tables that ship with tutti decide it; prices are only what a\n"
    "model says beside it. tutti::explain says it in a program.\n"
    "Bytes are those of the whole vector: of all blocks together where every rank has one.\n\n"
    "Columns: collective, algorithm, parameters, size, root, bytes, cores, predicted_us (the price of that\n"
    "algorithm on --machine), best (what tutti cost would take there), best_us, x_best (predicted_us over\n"
    "best_us; below 1 for a value of an option that tutti cost does not try), why (the rule of the table).\n"
    "The tables were measured as far as that was possible. --cores changes no price.\n\n"
    "Example: tutti choose --collective allreduce,bcast --size 4 --bytes 64,64K,1M --cores shared\n";

struct choose_request {
    tutti::machine on;
    std::vector<tutti::collective> collectives{};
    std::vector<std::int64_t> sizes{};
    std::vector<std::int64_t> bytes{};
    tutti::rank_type root = 0;
    std::optional<tutti::cores> here{}; ///< nothing: whatever this machine has for that many ranks
};

choose_request requested(const arguments& given) {
    choose_request r{.on = chosen_machine(given)};
    r.collectives = named_collectives(given, "allreduce");
    r.sizes = numbers("--size", given.value("--size", "16"), {1, 1 << 20, true});
    r.bytes = numbers("--bytes", given.value("--bytes", "8"), {0, std::int64_t{1} << 40, true});
    const std::int64_t smallest = *std::min_element(r.sizes.begin(), r.sizes.end());
    r.root = static_cast<tutti::rank_type>(one_number(given, "--root", "0", {0, smallest - 1}));
    if (given.has("--cores")) {
        constexpr std::array<std::string_view, 2> known{"own", "shared"};
        const std::string_view cores = given.value("--cores", "");
        if (std::find(known.begin(), known.end(), cores) == known.end())
            throw tutti::argument_error("--cores", "'" + std::string(cores) + "'", joined(known));
        r.here = cores == "own" ? tutti::cores::own : tutti::cores::shared;
    }
    return r;
}

void add_row(table& t, const choose_request& r, const tutti::selection_request& request, algorithms among,
             tutti::watcher watch) {
    const tutti::cores here =
        r.here.value_or(tutti::detail::waiting_ladder(request.size).shares_cores() ? tutti::cores::shared
                                                                                   : tutti::cores::own);
    const tutti::request_facts facts{
        .at = {0, request.size, request.root}, .bytes = request.bytes, .commutative = request.commutative};
    const tutti::default_rule& rule = tutti::default_choice(request.what, facts, here);
    const tutti::candidate chosen{tutti::find_algorithm(request.what, rule.to.algorithm), rule.to.with};
    const tutti::ranking alone = tutti::rank_candidates(r.on, request, std::array{chosen});
    const tutti::ranking all = tutti::rank_algorithms(r.on, request, among, watch);
    const double us = alone.best().cost.us;
    const double best_us = all.any() ? all.best().cost.us : 0;
    t.add({std::string(tutti::name_of(request.what)), std::string(rule.to.algorithm), rule.to.with,
           std::int64_t{request.size},
           tutti::has_root(request.what) ? cell(std::int64_t{request.root}) : cell(), request.bytes,
           std::string(here == tutti::cores::own ? "own" : "shared"), us,
           all.any() ? cell(name_of(all.best().what)) : cell(), all.any() ? cell(best_us) : cell(),
           best_us > 0 ? cell(us / best_us) : cell(), tutti::detail::reason_of(rule, request.what)});
}

outcome choose(const arguments& given, surroundings& with) {
    const choose_request r = requested(given);
    table t({{.key = "collective", .identifies = true},
             {.key = "algorithm", .identifies = true},
             {.key = "parameters", .identifies = true},
             {.key = "size", .identifies = true, .typed = true},
             {.key = "root", .identifies = true},
             {.key = "bytes", .identifies = true, .typed = true},
             {.key = "cores", .identifies = true},
             {.key = "predicted_us"},
             {.key = "best"},
             {.key = "best_us"},
             {.key = "x_best"},
             {.key = "why"}});
    std::optional<progress> shown(std::in_place, with, "choose",
                                  r.collectives.size() * r.sizes.size() * r.bytes.size());
    const auto part = [&](double done) { shown->part(done); };
    const tutti::watcher watch(part);
    shown->during([&] {
        for (const tutti::collective c : r.collectives)
            for (const std::int64_t size : r.sizes)
                for (const std::int64_t bytes : r.bytes) {
                    add_row(t, r,
                            {.what = c,
                             .size = static_cast<tutti::rank_type>(size),
                             .root = tutti::has_root(c) ? r.root : 0,
                             .bytes = bytes,
                             .commutative = !given.has("--ordered")},
                            tutti::catalogue_of(c), watch);
                    shown->step();
                }
    });
    shown.reset(); // before anything is printed
    const priced_on where{r.on, *std::max_element(r.sizes.begin(), r.sizes.end()),
                          *std::max_element(r.bytes.begin(), r.bytes.end())};
    write_output(given, with, [&](std::ostream& out) {
        if (!given.has("--json"))
            flowing(out) << "The tables that ship with tutti decide; prices are only what a model says:\n"
                         << where.lines() << '\n';
        print(t, "choose", given, out, where.json_members());
    });
    return outcome::fine;
}

} // namespace

const verb choose_verb{
    .name = "choose",
    .summary = "which algorithm a call takes that names none, and by which rule",
    .details = details,
    .options = options,
    .run = choose,
};

} // namespace program
