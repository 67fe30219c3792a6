// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"
#include "support/document.hpp"
#include "support/json.hpp"
#include "support/msccl_executors.hpp"
#include "support/program_answer.hpp"
#include "support/xml.hpp"

namespace {

using support::answer;

answer show(const std::string& line) { return support::tutti_program("show " + line); }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A schedule none of whose steps may be asked for.
struct never_read {
    tutti::place at;

    tutti::round_index rounds() const { return at.size; }
    tutti::block_index blocks() const { return at.size; }
    tutti::capabilities claims() const { return {}; }
    void emit(tutti::round_index, auto&&) const { throw std::logic_error("a step was read"); }
};

const std::string moody = "--collective reduce --algorithm fnomial --radix 4 --size 16";
const std::string rabenseifner = "--collective allreduce --algorithm halving_doubling --size 13";

} // namespace

TEST_CASE("tutti show writes a schedule as text", "[examples]") {
    const answer a = show(moody);
    CHECK(a.code == 0);
    CHECK(a.err.empty());
    CHECK(has(a.out, "reduce by fnomial (radix=4 segments=1) on 16 ranks\n2 rounds, 15 messages"));
    CHECK(has(a.out, "-- rounds 0..1: up the tree\nround 0: "));
    CHECK(has(a.out, "         4 -> 0 block 0 (folds)"));
    const answer one = show(moody + " --rank 4");
    CHECK(has(one.out, "round 1: send block 0 to 0"));
    CHECK_FALSE(has(one.out, "-> 0"));
}

TEST_CASE("tutti show: executors of MSCCL take for PyTorch's calls what is written for them", "[examples]") {
    const auto written = [](const std::string& line) {
        return support::read_xml(show("--algorithm ring --size 4 --format msccl " + line).out);
    };
    for (const auto& taken : {support::taken_by_msccl, support::taken_by_rccl}) {
        CHECK(taken(written("--collective allreduce"), true, 1 << 30));
        CHECK(taken(written("--collective allreduce --in-place no"), false, 1 << 30));
        CHECK(taken(written("--collective allgather"), false, 1 << 30));
        CHECK(taken(written("--collective allgather --in-place yes"), true, 1 << 30));
        CHECK(taken(written("--collective reduce_scatter --max-bytes 2G"), false, 1 << 30));
        CHECK_FALSE(taken(written("--collective allreduce --min-bytes 1K --max-bytes 2K"), true, 1023));
        CHECK(taken(written("--collective allreduce --min-bytes 1K --max-bytes 2K"), true, 1024));
        CHECK_FALSE(taken(written("--collective allreduce --min-bytes 1K --max-bytes 2K"), true, 2049));
    }
    CHECK(written("--collective allreduce --protocol LL128")["proto"] == "LL128");
}

TEST_CASE("tutti show writes every format", "[examples]") {
    const support::xml svg = support::read_xml(show(moody + " --format svg").out);
    CHECK(svg.of_class("rank").size() == 16);
    const support::xml rounds = support::read_xml(show(moody + " --format svg --picture rounds").out);
    CHECK(rounds.of_class("holdings").size() == 3);
    const std::string page = show(rabenseifner + " --format html").out;
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(has(page, "<h1>allreduce by halving_doubling on 13 ranks</h1>"));
    CHECK(has(show(moody + " --format dot").out, "digraph"));
    CHECK(has(show(moody + " --format goal").out, "num_ranks 16\n"));
    CHECK(has(show(moody + " --format msccl").out, "ngpus=\"16\""));
    const support::json trace = support::read_json(show(moody + " --format trace --bytes 64").out);
    CHECK(trace["traceEvents"].members.size() > 30);
    support::check_origin(trace["otherData"], "show");
}

