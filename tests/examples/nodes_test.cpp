// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <sstream>
#include <string>
#include <vector>

#include <tutti/core/nodes.hpp>
#include <tutti/render/schedule_text.hpp>
#include <tutti/schedule/allreduce/ring.hpp>
#include <tutti/schedule/bcast/tree.hpp>
#include <tutti/schedule/by_nodes.hpp>
#include <tutti/schedule/reduce/tree.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"

namespace {

using support::answer;
using support::json;
using support::rows_of;
using support::tutti_program;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// "allreduce by_nodes(4+4: fnomial/ring); ..."
std::string names_in(const std::vector<json>& rows) {
    std::string names;
    for (const json& r : rows) names += r["collective"].text + " " + r["algorithm"].text + "; ";
    return names;
}

} // namespace

TEST_CASE("tutti show has algorithms on nodes, as the library makes them", "[examples][nodes]") {
    const answer shown = tutti_program("show --collective allreduce --algorithm by_nodes --nodes 2,3 "
                                       "--inner fnomial --radix 3 --outer ring");
    CHECK(shown.code == 0);
    CHECK(has(shown.out, "allreduce by by_nodes(2+3: fnomial/ring) (radix=3 segments=1) on 5 ranks\n"));
    const tutti::by_nodes how{tutti::node_map::of_sizes({2, 3}), tutti::fnomial{3}, tutti::ring{}};
    const tutti::ensemble all(
        [&](tutti::place at) {
            return tutti::any_generator(generate(tutti::of<tutti::collective::allreduce>, how, at));
        },
        5);
    CHECK(has(shown.out, tutti::schedule_text(tutti::collective::allreduce, all)));
}

TEST_CASE("tutti verify proves all that there is for nodes, of any sizes", "[examples][nodes]") {
    const answer alike = tutti_program("verify --nodes 2x3 --algorithm by_nodes,multi_lane,three_step");
    INFO(alike.out);
    CHECK(alike.code == 0);
    CHECK(has(alike.out, " 0 failed"));
    CHECK(names_in(rows_of("verify --nodes 2x3 --collective barrier,bcast,allreduce --algorithm "
                           "by_nodes,multi_lane --size 6 --radix 2 --segments 1"))
          == "barrier by_nodes(2x3: fnomial/dissemination); bcast by_nodes(2x3: fnomial/fnomial); "
             "bcast multi_lane(2x3: circulant/fnomial); allreduce by_nodes(2x3: fnomial/fnomial); "
             "allreduce multi_lane(2x3: circulant/circulant); ");
    const answer differ = tutti_program("verify --nodes 1,3,2 --algorithm by_nodes");
    INFO(differ.out);
    CHECK(differ.code == 0);
    CHECK_FALSE(has(differ.out, "multi_lane"));
    CHECK(names_in(rows_of("verify --nodes 2x3 --collective alltoall --outstanding 1 --pace 0 --algorithm "
                           "by_nodes,multi_lane,three_step"))
          == "alltoall by_nodes(2x3: pairwise/pairwise); alltoall multi_lane(2x3: pairwise/pairwise); "
             "alltoall three_step(2x3: pairwise/pairwise); ");
    // Without --algorithm beside all others, on as many ranks.
    const answer all = tutti_program("verify --nodes 2,2 --collective reduce_scatter");
    CHECK(has(all.out, "multi_lane(2+2: circulant/circulant)"));
    CHECK(has(all.out, "recursive_halving"));
}

TEST_CASE("parts can be several, and of each collective those that serve it are taken", "[examples][nodes]") {
    CHECK(
        names_in(rows_of("verify --nodes 2,2 --collective bcast --algorithm by_nodes --inner serial,fnomial "
                         "--outer serial,chain --radix 2 --segments 1"))
        == "bcast by_nodes(2+2: serial/serial); bcast by_nodes(2+2: serial/chain); "
           "bcast by_nodes(2+2: fnomial/serial); bcast by_nodes(2+2: fnomial/chain); ");
    // A ring has a reduce, but no bcast.
    CHECK(
        names_in(rows_of("verify --nodes 2,2 --collective allreduce,reduce --algorithm by_nodes --inner ring "
                         "--outer ring"))
        == "reduce by_nodes(2+2: ring/ring); ");
    // An option of both is for both.
    const std::vector<json> rows = rows_of("verify --nodes 3,3,3 --collective bcast --algorithm by_nodes "
                                           "--radix 3 --segments 1");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["rounds"].text == "2");
}

