// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <new>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/error.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>

#include "examples/tutti/progress.hpp"
#include "support/catch2.hpp"
#include "support/document.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"
#include "support/scripted.hpp"

namespace {

using support::answer;
using support::rows_of;
using support::tutti_program;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The library's algorithm, doing or claiming something else than it does.
struct spoiled {
    enum class way { skips_last_round, claims_order, never_receives } how;
    tutti::any_generator good;

    tutti::round_index rounds() const {
        return good.rounds() - (how == way::skips_last_round && good.rounds() > 0 ? 1 : 0);
    }
    tutti::block_index blocks() const { return good.blocks(); }
    tutti::capabilities claims() const {
        tutti::capabilities c = good.claims();
        c.order_preserving = c.order_preserving || how == way::claims_order;
        return c;
    }
    template <class Sink>
    void emit(tutti::round_index i, Sink&& sink) const {
        good.emit(i, [&](tutti::step s) {
            if (how != way::never_receives || s.kind != tutti::step_kind::recv_reduce) sink(s);
        });
    }
};

/// A catalogue of one allreduce, a spoiled one.
template <spoiled::way How>
std::array<tutti::catalogue_entry, 1> catalogue_of_one() {
    tutti::catalogue_entry entry = *tutti::find_algorithm(tutti::collective::allreduce, "ring");
    entry.name = "spoiled";
    entry.make = [](tutti::place at, const tutti::parameters&) -> tutti::any_generator {
        return spoiled{How, tutti::find_algorithm(tutti::collective::allreduce, "ring")->make(at, {})};
    };
    return {entry};
}

/// A catalogue of one allgather, for 2 ranks: the block of rank 1 comes and goes under the index of rank 0's.
std::array<tutti::catalogue_entry, 1> catalogue_of_detour() {
    tutti::catalogue_entry entry = *tutti::find_algorithm(tutti::collective::allgather, "ring");
    entry.name = "detour";
    entry.make = [](tutti::place at, const tutti::parameters&) -> tutti::any_generator {
        using tutti::step;
        constexpr tutti::block_set first{0, 1}, second{1, 1};
        constexpr auto aside = tutti::buffer_name::scratch;
        tutti::capabilities claims;
        claims.scratch_blocks = 2;
        const tutti::testing::play all{.ranks = {{{step::send(1, first), step::recv(1, first, aside)},
                                                  {step::send(1, first, aside)},
                                                  {step::recv(1, second)}},
                                                 {{step::recv(0, first), step::send(0, second)},
                                                  {step::recv(0, second, aside)},
                                                  {step::send(0, second, aside)}}},
                                       .blocks = 2,
                                       .claims = claims};
        return all(at);
    };
    return {entry};
}

using rows = std::vector<support::json>;

/// Ring, in whose place one of the ranks does what is no algorithm: only where it is another process.
template <void (*Harm)()>
tutti::any_generator harmful_ring(tutti::place at, const tutti::parameters& with) {
    static const pid_t launcher = ::getpid(); // which proves the schedule and must outlive it
    if (at.rank == 1 && ::getpid() != launcher) Harm();
    return tutti::find_algorithm(tutti::collective::allreduce, "ring")->make(at, with);
}

/// The catalogue's allreduces recursive_doubling, one as harmful as that, and ring.
template <void (*Harm)()>
std::array<tutti::catalogue_entry, 3> harm_in_the_middle() {
    const tutti::catalogue_entry ring = *tutti::find_algorithm(tutti::collective::allreduce, "ring");
    tutti::catalogue_entry harmful = ring;
    harmful.name = "harmful";
    harmful.make = &harmful_ring<Harm>;
    harmful.make({.size = 1}, {}); // knows the launcher
    return {*tutti::find_algorithm(tutti::collective::allreduce, "recursive_doubling"), harmful, ring};
}

/// Ring, which beyond 2 ranks wants more memory than there is.
tutti::any_generator greedy_ring(tutti::place at, const tutti::parameters& with) {
    if (at.size > 2) throw std::bad_alloc();
    return tutti::find_algorithm(tutti::collective::allreduce, "ring")->make(at, with);
}

void die() { ::raise(SIGKILL); }
void hang() {
    for (;;) ::pause();
}

} // namespace

TEST_CASE("tutti verify proves the whole catalogue", "[examples][program]") {
    const answer a = tutti_program("verify --size 1..6,9 --root all");
    CHECK(a.code == 0);
    CHECK(has(a.out, "schedules proved, 0 failed"));
    for (const tutti::catalogue_entry& e : tutti::catalogue()) CHECK(has(a.out, std::string(e.name)));
    CHECK(a.err.empty());
}

TEST_CASE("tutti run gets right results from the whole catalogue", "[examples][program]") {
    const answer a = tutti_program("run --size 1..4 --elements 0,1,7,500 --repeat 1");
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 wrong, 0 not proved"));
    for (const tutti::catalogue_entry& e : tutti::catalogue()) CHECK(has(a.out, std::string(e.name)));
    CHECK(a.err.empty());
}

