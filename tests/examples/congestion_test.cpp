// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>
#include <tutti/topology/fat_tree.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"
#include "support/xml.hpp"

namespace {

using support::answer;
using support::json;
using rows = std::vector<json>;

const std::vector<std::string> keys{"network",   "routing",    "missing",      "embedding", "collective",
                                    "algorithm", "parameters", "size",         "root",      "relation",
                                    "bytes",     "round",      "permutation",  "messages",  "max_load",
                                    "max_bytes", "max_hops",   "links_loaded", "free",      "possible"};

answer congestion(const std::string& line) { return support::tutti_program("congestion " + line); }

rows rows_of(const std::string& line) {
    const answer a = congestion(line + " --json");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    REQUIRE(a.err.empty());
    return support::rows_of(a, "congestion", keys);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::int64_t free_ones(const rows& all) {
    return std::count_if(all.begin(), all.end(), [](const json& r) { return r["free"].text == "true"; });
}

std::int64_t worst_load(const rows& all) {
    std::int64_t worst = 0;
    for (const json& r : all) worst = std::max<std::int64_t>(worst, std::stoll(r["max_load"].text));
    return worst;
}

/// The words at the top of a picture.
std::string title_of(const support::xml& picture) { return picture.children.at(0).text; }

support::xml picture_of(const std::string& line) {
    const answer a = congestion(line + " --format svg");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    return support::read_xml(a.out);
}

} // namespace

TEST_CASE("tutti congestion shows what one permutation does to a tree with holes", "[examples][congestion]") {
    const rows all =
        rows_of("--fat-tree 4,3 --routing d-mod-k --permutation shift:8 --missing 5,9 --bytes 1K");
    REQUIRE(all.size() == 1);
    const json& r = all.front();
    CHECK(r["network"].text == "4-ary 3-tree");
    CHECK(r["routing"].text == "d-mod-k");
    CHECK(r["missing"].text == "2");
    CHECK(r["embedding"].text == "compact");
    CHECK(r["collective"].what == json::kind::null);
    CHECK(r["size"].text == "62");
    CHECK(r["bytes"].text == "1024");
    CHECK(r["round"].text == "0");
    CHECK(r["permutation"].text == "shift:8");
    CHECK(r["messages"].text == "62");
    CHECK(r["max_load"].text == "2");
    CHECK(r["max_bytes"].text == "2048");
    CHECK(r["max_hops"].text == "6");
    CHECK(r["links_loaded"].text == "311");
    CHECK(r["free"].text == "false");
    CHECK(r["possible"].what == json::kind::null);

    const answer text = congestion("--fat-tree 4,3 --permutation shift:8 --missing 5,9");
    CHECK(text.code == 0);
    CHECK(has(text.out, "4-ary 3-tree, 64 nodes, d-mod-k; 62 ranks, compact; missing nodes 5,9\n"));
    CHECK(has(text.out, "shift:8 is not free of contention\n"));
    CHECK(has(text.out, "links in shift:8: 73 with load 0, 310 with load 1, 1 with load 2\n"));
    CHECK(has(text.out, "  load 2  up from switch <3,3,0> to switch <3,0,1>: "));
    CHECK_FALSE(has(text.out, "  load 1 "));
}

TEST_CASE("all shifts and xors of a full 4-ary 3-tree are free of contention", "[examples][congestion]") {
    const std::string routing = GENERATE("d-mod-k", "s-mod-k");
    const std::string kind = GENERATE("shift", "xor");
    const rows all = rows_of("--fat-tree 4,3 --routing " + routing + " --permutation " + kind + ":all");
    REQUIRE(all.size() == 63);
    CHECK(free_ones(all) == 63);
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i]["round"].text == std::to_string(i));
        CHECK(all[i]["permutation"].text == kind + ":" + std::to_string(i + 1));
        CHECK(all[i]["messages"].text == "64");
    }
}