TEST_CASE("tutti show has every step for programs", "[examples]") {
    const std::vector<std::string> keys{"round", "rank",   "kind",   "peer",
                                        "side",  "buffer", "source", "blocks"};
    const answer a = show(rabenseifner + " --json");
    REQUIRE(a.code == 0);
    const support::json whole = support::read_json(a.out);
    CHECK(whole["algorithm"].text == "halving_doubling");
    CHECK(whole["size"].text == "13");
    CHECK(whole["root"].what == support::json::kind::null);
    const std::vector<support::json> rows = support::rows_of(a, "show", keys);

    // The very steps of the library, in their order.
    const tutti::catalogue_entry& entry =
        *tutti::find_algorithm(tutti::collective::allreduce, "halving_doubling");
    const tutti::ensemble<tutti::any_generator> all(
        [&](tutti::place at) { return entry.make(at, entry.defaults); }, 13, 0);
    CHECK(whole["rounds"].text == std::to_string(all.rounds()));
    CHECK(whole["blocks"].text == std::to_string(all.blocks()));
    std::size_t next = 0;
    for (tutti::round_index i = 0; i < all.rounds(); ++i)
        for (tutti::rank_type rank = 0; rank < 13; ++rank)
            all.emit(rank, i, [&](const tutti::step& s) {
                REQUIRE(next < rows.size());
                const support::json& row = rows[next++];
                CHECK(row["round"].text == std::to_string(i));
                CHECK(row["rank"].text == std::to_string(rank));
                CHECK(row["peer"].text == std::to_string(s.peer));
                CHECK((row["kind"].text == "recv_reduce") == s.folds());
                CHECK(row["side"].text
                      == (!s.folds()                              ? ""
                          : s.side() == tutti::operand_side::left ? "left"
                                                                  : "right"));
                std::int64_t count = 0;
                for (const support::json_member& m : row["blocks"].members)
                    count += std::stoll(m.value.members[1].value.text);
                CHECK(count == s.blocks.count);
                CHECK(row["blocks"].members[0].value.members[0].value.text == std::to_string(s.blocks.first));
            });
    CHECK(next == rows.size());

    const std::vector<support::json> one = support::rows_of(show(moody + " --rank 4 --json"), "show", keys);
    REQUIRE(one.size() == 4); // three children, one parent
    for (const support::json& row : one) CHECK(row["rank"].text == "4");
    CHECK(one.back()["kind"].text == "send");
    CHECK(show(moody + " --json --format text").code == 2);
}

TEST_CASE("tutti show: a message of several block sets is one step, and none runs over the end",
          "[examples]") {
    const support::json whole =
        support::read_json(show("--collective allgather --algorithm bruck --size 5 --json").out);
    std::int64_t messages = 0;
    for (const support::json_member& m : whole["rows"].members) {
        messages += m.value["kind"].text == "send";
        for (const support::json_member& b : m.value["blocks"].members)
            CHECK(std::stoi(b.value.members[0].value.text) + std::stoi(b.value.members[1].value.text) <= 5);
    }
    CHECK(messages == 15); // three rounds of five
}

TEST_CASE("tutti show draws a multicast over a relation", "[examples]") {
    const std::string line = "--collective multicast --algorithm ring --size 5 --relation neighbours";
    const answer text = show(line);
    INFO(text.out << text.err);
    CHECK(text.code == 0);
    CHECK(has(text.out, "multicast by ring on 5 ranks, neighbours\n"));
    CHECK(has(show("--collective multicast --algorithm serial --size 5 --relation halves").out,
              "0 -> 2 block 0"));
    CHECK_FALSE(
        has(show("--collective multicast --algorithm serial --size 5 --relation halves").out, "0 -> 1 "));
    const support::xml svg = support::read_xml(show(line + " --format svg").out);
    CHECK(svg.of_class("holdings").size() > 1);
    CHECK(has(show(line + " --format html").out, "<h1>multicast by ring on 5 ranks, neighbours</h1>"));
    CHECK(show(line + " --format msccl").code == 2);
    // Everybody unless told: as many messages as the allgather.
    CHECK(has(show("--collective multicast --algorithm ring --size 5").out, "4 rounds, 20 messages"));
    // The lower bound is that of the relation.
    CHECK(has(show("--collective multicast --algorithm ring --size 5").out, "; 4 so far, lower bound 4\n"));
}

