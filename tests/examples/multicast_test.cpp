// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/multicast/catalogue.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"

namespace {

using support::answer;
using support::json;
using support::rows_of;
using support::tutti_program;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// An allgather that brings nothing.
struct idle {
    tutti::block_index ranks;
    tutti::round_index rounds() const { return 0; }
    tutti::block_index blocks() const { return ranks; }
    tutti::capabilities claims() const { return {}; }
    void emit(tutti::round_index, auto&&) const {}
};

} // namespace

TEST_CASE("tutti run gets right results from every multicast, over every relation", "[examples][multicast]") {
    const std::string over = GENERATE("threads", "mock");
    const answer a = tutti_program("run --collective multicast --relation all --size 1,2,5 --elements 0,3,23 "
                                   "--type int,struct --repeat 1 --transport "
                                   + over);
    INFO(a.out << a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 wrong, 0 not proved"));
    for (const tutti::catalogue_entry& e : tutti::multicasts_of(tutti::catalogue()))
        CHECK(has(a.out, std::string(e.name)));
    CHECK(has(a.out, "neighbours"));
}

TEST_CASE("a multicast that brings nothing is wrong, unless nobody wants anything", "[examples][multicast]") {
    std::vector<tutti::catalogue_entry> catalogue(tutti::catalogue().begin(), tutti::catalogue().end());
    for (tutti::catalogue_entry& e : catalogue)
        if (e.what == tutti::collective::allgather && e.name == "direct")
            e.make = [](tutti::place at, const tutti::parameters&) -> tutti::any_generator {
                return idle{at.size};
            };
    const std::string line = "run --collective multicast --algorithm direct --size 4 --elements 9 --type int "
                             "--repeat 1 --relation ";
    CHECK(tutti_program(line + "nobody", catalogue).code == 0);
    const answer a = tutti_program(line + "neighbours", catalogue);
    CHECK(a.code == 1);
    CHECK(has(a.out, "is wrong"));
}

TEST_CASE("multicasts have prices, which are less the fewer there are to be told", "[examples][multicast]") {
    const std::vector<json> rows =
        rows_of("cost --collective multicast --algorithm serial,direct,circulant --size 16 "
                "--bytes 64K --relation everybody,neighbours,nobody");
    REQUIRE(rows.size() == 9);
    const auto price = [&](const std::string& algorithm, const std::string& relation) {
        for (const json& r : rows)
            if (r["algorithm"].text == algorithm && r["relation"].text == relation)
                return std::stod(r["predicted_us"].text);
        return -1.0;
    };
    for (const char* algorithm : {"serial", "direct", "circulant"}) {
        INFO(algorithm);
        CHECK(price(algorithm, "everybody") > price(algorithm, "neighbours"));
        CHECK(price(algorithm, "neighbours") > price(algorithm, "nobody"));
    }
    const std::vector<json> all = rows_of("cost --collective multicast --size 8");
    CHECK(all.size() == tutti::multicasts_of(tutti::catalogue()).size());
    // Each is priced for itself, to the end, for every length.
    const std::string lengths = "cost --collective multicast --relation random --size 40 --bytes 8,64K,1M";
    const std::vector<json> each = rows_of(lengths);
    const std::vector<json> best = rows_of(lengths + " --map");
    REQUIRE(each.size() == 3 * all.size());
    REQUIRE(best.size() == 3);
    for (std::size_t k = 0; k < each.size(); ++k) {
        const json& fastest = best[k / all.size()];
        CHECK(each[k]["bytes"].text == fastest["bytes"].text);
        CHECK(std::stod(each[k]["predicted_us"].text) >= std::stod(fastest["predicted_us"].text));
        if (k % all.size() == 0) CHECK(each[k]["algorithm"].text == fastest["algorithm"].text);
    }
    CHECK(
        has(tutti_program("cost --collective multicast --relation halves --map --size 2..4 --bytes 8,64").out,
            "The fastest multicast"));
    CHECK(
        has(tutti_program("cost --collective multicast --relation halves --format vega --size 4 --bytes 8,64")
                .out,
            "multicasts: halves"));
    const answer several = tutti_program("cost --collective multicast --relation halves,random --map");
    CHECK(several.code == 2);
    CHECK(has(several.err, "one in a chart"));
}

TEST_CASE("who waits for prices of a multicast sees how far one algorithm is", "[examples][multicast]") {
    const std::string written =
        support::at_terminal("cost --collective multicast --algorithm ring --size 40 --bytes 8,64K").written;
    const std::string end = " %";
    std::vector<int> percents;
    for (std::size_t at = 0; (at = written.find(end, at)) != std::string::npos; ++at)
        percents.push_back(std::stoi(written.substr(written.rfind(' ', at - 1) + 1)));
    CHECK(std::is_sorted(percents.begin(), percents.end()));
    CHECK(std::set<int>(percents.begin(), percents.end()).size() > 20); // its 39 rounds, and both prices
    CHECK(has(written, "cost: 1 of 2, 67 %"));
}

TEST_CASE("multicasts are simulated message by message, over networks, too", "[examples][multicast]") {
    const std::string line = "simulate --collective multicast --algorithm direct --size 16 --bytes 1M ";
    const std::vector<json> rows = rows_of(line + "--relation everybody,neighbours,halves,nobody");
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["messages"].text == "240");
    CHECK(rows[1]["messages"].text == "32");
    CHECK(rows[2]["messages"].text == "64");
    CHECK(rows[3]["messages"].text == "0");
    CHECK(rows[1]["relation"].text == "neighbours");
    // With everybody it is the allgather.
    const std::vector<json> allgather =
        rows_of("simulate --collective allgather --algorithm direct --size 16 --bytes 1M --fat-tree 4,2");
    const std::vector<json> multicast = rows_of(line + "--fat-tree 4,2");
    CHECK(multicast[0]["completion_us"].text == allgather[0]["completion_us"].text);
    CHECK(has(
        tutti_program("simulate --collective multicast --algorithm direct,serial --relation halves --size 4 "
                      "--bytes 8,64 --format svg")
            .out,
        "multicasts: halves"));
    const answer page = tutti_program(line + "--relation halves --fat-tree 4,2 --format html");
    CHECK(page.code == 0);
    CHECK(has(page.out, "multicast by direct (outstanding=1 pace=0), 16 ranks, halves, 1048576 bytes"));
}