TEST_CASE("a missing node costs compact ranks most shifts, and slots none", "[examples][congestion]") {
    const rows compact = rows_of("--fat-tree 4,3 --permutation shift:all --missing 5");
    REQUIRE(compact.size() == 62);
    CHECK(free_ones(compact) == 14);
    CHECK(worst_load(compact) == 2);
    const answer text = congestion("--fat-tree 4,3 --permutation shift:all --missing 5");
    CHECK(has(text.out, "14 of 62 permutations free of contention (23 %); worst load 2 in shift:4; "
                        "loads add up to 110; not free: shift:4, shift:6, shift:7, "));
    CHECK(has(text.out, " and 40 more\n"));

    const rows slots = rows_of("--fat-tree 4,3 --permutation shift:all --missing 5 --embedding slots");
    REQUIRE(slots.size() == 63);
    CHECK(free_ones(slots) == 63);
    for (const json& r : slots) CHECK(r["messages"].text == "62"); // neither to nor from the hole
}

TEST_CASE("the shift by 1 is free under any holes", "[examples][congestion]") {
    for (const std::string holes : {"0", "5,9", "1..7", "3,17..20,40,63", "0..14,16..31,33,35,37"}) {
        CAPTURE(holes);
        CHECK(free_ones(rows_of("--fat-tree 4,3 --permutation shift:1 --missing " + holes)) == 1);
    }
}

TEST_CASE("permutations of every kind are read", "[examples][congestion]") {
    const auto one = [](const std::string& permutation) {
        const rows all = rows_of("--fat-tree 2,3 --permutation " + permutation);
        REQUIRE(all.size() == 1);
        return all.front()["permutation"].text + ": " + all.front()["messages"].text + " messages, load "
               + all.front()["max_load"].text;
    };
    CHECK(one("shift:-1") == "shift:-1: 8 messages, load 1");
    CHECK(one("shift:0") == "shift:0: 0 messages, load 0");
    CHECK(one("xor:5") == "xor:5: 8 messages, load 1");
    CHECK(one("exchange:2") == "exchange:2: 8 messages, load 1");
    CHECK(one("quarter:2,3,0,1") == "quarter:2,3,0,1: 8 messages, load 1");
    CHECK(one("table:0,1,2,3,4,5,7,6") == "table: 2 messages, load 1");
    // 0 and 1 share their switch, which has one way to even targets.
    CHECK(one("table:2,4,0,3,1,5,6,7") == "table: 4 messages, load 2");
    CHECK(one("table:-1,0,-1,-1,-1,-1,-1,-1") == "table: 1 messages, load 1");
    CHECK(rows_of("--fat-tree 2,3 --permutation exchange:all").size() == 3);
    CHECK(rows_of("--fat-tree 2,3 --permutation shift:1..3,5").size() == 4);
    // 5 ranks: partners up to 7 take part, for 4 is 5's without it.
    CHECK(rows_of("--fat-tree 2,3 --ranks 5 --permutation xor:all").size() == 7);
}

TEST_CASE("every round of a schedule is a row, named if it is a shift or xor", "[examples][congestion]") {
    const rows ring = rows_of("--fat-tree 4,2 --algorithm ring --missing 3,4,9 --bytes 100");
    REQUIRE(ring.size() == 12);
    for (const json& r : ring) {
        CHECK(r["collective"].text == "allgather");
        CHECK(r["algorithm"].text == "ring");
        CHECK(r["permutation"].text == "shift:1");
        CHECK(r["max_load"].text == "1");
        CHECK(r["max_bytes"].text == "100");
        CHECK(r["root"].what == json::kind::null);
    }
    const rows doubling = rows_of("--fat-tree 4,2 --algorithm recursive_doubling --bytes 100");
    REQUIRE(doubling.size() == 4);
    CHECK(doubling[1]["permutation"].text == "xor:2");
    CHECK(doubling[3]["max_bytes"].text == "800");

    const rows bcast = rows_of("--fat-tree 4,2 --collective bcast --algorithm fnomial --radix 4 --root 3");
    REQUIRE(bcast.size() == 2);
    CHECK(bcast[0]["root"].text == "3");
    CHECK(bcast[0]["parameters"]["radix"].text == "4");
    CHECK(bcast[0]["messages"].text == "3");
    CHECK(bcast[0]["max_load"].text == "3"); // all from one node
    CHECK(bcast[0]["permutation"].what == json::kind::null);

    const answer text = congestion("--fat-tree 4,2 --algorithm direct --missing 3");
    CHECK(has(text.out, ": 8 of 14 rounds free of contention (57 %); worst load 2 in round 3 (shift:4); "
                        "loads add up to 20; not free: 3..5, 7..9\n"));
    CHECK(has(text.out, "links in round 3 (shift:4): "));
    CHECK(has(congestion("--fat-tree 4,2 --collective bcast,reduce --algorithm serial").out,
              "links in bcast serial, round 0: "));
}

