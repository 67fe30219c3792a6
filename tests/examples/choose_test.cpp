// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <tutti/choose/default_choices.hpp>
#include <tutti/collectives/allreduce.hpp>
#include <tutti/collectives/make_plan.hpp>
#include <tutti/collectives/reduce.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/collectives/same_bits.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/tune/choosers.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"
#include "support/scratch_file.hpp"

namespace {

using support::answer;
using support::json;

answer choose(const std::string& line) { return support::tutti_program("choose " + line); }

std::vector<json> rows_of(const std::string& line) {
    const answer a = choose(line + " --json");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    return support::rows_of(a, "choose",
                            {"collective", "algorithm", "parameters", "size", "root", "bytes", "cores",
                             "predicted_us", "best", "best_us", "x_best", "why"});
}

/// "fnomial radix=4 segments=1", as tutti::name_of has it.
std::string name_of(const json& row) {
    std::string name = row["algorithm"].text;
    for (const support::json_member& p : row["parameters"].members)
        name.append(" ").append(p.name).append("=").append(p.value.text);
    return name;
}

} // namespace

TEST_CASE("tutti choose says what calls of threads take, in their own words", "[examples][choose]") {
    for (const int size : {2, 3, 5})
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{65536}, std::int64_t{1} << 22})
            for (const bool commutative : {true, false}) {
                std::vector<std::string> told(2);
                tutti::threads::run(size, [&](auto& comm) {
                    const std::string all =
                        tutti::explain<tutti::collective::allreduce>(comm, bytes, commutative);
                    const std::string one =
                        tutti::explain<tutti::collective::reduce>(comm, bytes, commutative, 1);
                    if (comm.rank() == 0) told = {all, one};
                });
                const std::vector<json> rows =
                    rows_of("--collective allreduce,reduce --root 1 --size " + std::to_string(size)
                            + " --bytes " + std::to_string(bytes) + (commutative ? "" : " --ordered"));
                REQUIRE(rows.size() == 2);
                for (std::size_t i = 0; i < 2; ++i)
                    CHECK(name_of(rows[i]) + ": " + rows[i]["why"].text + "\n" == told[i]);
                CHECK(rows[0]["root"].what == json::kind::null);
                CHECK(rows[1]["root"].text == "1");
            }
}

TEST_CASE("tutti choose knows the tables of all collectives, for both kinds of cores", "[examples][choose]") {
    for (const bool shared : {false, true}) {
        const std::vector<json> rows = rows_of("--collective all --size 2,7,64 --bytes 8,100000 --cores "
                                               + std::string(shared ? "shared" : "own"));
        REQUIRE(rows.size() == tutti::all_collectives.size() * 3 * 2);
        for (const json& r : rows) {
            const tutti::request_facts facts{.at = {0, std::stoi(r["size"].text), 0},
                                             .bytes = std::stoll(r["bytes"].text)};
            const tutti::default_rule& rule =
                tutti::default_choice(*tutti::collective_named(r["collective"].text), facts,
                                      shared ? tutti::cores::shared : tutti::cores::own);
            CHECK(name_of(r) == tutti::name_of(rule.to));
            CHECK(r["cores"].text == (shared ? "shared" : "own"));
        }
    }
}

TEST_CASE("tutti choose prices the choice, and what tutti cost would take", "[examples][choose]") {
    const std::string at = " --machine loggops --size 13 --bytes 64K ";
    for (const char* collective : {"allreduce", "bcast", "allgather"}) {
        const json row = rows_of(std::string("--cores own --collective ") + collective + at).front();
        const auto price_of = [&](const std::string& more) {
            const answer a =
                support::tutti_program(std::string("cost --json --collective ") + collective + at + more);
            INFO(a.err);
            REQUIRE(a.code == 0);
            return support::read_json(a.out)["rows"].members.front().value; // the least time stands first
        };
        std::string named = " --algorithm " + row["algorithm"].text;
        for (const support::json_member& p : row["parameters"].members)
            named.append(" --").append(p.name).append(" ").append(p.value.text);
        CHECK(row["predicted_us"].text == price_of(named)["predicted_us"].text);
        CHECK(row["best_us"].text == price_of("")["predicted_us"].text);
        CHECK(row["best"].text == name_of(price_of("")));
        CHECK(std::stod(row["x_best"].text)
              == Approx(std::stod(row["predicted_us"].text) / std::stod(row["best_us"].text)).margin(0.001));
    }
}

TEST_CASE("tutti choose says that tables decide, and names the machine that prices are of",
          "[examples][choose]") {
    CHECK(choose("--size 4 --bytes 64K")
              .out.starts_with("The tables that ship with tutti decide; prices are only what a model says:\n"
                               "threads: tutti calibrate: 2 threads on 2 cores"));
    CHECK(choose("--help").out.find("The tables that ship\n"
                                    "with tutti decide it; prices are only what a model says beside it.")
          != std::string::npos);
    CHECK(choose("--help").out.find("\nExample: tutti choose --collective all") != std::string::npos);
    CHECK(choose("--size 4").out.find("\nbeyond what was measured: 4 ranks (2 were measured)\n\n")
          != std::string::npos);
    CHECK(support::read_json(choose("--machine lemieux --json").out)["machine"].text == "lemieux");
    CHECK(rows_of("--machine loggops --size 1").front()["x_best"].what == json::kind::null); // of nothing
}

