// SPDX-License-Identifier: BSL-1.0
//
// As `tutti tune`, over the MPI that started it: measures which algorithm is the fastest over tutti's MPI
// adapter, and writes a decision table. mpirun -n 4 mpi_tune --help
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/mpi.hpp>
#include <tutti/tune/measure_choices.hpp>

#include "tutti/progress.hpp"
#include "tutti/tuning.hpp"

namespace {

using program::arguments;
using program::tuning;
using tutti::rank_type;

constexpr program::option options[]{
    program::measured_option,
    {"--size", "LIST",
     "the first so many ranks, 2 up to all; by default the powers of two among these, and all"},
    program::longest_option,
    program::budget_option,
    program::measured_algorithms_option,
    program::output_option,
    {"--progress", "", "say on stderr how far it is, for a terminal"},
};

constexpr const char* usage = "mpi_tune [OPTION...]: tutti tune over MPI\n\n";
constexpr const char* details =
    "Runs every candidate over tutti::mpi::transport, as tutti tune does on threads, and writes down which\n"
    "is the fastest for which size and length, on stdout unless --output names a file:\n"
    "choose_by(by_table(...)) takes the table.\n\n"
    "Ends with 0 if all is well, 1 if something failed, 2 if the arguments are wrong.\n\n"
    "Example: mpirun -n 4 mpi_tune --output here.table\n";

/// "2,4,8,13" for 13 ranks.
std::string default_sizes(rank_type all) {
    std::string list;
    for (rank_type size = 2; size < all; size *= 2) list.append(std::to_string(size)).append(",");
    return list + std::to_string(all);
}

/// Waits until all ranks have come, and leaves the cores to those that still measure: MPI's waiting spins.
void meet_quietly() {
    MPI_Request all_here = MPI_REQUEST_NULL;
    tutti::mpi::check(MPI_Ibarrier(MPI_COMM_WORLD, &all_here), "MPI_Ibarrier");
    for (int done = 0; done == 0;) {
        tutti::mpi::check(MPI_Test(&all_here, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// On rank 0 all that was measured; other ranks have that of the sizes they took part in.
std::vector<tutti::measured_choices> measure(const tuning& told, program::progress& shown) {
    std::vector<tutti::measured_choices> all;
    for (const tutti::collective what : told.wanted)
        all.push_back({.what = what, .ways = told.ways(what), .first = told.sizes.front()});
    const rank_type rank = tutti::mpi::rank_in(MPI_COMM_WORLD);
    for (const rank_type size : told.sizes) {
        MPI_Comm made = MPI_COMM_NULL;
        tutti::mpi::check(MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &made),
                          "MPI_Comm_split");
        if (made != MPI_COMM_NULL) {
            const tutti::mpi::owned_comm group(made);
            tutti::mpi::transport wires(group.get());
            tutti::communicator comm(wires);
            for (tutti::measured_choices& of : all) {
                const std::vector<tutti::timed_cell> cells =
                    tutti::measure_choices(comm, of.ways, told.longest, told.budget, [&] { shown.step(); });
                of.cells.insert(of.cells.end(), cells.begin(), cells.end());
            }
        }
        meet_quietly();
    }
    return all;
}

tutti::decision_table table_of(std::vector<tutti::measured_choices> all) {
    std::vector<tutti::decision_rule> rules;
    for (tutti::measured_choices& of : all) {
        tutti::leave_out_dispensable({&of, 1});
        for (tutti::decision_rule& rule : tutti::rules_of(of)) rules.push_back(std::move(rule));
    }
    return tutti::decision_table("this-mpi", std::move(rules));
}

/// What the arguments say.
struct setup {
    tuning told;
    bool shows_progress = false;
    std::optional<program::table_file> file; // rank 0's; without --output stdout is meant
};

/// All ranks have the same arguments, and refuse them alike. Whether the file can be written rank 0 finds out
/// for all.
setup setup_of(std::span<const std::string> words, bool is_first) {
    const arguments given(options, words);
    const rank_type all = tutti::mpi::size_of(MPI_COMM_WORLD);
    if (all < 2) throw tutti::argument_error("ranks", std::to_string(all), "2 or more: mpirun -n 2");
    setup how{.told = program::tuning_of(given, {2, all}, default_sizes(all)),
              .shows_progress = is_first && given.has("--progress"),
              .file = {}};
    if (!given.has("--output")) return how;
    std::optional<tutti::argument_error> why;
    try {
        if (is_first) how.file.emplace(given);
    } catch (const tutti::argument_error& e) {
        why = e;
    }
    int refused = why ? 1 : 0;
    tutti::mpi::check(MPI_Bcast(&refused, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    if (why) throw *why;
    if (refused != 0)
        throw tutti::argument_error("--output", "refused by rank 0", "a file that can be written");
    return how;
}

void tune(const setup& how, bool is_first) {
    std::optional<program::progress> shown(std::in_place, std::cerr, how.shows_progress, "mpi_tune",
                                           how.told.cells(), std::chrono::milliseconds(0)); // asked for
    shown->part(0);
    std::vector<tutti::measured_choices> all = measure(how.told, *shown);
    shown.reset();
    if (!is_first) return;
    const tutti::decision_table table = table_of(std::move(all));
    if (how.file) return how.file->write(table);
    std::cout << tutti::text_of(table) << std::flush;
    if (!std::cout) throw std::runtime_error("the output could not be written");
}

int run(std::span<const std::string> words) {
    const bool is_first = tutti::mpi::rank_in(MPI_COMM_WORLD) == 0;
    if (std::find(words.begin(), words.end(), "--help") != words.end()) {
        if (is_first) std::cout << usage << program::text_of(options) << '\n' << details;
        return 0;
    }
    std::optional<setup> how;
    try {
        how = setup_of(words, is_first);
    } catch (const tutti::argument_error& e) {
        if (is_first) std::cerr << e.what() << "\nmpi_tune --help lists the options.\n";
        return 2;
    }
    tune(*how, is_first);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int code = 1;
    try {
        code = run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mpi_tune: %s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1); // others may wait for this rank
    }
    MPI_Finalize();
    return code;
}