TEST_CASE("every allgather of the catalogue can be looked at", "[examples][congestion]") {
    std::set<std::string> known;
    for (const tutti::catalogue_entry& e : tutti::catalogue())
        if (e.what == tutti::collective::allgather) known.insert(std::string(e.name));
    std::set<std::string> seen;
    for (const json& r : rows_of("--fat-tree 2,3 --algorithm all --ranks 7"))
        seen.insert(r["algorithm"].text);
    CHECK(seen == known);
}

TEST_CASE("direct strategies on slots stay free of contention", "[examples][congestion]") {
    const std::string holes = GENERATE("5", "0,21,63", "1..16");
    const rows all =
        rows_of("--fat-tree 4,3 --algorithm direct,prefix_send,kprefix --embedding slots --missing " + holes);
    REQUIRE(all.size() == 189);
    CHECK(free_ones(all) == 189);
    CHECK(all[7]["permutation"].text == "shift:8"); // of slots
    CHECK(all[63 + 4]["permutation"].text == "xor:5");
}

TEST_CASE("adaptive routing says what may happen and what can be avoided", "[examples][congestion]") {
    const rows all = rows_of("--fat-tree 4,3 --routing adaptive --permutation shift:3..5");
    REQUIRE(all.size() == 3);
    CHECK(all[0]["free"].text == "true"); // 3 and 4 are a * 4^j, Lemma 6; 5 is not
    CHECK(all[1]["free"].text == "true");
    CHECK(all[2]["free"].text == "false");
    CHECK(all[2]["max_load"].text == "2");
    CHECK(all[2]["possible"].text == "yes");
    CHECK(all[2]["links_loaded"].what == json::kind::null);
    CHECK(
        has(congestion("--fat-tree 4,3 --routing adaptive --permutation shift:5").out,
            "shift:5: 2 messages may meet on a link down to nodes 0..3; some choice of ports avoids that\n"));
    const rows slim = rows_of("--xgft 4,4;1,2 --routing adaptive --permutation shift:4");
    CHECK(slim[0]["network"].text == "XGFT(2;4,4;1,2)");
    CHECK(slim[0]["possible"].text == "no");
}

TEST_CASE("tori and dragonflies have loads, too", "[examples][congestion]") {
    const rows ring = rows_of("--torus 9 --permutation shift:all");
    REQUIRE(ring.size() == 8);
    for (int d = 1; d < 9; ++d)
        CHECK(ring[static_cast<std::size_t>(d - 1)]["max_load"].text == std::to_string(std::min(d, 9 - d)));
    CHECK(ring[0]["network"].text == "9 torus");
    CHECK(ring[0]["routing"].text == "dimension-order");
    const rows dragonfly = rows_of("--dragonfly 4,2,2 --permutation shift:8");
    CHECK(dragonfly[0]["size"].text == "72");
    CHECK(dragonfly[0]["max_load"].text == "8"); // a whole group over one global link
    CHECK(has(congestion("--dragonfly 4,2,2 --permutation shift:8 --worst 1").out,
              "  load 8  global link of router <0,0> port 0 to <1,0> port 0: "
              "0 -> 8, 1 -> 9, 2 -> 10, 3 -> 11, 4 -> 12, 5 -> 13, 6 -> 14, 7 -> 15\n"));
    CHECK(rows_of("--dragonfly 4,2,2,3 --permutation shift:1")[0]["size"].text == "24");
}