TEST_CASE("a multicast loads no link twice where the allgather does not, holes or not",
          "[examples][multicast]") {
    const std::string line =
        "congestion --fat-tree 4,2 --collective multicast --algorithm direct,prefix_send,kprefix ";
    const auto count_free = [](const std::vector<json>& rows) {
        std::size_t free = 0;
        for (const json& r : rows) free += r["free"].text == "true";
        return free;
    };
    const std::vector<json> full = rows_of(line + "--relation random,everybody");
    CHECK(full.size() == 3 * 2 * 15);
    CHECK(count_free(full) == full.size());
    const std::vector<json> compact = rows_of(line + "--missing 3");
    CHECK(count_free(compact) < compact.size());
    const std::vector<json> slots =
        rows_of(line + "--missing 3,9 --embedding slots --relation random,everybody");
    CHECK(count_free(slots) == slots.size());
    std::size_t messages = 0;
    for (const json& r : slots)
        if (r["relation"].text == "everybody" && r["algorithm"].text == "direct")
            messages += std::stoul(r["messages"].text);
    CHECK(messages == 14 * 13);
    CHECK(has(tutti_program(line + "--relation halves").out,
              "multicast direct outstanding=1 pace=0, halves: "));
}

TEST_CASE("multicasts can be timed, over one relation", "[examples][multicast]") {
    const std::string line = "bench --collective multicast --algorithm direct,serial --size 3 --bytes 64 "
                             "--repeat 2 --transport mock ";
    const answer a = tutti_program(line + "--relation neighbours");
    INFO(a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, "serial"));
    const std::vector<json> rows = rows_of(line + "--relation neighbours");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["relation"].text == "neighbours");
    const answer several = tutti_program(line + "--relation neighbours,nobody");
    CHECK(several.code == 2);
    CHECK(has(several.err, "--relation is 'neighbours,nobody'; allowed: everybody, neighbours, "));
}

TEST_CASE("relations are for multicasts, and for as many ranks as can be listed", "[examples][multicast]") {
    for (const std::string verb :
         {"cost", "simulate", "run --size 2", "bench", "congestion --fat-tree 2,2"}) {
        const answer a = tutti_program(verb + " --collective allgather --algorithm ring --relation halves");
        INFO(verb << "\n" << a.err);
        CHECK(a.code == 2);
        CHECK(has(a.err, "--relation is given; allowed: with --collective multicast"));
    }
    const answer many = tutti_program("simulate --collective multicast --algorithm ring --size 20000");
    CHECK(many.code == 2);
    CHECK(has(many.err, "--size is 20000; allowed: at most 16384 of a multicast"));
    const answer unproved = tutti_program("verify --collective multicast --algorithm ring --size 20000");
    CHECK(unproved.code == 2);
    CHECK(has(unproved.err, "at most 16384 of a multicast"));
    CHECK(tutti_program("cost --table x --size 8 --relation random").code == 2);
}

TEST_CASE("all collectives are those of the catalogue where more ranks are allowed than of a relation",
          "[examples][multicast]") {
    for (const std::string line : {"cost --size 4 --bytes 64", "simulate --size 4 --bytes 64"}) {
        const std::vector<json> rows = rows_of(line + " --collective all");
        CHECK(rows.size() > 12);
        for (const json& r : rows) CHECK(r["collective"].text != "multicast");
    }
    CHECK(tutti_program("simulate --collective all --algorithm dissemination --size 20000").code == 0);
    CHECK(tutti_program("simulate --collective all --size 4 --bytes 8,64 --format svg").code == 0);
    const answer chart = tutti_program("simulate --collective allgather,multicast --algorithm ring --size 4 "
                                       "--bytes 8,64 --relation halves --format vega");
    CHECK(chart.code == 0);
    CHECK(has(chart.out, "multicasts: halves"));
}
