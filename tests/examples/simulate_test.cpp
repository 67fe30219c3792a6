// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"
#include "support/xml.hpp"

namespace {

using support::answer;
using support::json;

const std::vector<std::string> keys{"collective",
                                    "algorithm",
                                    "parameters",
                                    "size",
                                    "root",
                                    "relation",
                                    "bytes",
                                    "machine",
                                    "network",
                                    "link_ns_per_byte",
                                    "skew",
                                    "noise",
                                    "noise_rule",
                                    "receiving",
                                    "progress",
                                    "signal_us",
                                    "seed",
                                    "repeat",
                                    "completion_us",
                                    "x_best",
                                    "completion_min_us",
                                    "completion_max_us",
                                    "completion_sd_us",
                                    "cpu_us",
                                    "cpu_max_us",
                                    "messages"};

answer simulate(const std::string& line) { return support::tutti_program("simulate " + line); }

std::vector<json> rows_of(const std::string& line) {
    const answer a = simulate(line + " --json");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    return support::rows_of(a, "simulate", keys);
}

double number(const json& row, const std::string& key) { return std::stod(row[key].text); }

double completion(const std::string& line) { return number(rows_of(line).at(0), "completion_us"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A file that is there as long as this is.
class scratch_file {
public:
    scratch_file(const std::string& name, const std::string& text)
        : path_(std::filesystem::temp_directory_path() / name) {
        std::ofstream(path_) << text;
    }
    ~scratch_file() { std::filesystem::remove(path_); }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

} // namespace

TEST_CASE("tutti simulate adds up by hand for one message", "[examples][simulate]") {
    // L 2.5, o 1.5 on both sides, 7 bytes of G 0.006 on the receiver's.
    const json r = rows_of("--collective bcast --algorithm serial --size 2 --bytes 8").at(0);
    CHECK(number(r, "completion_us") == Approx(1.5 + 2.5 + 1.5 + 7 * 0.006).margin(1e-3));
    CHECK(number(r, "messages") == 1);
    CHECK(r["collective"].text == "bcast");
    CHECK(r["root"].text == "0");
    CHECK(r["machine"].text == "loggops");
    CHECK(r["network"].what == json::kind::null);
    CHECK(r["completion_sd_us"].what == json::kind::null);
    CHECK(r["signal_us"].what == json::kind::null);
}

TEST_CASE("tutti simulate has a row for every algorithm, size, root and length", "[examples][simulate]") {
    const std::vector<json> rows = rows_of(
        "--collective bcast --algorithm serial,fnomial --radix 2,3 --size 4,5 --root 0,last --bytes 8,1K");
    CHECK(rows.size() == 3 * 2 * 2 * 2);
    CHECK(rows_of("--size 3").size() >= 5); // all allreduces
    CHECK(rows_of("--collective barrier --size 3 --bytes 8,16").size() == 1);
    CHECK(rows_of("--collective barrier --size 3").at(0)["bytes"].what == json::kind::null);
}

TEST_CASE("tutti simulate: lengths that nobody typed are whole elements", "[examples][simulate]") {
    CHECK(rows_of("--algorithm ring --size 3 --element-bytes 16").at(0)["bytes"].text == "16");
    std::vector<double> lengths;
    for (const json& r : support::rows_of("simulate --map --algorithm ring --size 3 --element-bytes 24"))
        lengths.push_back(number(r, "bytes"));
    REQUIRE(lengths.size() > 10);
    CHECK(lengths.front() == 24);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        CHECK(std::fmod(lengths[i], 24) == 0);
        if (i > 0) CHECK(lengths[i] > lengths[i - 1]);
    }
    CHECK(support::tutti_program("simulate --algorithm ring --bytes 8 --element-bytes 16").code
          == 2); // typed
}

TEST_CASE("tutti simulate: machines come from files, and need the right model", "[examples][simulate]") {
    const scratch_file slow("tutti_simulate_test.machine",
                            "name = slow\nsource = nobody\nmodel = loggops\nL = 100 us\no = 1 us\ng = 1 us\n"
                            "G = 0 ns/B\nO = 0 ns/B\nS = 65535 B\n");
    CHECK(completion("--collective bcast --algorithm serial --size 2 --machine " + slow.path())
          == Approx(102));
    const answer other = simulate("--machine lemieux");
    CHECK(other.code == 2);
    CHECK(has(other.err, "--machine is lemieux, which has the model kumar_kale_2004; allowed: a machine with "
                         "the model loggops"));
}

TEST_CASE("tutti simulate: skew, noise and progress change what they should", "[examples][simulate]") {
    const std::string reduce = "--collective reduce --algorithm fnomial --size 32 ";
    const double undisturbed = completion(reduce);
    CHECK(completion(reduce + "--skew late:7:500") > 500);
    CHECK(completion(reduce + "--skew uniform:1000") > undisturbed);
    CHECK(completion(reduce + "--noise periodic:10:5") > undisturbed);
    CHECK(completion(reduce + "--noise periodic:10:5 --progress nic") == Approx(undisturbed));
    const json host = rows_of(reduce + "--skew uniform:1000 --repeat 20").at(0);
    const json bypass =
        rows_of(reduce + "--skew uniform:1000 --repeat 20 --progress bypass --signal 10").at(0);
    CHECK(number(bypass, "cpu_us") * 2 < number(host, "cpu_us"));
    CHECK(bypass["signal_us"].text == "10.0000");
    CHECK(number(host, "completion_min_us") < number(host, "completion_us"));
    CHECK(number(host, "completion_us") < number(host, "completion_max_us"));
    CHECK(number(host, "completion_sd_us") > 0);
}

TEST_CASE("tutti simulate: without a root nobody has to wait in the call", "[examples][simulate]") {
    const std::string line = "--algorithm recursive_doubling --size 8 --skew late:3:10000 --progress ";
    CHECK(number(rows_of(line + "host").at(0), "cpu_max_us") > 10000);
    CHECK(number(rows_of(line + "bypass").at(0), "cpu_max_us") < 1000);
}

TEST_CASE("tutti simulate: the same seed gives the same, another another", "[examples][simulate]") {
    const std::string line =
        "--collective reduce --algorithm fnomial --size 16 --skew exponential:100 --seed ";
    CHECK(simulate(line + "5").out == simulate(line + "5").out);
    CHECK(completion(line + "5") != completion(line + "6"));
    // Repetitions count the seeds up.
    CHECK(number(rows_of(line + "5 --repeat 2").at(0), "completion_us")
          == Approx((completion(line + "5") + completion(line + "6")) / 2).margin(1e-3));
}

TEST_CASE("tutti simulate: noise from a trace, in nanoseconds", "[examples][simulate]") {
    // Nothing but noise for 100 us out of every 101: whatever works is hit.
    const scratch_file trace("tutti_simulate_test.trace", "# begin duration\n1000\t100000\n101000\t0\n");
    const std::string line = "--collective bcast --algorithm serial --size 2 ";
    CHECK(completion(line + "--noise trace:" + trace.path()) > completion(line) + 1);
    const scratch_file wrong("tutti_simulate_test_wrong.trace", "5 1\n3 1\n");
    const answer refused = simulate(line + "--noise trace:" + wrong.path());
    CHECK(refused.code == 2);
    CHECK(has(refused.err, ":2: "));
}

TEST_CASE("tutti simulate: links that messages share make it longer", "[examples][simulate]") {
    const std::string line =
        "--collective allgather --algorithm kshift --k 5 --size 15 --bytes 1M --element-bytes 1 ";
    CHECK(rows_of(line + "--fat-tree 4,2").at(0)["network"].text == "4-ary 2-tree");
    const std::string pairwise =
        "--collective alltoall --algorithm pairwise --size 15 --bytes 15M --element-bytes 1M ";
    CHECK(completion(pairwise + "--torus 16") > completion(pairwise));
    CHECK(completion(pairwise + "--fat-tree 4,2 --missing 5") >= completion(pairwise));
    const answer many = simulate("--size 17 --fat-tree 4,2");
    CHECK(many.code == 2);
    CHECK(has(many.err, "--size is 17; allowed: at most the 16 nodes that are present"));
}

TEST_CASE("tutti simulate: other rules, and links of another speed", "[examples][simulate]") {
    // Nothing but bytes takes time. Ranks that lack a partner in a round run ahead of the others.
    const scratch_file blocks(
        "tutti_simulate_test_rules.machine",
        "name = blocks\nsource = nobody\nmodel = loggops\nL = 0 us\no = 0 us\ng = 0 us\n"
        "G = 1 ns/B\nO = 0 ns/B\nS = 1000000000 B\n");
    const std::string on = " --machine " + blocks.path();
    const std::string kprefix =
        "--collective allgather --algorithm kprefix --k 4 --size 27 --element-bytes 1K --bytes 27K" + on;
    const double kept = completion(kprefix + " --receiving cpu");
    CHECK(kept == completion(kprefix));
    CHECK(completion(kprefix + " --receiving overlapped") == Approx(kept * 28 / 47).epsilon(0.01));
    for (const auto& [name, cpu, overlapped] : {std::tuple("recursive_doubling", 80, 60),
                                                std::tuple("swing", 81, 59)}) { // blocks; docs/simulating.md
        const std::string line =
            "--collective allgather --element-bytes 1000 --size 30 --bytes 30000 --algorithm "
            + std::string(name) + on;
        CHECK(completion(line) == Approx(cpu).epsilon(0.01));
        CHECK(completion(line + " --receiving overlapped") == Approx(overlapped).epsilon(0.01));
    }
    const json row =
        rows_of(kprefix + " --receiving overlapped --noise random:50:1 --noise-rule stops").at(0);
    CHECK(row["receiving"].text == "overlapped");
    CHECK(row["noise_rule"].text == "stops");
    CHECK(row["link_ns_per_byte"].what == json::kind::null);
    const json plain = rows_of(kprefix + " --noise random:50:1").at(0);
    CHECK(plain["receiving"].text == "cpu");
    CHECK(plain["noise_rule"].text == "logGOPSim");
    CHECK(rows_of(kprefix).at(0)["noise_rule"].what == json::kind::null);
    // 1000 bytes behind the first in 1 us from link to link; slower links make them later, faster ones do
    // not.
    const std::string one =
        "--collective bcast --algorithm serial --size 2 --element-bytes 1 --bytes 1001 --torus 8" + on;
    CHECK(completion(one) == Approx(1));
    CHECK(completion(one + " --link-ns-per-byte 2.5") == Approx(2.5));
    CHECK(completion(one + " --link-ns-per-byte 0.1") == Approx(1));
    CHECK(rows_of(one).at(0)["link_ns_per_byte"].text == "1.0000");
    CHECK(rows_of(one + " --link-ns-per-byte 2.5").at(0)["link_ns_per_byte"].text == "2.5000");
    CHECK(has(simulate(one + " --link-ns-per-byte 2.5").out,
              "on a 8 torus, dimension-order, links of 2.5 ns/B"));
}

TEST_CASE("tutti simulate: path and histogram in words", "[examples][simulate]") {
    const answer a = simulate("--collective reduce --algorithm fnomial --size 8 --path --histogram");
    REQUIRE(a.code == 0);
    CHECK(has(a.out, "What rank 0, the last to finish, waited for:"));
    CHECK(has(a.out, "sends 8 bytes to"));
    CHECK(has(a.out, "When ranks are done:"));
    CHECK(has(a.out, "##########"));
    CHECK(
        has(simulate("--size 4 --repeat 3 --histogram --algorithm ring").out, "When the last rank is done:"));
}

TEST_CASE("tutti simulate: the path for programs", "[examples][simulate]") {
    const answer a = simulate("--collective reduce --algorithm fnomial,serial --size 4 --path --json");
    REQUIRE(a.code == 0);
    const json whole = support::read_json(a.out);
    REQUIRE(whole["rows"].members.size() == 2);
    REQUIRE(whole["paths"].members.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<support::json_member>& path = whole["paths"].members[i].value.members;
        REQUIRE(path.size() > 2);
        // From the start to the end, without a gap.
        double now = 0;
        for (const support::json_member& m : path) {
            CHECK(std::stod(m.value["begin_us"].text) == Approx(now));
            now = std::stod(m.value["end_us"].text);
        }
        CHECK(now == Approx(std::stod(whole["rows"].members[i].value["completion_us"].text)));
        CHECK(path.front().value["what"].text == "send");
        CHECK(path.front().value["bytes"].text == "8");
        CHECK(path.back().value["rank"].text == "0");
    }
    const json late = support::read_json(
        simulate("--collective reduce --algorithm serial --size 2 --skew late:1:50 --path --json").out);
    const json first = late["paths"].members[0].value.members[0].value;
    CHECK(first["what"].text == "skew");
    CHECK(first["rank"].text == "1");
    for (const char* none : {"round", "peer", "bytes"}) CHECK(first[none].what == json::kind::null);
    CHECK_FALSE(has(simulate("--size 4 --algorithm ring --json").out, "paths"));
}

TEST_CASE("tutti simulate: for people the best of a size and length comes first", "[examples][simulate]") {
    const std::string out = simulate("--algorithm ring,recursive_doubling --size 16 --bytes 8,16M").out;
    const auto at = [&](const char* what) { return out.find(what); };
    CHECK(at("recursive_doubling    16      8") < at("ring                  16      8"));
    CHECK(at("ring                  16      8") < at("ring                  16    16M"));
    CHECK(at("ring                  16    16M") < at("recursive_doubling    16    16M"));
    CHECK(at("recursive_doubling    16    16M") < out.size());
    CHECK_FALSE(has(simulate("--algorithm ring --size 8,16").out, "best")); // nothing to compare
}

TEST_CASE("tutti simulate: other formats of one case", "[examples][simulate]") {
    const std::string line = "--collective reduce --algorithm fnomial --size 5 --format ";
    const json trace = support::read_json(simulate(line + "trace").out);
    support::check_origin(trace["otherData"], "simulate");
    CHECK(trace["traceEvents"].members.size() > 10);
    CHECK(has(simulate(line + "goal").out, "num_ranks 5\n"));
    CHECK(has(simulate(line + "dot").out, "digraph"));
    CHECK(has(simulate(line + "text").out, "receives 8 bytes from 4"));
    CHECK(support::read_xml(simulate(line + "svg").out).name == "svg");
    const std::string page = simulate(line + "html --bytes 64K").out;
    CHECK(page.find("<svg") != std::string::npos);
    CHECK(has(page, "2 ranks send 64K bytes each, "));
    const answer several = simulate("--size 4,5 --algorithm ring --format text");
    CHECK(several.code == 2);
    CHECK(has(several.err,
              "--format is text of 2 cases; allowed: one algorithm, size, root and number of bytes, as by "
              "--algorithm ring --size 4; table, svg, html and vega take several"));
}

TEST_CASE("tutti simulate: a page has the network whose links were simulated", "[examples][simulate]") {
    const std::string line = "--algorithm ring --size 12 --bytes 1K --format html ";
    const answer plain = simulate(line);
    CHECK_FALSE(has(plain.out, "id=\"network\""));
    CHECK(has(plain.out, "id=\"timeline\""));
    for (const auto& [options, name] :
         {std::pair("--fat-tree 4,2 --missing 3", "4-ary 2-tree"), std::pair("--torus 4,4", "4x4 torus"),
          std::pair("--dragonfly 4,2,1", "dragonfly of 5 groups of 4 routers")}) {
        const answer page = simulate(line + options);
        INFO(options << "\n" << page.err);
        CHECK(page.code == 0);
        CHECK(has(page.out, "id=\"network\""));
        CHECK(has(page.out, std::string("\"name\":\"") + name + "\""));
        CHECK(has(page.out, "id=\"timeline\""));
    }
    const answer large = simulate(line + "--torus 64,64"); // 16384 links
    CHECK(large.code == 0);
    CHECK_FALSE(has(large.out, "id=\"network\""));
    CHECK(has(large.out, "id=\"timeline\""));
}

TEST_CASE("tutti simulate: --output writes the file and nothing else", "[examples][simulate]") {
    const scratch_file file("tutti_simulate_test.goal", "");
    const answer a = simulate("--algorithm ring --size 3 --format goal --output " + file.path());
    CHECK(a.code == 0);
    CHECK(a.out.empty());
    std::ifstream in(file.path());
    std::ostringstream text;
    text << in.rdbuf();
    CHECK(has(text.str(), "num_ranks 3\n"));
    CHECK(simulate("--size 2 --output /no/such/folder/x").code == 2);
    CHECK(simulate("--algorithm ring --size 2 --output /dev/null").code == 0);
}

TEST_CASE("tutti simulate: --output gives up a file only when all of the new one is there",
          "[examples][simulate]") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "tutti_simulate_test_output";
    fs::remove_all(folder);
    fs::create_directory(folder);
    const auto content = [&](const char* name) {
        std::ifstream in(folder / name);
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    };
    std::ofstream(folder / "old") << "what was there";
    std::ofstream(folder / "old.part") << "somebody else's";
    fs::permissions(folder / "old", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("old", folder / "link");
    const std::string line = "--size 3 --algorithm ring --output " + (folder / "link").string();
    // The noise is refused when the file has been begun.
    CHECK(simulate(line + " --format goal --noise random:5:1").code == 2);
    CHECK(content("old") == "what was there");
    CHECK(simulate(line + " --format goal").code == 0);
    CHECK(has(content("old"), "num_ranks 3\n"));
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(fs::status(folder / "old").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(content("old.part") == "somebody else's");
    CHECK(std::distance(fs::directory_iterator(folder), {}) == 3); // nothing is left beside them
    fs::remove_all(folder);
}

TEST_CASE("tutti simulate says which option is wrong", "[examples][simulate]") {
    struct refusal {
        const char* line;
        const char* says;
    };
    for (const refusal& r : {
             refusal{"--skew sometimes:3", "--skew is 'sometimes:3'; allowed: none|uniform:MOST"},
             refusal{"--skew uniform:-1", "--skew is '-1'; allowed: microseconds from 0"},
             refusal{"--skew late:16:5", "--skew is '16'; allowed: one number from 0 to 15"},
             refusal{"--noise periodic:5", "--noise is 'periodic:5'; allowed: none|periodic"},
             refusal{"--noise random:5:5", "allowed: noise that lasts less long"},
             refusal{"--noise-rule stops", "--noise-rule is given without noise; allowed: with --noise"},
             refusal{"--noise random:5:1 --noise-rule maybe",
                     "--noise-rule is 'maybe'; allowed: logGOPSim, stops"},
             refusal{"--receiving nic", "--receiving is 'nic'; allowed: cpu, overlapped"},
             refusal{"--receiving overlaped", "--receiving is 'overlaped' (did you mean overlapped?)"},
             refusal{"--machine logops", "--machine is 'logops' (did you mean loggops?)"},
             refusal{"--format tabel", "--format is 'tabel' (did you mean table?); allowed: table, text"},
             refusal{"--link-ns-per-byte 1", "--link-ns-per-byte is given without a network"},
             refusal{"--torus 16 --link-ns-per-byte fast",
                     "--link-ns-per-byte is 'fast'; allowed: nanoseconds per byte from 0"},
             refusal{"--progress cpu", "--progress is 'cpu'; allowed: host, bypass, nic"},
             refusal{"--signal 3", "--signal is given with --progress host"},
             refusal{"--bytes 12", "--bytes is 12; allowed: multiples of --element-bytes, 8"},
             refusal{"--routing d-mod-k", "--routing is given without a network"},
             refusal{"--fat-tree 4,2 --routing adaptive", "--routing is adaptive; allowed: d-mod-k, s-mod-k"},
             refusal{"--format pdf", "--format is 'pdf'; allowed: "},
             refusal{"--histogram --json", "--histogram is given with --json"},
             refusal{"--size 0", "--size is '0'"},
         }) {
        const answer a = simulate(r.line);
        INFO(r.line << "\n" << a.err);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(has(a.err, r.says));
    }
}

TEST_CASE("tutti simulate draws the ends of several cases over bytes", "[examples][simulate]") {
    const std::string line = "--algorithm ring,recursive_doubling --size 4,5 --bytes 8,4K,1M --format ";
    const answer drawn = simulate(line + "svg");
    INFO(drawn.err);
    REQUIRE(drawn.code == 0);
    const support::xml picture = support::read_xml(drawn.out);
    CHECK(picture.of_class("line").size() == 4);
    for (const char* words :
         {"allreduce, 4 ranks", "allreduce, 5 ranks", "recursive_doubling is the fastest from 8"})
        CHECK(drawn.out.find(words) != std::string::npos);
    const json spec = support::read_json(simulate(line + "vega").out);
    CHECK(spec["encoding"]["y"]["field"].text == "completion_us");
    support::check_origin(spec["usermeta"], "simulate");
    CHECK(spec["data"]["values"].members.size() == 12);
    const json one = support::read_json(simulate("--algorithm ring --size 4 --bytes 4K --json").out);
    for (const support::json_member& v : spec["data"]["values"].members)
        if (v.value["algorithm"].text == "ring" && v.value["size"].text == "4"
            && v.value["bytes"].text == "4096")
            CHECK(std::stod(v.value["completion_us"].text)
                  == Approx(std::stod(one["rows"].members.at(0).value["completion_us"].text)));
    const answer page = simulate(line + "html");
    CHECK(page.code == 0);
    CHECK(page.out.starts_with("<!DOCTYPE html>\n"));
    CHECK(has(page.out, "<h1>Simulated on the machine loggops</h1>"));
    for (const support::xml* drawn_line : picture.of_class("line")) // the page has the same lines
        CHECK(has(page.out, "<title>" + drawn_line->children.at(0).text + "</title>"));
    CHECK(simulate(line + "svg --json").code == 2);
    CHECK(simulate("--collective bcast --size 4 --root 0,1 --format vega").code == 2);
}

TEST_CASE("tutti simulate draws a map of who is done first, as its table says", "[examples][simulate]") {
    const std::string line =
        "--collective allreduce --algorithm ring,recursive_doubling,circulant --size 3,8,13 "
        "--bytes 8,4K,1M ";
    const auto place = [](const json& r) { return r["size"].text + " " + r["bytes"].text; };
    const auto name = [](const json& r) { // in charts with parameters
        return r["algorithm"].text.substr(0, r["algorithm"].text.find(' '));
    };
    std::map<std::string, double> ends, least;
    for (const json& r : rows_of(line)) {
        const double us = number(r, "completion_us");
        ends[place(r) + name(r)] = us;
        const auto [at, is_first] = least.emplace(place(r), us);
        if (!is_first) at->second = std::min(at->second, us);
    }
    REQUIRE(least.size() == 9);
    std::multiset<std::string> in_rows, in_spec;
    const auto is_best = [&](const json& r) {
        CHECK(ends.at(place(r) + name(r)) == Approx(least.at(place(r))));
        CHECK(number(r, "completion_us") == Approx(least.at(place(r))));
        return place(r);
    };
    for (const json& r :
         support::rows_of(simulate(line + "--map --json"), "simulate",
                          {"collective", "algorithm", "parameters", "size", "bytes", "completion_us"}))
        in_rows.insert(is_best(r));
    const json spec = support::read_json(simulate(line + "--map --format vega").out);
    for (const auto& m : spec["data"]["values"].members) in_spec.insert(is_best(m.value));
    for (const auto& cell : least) {
        CHECK(in_rows.count(cell.first) == 1);
        CHECK(in_spec.count(cell.first) == 1);
    }
    CHECK(in_rows.size() == 9);
    CHECK(in_spec.size() == 9);
    const support::xml picture = support::read_xml(simulate(line + "--map --format svg").out);
    CHECK(picture.of_class("cell").size() == 9);
    const std::string page = simulate(line + "--map --format html").out;
    for (const support::xml* cell : picture.of_class("cell"))
        CHECK(has(page, "<title>" + cell->children.at(0).text + "</title>"));
    const answer text = simulate(line + "--map");
    CHECK(has(text.out, "loggops: L "));
    CHECK(has(text.out, "The fastest allreduce: ranks downwards, bytes to the right\n"));
    for (const std::string wrong :
         {"--path", "--histogram", "--each", "--format trace", "--format svg --json"}) {
        INFO(wrong);
        const answer a = simulate(line + "--map " + wrong);
        CHECK(a.code == 2);
        CHECK(has(a.err, wrong.substr(0, wrong.find(' '))));
    }
}