TEST_CASE("tutti show --width draws no wider", "[examples]") {
    const std::string line = rabenseifner + " --format svg";
    CHECK(support::read_xml(show(line).out).number("width") > 1000);
    for (const char* width : {"640", "900"})
        CHECK(support::read_xml(show(line + " --width " + width).out).number("width") <= std::stod(width));
}

TEST_CASE("a page of tutti show has links and a simulation if asked for", "[examples]") {
    const std::string plain = show(rabenseifner + " --format html").out;
    CHECK_FALSE(has(plain, "id=\"network\""));
    CHECK_FALSE(has(plain, "id=\"timeline\""));
    const std::string with =
        show(rabenseifner + " --format html --fat-tree 4,2 --missing 3 --machine loggops --bytes 1K").out;
    CHECK(has(with, "id=\"network\""));
    CHECK(has(with, "\"name\":\"4-ary 2-tree\""));
    CHECK(has(with, "id=\"timeline\""));
    CHECK(has(with, "1024 bytes on loggops"));
    for (const auto& [options, name] : {std::pair("--torus 4,4", "4x4 torus"),
                                        std::pair("--dragonfly 4,2,1", "dragonfly of 5 groups of 4 routers")})
        CHECK(has(show(rabenseifner + " --format html " + options).out,
                  std::string("\"name\":\"") + name + "\""));
}

TEST_CASE("tutti show compares two schedules on one page, in the order in which they are named",
          "[examples]") {
    const answer a =
        show("--collective allreduce --compare ring,halving_doubling --size 8 --bytes 1K --format html");
    INFO(a.err);
    REQUIRE(a.code == 0);
    CHECK(has(a.out, "<h1>allreduce on 8 ranks: ring beside halving_doubling</h1>"));
    CHECK(has(a.out, "<th scope=\"col\">ring</th><th scope=\"col\">halving_doubling</th></tr>\n"
                     "<tr><th scope=\"row\">rounds</th><td>14</td><td>6</td></tr>\n"
                     "<tr><th scope=\"row\">messages</th><td>112</td><td>48</td></tr>\n"
                     // 2 (p - 1) / p of the vector, both
                     "<tr><th scope=\"row\">the busiest rank sends, of 1K bytes</th>"
                     "<td>1792 bytes</td><td>1792 bytes</td></tr>\n"
                     "<tr><th scope=\"row\">price of 1K bytes on threads</th><td>"));
    CHECK(has(a.out, "Prices on the machine threads; beyond what was measured: 8 ranks (2 were measured)."));
    CHECK(
        has(a.out,
            "<h2>ring</h2>\n<p class=\"facts\">14 rounds, 112 messages, a vector of 1K bytes in 8 blocks. "));
    // The price is that of tutti cost.
    const support::json cost = support::read_json(
        support::tutti_program("cost --collective allreduce --algorithm ring --size 8 --bytes 1K --json")
            .out);
    const double us = std::stod(cost["rows"].members.at(0).value["predicted_us"].text);
    std::array<char, 32> price{};
    std::snprintf(price.data(), price.size(), "<td>%.2f us</td>", us);
    CHECK(has(a.out, price.data()));

    // One algorithm twice; prices of several lengths unless told; on another machine, with its time lines.
    const answer radix = show("--collective reduce --compare fnomial --radix 5,2 --size 9 --machine loggops "
                              "--fat-tree 4,2 --root 1 --format html");
    INFO(radix.err);
    REQUIRE(radix.code == 0);
    CHECK(has(radix.out, "<h1>reduce on 9 ranks, root 1: fnomial radix=5 segments=1 beside fnomial radix=2"));
    for (const char* bytes : {"8", "4K", "64K", "1M"})
        CHECK(has(radix.out, std::string("price of ") + bytes + " bytes on loggops"));
    CHECK_FALSE(has(radix.out, "beyond what was measured"));
    for (const char* name : {"timeline", "timeline-2", "network", "network-2"})
        CHECK(has(radix.out, std::string("id=\"") + name + "\""));
    const answer barrier = show("--compare dissemination --radix 2,4 --collective barrier --format html");
    CHECK(has(barrier.out, ">price on threads<"));
    CHECK_FALSE(has(barrier.out, "busiest rank sends"));
    const answer over = show("--collective multicast --compare serial,ring --relation halves --format html");
    CHECK(has(over.out, "<h1>multicast on 8 ranks, halves: serial beside ring</h1>"));
}