TEST_CASE("tutti run gets right results from the whole catalogue over processes, too",
          "[examples][program]") {
    const answer a = tutti_program("run --transport processes --size 1,3 --elements 0,7 --repeat 1");
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 wrong, 0 not proved"));
    for (const tutti::catalogue_entry& e : tutti::catalogue()) CHECK(has(a.out, std::string(e.name)));
    CHECK(a.err.empty());
}

TEST_CASE("tutti run counts a refusal of a non-commutative operation as correct", "[examples][program]") {
    const answer a =
        tutti_program("run --collective allreduce --algorithm ring,recursive_doubling --size 3 --elements 5 "
                      "--type matrix,int --json");
    CHECK(a.code == 0);
    const rows all = rows_of(a, "run",
                             {"collective", "algorithm", "parameters", "type", "size", "root", "relation",
                              "elements", "bytes", "time_us", "rounds", "sent_blocks", "reduced_blocks",
                              "volume", "proved", "outcome", "correct", "finding"});
    REQUIRE(all.size() == 4);
    for (const support::json& r : all) {
        const bool refused = r["algorithm"].text == "ring" && r["type"].text == "matrix";
        CHECK(r["outcome"].text == (refused ? "refused" : "ran"));
        CHECK(r["correct"].text == "true");
        CHECK((r["time_us"].what == support::json::kind::null) == refused);
        CHECK(r["bytes"].text == (r["type"].text == "matrix" ? "80" : "20"));
        CHECK(r["root"].what == support::json::kind::null);
    }
}

TEST_CASE("the rows of tutti verify say what was proved", "[examples][program]") {
    const std::vector<std::string> keys{
        "collective",      "algorithm",     "parameters",       "size",   "root",        "relation",
        "schedules",       "proved",        "rounds",           "blocks", "sent_blocks", "reduced_blocks",
        "rounds_vs_bound", "sent_vs_bound", "reduced_vs_bound", "finding"};
    const rows folded =
        rows_of(tutti_program("verify --collective reduce --algorithm fnomial --radix 4 --size 16,17 --json"),
                "verify", keys);
    REQUIRE(folded.size() == 4); // two sizes, one or three segments
    CHECK(folded[0]["parameters"]["radix"].text == "4");
    CHECK(folded[0]["parameters"]["segments"].text == "1");
    CHECK(folded[0]["size"].text == "16");
    CHECK(folded[0]["root"].text == "all");
    CHECK(folded[0]["schedules"].text == "16");
    CHECK(folded[0]["proved"].text == "true");
    CHECK(folded[0]["rounds"].text == "2"); // ceil(log4 16): a parent hears all of its children at once
    CHECK(folded[0]["rounds_vs_bound"].text == "1.5000"); // 3 + 3 messages to the root, 4 one by one at least

    const rows single =
        rows_of(tutti_program("verify --collective reduce --algorithm serial --size 3 --root 0,last --json"),
                "verify", keys);
    REQUIRE(single.size() == 2);
    CHECK(single[0]["root"].text == "0");
    CHECK(single[1]["root"].text == "2");
}

TEST_CASE("tutti verify proves every multicast over relations, by name", "[examples][program]") {
    const answer a = tutti_program("verify --collective multicast --size 1..9");
    INFO(a.out);
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 failed"));
    for (const tutti::catalogue_entry& e : tutti::multicasts_of(tutti::catalogue()))
        CHECK(has(a.out, std::string(e.name)));

    const std::vector<std::string> keys{
        "collective",      "algorithm",     "parameters",       "size",   "root",        "relation",
        "schedules",       "proved",        "rounds",           "blocks", "sent_blocks", "reduced_blocks",
        "rounds_vs_bound", "sent_vs_bound", "reduced_vs_bound", "finding"};
    const auto figures = [&](const std::string& line) {
        std::string text;
        for (const support::json& r : rows_of(tutti_program(line + " --json"), "verify", keys))
            text += r["relation"].text + " " + r["schedules"].text + " " + r["rounds"].text + " "
                    + r["sent_blocks"].text + "; ";
        return text;
    };
    const std::string serial = "verify --collective multicast --algorithm serial --size ";
    CHECK(figures(serial + "8") == "all 5 1 7; ");
    CHECK(figures(serial + "8 --relation neighbours,nobody,halves,everybody")
          == "neighbours 1 1 2; nobody 1 0 0; halves 1 1 4; everybody 1 1 7; ");
    CHECK(figures(serial + "2 --relation neighbours") == "neighbours 1 1 1; ");
    CHECK(figures(serial + "5 --relation halves") == "halves 1 1 3; ");
    // A few of the pairs: more than none, and less than all.
    CHECK(figures(serial + "8 --relation random") > "random 1 1 1; ");
    CHECK(figures(serial + "8 --relation random") < "random 1 1 7; ");
}