TEST_CASE("as many links are named as wanted, of the round that is wanted", "[examples][congestion]") {
    const auto named = [](const std::string& line) {
        const std::string out = congestion(line).out;
        std::size_t count = 0;
        for (std::size_t at = out.find("\n  load "); at != std::string::npos;
             at = out.find("\n  load ", at + 1))
            ++count;
        return count;
    };
    const std::string shifts = "--torus 4,4 --permutation shift:4,5"; // the second loads 4 links with 2
    CHECK(named(shifts) == 3);
    CHECK(named(shifts + " --worst 4") == 4);
    CHECK(named(shifts + " --worst 10") == 4);
    CHECK(named(shifts + " --worst 0") == 0);
    CHECK(named(shifts + " --round 0") == 0);
    CHECK(has(congestion(shifts + " --round 0").out, "links in shift:4: 48 with load 0, 16 with load 1\n"));
}

TEST_CASE("a picture has every switch and link of the tree, and says what it shows",
          "[examples][congestion]") {
    const support::xml root = picture_of("--fat-tree 4,3 --permutation shift:8 --missing 5,9");
    CHECK(title_of(root) == "4-ary 3-tree, d-mod-k: shift:8, max load 2");
    const tutti::fat_tree tree = tutti::fat_tree::kary(4, 3);
    std::set<std::string> links;
    for (const support::xml* e : root.of_class("link")) {
        const std::string& words = e->children.at(0).text;
        links.insert(words.substr(0, words.rfind(':')));
    }
    CHECK(root.of_class("link").size() == 384);
    CHECK(links.size() == 384);
    for (tutti::link_index l = 0; l < tree.links(); ++l) CHECK(links.count(tree.name(l)) == 1);
    std::set<std::string> switches;
    for (const support::xml* e : root.of_class("switch")) switches.insert(e->text);
    CHECK(root.of_class("switch").size() == 48);
    CHECK(switches.size() == 48);
    CHECK(switches.count("<3,0,1>") == 1);
    CHECK(root.of_class("hole").size() == 2);
    CHECK(root.of_class("node").size() == 62);

    CHECK(
        title_of(picture_of("--fat-tree 4,2 --algorithm kshift --k 4 --missing 3"))
        == "4-ary 2-tree, d-mod-k: allgather kshift k=4 outstanding=1 pace=0, round 3 (shift:4), max load 2");
    CHECK(title_of(picture_of("--xgft 4,4;1,2 --permutation shift:all --round 0"))
          == "XGFT(2;4,4;1,2), d-mod-k: shift:1, max load 1");
}

TEST_CASE("the messages that share a link are named, and their whole ways drawn", "[examples][congestion]") {
    for (const std::string line :
         {"--fat-tree 4,3 --permutation shift:8 --missing 5,9",
          "--xgft 4,4;1,2 --algorithm recursive_doubling", "--torus 4,4 --permutation shift:5",
          "--dragonfly 4,2,1 --algorithm bruck --ranks 40"}) {
        INFO(line);
        const std::string out = congestion(line + " --worst 1").out;
        const std::size_t at = out.find("\n  load ");
        REQUIRE(at != std::string::npos);
        std::string named = out.substr(out.find(": ", at) + 2);
        named.pop_back();
        const support::xml root = picture_of(line);
        const auto ways = root.of_class("way");
        CHECK(std::to_string(ways.size()) == out.substr(at + 8, out.find(' ', at + 8) - at - 8));
        std::string drawn;
        for (std::size_t k = 0; k < std::min<std::size_t>(ways.size(), 8); ++k) {
            const std::string& words = ways[k]->children.at(0).text; // rank 3 to rank 5
            drawn += (k == 0 ? "" : ", ") + words.substr(5, words.find(" to") - 5) + " -> "
                     + words.substr(words.rfind(' ') + 1);
        }
        if (ways.size() > 8) drawn += " and " + std::to_string(ways.size() - 8) + " more";
        CHECK(named == drawn);
    }
    // A ring of 8 in which everybody sends 3 further on: whoever passes from 2 to 3.
    CHECK(has(congestion("--torus 8 --permutation shift:3 --worst 3").out,
              "  load 3  (2) up dimension 0 to (3): 0 -> 3, 1 -> 4, 2 -> 5\n"));
    CHECK(picture_of("--torus 8 --permutation shift:1").of_class("way").empty()); // nobody meets
}