TEST_CASE("tutti show: with --bytes the words count bytes, in text, pictures and pages", "[examples]") {
    const std::string line = "--collective allreduce --algorithm halving_doubling --size 4 --bytes 64K";
    const std::string first = "all 4 ranks send 32K bytes each, xor:1, folded; 32K so far, lower bound 96K";
    CHECK(has(show(line).out,
              "round 0: all 4 ranks send 32K bytes each, xor:1, folded; 32K so far, lower bound\n"
              "         96K\n")); // in lines of 80 letters
    CHECK(has(show(line).out, ", a vector of 64K bytes in 4 blocks."));
    CHECK(has(show("--collective bcast --algorithm serial --element-bytes 1 --bytes 1").out,
              ", a vector of 1 byte in 1 block."));
    CHECK(has(show(line + " --format svg").out, first));
    CHECK(has(show(line + " --format html").out, '"' + first + '"'));
    const std::string two = "--compare halving_doubling,ring --collective allreduce --size 4 --bytes 64K";
    CHECK(has(show(two + " --format html").out, first));
    CHECK(has(show(two + " --format html").out, "all 4 ranks send 16K bytes each, shift:1"));
    const std::string over =
        "--collective multicast --algorithm ring --relation everybody --size 4 --bytes 4M ";
    for (const char* format : {"text", "svg", "html"})
        CHECK(has(show(over + "--format " + format).out,
                  "all 4 ranks send 1M bytes each, shift:1; 1M so far, lower bound 3M"));
}

TEST_CASE("tutti show: --fold draws one row for ranks that do the same, and says for which", "[examples]") {
    const answer a = show("--collective bcast --algorithm serial --size 300 --fold --format svg");
    CHECK(a.code == 0);
    CHECK(has(a.out, "One row stands for ranks 1..299, which do the same."));
    CHECK(has(a.out, ">1..299</text>"));
    const answer part =
        show("--collective bcast --algorithm serial --size 300 --ranks 3..9 --fold --format svg");
    CHECK(has(part.out, ">3..9</text>"));
    const std::string different =
        "--collective allreduce --algorithm recursive_doubling --size 8 --format svg";
    CHECK(show(different + " --fold").out == show(different).out);
    const answer text = show("--collective bcast --algorithm serial --size 300 --fold");
    CHECK(has(text.out, "\nOne row stands for ranks 1..299, which do the same.\n"));
    CHECK(has(text.out, "\n         0 -> 299 block 0 ... 0 -> 1 block 0\n"));
}