TEST_CASE("any two algorithms are parts in lanes", "[examples][nodes]") {
    const std::string what =
        GENERATE(as<std::string>{}, "bcast --segments 2", "reduce --segments 2", "allreduce --segments 2",
                 "reduce_scatter --segments 2", "allgather --segments 2", "gather", "scatter");
    const answer a = tutti_program(
        "verify --nodes 2x3 --algorithm multi_lane --inner all --outer all --root 4 --collective " + what);
    INFO(a.out << a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 failed"));
}

TEST_CASE("algorithms on nodes run, and get right results", "[examples][nodes]") {
    const std::string nodes = GENERATE(as<std::string>{}, "2,3", "2x2");
    const answer a = tutti_program("run --nodes " + nodes
                                   + " --elements 0,7,500 --type int,matrix --repeat 1 --root 0,last "
                                     "--algorithm by_nodes"
                                   + (nodes == "2x2" ? ",multi_lane,three_step" : ""));
    INFO(a.out << a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, " 0 wrong, 0 not proved"));
    for (const char* what : {"barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "allgather",
                             "gather", "scatter", "alltoall", "exscan", "scan"})
        CHECK(has(a.out, what));
}

TEST_CASE("algorithms on nodes are priced, simulated and routed beside the others", "[examples][nodes]") {
    const std::vector<json> prices =
        rows_of("cost --nodes 4,4 --bytes 1M --algorithm ring,by_nodes,multi_lane");
    REQUIRE(prices.size() == 3);
    for (const json& r : prices) CHECK(r["predicted_us"].what == json::kind::number);
    // As circulant, all send 2 (p-1)/p of the vector; leaders of a tree send whole vectors.
    CHECK(has(prices.back()["algorithm"].text, "by_nodes"));
    const std::vector<json> named =
        rows_of("cost --nodes 4,4 --collective bcast --algorithm by_nodes --radix 2,4 --all-candidates");
    REQUIRE(named.size() == 2);

    const std::vector<json> ends = rows_of("simulate --nodes 4,4 --algorithm ring,by_nodes,multi_lane");
    REQUIRE(ends.size() == 3);
    CHECK(ends[1]["messages"].text == "14"); // 7 ranks tell and are told

    // 16 nodes below 4 leaf switches: what goes inside a node meets nobody, and between them goes little.
    const std::vector<json> rounds =
        rows_of("congestion --fat-tree 4,2 --nodes 4x4 --collective allreduce --algorithm by_nodes");
    REQUIRE(rounds.size() == 8);
    for (const json& r : rounds) CHECK(r["free"].text == "true");

    const answer timed = tutti_program(
        "bench --nodes 2,2 --collective bcast --algorithm by_nodes --bytes 64 --repeat 2 --transport mock");
    CHECK(timed.code == 0);
    CHECK(has(timed.out, "by_nodes(2+2: fnomial/fnomial)"));
}

TEST_CASE("charts of prices have a line for each algorithm on nodes, with its best options",
          "[examples][nodes]") {
    const answer a =
        tutti_program("cost --nodes 2x4 --format vega --bytes 8,1M --algorithm by_nodes,recursive_doubling");
    INFO(a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, "by_nodes(2x4: fnomial/fnomial)"));
    CHECK_FALSE(has(a.out, "by_nodes(2x4: fnomial/fnomial) radix"));
}