TEST_CASE("tutti list describes every algorithm once", "[examples][program]") {
    const answer table = tutti_program("list");
    CHECK(table.code == 0);
    const rows all = rows_of(tutti_program("list --json"), "list",
                             {"collective", "algorithm", "parameters", "keeps_order", "same_bits",
                              "any_size_bits", "equal_blocks", "reads_input", "rounds", "volume", "source"});
    std::vector<tutti::catalogue_entry> listed(tutti::catalogue().begin(), tutti::catalogue().end());
    for (const tutti::catalogue_entry& e : tutti::multicasts_of(tutti::catalogue())) listed.push_back(e);
    REQUIRE(all.size() == listed.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const tutti::catalogue_entry& e = listed[i];
        CHECK(all[i]["collective"].text == tutti::name_of(e.what));
        CHECK(all[i]["algorithm"].text == e.name);
        CHECK(has(table.out, std::string(e.source)));
    }
    const rows some = rows_of(tutti_program("list --collective exscan,barrier --json"), "list",
                              {"collective", "algorithm", "parameters", "keeps_order", "same_bits",
                               "any_size_bits", "equal_blocks", "reads_input", "rounds", "volume", "source"});
    CHECK(some.size() == 7);
}

TEST_CASE("the progress line is gone before anything is printed", "[examples][program]") {
    const std::string line = GENERATE(
        as<std::string>{}, "verify --collective bcast --size 3..5", "cost --size 8 --bytes 8,64K",
        "cost --size 8 --bytes 8,64K --explain", "simulate --size 64 --bytes 8,64K --repeat 3",
        "simulate --size 64 --algorithm ring --path", "simulate --size 64 --algorithm ring --format text",
        "simulate --size 8 --algorithm ring --format svg", "show --collective allreduce --algorithm ring",
        "show --collective allreduce --algorithm ring --format html",
        "show --collective allreduce --algorithm ring --format goal --output /dev/null",
        "simulate --size 64 --algorithm ring --format goal --output /dev/null",
        "choose --size 8 --bytes 8,64K", "congestion --fat-tree 4,2 --collective allgather --algorithm ring");
    const support::seen shown = support::at_terminal(line);
    INFO(line << "\n" << shown.screen);
    CHECK(shown.code == 0);
    const std::string verb = line.substr(0, line.find(' '));
    CHECK(has(shown.written, "\r\033[K" + verb + ": "));
    CHECK_FALSE(has("\n" + shown.screen, "\n" + verb + ": "));
    CHECK(shown.screen == tutti_program(line).out);
}

TEST_CASE("the progress line of verbs that measure is gone before anything is printed",
          "[examples][program]") {
    const std::string line =
        GENERATE(as<std::string>{}, "run --collective bcast --size 2,3 --elements 5 --type int",
                 "bench --collective bcast --algorithm chain --bytes 8,64 --repeat 3 --transport mock",
                 "tune --collective bcast --size 2 --budget 0.05 --longest 4K",
                 "calibrate --budget 0.05 --longest 4K");
    const support::seen shown = support::at_terminal(line);
    INFO(line << "\n" << shown.screen);
    CHECK(shown.code != 2);
    const std::string verb = line.substr(0, line.find(' '));
    CHECK(has(shown.written, "\r\033[K" + verb + ": "));
    if (verb != "calibrate") CHECK(has(shown.written, "\r\033[K" + verb + ": 0 of ")); // before it measures
    CHECK_FALSE(has("\n" + shown.screen, "\n" + verb + ": "));
    CHECK_FALSE(has(shown.screen, " s left"));
    CHECK_FALSE(has(shown.screen, " so far"));
}

TEST_CASE("GOAL that scrolls by at a terminal has no progress line", "[examples][program]") {
    const std::string line = GENERATE(as<std::string>{}, "show --collective allreduce --algorithm ring",
                                      "simulate --size 64 --algorithm ring");
    const support::seen shown = support::at_terminal(line + " --format goal");
    CHECK(shown.code == 0);
    CHECK(shown.written == tutti_program(line + " --format goal").out);
}

TEST_CASE("choose says how far it is within a step", "[examples][program]") {
    const std::string written = support::at_terminal("choose --size 64 --bytes 8").written;
    const std::size_t within = written.find("choose: 0 of 1, ");
    REQUIRE(within != std::string::npos);
    CHECK(written.substr(within, written.find("choose: 1 of 1") - within).find(" %, ") != std::string::npos);
}

TEST_CASE("what is timed is announced at once, to whoever watches", "[examples][program]") {
    for (const bool watched : {true, false}) {
        std::ostringstream err;
        {
            program::progress shown(err, watched, "test", 3, std::chrono::hours(1));
            shown.announce();
            CHECK(err.str() == (watched ? "\r\033[Ktest: 0 of 3" : ""));
            shown.step();
        }
        CHECK(err.str() == (watched ? "\r\033[Ktest: 0 of 3\r\033[K" : ""));
    }
}

TEST_CASE("an error finds the progress line gone", "[examples][program]") {
    const support::seen shown =
        support::at_terminal("show --collective allgather --algorithm direct --size 200 --format html");
    CHECK(shown.code == 2);
    CHECK(shown.screen.find("tutti: ") == 0);
}

