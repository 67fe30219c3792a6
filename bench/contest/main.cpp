// SPDX-License-Identifier: BSL-1.0
//
// Starts every contestant once in each round, hears its times, and says who was faster: see usage below.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../examples/tutti/chart.hpp"
#include "../../examples/tutti/progress.hpp"
#include "../clock.hpp"
#include "../report.hpp"
#include "cells.hpp"
#include "standings.hpp"

namespace {

using contest::contestant;
using contest::standings;

constexpr const char* usage =
    "contest [OPTION]... (--peer NAME COMMAND | --ours NAME MPI COMMAND)...\n"
    "  --peer NAME COMMAND      times an MPI's own collectives\n"
    "  --ours NAME MPI COMMAND  times tutti's, over the peer of that name; MPI is - if over none\n"
    "  --ranks LIST   2 by default      --sizes LIST  as in 8,16K,4M\n"
    "  --rounds N     7 by default      --batch MS    of calls in a row; 1 by default\n"
    "  --csv FILE     all times         --svg FILE    the picture\n"
    "  --least        not the medians of all batches count, but the least\n"
    "A COMMAND is the shell's, {n} in it the number of ranks; sizes and milliseconds are appended.\n";

struct refused : std::invalid_argument {
    using invalid_argument::invalid_argument;
};

struct order {
    std::vector<contestant> all{};
    std::vector<int> ranks{2};
    std::string sizes = "8,64,1K,16K,256K,4M,64M";
    int rounds = 7;
    std::string batch = "1";
    std::string csv{}, svg{};
    contest::statistic counts = contest::statistic::median;
};

int positive(const std::string& name, const std::string& value) {
    const int number = std::atoi(value.c_str());
    if (number < 1) throw refused(name + " is '" + value + "'; allowed: 1 and more");
    return number;
}

order order_of(int argc, char** argv) {
    order given;
    int at = 1;
    const auto next = [&](const std::string& name) -> std::string {
        if (at == argc) throw refused(name + " needs more");
        return argv[at++];
    };
    while (at < argc) {
        const std::string name = argv[at++];
        if (name == "--peer") {
            const std::string who = next(name);
            given.all.push_back({.name = who, .over = "", .is_peer = true, .command = next(name)});
        } else if (name == "--ours") {
            const std::string who = next(name), over = next(name);
            given.all.push_back(
                {.name = who, .over = over == "-" ? "" : over, .is_peer = false, .command = next(name)});
        } else if (name == "--ranks") {
            std::istringstream list(next(name));
            given.ranks.clear();
            for (std::string one; std::getline(list, one, ',');) given.ranks.push_back(positive(name, one));
        } else if (name == "--sizes") {
            given.sizes = next(name);
        } else if (name == "--rounds") {
            given.rounds = positive(name, next(name));
        } else if (name == "--batch") {
            given.batch = next(name);
        } else if (name == "--least") {
            given.counts = contest::statistic::least;
        } else if (name == "--csv") {
            given.csv = next(name);
        } else if (name == "--svg") {
            given.svg = next(name);
        } else {
            throw refused("no option " + name);
        }
    }
    if (given.all.empty()) throw refused("nobody takes part");
    return given;
}

class referee {
public:
    explicit referee(order given)
        : given_(std::move(given)), cells_(contest::cells_of(contest::sizes_of(given_.sizes))) {}

    bool hold() {
        std::ostringstream csv;
        standings::write_heading(csv);
        std::vector<program::chart> charts;
        for (const int ranks : given_.ranks) {
            standings now(ranks, given_.all, cells_, given_.counts);
            play(ranks, now);
            now.tell(out_);
            judge(ranks, now);
            now.write_csv(csv);
            charts.push_back(now.drawn());
        }
        out_.print_aims();
        write(given_.csv, csv.str());
        if (!given_.svg.empty())
            write(given_.svg,
                  program::chart_svg("The time of MPI's collectives over tutti's, geometric means", charts));
        return is_fine_ && out_.all_correct();
    }

private:
    void play(int ranks, standings& now) {
        std::vector<double> hand_overs;
        for (contestant& one : given_.all) one.is_out = false;
        {
            const std::string verb = std::to_string(ranks) + " ranks, runs";
            program::progress shown(std::cerr, ::isatty(STDERR_FILENO) != 0, verb,
                                    given_.all.size() * static_cast<std::size_t>(given_.rounds));
            for (std::size_t round = 0; round < static_cast<std::size_t>(given_.rounds); ++round)
                for (std::size_t k = 0; k < given_.all.size(); ++k) {
                    const std::size_t who =
                        (round + k) % given_.all.size(); // nobody is always behind the same
                    if (!given_.all[who].is_out) run(who, ranks, now, hand_overs);
                    shown.step();
                }
        }
        std::printf("\n%d ranks, %d rounds", ranks, given_.rounds);
        if (!hand_overs.empty())
            std::printf("; a cache line is handed over in %.0f ns", bench::median(hand_overs) * 1e3);
        std::puts("");
        for (const contestant& one : given_.all)
            if (one.is_peer)
                std::printf("  %s: %s\n", one.name.c_str(), one.is_out ? "failed" : one.is.c_str());
    }

