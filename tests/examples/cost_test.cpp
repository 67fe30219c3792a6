// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <tutti/schedule/catalogue.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/program_answer.hpp"
#include "support/xml.hpp"

namespace {

using support::answer;
using support::json;

const std::vector<std::string> keys{"collective", "algorithm",    "parameters", "size",   "root", "relation",
                                    "bytes",      "predicted_us", "formula_us", "x_best", "why"};

double number(const json& value) { return std::stod(value.text); }

answer cost(const std::string& line) { return support::tutti_program("cost " + line); }

std::vector<json> rows_of(const std::string& line) {
    const answer a = cost(line + " --json");
    INFO(line << "\n" << a.err);
    REQUIRE(a.code == 0);
    return support::rows_of(a, "cost", keys);
}

void check_refused(const std::string& line, const std::string& what) {
    const answer a = cost(line);
    INFO(line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(a.out.empty());
    CHECK(a.err.find(what) != std::string::npos);
}

class temporary_file {
public:
    explicit temporary_file(const std::string& text = "")
        : path_((std::filesystem::temp_directory_path()
                 / ("tutti_cost_test_" + std::to_string(std::random_device{}())))
                    .string()) {
        std::ofstream(path_) << text;
    }
    ~temporary_file() { std::remove(path_.c_str()); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// How many algorithms of a collective have a price there, each asked for by itself.
std::size_t priced_alone(const std::string& collective, const std::string& line) {
    std::size_t count = 0;
    for (const tutti::catalogue_entry& e : tutti::catalogue())
        if (tutti::name_of(e.what) == collective) {
            const std::vector<json> rows =
                rows_of(line + "--collective " + collective + " --algorithm " + std::string(e.name));
            count += rows.front()["predicted_us"].what == json::kind::number;
        }
    return count;
}

const std::string moody =
    "--machine quadrics-elan3-nic --collective reduce --operation float64-add --size 31 ";

} // namespace

TEST_CASE("tutti cost ranks all algorithms of a collective, the best first, with reasons",
          "[examples][cost]") {
    const std::vector<json> rows = rows_of("--collective allreduce --size 8 --bytes 64K");
    REQUIRE(rows.size()
            == tutti::catalogue_of(tutti::collective::allreduce)
                   .size()); // each algorithm with its best parameters
    CHECK(rows.front()["why"].text == "the least time");
    double before = 0;
    for (const json& r : rows) {
        CHECK(r["collective"].text == "allreduce");
        CHECK(number(r["size"]) == 8);
        CHECK(number(r["bytes"]) == 65536);
        CHECK(r["root"].what == json::kind::null);
        CHECK(!r["why"].text.empty());
        if (r["predicted_us"].what == json::kind::null) continue; // not taken, and why
        CHECK(number(r["predicted_us"]) >= before);
        before = number(r["predicted_us"]);
    }
    CHECK(rows_of("--collective allreduce --size 8 --bytes 64K --all-candidates").size() > rows.size());
}

TEST_CASE("tutti cost --same-bits-for-any-size takes what claims the canonical tree, and nothing else",
          "[examples][cost]") {
    std::size_t taken = 0;
    std::size_t refused = 0;
    for (const std::string size : {"5", "8"})
        for (const std::string root : {"0", "3"})
            for (const json& r :
                 rows_of("--collective allreduce,reduce,reduce_scatter,scan,exscan --size " + size
                         + " --root " + root + " --bytes 4K --all-candidates --same-bits-for-any-size")) {
                const tutti::catalogue_entry* entry = nullptr;
                for (const tutti::catalogue_entry& e : tutti::catalogue())
                    if (tutti::name_of(e.what) == r["collective"].text && e.name == r["algorithm"].text)
                        entry = &e;
                REQUIRE(entry != nullptr);
                tutti::parameters with = entry->defaults;
                for (const auto& [name, value] : entry->defaults)
                    with.set(name, std::stoll(r["parameters"][name].text));
                const tutti::capabilities claims =
                    entry
                        ->make({0, std::stoi(size), tutti::has_root(entry->what) ? std::stoi(root) : 0}, with)
                        .claims();
                INFO(entry->name << " for " << r["collective"].text << ", " << size
                                 << " ranks: " << r["why"].text);
                const bool other_tree = r["why"].text.find("along another tree") != std::string::npos;
                const bool other_bits = r["why"].text.find("bits differ") != std::string::npos; // said first
                CHECK((other_tree || other_bits) == !claims.canonical_tree);
                if (!claims.canonical_tree) CHECK(r["predicted_us"].what == json::kind::null);
                ++(claims.canonical_tree ? taken : refused);
            }
    CHECK(taken > 20);
    CHECK(refused > 20);
    // What folds nothing has the same bits anyway.
    for (const json& r : rows_of("--collective barrier,bcast,allgather --size 5 --same-bits-for-any-size"))
        CHECK(r["predicted_us"].what == json::kind::number);
}

TEST_CASE("tutti cost leaves out of its table who has other bits, and says how many", "[examples][cost]") {
    const std::string line = "cost --collective allreduce --size 5 --same-bits-for-any-size";
    const std::string rows = support::tutti_program(line).out;
    CHECK(rows.find("\nallreduce") != std::string::npos);
    CHECK(rows.find("along another tree") == std::string::npos);
    CHECK(rows.find(" algorithms cannot do so, and are left out: --explain says why\n") != std::string::npos);
    for (const char* more : {" --explain", " --algorithm ring"})
        CHECK(support::tutti_program(line + more).out.find("along another tree") != std::string::npos);
}

TEST_CASE("tutti cost says how many times the best everything else takes", "[examples][cost]") {
    const std::vector<json> rows = rows_of("--collective allreduce,reduce --size 8,9 --bytes 64K,8");
    std::size_t best = 0;
    double least = 0;
    for (const json& r : rows) {
        if (r["why"].text == "the least time") {
            CHECK(number(r["x_best"]) == 1);
            least = number(r["predicted_us"]);
            ++best;
        } else if (r["predicted_us"].what == json::kind::null) {
            CHECK(r["x_best"].what == json::kind::null);
        } else {
            CHECK(number(r["x_best"]) == Approx(number(r["predicted_us"]) / least).margin(0.001));
        }
    }
    CHECK(best == 8);
    CHECK(rows_of("--algorithm ring --size 8").front()["x_best"].what == json::kind::null); // with what?
}

TEST_CASE("tutti cost names the machine, and what it was not measured with", "[examples][cost]") {
    const std::string far = cost("--size 4K --bytes 8M").out;
    CHECK(far.find("threads: tutti calibrate: 2 threads on 2 cores") == 0);
    CHECK(far.find("\nbeyond what was measured: 4096 ranks (2 were measured)\n"
                   "beyond what was measured: 8M bytes (up to 4M were measured)\n\n")
          != std::string::npos);
    CHECK(far.find("  4K     8M  ") != std::string::npos);
    CHECK(cost("--size 2 --bytes 4M").out.find("beyond") == std::string::npos);
    CHECK(cost(moody + "--elements 1").out.find("beyond") == std::string::npos); // a paper's model
    const std::string remark =
        "Prices on the machine threads; beyond what was measured: 16 ranks (2 were measured), "
        "8M bytes (up to 4M were measured)";
    CHECK(cost("--bytes 8,8M --format html").out.find("<h1>" + remark + "</h1>") != std::string::npos);
    CHECK(support::read_json(cost("--bytes 8,8M --format vega").out)["title"].text == remark);
    CHECK(cost("--bytes 8,8M --format svg").out.find("16 ranks (2 were") != std::string::npos);
    const json whole = support::read_json(cost("--size 3 --json").out);
    CHECK(whole["machine"].text == "threads");
    CHECK(whole["source"].text.find("tutti calibrate: 2 threads") == 0);
    REQUIRE(whole["beyond_measured"].members.size() == 1);
    CHECK(whole["beyond_measured"].members[0].value.text == "3 ranks (2 were measured)");
}

TEST_CASE("tutti cost: Moody's formula prefers radix 4 for one element and radix 2 for more, his paper says",
          "[examples][cost]") {
    const auto best_plain = [](const std::string& line) {
        for (const json& r : rows_of(line + " --by formula --all-candidates"))
            if (r["algorithm"].text == "fnomial") return number(r["parameters"]["radix"]);
        return 0.0;
    };
    CHECK(best_plain(moody + "--elements 1") == 4);
    for (const char* elements : {"2", "4", "8"}) CHECK(best_plain(moody + "--elements " + elements) == 2);
    const json first = rows_of(moody + "--elements 1").front();
    CHECK(first["algorithm"].text == "fnomial");
    CHECK(number(first["predicted_us"]) == Approx(27.2));
    CHECK(number(first["formula_us"]) == Approx(29.3)); // one latency more: see docs/choosing.md
}

TEST_CASE("tutti cost takes the parameters that are named, and no others", "[examples][cost]") {
    const std::vector<json> rows =
        rows_of("--collective bcast --algorithm fnomial --radix 3,7 --segments 2 --size 20");
    REQUIRE(rows.size() == 2);
    for (const json& r : rows) {
        CHECK((number(r["parameters"]["radix"]) == 3 || number(r["parameters"]["radix"]) == 7));
        CHECK(number(r["parameters"]["segments"]) == 2);
    }
}

TEST_CASE("tutti cost says why an algorithm does not cover a request", "[examples][cost]") {
    const std::vector<json> rows = rows_of("--collective reduce_scatter --size 5 --ordered");
    REQUIRE(rows.size() == tutti::catalogue_of(tutti::collective::reduce_scatter).size());
    CHECK(rows[0]["algorithm"].text == "direct");
    CHECK(rows[1]["algorithm"].text == "binary_blocks");
    for (std::size_t i = 2; i < rows.size(); ++i) {
        CHECK(rows[i]["predicted_us"].what == json::kind::null);
        CHECK(rows[i]["why"].text.find("does not keep the order") == 0);
    }
}

TEST_CASE("tutti cost writes a table that it can check", "[examples][cost]") {
    const temporary_file file;
    const answer written = cost("--size 2..4 --bytes 4K --table " + file.path());
    INFO(written.err);
    REQUIRE(written.code == 0);
    CHECK(written.out.find("rules for the machine threads") != std::string::npos);
    const answer checked = cost("--check " + file.path());
    CHECK(checked.code == 0);
    CHECK(checked.out.find("all covered") != std::string::npos);
}

TEST_CASE("tutti cost names file and line of a fault in a table", "[examples][cost]") {
    const temporary_file file("tutti decision table 1\nallreduce all 2.. 0.. ring\n");
    check_refused("--check " + file.path(), file.path() + ":2: algorithm is ring; allowed: ");
}

TEST_CASE("tutti cost refuses what it cannot do", "[examples][cost]") {
    check_refused("--by formula", "--by");
    check_refused("--by guess", "walk, formula");
    check_refused("--elements 1 --bytes 8", "one of the two");
    check_refused("--machine no-such", "--machine");
    check_refused("--size 0", "--size");
    check_refused("--collective bcast --root 16 --size 16", "--root");
    check_refused("--algorithm chain", "allowed: all, serial, "); // allreduce has none
    check_refused("--check /no/such", "a file that can be read");
    check_refused("--table /no/such/table --size 2 --bytes 8", "a file that can be written");
}

TEST_CASE("tutti cost draws the time of every algorithm over bytes, and says who is the fastest where",
          "[examples][cost]") {
    const std::string line = "--machine loggops --size 13 --bytes 8,512,64K,1M ";
    const answer drawn = cost(line + "--format svg");
    INFO(drawn.err);
    REQUIRE(drawn.code == 0);
    const support::xml picture = support::read_xml(drawn.out);
    CHECK(picture.of_class("line").size() == priced_alone("allreduce", line)); // those without a hope, too
    const std::vector<json> rows = rows_of(line);
    const auto strip = picture.of_class("winner");
    REQUIRE(strip.size() > 1);
    std::size_t lengths = 0;
    double end = strip.front()->number("x");
    for (const support::xml* part : strip) {
        const double first = part->number("x"), last = first + part->number("width");
        CHECK(first == Approx(end).margin(0.02)); // neither a gap nor an overlap
        end = last;
        for (const json& r : rows) { // 520 from 8 bytes to 2^20
            const double at = strip.front()->number("x") + (std::log2(number(r["bytes"])) - 3) / 17 * 520;
            if (at < first - 0.02 || at > last + 0.02) continue;
            if (part->children.at(0).text.find(r["algorithm"].text + " is the fastest from ") != 0) continue;
            CHECK(number(r["x_best"]) == 1);
            ++lengths;
        }
    }
    CHECK(lengths == 4);
    CHECK(picture.of_class("crossover").size() == strip.size() - 1);
}

TEST_CASE("tutti cost draws a map of the fastest, as its table says", "[examples][cost]") {
    const std::string line = "--machine loggops --collective allreduce --size 3,8,13 --bytes 8,4K,1M ";
    const answer drawn = cost(line + "--map --format svg");
    INFO(drawn.err);
    REQUIRE(drawn.code == 0);
    const support::xml picture = support::read_xml(drawn.out);
    CHECK(picture.of_class("cell").size() == 9);
    const json spec = support::read_json(cost(line + "--map --format vega").out);
    std::vector<std::string> best, told;
    for (const json& r : rows_of(line))
        if (r["why"].text == "the least time")
            best.push_back(r["size"].text + " " + r["bytes"].text + " " + r["algorithm"].text);
    for (const auto& m : spec["data"]["values"].members)
        told.push_back(m.value["size"].text + " " + m.value["bytes"].text + " " + m.value["algorithm"].text);
    CHECK(told == best);
    CHECK(spec["mark"].text == "rect");
    std::vector<std::string> in_rows;
    const answer rows = cost(line + "--map --json");
    for (const json& r : support::rows_of(
             rows, "cost", {"collective", "algorithm", "parameters", "size", "bytes", "predicted_us"})) {
        in_rows.push_back(r["size"].text + " " + r["bytes"].text + " " + r["algorithm"].text);
        CHECK(number(r["predicted_us"]) > 0);
    }
    CHECK(in_rows == best);
    CHECK(support::read_json(rows.out)["machine"].text == "loggops");
}

TEST_CASE("tutti cost prints a map of the fastest for people, as its table says", "[examples][cost]") {
    const std::string line = "--machine loggops --collective allreduce --size 3,8,13 --bytes 8,4K,1M ";
    const answer a = cost(line + "--map");
    INFO(a.out << a.err);
    REQUIRE(a.code == 0);
    CHECK(a.out.find("loggops: LogGOPSim, default values of its options\n\nThe fastest allreduce: ") == 0);
    std::istringstream in(a.out);
    std::vector<std::string> marks; // row by row
    std::map<std::string, std::string> names;
    for (std::string text; std::getline(in, text);) {
        std::istringstream words(text);
        std::vector<std::string> all;
        for (std::string word; words >> word;) all.push_back(word);
        if (all.size() == 5 && all[3] == "of")
            names[all[0]] = all[1].substr(0, all[1].size() - 1);
        else if (all.size() == 4 && (all[0] == "3" || all[0] == "8" || all[0] == "13"))
            marks.insert(marks.end(), all.begin() + 1, all.end());
    }
    REQUIRE(marks.size() == 9);
    std::vector<std::string> best;
    for (const json& r : rows_of(line))
        if (r["why"].text == "the least time") best.push_back(r["algorithm"].text);
    REQUIRE(best.size() == 9); // size by size
    for (std::size_t k = 0; k < 9; ++k) CHECK(names[marks[k]] == best[k]);
    // At a terminal of its width, elsewhere of 80 characters; sizes and lengths need not be named.
    for (const long width : {0L, 60L, 100L}) {
        const answer whole =
            support::tutti_program("cost --machine loggops --map", tutti::catalogue(), width);
        std::size_t longest = 0;
        std::istringstream all(whole.out);
        for (std::string text; std::getline(all, text);) longest = std::max(longest, text.size());
        CHECK(longest <= static_cast<std::size_t>(width == 0 ? 80 : width));
        CHECK(whole.out.find("\n   64  ") != std::string::npos);
    }
    // What is named has a line of its own for every value.
    const answer named =
        cost("--machine loggops --collective reduce --algorithm fnomial --radix 2,5 --size 5,64 --map");
    CHECK(named.out.find("\n    f  fnomial radix=2 segments=1, ") != std::string::npos);
    CHECK(named.out.find("\n    r  fnomial radix=5 segments=1, ") != std::string::npos);
}

TEST_CASE("tutti cost writes a spec for Vega-Lite that encodes only what its data have", "[examples][cost]") {
    const std::string line = "--collective allreduce,bcast --machine loggops --size 5 --bytes 64,4K ";
    const json spec = support::read_json(cost(line + "--format vega").out);
    CHECK(spec["$schema"].text == "https://vega.github.io/schema/vega-lite/v5.json");
    support::check_origin(spec["usermeta"], "cost");
    const std::size_t all = priced_alone("allreduce", "--machine loggops --size 5 ")
                            + priced_alone("bcast", "--machine loggops --size 5 ");
    const std::vector<support::json_member>& values = spec["data"]["values"].members;
    REQUIRE(values.size() == 2 * all);
    for (const support::json_member& channel : spec["encoding"].members)
        if (channel.name != "tooltip") CHECK_NOTHROW(values.front().value[channel.value["field"].text]);
    for (const support::json_member& v : values) CHECK(number(v.value["predicted_us"]) > 0);
}

TEST_CASE("tutti cost draws the very pictures into a page that needs nothing else", "[examples][cost]") {
    for (const std::string map : {"", "--map "}) {
        const std::string line =
            "--machine loggops --collective allreduce,bcast --size 5 --bytes 64,4K " + map;
        const answer page = cost(line + "--format html");
        INFO(page.err);
        REQUIRE(page.code == 0);
        CHECK(page.out.starts_with("<!DOCTYPE html>\n"));
        CHECK(page.out.ends_with("</html>\n"));
        CHECK(page.out.find("<h1>Prices on the machine loggops</h1>") != std::string::npos);
        CHECK(page.out.find("content=\"default-src 'none'; ") != std::string::npos);
        for (const char* asking : {" src=", " href=", "@import", "fetch(", "url(", "import("})
            CHECK(page.out.find(asking) == std::string::npos);
        std::vector<std::string> titles; // of lines or cells: their values
        std::size_t pictures = 0;
        for (std::size_t at = page.out.find("<svg "); at != std::string::npos;
             at = page.out.find("<svg ", at + 1)) {
            const support::xml picture =
                support::read_xml(page.out.substr(at, page.out.find("</svg>", at) + 7 - at));
            ++pictures;
            for (const char* kind : {"line", "cell"})
                for (const support::xml* one : picture.of_class(kind))
                    titles.push_back(one->children.at(0).text);
        }
        CHECK(pictures == 2);
        const support::xml whole = support::read_xml(cost(line + "--format svg").out);
        std::vector<std::string> drawn;
        for (const support::xml* one : whole.of_class(map.empty() ? "line" : "cell"))
            drawn.push_back(one->children.at(0).text);
        CHECK(titles == drawn);
        CHECK(!titles.empty());
    }
}

TEST_CASE("tutti cost refuses charts of what is none", "[examples][cost]") {
    check_refused("--map --each", "--each is given with --map");
    check_refused("--map --by walk", "--by is given with --map");
    check_refused("--map --table x", "--table is given with --map");
    check_refused("--map --format svg --json", "--json is given with --format svg");
    check_refused("--format png", "--format is 'png'; allowed: table, svg, html, vega");
    check_refused("--machine lemieu", "--machine is 'lemieu' (did you mean lemieux?)");
    check_refused("--format html --json", "--json is given with --format html");
    check_refused("--format svg --json", "--json");
    check_refused("--format svg --table x", "--table");
}