TEST_CASE("tutti show: --ranks and --rounds show a part, and say how much leads out of it", "[examples]") {
    const std::string ring = "--collective allreduce --algorithm ring --size 300 ";
    const std::string window = "--rounds 3..4 --ranks 10..12";
    const std::string said = "Rounds 3..4 of 598, ranks 10..12 of 300: 4 messages among them, 2 to others, 2 "
                             "from others.";
    const answer text = show(ring + window);
    INFO(text.err);
    CHECK(has(text.out, said + "\n\n-- rounds 0..298: "));
    CHECK(has(text.out, "\nround   4: "));
    for (const char* line : {" 9 -> 10 block ", " 10 -> 11 block ", " 12 -> 13 block "})
        CHECK(has(text.out, line));
    CHECK_FALSE(has(text.out, "13 -> 14"));
    CHECK_FALSE(has(text.out, "round   5"));

    const support::xml svg = support::read_xml(show(ring + window + " --format svg").out);
    CHECK(svg.of_class("holdings").size() == 3);
    CHECK(svg.of_class("fold").size() == 8);
    bool is_said = false;
    for (const support::xml& e : svg.children) is_said |= e.text == said;
    CHECK(is_said);

    const std::vector<std::string> keys{"round", "rank",   "kind",   "peer",
                                        "side",  "buffer", "source", "blocks"};
    const std::vector<support::json> rows = support::rows_of(show(ring + window + " --json"), "show", keys);
    CHECK(rows.size() == 12);
    for (const support::json& row : rows) {
        CHECK((row["round"].text == "3" || row["round"].text == "4"));
        CHECK((row["rank"].text == "10" || row["rank"].text == "11" || row["rank"].text == "12"));
    }
    const std::string dot = show(ring + window + " --format dot").out;
    CHECK(has(dot, "label=\"allreduce by ring on 300 ranks\\n" + said + "\"; labelloc=t;\n"));
    CHECK(has(dot, "label=\"round 3\""));
    CHECK(has(dot, "label=\"round 4\""));
    CHECK_FALSE(has(dot, "label=\"round 5\""));
    for (const char* edge : {"r9_0 -> r10_1 [", "r10_0 -> r11_1 [", "r12_1 -> r13_2 ["})
        CHECK(has(dot, edge));
    CHECK_FALSE(has(dot, "r8_"));
    CHECK(show(moody + " --format dot --ranks 0..15 --rounds 0..1").out == show(moody + " --format dot").out);
    CHECK(has(show(ring + "--rank 10 --rounds 597").out, "round 597: send block "));
    CHECK_FALSE(has(show(ring + "--rank 10 --rounds 597").out, "round 596"));
    CHECK(show(moody + " --format svg --ranks 0..15 --rounds 0..1").out == show(moody + " --format svg").out);
}

TEST_CASE("the only algorithm of a collective need not be named, nor the only collective of an algorithm",
          "[examples]") {
    CHECK(has(show("--collective barrier --size 4").out, "barrier by dissemination (radix=2) on 4 ranks"));
    CHECK(has(show("--algorithm dissemination --radix 3").out,
              "barrier by dissemination (radix=3) on 8 ranks"));
    // Multicasts are by allgather's algorithms: what allgather alone has is not taken for one.
    CHECK(has(show("--algorithm neighbor_exchange").out, "allgather by neighbor_exchange on 8 ranks"));
    CHECK(has(show("--help").out, "need not be named if only one"));
}

TEST_CASE("tutti show writes to a file", "[examples]") {
    const std::string file = "show_test_output.svg";
    const answer a = show(moody + " --format svg --output " + file);
    CHECK(a.code == 0);
    CHECK(a.out.empty());
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    CHECK(text.str() == show(moody + " --format svg").out);
    std::remove(file.c_str());
}

TEST_CASE("the texts in the documents are those that the program writes", "[examples]") {
    const std::string text = support::text_of("docs/showing.md");
    for (const std::string options :
         {"--collective allreduce --algorithm halving_doubling --size 5",
          "--collective allreduce --algorithm halving_doubling --size 5 --rank 2"}) {
        const std::string shown =
            "tutti show " + options + "\n```\n\n```text\n" + show(options).out + "```\n";
        INFO("the document lacks: " << shown);
        CHECK(has(text, shown));
    }
}