TEST_CASE("algorithms on nodes stand side by side in the order in which they are named",
          "[examples][nodes]") {
    const std::string names = GENERATE("by_nodes,multi_lane", "multi_lane,by_nodes");
    const answer a =
        tutti_program("show --collective allreduce --nodes 2,2 --format html --compare " + names);
    CHECK(a.code == 0);
    const std::size_t by_nodes = a.out.find("by_nodes(2+2: fnomial/fnomial)");
    const std::size_t multi_lane = a.out.find("multi_lane(2+2: circulant/circulant)");
    CHECK((by_nodes < multi_lane) == (names == "by_nodes,multi_lane"));
}

TEST_CASE("wrong nodes end with 2 and say why", "[examples][nodes]") {
    struct sample {
        std::string line;
        std::vector<std::string> said;
    };
    const sample wrong = GENERATE(values<sample>({
        {"verify --algorithm by_nodes", {"--algorithm", "'by_nodes'", "with --nodes", "--nodes 4,4"}},
        {"verify --nodes 4,x", {"--nodes", "'4,x'", "4,4 or 8x4"}},
        {"verify --nodes 4,4 --size 9", {"--size", "'9'", "8, the ranks on --nodes 4,4"}},
        {"verify --nodes 4,4 --size 8,9", {"--size", "'8,9'", "8, the ranks"}},
        {"verify --nodes 4,3 --algorithm multi_lane", {"'multi_lane'", "equally many ranks"}},
        {"verify --nodes 4,3 --algorithm three_step", {"'three_step'", "equally many ranks"}},
        {"verify --inner ring", {"--inner", "with --nodes"}},
        {"verify --nodes 4,4 --collective scan --algorithm multi_lane",
         {"--nodes", "by_nodes, multi_lane or three_step"}},
        {"verify --nodes 4,4 --algorithm ring", {"--nodes", "by_nodes, multi_lane or three_step"}},
        {"show --nodes 4,4 --collective bcast --algorithm by_nodes --inner ring",
         {"--inner", "'ring'", "allowed: serial, chain, kary, fnomial, "}},
        {"show --nodes 4,4 --collective bcast --algorithm by_node", {"did you mean by_nodes?"}},
        {"verify --nodes 4,4 --collective bcast --algorithm by_nodes --splits 2",
         {"--splits", "such a parameter"}},
        {"cost --nodes 4,4 --table x", {"--nodes", "--table"}},
        {"cost --nodes 4,4 --collective gather --inner ring", {"--inner", "'ring'", "serial, fnomial"}},
        {"show --nodes 4,4 --collective allreduce --algorithm by_nodes,multi_lane",
         {"of 2 schedules", "--algorithm by_nodes: "}},
        {"simulate --nodes 4,4 --algorithm by_nodes,multi_lane --format text",
         {"of 2 cases", "--algorithm by_nodes --size 8"}},
        {"congestion --fat-tree 4,2 --nodes 4,4 --collective bcast --algorithm by_nodes",
         {"size is 16", "8, the number of ranks on the nodes"}},
        {"congestion --fat-tree 4,2 --nodes 4x4 --permutation shift:1", {"--nodes", "--permutation"}},
        {"simulate --nodes 2x3 --collective alltoall --algorithm multi_lane --inner mesh2d",
         {"multi_lane(2x3: mesh2d/pairwise): scratch blocks of a part", "0: what is between the parts"}},
    }));
    const answer a = tutti_program(wrong.line);
    INFO("tutti " << wrong.line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(a.out.empty());
    for (const std::string& part : wrong.said) CHECK(has(a.err, part));
}

TEST_CASE("an algorithm of one's own is a part like any other", "[examples][nodes]") {
    std::vector<tutti::catalogue_entry> catalogue(tutti::catalogue().begin(), tutti::catalogue().end());
    for (tutti::catalogue_entry& e : catalogue)
        if (e.what == tutti::collective::allreduce && e.name == "ring") e.name = "mine";
    const answer a = tutti_program(
        "verify --nodes 3,3 --collective allreduce --algorithm by_nodes --outer mine --segments 1",
        catalogue);
    INFO(a.err);
    CHECK(a.code == 0);
    CHECK(has(a.out, "by_nodes(3+3: fnomial/mine)"));
}