TEST_CASE("nobody is bothered with progress who does not wait, or is no terminal", "[examples][program]") {
    CHECK(tutti_program("verify --collective bcast --size 3..5").err.empty());
    std::ostringstream both;
    const program::surroundings soon{
        .out = both, .err = both, .terminal = true, .patience = std::chrono::hours(1)};
    {
        program::progress shown(soon, "test", 3);
        shown.during([&] { shown.step(); });
        shown.part(0.5);
    }
    CHECK(both.str().empty());
}

TEST_CASE("the progress line says how fast, and how long it will take", "[examples][program]") {
    using program::progress_text;
    CHECK(progress_text("verify", 17, 300, 4) == "verify: 17 of 300, 4.25/s, 67 s left");
    CHECK(progress_text("run", 0, 75, 0.001) == "run: 0 of 75");
    CHECK(progress_text("simulate", 0, 1, 2.4) == "simulate: 0 of 1, 2 s so far");
    CHECK(progress_text("simulate", 0.25, 1, 5) == "simulate: 0 of 1, 25 %, 3/min, 15 s left");
    CHECK(progress_text("cost", 1.5, 4, 3) == "cost: 1 of 4, 38 %, 0.5/s, 5 s left");
    CHECK(progress_text("tune", 100, 10000, 1000) == "tune: 100 of 10000, 0.1/s, 27.5 h left");
    CHECK(progress_text("tune", 100, 200, 1000) == "tune: 100 of 200, 0.1/s, 17 min left");
}

TEST_CASE("what is waited for ends with its own exception", "[examples][program]") {
    std::ostringstream out;
    const program::surroundings with{
        .out = out, .err = out, .terminal = true, .patience = std::chrono::milliseconds(0)};
    program::progress shown(with, "test", 3);
    CHECK_THROWS_AS(shown.during([] { throw tutti::argument_error("a", "b", "c"); }), tutti::argument_error);
    CHECK_THROWS_AS(program::for_each_in_parallel(
                        5, shown, [](std::size_t) { throw tutti::argument_error("a", "b", "c"); }),
                    tutti::argument_error);
}

TEST_CASE("docs/algorithms.md is what tutti list --markdown prints", "[examples][program][docs]") {
    CHECK(support::text_of("docs/algorithms.md") == tutti_program("list --markdown").out);
}

TEST_CASE("docs/papers.md says where every paper is that an algorithm is from", "[examples][program][docs]") {
    std::string list = support::text_of("docs/papers.md");
    list.erase(0, list.find("## Where the papers are"));
    for (std::size_t at = 0; (at = list.find("\n  ", at)) != std::string::npos;) list.replace(at, 3, " ");
    std::vector<std::string> papers; // each a line
    std::istringstream lines(list);
    for (std::string line; std::getline(lines, line);) papers.push_back(line);
    std::size_t sought = 0;
    std::vector<tutti::catalogue_entry> listed(tutti::catalogue().begin(), tutti::catalogue().end());
    for (const tutti::catalogue_entry& e : tutti::multicasts_of(tutti::catalogue())) listed.push_back(e);
    for (const tutti::catalogue_entry& e : listed) {
        std::istringstream sources{std::string(e.source)}; // "Moody et al. 2003, 4.1; Open MPI"
        for (std::string source; std::getline(sources >> std::ws, source, ';');) {
            const std::size_t year = source.find_first_of("12");
            if (year == std::string::npos) continue; // "classic"
            ++sought;
            std::size_t end = year - 1; // of the first author
            for (const char* behind : {",", " and ", " et al."}) end = std::min(end, source.find(behind));
            INFO(source);
            CHECK(std::any_of(papers.begin(), papers.end(), [&](const std::string& paper) {
                return has(paper, source.substr(0, end)) && has(paper, source.substr(year, 4));
            }));
        }
    }
    CHECK(sought > 80);
}

namespace {
/// The table of lower bounds: "collective, of" of the rows whose bound is met, and of those with a note.
struct bounds_reached {
    std::set<std::string> met, missed;
    std::string wrong;

    explicit bounds_reached(const std::string& page) {
        std::istringstream lines(page.substr(page.find("| collective | of | bound |")));
        std::string line;
        for (int head = 0; head < 2; ++head) std::getline(lines, line);
        while (std::getline(lines, line) && !line.empty()) {
            std::vector<std::string> cells;
            for (std::size_t begin = 2, end = 0; (end = line.find(" |", begin)) != std::string::npos;
                 begin = end + 3)
                cells.push_back(line.substr(begin, end - begin));
            const std::string number = std::to_string(missed.size() + 1);
            const std::string note = std::string(" (").append(number).append(")");
            const bool whole = cells.size() == 5 && has(cells[4], "`");
            const bool noted = whole && cells[3] != cells[2] + note && has(cells[3], note)
                               && has(page, std::string("\n").append(number).append(". "));
            if (!whole || (cells[3] != cells[2] && !noted))
                wrong += line + "\n";
            else
                (noted ? missed : met).insert(cells[0] + ", " + cells[1]);
        }
    }
};
} // namespace