TEST_CASE("programs are told who meets on the worst links, all of them", "[examples][congestion]") {
    const auto links_of = [](const std::string& line) {
        return support::read_json(congestion(line + " --json").out)["worst_links"].members;
    };
    // A ring of 8 in which everybody sends 3 further on: whoever passes from 2 to 3, and from 3 to 4.
    const auto ring = links_of("--torus 8 --permutation shift:1,3 --worst 2 --bytes 1K");
    REQUIRE(ring.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
        const json& link = ring[k].value;
        CHECK(link["row"].text == "1"); // shift:3
        CHECK(link["load"].text == "3");
        REQUIRE(link["messages"].members.size() == 3);
        for (const support::json_member& m : link["messages"].members) {
            CHECK(m.value["round"].text == "1");
            CHECK(std::stoi(m.value["to"].text) == (std::stoi(m.value["from"].text) + 3) % 8);
            CHECK(m.value["bytes"].text == "1024");
        }
    }
    CHECK(ring[0].value["link"].text != ring[1].value["link"].text);

    // As the text, which names eight of them, says it; a group of a dragonfly shares one link.
    const std::string crowd = "--dragonfly 8,4,4 --permutation shift:32 --worst 1";
    const auto global = links_of(crowd);
    REQUIRE(global.size() == 1);
    const auto& messages = global[0].value["messages"].members;
    CHECK(messages.size() == 32);
    CHECK(messages.front().value["bytes"].what == json::kind::null);
    std::string said = "  load 32  " + global[0].value["link"].text + ": ";
    for (std::size_t k = 0; k < 8; ++k)
        said += messages[k].value["from"].text + " -> " + messages[k].value["to"].text + (k < 7 ? ", " : "");
    CHECK(has(congestion(crowd).out, said + " and 24 more\n"));

    // Of two schedules it is the second whose round is the worst; its row, and the blocks of its messages.
    const std::string two = "--torus 4,4 --algorithm ring,recursive_doubling --bytes 8";
    const auto doubling = links_of(two);
    REQUIRE(doubling.size() == 3);
    const json row = rows_of(two).at(static_cast<std::size_t>(std::stoi(doubling[0].value["row"].text)));
    const json& met = doubling[0].value["messages"].members.front().value;
    CHECK(row["algorithm"].text == "recursive_doubling");
    CHECK(row["max_load"].text == doubling[0].value["load"].text);
    CHECK(row["round"].text == met["round"].text);
    CHECK(std::stoi(met["bytes"].text) == 8 << std::stoi(met["round"].text));

    CHECK(links_of("--torus 8 --permutation shift:3 --worst 0").empty());
    CHECK(links_of("--torus 8 --permutation shift:1").empty()); // nobody meets
    CHECK(links_of("--torus 8 --permutation shift:1,3 --round 0").empty());
    CHECK(links_of("--fat-tree 4,3 --routing adaptive --permutation shift:5").empty());
    CHECK(links_of("--fat-tree 1,1 --algorithm direct").empty()); // no round at all
}

TEST_CASE("under adaptive routing a choice of ports without contention is drawn", "[examples][congestion]") {
    const std::string line = "--fat-tree 4,2 --permutation table:5,4,7,6,1,0,3,2,15,14,13,12,11,10,9,8";
    const support::xml root = picture_of(line + " --routing adaptive");
    CHECK(has(title_of(root), "4-ary 2-tree, adaptive: table, max load 1"));
    for (const support::xml* e : root.of_class("link")) CHECK_FALSE(has(e->children.at(0).text, "load 2"));
    const answer none = congestion("--xgft 4,4;1,2 --routing adaptive --permutation shift:4 --format svg");
    CHECK(none.code == 2);
    CHECK(has(none.err, "4 messages leave nodes 0..3, over 2 links up"));
}