    void run(std::size_t who, int ranks, standings& now, std::vector<double>& hand_overs) {
        contestant& one = given_.all[who];
        std::string command = one.command;
        for (std::size_t at = 0; (at = command.find("{n}", at)) != std::string::npos;)
            command.replace(at, 3, std::to_string(ranks));
        command += " " + given_.sizes + " " + given_.batch;
        std::FILE* const said = ::popen(command.c_str(), "r");
        if (said == nullptr) throw std::runtime_error("cannot start a shell");
        std::array<char, 512> buffer{};
        while (std::fgets(buffer.data(), buffer.size(), said) != nullptr) {
            std::istringstream line(buffer.data());
            std::string what;
            std::size_t bytes = 0;
            double us = 0;
            line >> what;
            if (what == "is") {
                std::getline(line >> std::ws, one.is);
            } else if (what == "wrong") {
                std::getline(line >> std::ws, what);
                out_.wrong(one.name + ", " + what);
            } else if (line >> bytes >> us) {
                if (what == "hand_over") hand_overs.push_back(us);
                if (const auto which = tutti::collective_named(what)) now.add(who, {*which, bytes}, us);
            }
        }
        if (::pclose(said) == 0) return;
        std::printf("%s failed on %d ranks, and is left out from now on: %s\n", one.name.c_str(), ranks,
                    command.c_str());
        one.is_out = true;
        is_fine_ = is_fine_ && one.is_peer; // an MPI that does not run here is none that was found
    }

    /// Beside what was aimed at on two cores.
    void judge(int ranks, const standings& now) {
        using base = standings::base;
        constexpr std::size_t any = ~std::size_t{};
        struct wanted {
            std::string_view form; ///< what the contestant's name ends with
            int from_ranks, to_ranks;
            base to;
            std::size_t from, until; ///< bytes
            double mean, worst;      ///< 0: no aim
        };
        constexpr wanted aims[]{
            {"threads", 2, 2, base::best_mpi, 0, any, 2.0, 1.0},
            {"shared", 2, 2, base::best_mpi, 0, any, 2.0, 1.0},
            {"own", 2, 2, base::best_mpi, 0, any, 1.3, 0.9},
            {"threads", 4, 8, base::best_mpi, 0, any, 1.5, 1.0},
            {"shared", 4, 8, base::best_mpi, 0, any, 1.5, 1.0},
            {"adapter", 2, 2, base::same_mpi, 0, any, 1.1, 0.8},
            {"layer", 2, 8, base::same_mpi, 4096, any, 1.3, 0},
            {"layer", 2, 8, base::same_mpi, 0, 4095, 0.97, 0},
        };
        for (const wanted& aim : aims)
            for (std::size_t who = 0; who < given_.all.size(); ++who) {
                const contestant& one = given_.all[who];
                if (!one.name.ends_with(aim.form) || ranks < aim.from_ranks || ranks > aim.to_ranks) continue;
                const double mean = now.mean_speed(who, aim.to, aim.from, aim.until);
                if (mean == 0) continue; // nobody to be compared with
                const std::string where = one.name + ", " + std::to_string(ranks) + " ranks"
                                          + (aim.from > 0      ? ", from 4 KiB"
                                             : aim.until < any ? ", below 4 KiB"
                                                               : "");
                out_.at_least(where + ", geometric mean", mean, aim.mean);
                if (aim.worst > 0)
                    out_.at_least(where + ", worst cell", now.worst_speed(who, aim.to), aim.worst);
            }
    }

    static void write(const std::string& path, const std::string& text) {
        if (path.empty()) return;
        std::ofstream file(path);
        file << text << std::flush;
        if (!file) throw refused("cannot write " + path);
    }

    order given_;
    std::vector<contest::cell> cells_;
    bench::report out_;
    bool is_fine_ = true;
};

} // namespace

int main(int argc, char** argv) {
    try {
        return referee(order_of(argc, argv)).hold() ? 0 : 1;
    } catch (const std::invalid_argument& why) {
        std::fprintf(stderr, "contest: %s\n%s", why.what(), usage);
        return 2;
    } catch (const std::exception& why) {
        std::fprintf(stderr, "contest: %s\n", why.what());
        return 1;
    }
}
