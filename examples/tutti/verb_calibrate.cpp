// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <tutti/collectives/run_threads.hpp>
#include <tutti/core/error.hpp>
#include <tutti/model/machine_file.hpp>
#include <tutti/model/quantity.hpp>
#include <tutti/tune/calibrate.hpp>

#include "cores.hpp"
#include "progress.hpp"
#include "tuning.hpp"
#include "verbs.hpp"

namespace program {

namespace {

constexpr option options[]{
    {"--transport", "threads", "what to measure; threads by default"},
    {"--size", "N", "ranks, 2..64; 2 by default"},
    {"--budget", "SECONDS", "about how long it may take; 10 by default"},
    longest_option,
    {"--name", "NAME", "what the machine is to be called; this-machine by default"},
    {"--output", "FILE", "write the machine there instead of to standard output"},
    json_option,
};

constexpr const char* details =
    "Times small schedules on the ranks of a transport and fits a machine of the model 'measured' to them;\n"
    "--machine FILE of other verbs takes what it writes. Ends with 1, and writes nothing, if what it\n"
    "measured makes no sense: a residual above a quarter, times that fall with the length, too few "
    "points.\n\n"
    "Columns: parameter, value, residual_percent and worst_percent (what the machine says of the\n"
    "measurements that the parameter comes from, against these: median and worst), measurements, "
    "found_by.\n\n"
    "Example: tutti calibrate --size 2 --output this.machine\n";

std::int64_t single(const arguments& given, std::string_view name, std::string_view otherwise,
                    number_range allowed) {
    const auto all = numbers(name, given.value(name, otherwise), allowed);
    if (all.size() != 1) throw tutti::argument_error(std::string(name), "a list", "one number");
    return all.front();
}

/// "0.08 us", or "0.06 us (8 B) .. 557 us (4 MiB)".
std::string text_of(const tutti::piecewise& value) {
    using namespace tutti::detail;
    if (value.empty()) return "none";
    const auto& first = value.points().front();
    const auto& last = value.points().back();
    if (value.points().size() == 1) return text_of_time(first.us, time_units);
    return text_of_time(first.us, time_units) + " (" + text_of_bytes(first.bytes) + ") .. "
           + text_of_time(last.us, time_units) + " (" + text_of_bytes(last.bytes) + ")";
}

table table_of(const tutti::fitted_machine& fitted) {
    table t({{.key = "parameter"},
             {.key = "value"},
             {.key = "residual_percent", .digits = 1},
             {.key = "worst_percent", .digits = 1},
             {.key = "measurements"},
             {.key = "found_by"}});
    for (const tutti::fitted_parameter& p : fitted.parameters)
        t.add({p.name, text_of(p.value), p.left.points > 0 ? cell(p.left.median * 100) : cell(),
               p.left.points > 0 ? cell(p.left.worst * 100) : cell(),
               static_cast<std::int64_t>(p.left.points), p.note});
    return t;
}

outcome calibrate(const arguments& given, surroundings& with) {
    const std::string_view transport = given.value("--transport", "threads");
    if (transport != "threads")
        throw tutti::argument_error("--transport", "'" + std::string(transport) + "'", "threads");
    const auto size = static_cast<tutti::rank_type>(single(
        given, "--size", "2", {2, 64, false, "tutti cost prices more ranks by what was measured with few"}));
    tutti::calibration_options how;
    how.seconds = seconds("--budget", given.value("--budget", "10"));
    how.longest = single(given, "--longest", "4M", {4096, 1 << 30, true});
    how.name = std::string(given.value("--name", "this-machine"));
    how.source = "tutti calibrate: " + std::to_string(size) + " threads on "
                 + std::to_string(tutti::detail::usable_cores()) + " cores";
    if (how.name.empty() || how.name.find_first_of("#\r\n") != std::string::npos)
        throw tutti::argument_error("--name", "'" + how.name + "'", "a name without # and line ends");
    std::ofstream file;
    const std::string path(given.value("--output", ""));
    if (given.has("--output")) {
        file.open(path, std::ios::app); // leaves alone what is there until the end
        if (!file) throw tutti::argument_error("--output", "'" + path + "'", "a file that can be written");
    }

    std::optional<progress> shown;
    how.progress = [&](std::size_t, std::size_t all, const std::string&) {
        if (!shown) shown.emplace(with, "calibrate", all);
        shown->step();
    };
    tutti::probe_results seen;
    tutti::threads::run(size, [&](auto& comm) {
        const on_core pinned(comm.rank());
        tutti::probe_results mine = tutti::measure_machine(comm, how);
        if (comm.rank() == 0) seen = std::move(mine);
    });
    shown.reset();

    tutti::fitted_machine fitted;
    try {
        fitted = tutti::fit_machine(seen, how.name, how.source);
    } catch (const tutti::fit_error& e) {
        flowing(with.err, 2) << e.what()
                             << "\nNothing was written. Is the machine busy? More ranks than cores?\n";
        return outcome::check_failed;
    }
    print(table_of(fitted), "calibrate", given, with.out);
    const std::string text = tutti::text_of(fitted.found);
    if (given.has("--output")) {
        file.close();
        file.open(path, std::ios::trunc);
        file << text << std::flush;
        if (!file) throw std::runtime_error("'" + path + "' could not be written");
    } else if (!given.has("--json")) {
        with.out << '\n' << text;
    }
    return outcome::fine;
}

} // namespace

const verb calibrate_verb{
    .name = "calibrate",
    .summary = "measures a transport and writes a machine file for it",
    .details = details,
    .options = options,
    .run = calibrate,
};

} // namespace program