TEST_CASE("the answer can go to a file", "[examples][congestion]") {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / "tutti_congestion_test_picture.svg";
    const std::string line = "--fat-tree 2,2 --permutation shift:1 --format svg";
    const answer a = congestion(line + " --output " + file.string());
    CHECK(a.code == 0);
    CHECK(a.out.empty());
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    CHECK(text == congestion(line).out);
    std::filesystem::remove(file);
    const answer nowhere = congestion(line + " --output /no/such/folder/picture.svg");
    CHECK(nowhere.code == 2);
    CHECK(has(nowhere.err, "--output is '/no/such/folder/picture.svg'"));
}

TEST_CASE("one rank sends nothing", "[examples][congestion]") {
    const answer a = congestion("--fat-tree 4,1 --algorithm ring --ranks 1");
    CHECK(a.code == 0);
    CHECK(has(a.out, "allgather ring: no messages\n"));
    CHECK(rows_of("--fat-tree 1,1 --algorithm direct").empty());
    const answer still = congestion("--torus 5 --permutation shift:0");
    CHECK(still.code == 0);
    CHECK(has(still.out, "no messages\n"));
    CHECK_FALSE(has(still.out, "links in"));
}

TEST_CASE("the help of congestion explains every column", "[examples][congestion]") {
    const answer a = congestion("--help");
    CHECK(a.code == 0);
    const std::string columns = a.out.substr(a.out.find("Columns:"));
    for (const std::string& key : keys)
        if (key != "collective" && key != "algorithm" && key != "parameters") CHECK(has(columns, key));
    CHECK(has(columns, "upper bound")); // where the network is slimmed
    for (const char* member : {"worst_links", "row", "link", "load", "messages", "from", "to", "bytes"})
        CHECK(has(columns, member));
}