TEST_CASE("every bound that can be reached is reached, and of the others it is said why",
          "[examples][program][docs]") {
    const std::string page = support::text_of("docs/algorithms.md");
    const bounds_reached all(page);
    CHECK(all.wrong == "");
    CHECK_FALSE(has(page, "Nobody has said why"));
    CHECK(all.missed
          == std::set<std::string>{"bcast, rounds and volume", "allreduce, rounds and volume",
                                   "gather, rounds and volume", "alltoall, rounds and volume",
                                   "exscan, rounds and volume", "exscan, folds", "scan, rounds and volume",
                                   "scan, folds"});
    std::set<std::string> expected;
    for (const tutti::collective what : tutti::all_collectives)
        for (const std::string figure :
             {"rounds", "rounds of n segments", "volume", "folds", "rounds and volume"}) {
            const bool pipelined = tutti::has_root(what);
            if (figure == "rounds of n segments" ? pipelined
                : figure == "folds"              ? tutti::folds(what)
                : figure == "rounds"             ? true
                                                 : what != tutti::collective::barrier)
                expected.insert(std::string(tutti::name_of(what)) + ", " + figure);
        }
    for (const std::string& row : all.missed) expected.erase(row);
    CHECK(all.met == expected);
}

TEST_CASE("a bound that nobody reaches shows, and messages side by side count as rounds",
          "[examples][program]") {
    const std::string chain = tutti_program("list --markdown --collective bcast --algorithm chain").out;
    CHECK(has(chain, "| bcast | rounds | 10 | 999 (1) | `chain` |"));
    CHECK(has(chain, "| bcast | volume | m | m | `chain` |"));
    CHECK(has(chain, "\n1. Nobody has said why."));
    // One round of 999 messages.
    const std::string serial = tutti_program("list --markdown --collective bcast --algorithm serial").out;
    CHECK(has(serial, "| bcast | rounds | 10 | 999 (1) | `serial` |"));
    CHECK(has(serial, "| bcast | rounds of n segments | n + 9 | unknown (2) |  |"));
    CHECK(has(serial, "| bcast | volume | m | 999 m (3) | `serial` |"));
    // A message of half the vector is none of one segment.
    const std::string halves = tutti_program("list --markdown --collective scatter --algorithm fnomial").out;
    CHECK(has(halves, "| scatter | rounds of n segments | n - 1 | unknown (1) |  |"));
}

TEST_CASE("a schedule that is wrong makes the program end with 1 and say why", "[examples][program]") {
    SECTION("a round is missing") {
        const auto planted = catalogue_of_one<spoiled::way::skips_last_round>();
        const answer proof = tutti_program("verify --size 2..5", planted);
        INFO(proof.out);
        CHECK(proof.code == 1);
        CHECK(has(proof.out, "0 schedules proved, 4 failed"));
        CHECK(has(proof.out, "rank 4, block 0: the result is"));
        const answer run = tutti_program("run --size 4 --elements 3 --type int", planted);
        INFO(run.out);
        CHECK(run.code == 1);
        CHECK(has(run.out, "0 correct"));
        CHECK(has(run.out, "is wrong"));
        const answer json = tutti_program("verify --size 2 --json", planted);
        CHECK(json.code == 1);
        const support::json whole = support::read_json(json.out);
        CHECK(whole["rows"].members.front().value["proved"].text == "false");
        CHECK(whole["rows"].members.front().value["finding"].what == support::json::kind::string);
        CHECK(has(json.err, "1 failed"));
    }
    SECTION("the order is claimed but not kept") {
        const auto planted = catalogue_of_one<spoiled::way::claims_order>();
        const answer run = tutti_program("run --size 5 --elements 50 --type matrix", planted);
        INFO(run.out);
        CHECK(run.code == 1);
        CHECK(has(run.out, "1 wrong, 1 not proved"));
    }
    SECTION("it is right for equal blocks only, and does not say so") {
        const auto planted = catalogue_of_detour();
        const std::string line = "run --collective allgather --size 2 --type int --repeat 1 --elements ";
        const answer equal = tutti_program(line + "0", planted); // no lengths differ
        INFO(equal.out << equal.err);
        CHECK(has(equal.out, "1 correct"));
        const answer different = tutti_program(line + "4", planted);
        INFO(different.out << different.err);
        CHECK(different.code == 1);
        CHECK(has(different.out, "1 wrong"));
    }
    SECTION("nobody receives") {
        const auto planted = catalogue_of_one<spoiled::way::never_receives>();
        const answer proof = tutti_program("verify --size 3", planted);
        INFO(proof.out);
        CHECK(proof.code == 1);
        CHECK(has(proof.out, "deadlock"));
    }
}

TEST_CASE("a proof that does not fit the memory is a finding, and the other schedules are proved",
          "[examples][program]") {
    auto catalogue = harm_in_the_middle<die>();
    catalogue[1].name = "greedy";
    catalogue[1].make = &greedy_ring;
    const answer a = tutti_program("verify --size 2..4", catalogue);
    INFO(a.out);
    CHECK(a.code == 1);
    CHECK(has(a.out, "not proved: the blocks of 3 ranks by greedy do not fit the memory; take fewer ranks"));
    CHECK(has(a.out, "not proved: the blocks of 4 ranks by greedy do not fit the memory; take fewer ranks"));
    CHECK_FALSE(has(a.out, "of 2 ranks"));
    CHECK(has(a.out, "7 schedules proved, 2 failed"));
}