TEST_CASE("tutti show refuses what is too large for a picture before it reads any step", "[examples]") {
    const std::vector<tutti::catalogue_entry> unread{
        {tutti::collective::alltoall,
         "unread",
         {},
         "",
         "",
         "",
         [](tutti::place at, const tutti::parameters&) { return tutti::any_generator(never_read{at}); },
         nullptr}};
    const auto refused = [&](const std::string& options) {
        const answer a =
            support::tutti_program("show --collective alltoall --algorithm unread " + options, unread);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        return a.err;
    };
    for (const std::string format : {"svg", "html"}) {
        INFO(format);
        CHECK(has(
            refused("--size 4K --format " + format),
            "ranks in a picture is 4096; allowed: at most 256; fewer by --size; --format text --rank 0 shows "
            "what one rank does"));
        CHECK(has(refused("--size 512 --format " + format), "ranks in a picture is 512"));
    }
    CHECK(has(refused("--size 1K --format svg"), "parts of it by --ranks 0..63 and --rounds 0..3"));
    CHECK(has(refused("--size 64K --format svg --ranks 0..1"), "blocks of all ranks in a picture is 131072"));
    CHECK(has(refused("--size 2K --format svg --fold"), "blocks of all ranks of the schedule is 4194304"));
    // What is told to be typed instead is taken.
    CHECK(
        show("--collective alltoall --algorithm pairwise --size 1K --ranks 0..63 --rounds 0..3 --format svg")
            .code
        == 0);
    CHECK(show("--collective alltoall --algorithm pairwise --size 4K --format text --rank 0 --rounds 0").code
          == 0);
    const answer many = show("--collective multicast --algorithm direct --size 64K --format html");
    CHECK(many.code == 2);
    CHECK(has(many.err, "ranks in a picture is 65536"));
}