TEST_CASE("wrong arguments of congestion end with 2 and say which and why", "[examples][congestion]") {
    struct sample {
        std::string line;
        std::vector<std::string> said;
    };
    const sample wrong = GENERATE(values<sample>({
        {"", {"network", "not given", "--fat-tree, --xgft, --torus, --dragonfly"}},
        {"--fat-tree 4,3", {"--permutation", "not given", "shift:K", "--algorithm"}},
        {"--fat-tree 4,3 --torus 4 --permutation shift:1", {"--torus", "--fat-tree", "one network"}},
        {"--fat-tree 0,3 --permutation shift:1", {"k of the k-ary n-tree is 0", "at least 1"}},
        {"--fat-tree 4,0 --permutation shift:1", {"n of the k-ary n-tree is 0", "1..31"}},
        {"--fat-tree 4 --permutation shift:1", {"--fat-tree", "'4'", "K,N"}},
        {"--fat-tree 4,x --permutation shift:1", {"--fat-tree", "'4,x'"}},
        {"--fat-tree 4,3, --permutation shift:1", {"--fat-tree", "'4,3,'"}},
        {"--fat-tree 16,6 --permutation shift:1", {"--fat-tree", "at most 1048576 nodes"}},
        {"--xgft 4,4 --permutation shift:1", {"--xgft", "'4,4'", "4,4,4;1,4,2"}},
        {"--xgft 4,4;1 --permutation shift:1", {"numbers of parents (w) of the fat-tree is 1", "2"}},
        {"--xgft 4,0;1,1 --permutation shift:1", {"m_2 of the fat-tree is 0"}},
        {"--torus 4,0 --permutation shift:1", {"dimension 1 of a torus is 0"}},
        {"--torus 2000,2000 --permutation shift:1", {"--torus", "at most 1048576 nodes, not 4000000"}},
        {"--dragonfly 4,2 --permutation shift:1", {"--dragonfly", "'4,2'", "A,P,H"}},
        {"--dragonfly 4,2,1,6 --permutation shift:1", {"groups of a dragonfly is 6", "1..5"}},
        {"--dragonfly 4,2,1,0 --permutation shift:1", {"--dragonfly", "at least 1 group"}},
        {"--fat-tree 4,3 --routing fast --permutation shift:1", {"'fast'", "d-mod-k, s-mod-k, adaptive"}},
        {"--torus 4 --routing d-mod-k --permutation shift:1", {"--routing", "--torus"}},
        {"--fat-tree 4,3 --missing 64 --permutation shift:1", {"--missing", "'64'", "from 0 to 63"}},
        {"--fat-tree 4,1 --missing 0..3 --permutation shift:1", {"missing nodes is 4", "at most 3"}},
        {"--fat-tree 4,3 --missing 7 --ranks 64 --permutation shift:1", {"ranks is 64", "1..63"}},
        {"--fat-tree 4,3 --ranks 0 --permutation shift:1", {"--ranks", "'0'"}},
        {"--fat-tree 4,3 --ranks 2,3 --permutation shift:1", {"--ranks", "'2,3'", "one number"}},
        {"--fat-tree 4,3 --permutation rotate:1", {"'rotate:1'", "shift:K, xor:J, exchange:D"}},
        {"--fat-tree 4,3 --permutation shift", {"--permutation", "from -63 to 63"}},
        {"--fat-tree 4,3 --permutation shift:64", {"'64'", "from -63 to 63"}},
        {"--fat-tree 4,3 --permutation xor:64", {"'64'", "from 0 to 63"}},
        {"--fat-tree 4,3 --permutation exchange:6", {"'6'", "from 0 to 5"}},
        {"--fat-tree 4,1 --permutation shift:all --ranks 1", {"'shift:all' of one rank"}},
        {"--fat-tree 2,1 --permutation table:1,1", {"target of rank 1 is 1", "0 has this one"}},
        {"--fat-tree 2,1 --permutation table:1,2", {"target of rank 1 is 2", "0..1"}},
        {"--fat-tree 4,3 --permutation table:1,2,0", {"a table of 3 entries", "64"}},
        {"--fat-tree 2,1 --permutation table:1;0", {"'1;0'", "targets"}},
        {"--fat-tree 2,2 --permutation quarter:1,1", {"target of part 1 is 1", "0 has this one"}},
        {"--fat-tree 2,1 --permutation quarter:2,1,0", {"3 parts", "at most 2"}},
        {"--fat-tree 4,3 --algorithm rings", {"--algorithm", "'rings'", "kprefix", "sparbit"}},
        {"--fat-tree 4,3 --algorithm fnomial", {"--algorithm", "'fnomial'", "prefix_send"}}, // no allgather
        {"--fat-tree 4,3 --algorithm ring --k 4", {"--k", "such a parameter"}},
        {"--fat-tree 4,3 --algorithm direct --permutation shift:1", {"--algorithm", "--permutation"}},
        {"--fat-tree 2,1 --collective bcast --algorithm serial --root 2", {"--root", "'2'", "0 to 1"}},
        {"--fat-tree 4,3 --embedding tight --permutation shift:1", {"'tight'", "compact, slots"}},
        {"--fat-tree 4,3 --embedding slots --algorithm ring",
         {"slots with ring", "direct, prefix_send or kprefix", "hole"}},
        {"--fat-tree 4,3 --embedding slots --algorithm direct --pace 4", {"slots with flow control"}},
        {"--fat-tree 4,3 --format png --permutation shift:1", {"'png'", "table, svg"}},
        {"--fat-tree 4,3 --format svg --json --permutation shift:1", {"--json", "--format svg"}},
        {"--torus 256,256 --format svg --permutation shift:1", {"262144 links", "32768"}},
        {"--fat-tree 4,6 --format svg --permutation shift:1", {"49152 links", "32768"}},
        {"--fat-tree 4,1 --format svg --algorithm ring --ranks 1", {"--format", "sends"}},
        {"--fat-tree 4,3 --permutation shift:1 --round 1", {"--round", "'1'", "0 to 0"}},
        {"--fat-tree 4,2 --algorithm ring,direct --round 1", {"--round", "2 schedules"}},
        {"--fat-tree 4,2 --permutation shift:1 --bytes 4G", {"--bytes", "'4G'"}},
        {"--fat-tree 4,2 --permutation shift:1 --routing adaptive --bytes 4", {"--bytes", "adaptive"}},
        {"--fat-tree 4,2 --permutation shift:1 --worst -1", {"--worst", "'-1'"}},
    }));
    const answer a = congestion(wrong.line);
    INFO("tutti congestion " << wrong.line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(a.out.empty());
    for (const std::string& part : wrong.said) CHECK(has(a.err, part));
}