TEST_CASE("a process that dies or hangs spoils the case that it was in, and no other",
          "[examples][program]") {
    const bool dies = GENERATE(true, false);
    const auto catalogue = dies ? harm_in_the_middle<die>() : harm_in_the_middle<hang>();
    const answer a = tutti_program(
        "run --transport processes --size 3 --elements 5 --type int --json --deadline 3", catalogue);
    INFO(a.out);
    CHECK(a.code == 1);
    const support::json whole = support::read_json(a.out);
    REQUIRE(whole["rows"].members.size() == 3);
    for (const support::json_member& m : whole["rows"].members) {
        const bool harmed = m.value["algorithm"].text == "harmful";
        CHECK(m.value["correct"].text == (harmed ? "false" : "true"));
        if (!harmed) continue;
        CHECK(has(m.value["finding"].text,
                  dies ? "rank 1, a process, failed: it was killed by signal 9" : "nothing has come for 3"));
    }
}

TEST_CASE("wrong arguments end with 2 and say which, its value and what is allowed", "[examples][program]") {
    struct sample {
        std::string line;
        std::vector<std::string> said;
    };
    const sample wrong = GENERATE(values<sample>({
        {"", {"VERB", "list", "verify", "run", "help"}},
        {"prove", {"VERB", "'prove'", "verify", "tutti help says"}},
        {"verfiy", {"VERB", "'verfiy' (did you mean verify?)"}},
        {"help prove", {"VERB", "'prove'", "verify"}},
        {"list extra", {"option", "extra", "--collective"}},
        {"verify --sizes 3", {"option is '--sizes' (did you mean --size?)", "tutti verify --help"}},
        {"cost --sise=3", {"option is '--sise' (did you mean --size?)", "tutti cost --help"}},
        {"verify --size", {"--size", "without a value"}},
        {"verify --size --json", {"--size", "without a value"}},
        {"verify --size 3 --size 4", {"--size", "given twice"}},
        {"verify --json=yes", {"--json", "yes", "no value"}},
        {"verify --size 0", {"--size", "'0'", "from 1"}},
        {"verify --size 1..", {"--size", "'1..'"}},
        {"verify --size 5..3", {"--size", "'5..3'"}},
        {"verify --size 1,,3", {"--size", "'1,,3'"}},
        {"verify --size -3", {"--size", "'-3'"}},
        {"verify --size 3x", {"--size", "'3x'"}},
        {"verify --size 3K", {"--size", "'3K'"}},
        {"verify --size 99999999999999999999", {"--size", "from 1 to 1048576"}},
        {"verify --size 1..1000000", {"--size", "at most 100000"}},
        {"verify --collective broadcast", {"--collective", "'broadcast'", "bcast", "allreduce"}},
        {"verify --algorithm rings", {"--algorithm", "'rings' (did you mean ring?)", "halving_doubling"}},
        {"verify --collective allreduc", {"'allreduc' (did you mean allreduce?)"}},
        {"cost --collective All-Gather", {"'All-Gather' (did you mean allgather?)"}},
        {"choose --collective allreduce,multicast",
         {"'multicast', which tables do not decide; tutti cost, simulate, bench and run have it",
          "allowed: all, "}},
        {"cost --collective partial_allreduce",
         {"'partial_allreduce', which runs the schedules of allreduce; tutti simulate --skew"}},
        {"verify --collective bypass_reduce",
         {"which runs the schedules of reduce; tutti simulate --progress bypass"}},
        {"cost --collective allgatherv",
         {"'allgatherv', which runs the schedules of allgather; tutti run runs these with blocks of "
          "different "
          "lengths, too; allowed: all, "}},
        {"show --collective ialltoallv", {"'ialltoallv', which runs the schedules of alltoall; tutti run"}},
        {"show --collective iscatter", {"'iscatter', which runs the schedules of scatter; allowed: barrier"}},
        {"verify --collective plan_scan", {"'plan_scan', which runs the schedules of scan"}},
        {"cost --algorithm rings", {"'rings' (did you mean ring?); allowed: all, "}},
        {"cost --collective bcast,reduce --algorithm split_binary", {"one for reduce at least: serial, "}},
        {"show --collective alltoall --algorithm direct",
         {"'direct' (did you mean pairwise?); allowed: bruck"}},
        {"cost --collective gather --algorithm linear", {"'linear' (did you mean serial?)"}},
        {"cost --algorithm Rabenseifner", {"(did you mean halving_doubling?)"}},
        {"congestion --torus 4 --algorithm ring --size 4", {"option is '--size' (did you mean --ranks?)"}},
        {"simulate --ranks 4", {"option is '--ranks' (did you mean --size?)"}},
        {"verify --collective alltoall --algorithm ring",
         {"--algorithm", "'ring'", "bruck, circulant, mesh2d, hypercube, pairwise"}},
        {"verify --size 4 --root 4", {"--root", "'4'", "from 0 to 3"}},
        {"verify --size 2..4 --root 2", {"--root", "'2'", "smallest size, 2"}},
        {"verify --size 4 --root -1",
         {"--root", "'-1'", "from 0 to 3, as in 1..3 (below the smallest size, 4)"}},
        {"cost --size 4 --root 9", {"--root is '9'; allowed: one number from 0 to 3"}},
        {"verify --size 1 --root 1", {"from 0 to 0, as in 0 ("}},
        {"verify --radix 1", {"'1'; allowed: numbers from 2 to 2147483647, as in 2..10,14"}},
        {"cost --bytes 64k",
         {"--bytes is '64k' (did you mean 64K?)", "(K, M, G may follow), as in 8,64K,1M"}},
        {"cost --bytes 8,64KB,1mib", {"'8,64KB,1mib' (did you mean 8,64K,1M?)"}},
        {"simulate --size 1k..2k", {"'1k..2k' (did you mean 1K..2K?)"}},
        {"show --collective barrier --size 1k", {"'1k' (did you mean 1K?)", "one number from"}},
        {"cost --bytes 512bytes", {"(did you mean 512?)"}},
        {"verify --relation some", {"--relation", "'some'", "everybody, neighbours, halves"}},
        {"tune --collective multicast", {"--collective", "'multicast'", "alltoall"}},
        {"show --collective multicast", {"--algorithm", "not given", "kshift", "serial"}},
        {"show --collective multicast --algorithm ring --relation random,nobody",
         {"--relation", "'random,nobody'"}},
        {"show --collective allgather --algorithm ring --relation nobody", {"--relation", "multicast"}},
        {"verify --radix 1", {"--radix", "'1'", "from 2"}},
        {"verify --arity 0", {"--arity", "'0'", "from 1"}},
        {"verify --splits 31", {"--splits", "'31'", "from 0 to 30"}},
        {"verify --segments 0", {"--segments", "'0'", "from 1"}},
        {"verify --collective allreduce --algorithm ring --radix 2", {"--radix", "such a parameter", "none"}},
        {"verify --collective bcast --algorithm fnomial,kary --k 2",
         {"--k", "such a parameter", "--arity, --radix, --segments"}},
        {"run --size 257", {"--size", "'257'", "from 1 to 256", "cost and simulate"}},
        {"show --algorithm ring --collective allreduce --size 70000",
         {"from 1 to 65536", "tutti simulate takes"}},
        {"show --algorithm ring --collective allreduce --size 300 --format svg",
         {"at most 256; parts of it by --ranks"}},
        {"simulate --algorithm ring --size 64 --format svg", {"at most 20000; fewer by --size"}},
        {"run --transport mpi", {"--transport", "'mpi'", "threads"}},
        {"run --type float", {"--type", "'float'", "int, double, struct, matrix"}},
        {"run --elements 1 --bytes 8", {"--bytes", "--elements", "one of the two"}},
        {"run --bytes 8T", {"--bytes", "'8T'", "K, M, G"}},
        {"run --elements -1", {"--elements", "'-1'", "from 0"}},
        {"run --repeat 0", {"--repeat", "'0'", "from 1"}},
        {"run --repeat 1,2", {"--repeat", "1,2", "one number"}},
    }));
    const answer a = tutti_program(wrong.line);
    INFO("tutti " << wrong.line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(a.out.empty());
    for (const std::string& part : wrong.said) CHECK(has(a.err, part));
}

TEST_CASE("lists of algorithms are those of the collective asked for, each once", "[examples][program]") {
    const std::string line = GENERATE(
        as<std::string>{}, "cost --algorithm nonsense", "cost --collective allreduce --algorithm nonsense",
        "simulate --algorithm nonsense", "verify --collective allreduce --algorithm nonsense");
    const std::string said = tutti_program(line).err;
    INFO(said);
    std::string expected = "allowed: all";
    for (const tutti::catalogue_entry& e : tutti::catalogue_of(tutti::collective::allreduce))
        expected += ", " + std::string(e.name);
    CHECK(has(said, expected + "\n"));
    CHECK_FALSE(has(said, "did you mean"));
}

TEST_CASE("no other spelling of a number is told where it would not be taken", "[examples][program]") {
    for (const std::string line :
         {"cost --bytes 9999999G", "cost --bytes 9999999g", "verify --size 3k", "run --bytes 8T",
          "cost --bytes 64q", "cost --bytes 1..", "cost --bytes ,"}) {
        const answer a = tutti_program(line);
        INFO("tutti " << line << "\n" << a.err);
        CHECK(a.code == 2);
        CHECK_FALSE(has(a.err, "did you mean"));
    }
}

TEST_CASE("help names every verb, and every verb its options", "[examples][program]") {
    for (const std::string line : {"help", "--help", "-h"}) {
        const answer a = tutti_program(line);
        CHECK(a.code == 0);
        for (const std::string verb : {"list", "verify", "run"}) CHECK(has(a.out, "\n  " + verb + " "));
    }
    for (const program::verb* v : {&program::list_verb, &program::verify_verb, &program::run_verb})
        for (const std::string& line :
             {std::string(v->name) + " --help", std::string(v->name) + " -h",
              std::string(v->name) + " --size 3 -h", "help " + std::string(v->name)}) {
            const answer a = tutti_program(line);
            CHECK(a.code == 0);
            for (const program::option& o : v->options) CHECK(has(a.out, "\n  " + std::string(o.name)));
        }
}

TEST_CASE("lists of numbers and words are read once each, in order", "[examples][program]") {
    using list = std::vector<std::int64_t>;
    CHECK(program::numbers("--size", "1..3,7,2,5..6", {1, 10}) == list{1, 2, 3, 7, 5, 6});
    CHECK(program::numbers("--size", "4..4", {1, 10}) == list{4});
    CHECK(program::numbers("--bytes", "0,8,64K,1M,2G", {0, std::int64_t{1} << 40, true})
          == list{0, 8, 65536, 1048576, std::int64_t{2} << 30});
    constexpr std::array<std::string_view, 3> known{"one", "two", "three"};
    CHECK(program::words("--type", "three,one,three", known)
          == std::vector<std::string_view>{"three", "one"});
    CHECK(program::words("--type", "all", known) == std::vector<std::string_view>{"one", "two", "three"});
    CHECK_THROWS_AS(program::words("--type", "one,", known), tutti::argument_error);
}

TEST_CASE("tables fold rows with equal names, and JSON escapes what it must", "[examples][program]") {
    program::table t({{.key = "name", .identifies = true},
                      {.key = "size"},
                      {.key = "time_us"},
                      {.key = "fine"},
                      {.key = "never"}});
    t.add({std::string("a\"\\\n"), std::int64_t{1}, 0.5, true, {}});
    t.add({std::string("a\"\\\n"), std::int64_t{12}, {}, false, {}});
    t.add({std::string("b"), std::int64_t{3}, 2.25, true, {}});
    std::ostringstream folded;
    t.print(folded, true);
    CHECK(has(folded.str(), "1..12  0.50  no"));
    CHECK(has(folded.str(), "3  2.25  yes"));
    CHECK_FALSE(has(folded.str(), "never"));
    std::ostringstream each;
    t.print(each, false);
    CHECK(has(each.str(), "12     -  no"));
    std::ostringstream out;
    t.print_json(out, "test");
    const support::json whole = support::read_json(out.str());
    REQUIRE(whole["rows"].members.size() == 3);
    CHECK(whole["rows"].members[0].value["name"].text == "a\"\\\\u000a");
    CHECK(whole["rows"].members[1].value["never"].what == support::json::kind::null);
    CHECK(whole["rows"].members[2].value["time_us"].text == "2.2500");
}

TEST_CASE("tables compare, sort and mark the best of what is alike", "[examples][program]") {
    const auto made = [](bool sorted) {
        program::table t(
            {{.key = "name"}, {.key = "bytes", .typed = true}, {.key = "us"}, {.key = "x_best"}});
        t.add({std::string("slow"), std::int64_t{1024}, 3.0, {}});
        t.add({std::string("alone"), std::int64_t{8}, 1.0, {}});
        t.add({std::string("none"), std::int64_t{1024}, {}, {}});
        t.add({std::string("fast"), std::int64_t{1024}, 2.0, {}});
        t.compare("us", {"bytes"}, sorted);
        return t;
    };
    const auto printed = [](const program::table& t, bool bold) {
        std::ostringstream out;
        program::may_be_bold(out) = bold ? 1 : 0;
        t.print(out, false);
        return out.str();
    };
    CHECK(printed(made(true), false)
          == "                       x\n"
             "name   bytes    us  best\n"
             "fast      1K  2.00  1.00\n"
             "slow      1K  3.00  1.50\n"
             "none      1K     -     -\n"
             "alone      8  1.00     -\n");
    CHECK(has(printed(made(true), true), "best\n\033[1mfast      1K  2.00  1.00\033[0m\nslow "));
    const std::string as_added = printed(made(false), true);
    CHECK(has(as_added, "1.50\nalone      8  1.00     -\nnone      1K     -     -\n\033[1mfast "));
    CHECK_FALSE(has(printed(made(true), false), "\033"));
}

TEST_CASE("numbers stand as they are typed", "[examples][program]") {
    for (const std::string text : {"0", "1", "1000", "1K", "1025K", "64K", "1M", "3G", "1536", "1048577"})
        CHECK(program::typed(program::numbers("--bytes", text, {0, std::int64_t{1} << 40, true}).front())
              == text);
    CHECK(program::typed(-1024) == "-1024");
}

TEST_CASE("the reader of JSON in these tests sees what is none", "[examples][support]") {
    for (const std::string text :
         {"", "{", "[1,]", "{\"a\" 1}", "[01]", "[1.]", "\"a", "[1] 2", "{a: 1}", "nul"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(support::read_json(text), std::runtime_error);
    }
}