TEST_CASE("tutti choose speaks of operations only where something is folded", "[examples][choose]") {
    std::size_t speaking = 0;
    for (const json& row : rows_of("--collective all --size 2,7,64 --bytes 8,64K,1M --ordered")) {
        const bool speaks = row["why"].text.find("operations") != std::string::npos;
        INFO(row["collective"].text << ": " << row["why"].text);
        CHECK(speaks == tutti::folds(*tutti::collective_named(row["collective"].text)));
        speaking += speaks;
    }
    CHECK(speaking > 0);
}

TEST_CASE("tutti choose says what a call takes that asks for the same bits for any size",
          "[examples][choose]") {
    constexpr tutti::same_bits_for_any_size same{};
    std::size_t folding = 0;
    for (const json& r : rows_of("--collective all --size 5,8 --bytes 8,16K,64K --same-bits-for-any-size")) {
        const tutti::collective what = *tutti::collective_named(r["collective"].text);
        if (!tutti::folds(what)) continue;
        ++folding;
        const tutti::request_facts facts{.at = {0, std::stoi(r["size"].text), 0},
                                         .bytes = std::stoll(r["bytes"].text)};
        const auto named = tutti::find_algorithm(what, r["algorithm"].text)->make(facts.at, {});
        const auto is_of_the_call = [&](const tutti::any_generator& taken) {
            return taken.type_hash() == named.type_hash() && taken.claims() == named.claims();
        };
        INFO(r["collective"].text << " of " << facts.bytes << " bytes: " << name_of(r));
        if (what == tutti::collective::allreduce)
            CHECK(is_of_the_call(same.schedule(tutti::of<tutti::collective::allreduce>, facts)));
        if (what == tutti::collective::reduce)
            CHECK(is_of_the_call(same.schedule(tutti::of<tutti::collective::reduce>, facts)));
        if (what == tutti::collective::reduce_scatter)
            CHECK(is_of_the_call(same.schedule(tutti::of<tutti::collective::reduce_scatter>, facts)));
        if (what == tutti::collective::scan)
            CHECK(is_of_the_call(same.schedule(tutti::of<tutti::collective::scan>, facts)));
        if (what == tutti::collective::exscan)
            CHECK(is_of_the_call(same.schedule(tutti::of<tutti::collective::exscan>, facts)));
        CHECK(named.claims().canonical_tree);
        CHECK(r["why"].text == "by same_bits_for_any_size: along the tree for any size");
        CHECK(r["cores"].what == json::kind::null);
        const std::string other = " --size " + r["size"].text + " --bytes " + r["bytes"].text;
        const json best = support::read_json(support::tutti_program("cost --json --same-bits-for-any-size "
                                                                    "--collective "
                                                                    + r["collective"].text + other)
                                                 .out)["rows"]
                              .members.front()
                              .value;
        CHECK(r["best"].text == name_of(best));
    }
    CHECK(folding == 5 * 2 * 3);
    // What folds nothing has the same bits anyway.
    const std::string others = "--collective bcast,alltoall --size 4 --bytes 64K --cores own";
    CHECK(choose(others + " --same-bits-for-any-size --json").out == choose(others + " --json").out);
    CHECK(choose("--size 4 --same-bits-for-any-size").out.find("What folds is by same_bits_for_any_size")
          == 0);
}

TEST_CASE("tutti choose takes a table of one's own, names its rules, and says what it has none for",
          "[examples][choose]") {
    const support::scratch_file file(".table");
    std::ofstream(file.path()) << "tutti decision table 1\n"
                                  "allreduce commutative 2..4 0..15 recursive_doubling\n"
                                  "allreduce commutative 2..4 16.. ring\n";
    const std::string table = " --table " + file.path();
    const std::vector<json> rows = rows_of("--size 4,8 --bytes 8,64K" + table);
    REQUIRE(rows.size() == 4);
    const auto by = tutti::by_table(tutti::load_decision_table(file.path()));
    for (const json& r : rows) {
        const tutti::choice& told =
            by->choose(tutti::collective::allreduce,
                       {.at = {0, std::stoi(r["size"].text), 0}, .bytes = std::stoll(r["bytes"].text)});
        CHECK(name_of(r) == tutti::name_of(told));
        CHECK(r["cores"].what == json::kind::null);
    }
    CHECK(rows[0]["why"].text == "by " + file.path() + ":2");
    CHECK(rows[1]["why"].text == "by " + file.path() + ":3");
    for (const std::size_t i : {2U, 3U})
        CHECK(rows[i]["why"].text
              == "by price: the table has no rule for allreduce of 8 ranks (but for 2..4)");
    CHECK(rows_of("--size 4 --ordered" + table).front()["why"].text
          == "by price: the table has no rule for allreduce, operations that need not commute");
    CHECK(choose("--size 4" + table)
              .out.starts_with("The table decides, and where it has no rule prices do:\n"));
}

TEST_CASE("tutti choose refuses what it cannot do", "[examples][choose]") {
    const auto check_refused = [](const std::string& line, const std::string& what) {
        const answer a = choose(line);
        INFO(line << "\n" << a.err);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(a.err.find(what) != std::string::npos);
    };
    check_refused("--cores some", "--cores is 'some'; allowed: own, shared");
    check_refused("--collective multicast", "--collective");
    check_refused("--table /no/such.table", "--table is '/no/such.table'; allowed: a file that can be read");
    check_refused("--table /dev/null --cores own", "--cores is given together with --table");
    check_refused("--table /dev/null", "/dev/null");
    check_refused("--size 0", "--size");
    check_refused("--bytes -1", "--bytes");
    check_refused("--collective bcast --size 4..9 --root 4", "--root");
}