TEST_CASE("bad arguments of tutti show end with 2 and say what is allowed", "[examples]") {
    struct mistake {
        std::string line;
        std::vector<std::string> said;
    };
    const mistake wrong = GENERATE(values<mistake>({
        {"", {"--collective is not given", "barrier, bcast, reduce"}},
        {"--collective reduce",
         {"--algorithm is not given, of ", " schedules", "serial, chain, kary", "ring"}},
        {"--collective reduce --algorithm fnomial --radix 2,4",
         {"of 2 schedules", "fnomial radix=2 segments=1, fnomial radix=4"}},
        {"--collective allreduce --algorithm all",
         {"--algorithm is 'all', of ",
          " schedules; allowed: one of them, as by --algorithm serial: serial, "}},
        {"--collective all --algorithm all",
         {"as by --collective barrier --algorithm dissemination: barrier "}},
        {"--collective reduce --algorithm fnomial --radix 2,4",
         {"as by --algorithm fnomial --radix 2 --segments 1: fnomial radix=2"}},
        {"--algorithm ring", {"as by --collective reduce --algorithm ring: reduce ring, "}},
        {"--algorithm ring",
         {"of 4 schedules", "reduce ring, allreduce ring, reduce_scatter ring, allgather ring"}},
        {"--collective gossip", {"--collective", "'gossip'", "allgather"}},
        {"--collective barrier --arity 4", {"--arity", "such a parameter"}},
        {"--collective allreduce --compare ring,rong --format html",
         {"--compare is 'rong' (did you mean ring?)", "halving_doubling"}},
        {"--collective allreduce --compare ring --format html",
         {"--compare is that of 1 schedule, ring; allowed: two algorithms of one collective"}},
        {"--collective allreduce --compare ring,serial,swing --format html",
         {"--compare is that of 3 schedules, serial, ring, swing"}},
        {"--compare ring --format html",
         {"of 4 schedules, reduce ring, allreduce ring, reduce_scatter ring, allgather ring"}},
        {"--compare hillis_steele,binary_blocks_circulant --format html", {"of ", " schedules, "}},
        {"--collective allreduce --compare ring,serial --algorithm swing --format html",
         {"--algorithm is given with --compare"}},
        {"--collective allreduce --compare ring,serial",
         {"--compare", "--format text", "with --format html"}},
        {"--collective allreduce --compare ring,serial --format svg",
         {"--compare is given with --format svg"}},
        {"--collective allreduce --compare ring,serial --json", {"--compare", "with --format html"}},
        {"--collective allreduce --compare ring,serial --size 300 --format html", {"is 300", "at most 256"}},
        {"--collective barrier --size 0", {"--size", "'0'"}},
        {"--collective barrier --size 2,3", {"--size", "one number"}},
        {"--collective barrier --root 1", {"--root", "with bcast or reduce"}},
        {"--collective bcast --algorithm kary --size 4 --root 4", {"--root", "'4'", "0 to 3"}},
        {"--collective bcast --algorithm serial --in-place yes", {"--in-place", "with --format msccl"}},
        {"--collective bcast --algorithm serial --format msccl --in-place maybe", {"'maybe'", "yes, no"}},
        {"--collective bcast --algorithm serial --format msccl --protocol LL256",
         {"--protocol is 'LL256'; allowed: Simple, LL, LL128"}},
        {"--collective bcast --algorithm serial --format msccl --min-bytes 1K --max-bytes 1K",
         {"--max-bytes is '1K'", "one number from 1025"}},
        {"--collective alltoall --algorithm pairwise --format msccl --in-place yes",
         {"--in-place is yes; allowed: no: this schedule reads the input"}},
        {"--collective barrier --format png",
         {"--format is 'png'; allowed: text, dot, svg, html, goal, msccl, trace"}},
        {"--collective allgather --algorithm halving_doubling",
         {"--algorithm is 'halving_doubling'", "allowed: circulant, "}},
        {"--collective barrier --format msccl",
         {"--format is msccl, which has no barrier", "allreduce", "--format goal and --json"}},
        {"--collective barrier --format svg --size 257",
         {"ranks in a picture is 257", "at most 256; parts of it by --ranks 0..63 and --rounds 0..3"}},
        {"--collective barrier --format html --size 300", {"ranks in a picture is 300", "at most 256"}},
        {"--collective allgather --algorithm ring --format html --size 150",
         {"messages in a picture is 22350", "at most 20000"}},
        {"--collective barrier --format svg --picture tree", {"picture is tree", "rounds"}},
        {"--collective barrier --format svg --picture ring", {"--picture", "'ring'", "rounds, tree"}},
        {"--collective barrier --picture rounds", {"--picture", "--format text", "svg"}},
        {"--collective barrier --rank 8", {"--rank", "'8'", "0 to 7"}},
        {"--collective barrier --rank 1 --format svg", {"--rank", "--format svg"}},
        {"--collective barrier --ranks 4..9", {"--ranks is '4..9'", "one range from 0 to 7"}},
        {"--collective barrier --ranks 4..2", {"--ranks is '4..2'", "one range from 0 to 7"}},
        {"--collective barrier --ranks 1,5", {"--ranks is '1,5'", "one range from 0 to 7, as 2..7"}},
        {"--collective barrier --rounds 3", {"--rounds is '3'", "one range from 0 to 2"}},
        {"--collective barrier --rounds all", {"--rounds is 'all'", "one range from 0 to 2"}},
        {"--collective barrier --size 1 --rounds 0", {"--rounds is given", "this schedule has no rounds"}},
        {"--collective barrier --format html --rounds 0..1",
         {"--rounds is given with --format html", "with --format text, svg or dot, or --json"}},
        {"--collective barrier --format goal --ranks 0..1", {"--ranks is given with --format goal"}},
        {"--collective barrier --fold --format dot",
         {"--fold is given with --format dot", "with --format svg"}},
        {"--collective barrier --width 900", {"--width is given with --format text", "with --format svg"}},
        {"--collective bcast --algorithm kary --format svg --picture tree --width 900",
         {"--width is given with --format svg; allowed: with --format svg, for pictures of rounds"}},
        {"--collective barrier --format svg --width 600",
         {"--width is '600'", "one number from 640 to 10000"}},
        {"--collective barrier --fold --rank 1", {"--fold", "svg, or text without --rank"}},
        {"--collective barrier --fold --json", {"--fold", "svg, or text without --rank"}},
        {"--collective alltoall --algorithm pairwise --size 64K --fold --format svg", // at once
         {"blocks of all ranks of the schedule is 4294967296", "at most 1048576; fewer by --size"}},
        {"--collective bcast --algorithm kary --format svg --picture tree --fold",
         {"--picture is 'tree'", "rounds with --fold"}},
        {"--collective bcast --algorithm kary --format dot --picture tree --rounds 0..0",
         {"--picture is 'tree'", "rounds with --ranks or --rounds"}},
        {"--collective barrier --rank 1 --ranks 0..1", {"--rank is given with --ranks", "one of the two"}},
        {"--collective barrier --rank 0..1", {"--rank is 0..1", "one number; --ranks for several"}},
        {"--collective bcast --algorithm kary --format svg --picture tree --ranks 0..3",
         {"--picture is 'tree'", "rounds with --ranks or --rounds"}},
        {"--collective allgather --algorithm ring --format svg --size 150",
         {"messages in a picture is 22350", "at most 20000, as in rounds 0..132; parts of it by --ranks"}},
        {"--collective alltoall --algorithm bruck --size 181 --format svg",
         {"elements of a picture is over 131072", "at most 131072, as in rounds 0..2; parts of it by --ranks",
          "--rounds", "--fold"}},
        {"--collective barrier --machine loggops", {"--machine", "html, goal or trace"}},
        {"--collective barrier --format html --bytes 8", {"--bytes", "--machine"}},
        {"--collective barrier --bytes 8", {"--bytes is given with --format text", "unless of a barrier"}},
        {"--collective bcast --algorithm serial --bytes 8 --rank 1", {"--bytes", "text without --rank"}},
        {"--collective bcast --algorithm serial --bytes 8 --json", {"--bytes", "text without --rank"}},
        {"--collective bcast --algorithm serial --bytes 8 --format dot", {"--bytes", "html, svg, or text"}},
        {"--collective bcast --algorithm serial --element-bytes 4", {"--element-bytes", "--bytes, unless"}},
        {"--collective barrier --format goal --bytes 9", {"--bytes is 9", "multiples of --element-bytes, 8"}},
        {"--collective barrier --format html --machine nowhere", {"--machine", "'nowhere'", "loggops"}},
        {"--collective barrier --fat-tree 4,2", {"--fat-tree", "--format html"}},
        {"--collective barrier --format html --routing d-mod-k", {"--routing", "--fat-tree, --xgft"}},
        {"--collective barrier --format html --fat-tree 2,2", {"--size is 8", "at most 4"}},
        {"--collective barrier --format html --fat-tree 2,3 --missing 1", {"--size is 8", "at most 7"}},
        {"--collective barrier --format html --fat-tree 4,2 --routing adaptive", {"--routing", "fixed"}},
        {"--collective barrier --format html --fat-tree 8,4",
         {"links of the network on a page", "at most 4096"}},
    }));
    const answer a = show(wrong.line);
    INFO("tutti show " << wrong.line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(a.out.empty());
    for (const std::string& part : wrong.said) CHECK(has(a.err, part));
}

TEST_CASE("what is told where a picture is too large can be typed", "[examples][show]") {
    for (const std::string line :
         {"show --collective bcast --algorithm chain --segments 4096 --size 8 --format svg",
          "show --collective gather --algorithm fnomial --radix 300 --size 300 --format svg"}) {
        const answer refused = support::tutti_program(line);
        REQUIRE(refused.code == 2);
        INFO(refused.err);
        const std::size_t ranks = refused.err.find("--ranks ");
        REQUIRE(ranks != std::string::npos);
        const std::size_t end = refused.err.find(',', ranks);
        std::string parts = refused.err.substr(ranks, end - ranks);
        if (const std::size_t also = parts.find(" and "); also != std::string::npos) parts.erase(also, 4);
        std::replace(parts.begin(), parts.end(), '\n', ' '); // the terminal's width
        INFO(parts);
        CHECK(support::tutti_program(line + " " + parts).code == 0);
    }
}
