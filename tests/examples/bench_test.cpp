// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch2.hpp"
#include "support/program_answer.hpp"
#include "support/scratch_file.hpp"
#include "support/xml.hpp"

namespace {

using support::answer;
using support::scratch_file;
using support::tutti_program;

std::string content(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("tutti bench times every algorithm over any transport, as a table, with commas and as a chart") {
    const std::string transport = GENERATE("threads", "processes", "mock");
    const scratch_file csv(".csv"), svg(".svg");
    const answer a =
        tutti_program("bench --collective bcast,barrier,exscan --size 3 --bytes 8,4K --repeat 3 --json "
                      "--transport "
                      + transport + " --csv " + csv.path() + " --svg " + svg.path());
    INFO(a.err);
    REQUIRE(a.code == 0);
    const auto rows = support::rows_of(a, "bench",
                                       {"collective", "algorithm", "parameters", "relation", "bytes",
                                        "least_us", "median_us", "p99_us", "x_best"});
    const std::size_t timed = tutti::catalogue_of(tutti::collective::bcast).size()
                              + tutti::catalogue_of(tutti::collective::exscan).size();
    CHECK(rows.size() == 2 * timed); // a barrier has no bytes
    const std::string lines = content(csv.path());
    CHECK(std::count(lines.begin(), lines.end(), '\n') == static_cast<std::ptrdiff_t>(2 * timed + 1));
    CHECK(has(lines,
              "collective,algorithm,parameters,relation,ranks,transport,bytes,least_us,median_us,p99_us\n"));
    CHECK(has(lines, "exscan,census,,,3," + transport + ",4096,"));
    const std::string picture = content(svg.path());
    CHECK(has(picture, "Measured over " + transport + ", medians of 3"));
    for (const char* name : {"bcast, 3 ranks", "exscan, 3 ranks", "two_tree segments=4", "census", "4 Ki"})
        CHECK(has(picture, std::string(name)));
}

TEST_CASE("tutti bench draws what it measures in every format that prices are drawn in", "[examples]") {
    const std::string line =
        "bench --collective bcast,multicast --algorithm ring,chain,serial --size 3 --bytes 8,4K "
        "--repeat 2 --transport mock --relation neighbours --format ";
    const auto bench = [&](const std::string& format) {
        answer a = tutti_program(line + format);
        INFO(a.err);
        REQUIRE(a.code == 0);
        return a.out;
    };
    const support::json spec = support::read_json(bench("vega"));
    CHECK(spec["encoding"]["y"]["field"].text == "median_us");
    support::check_origin(spec["usermeta"], "bench");
    const std::vector<support::json_member>& values = spec["data"]["values"].members;
    const std::string csv = bench("csv");
    CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<std::ptrdiff_t>(values.size() + 1));
    std::set<std::string> lines; // a collective's algorithms
    for (const support::json_member& v : values) {
        CHECK(std::stod(v.value["median_us"].text) > 0);
        CHECK(v.value["size"].text == "3");
        lines.insert(v.value["collective"].text + v.value["algorithm"].text);
    }
    CHECK(values.size() == 2 * lines.size());
    const support::xml picture = support::read_xml(bench("svg"));
    CHECK(picture.of_class("line").size() == lines.size());
    CHECK(picture.of_class("winner").size() >= 2); // one in each chart at least
    const std::string page = bench("html");
    CHECK(has(page, "<h1>Measured over mock, medians of 2, multicasts: neighbours</h1>"));
    for (const support::xml* drawn : picture.of_class("line"))
        CHECK(has(page, "<title>" + drawn->children.at(0).text + "</title>"));
    const scratch_file file(".html");
    const answer written = tutti_program(line + "html --output " + file.path());
    CHECK(written.code == 0);
    CHECK(written.out.empty());
    CHECK(has(content(file.path()), "<h1>Measured over mock"));
}

TEST_CASE("tutti run is right over processes and the mock") {
    for (const char* transport : {"processes", "mock"}) {
        const answer a =
            tutti_program("run --collective all --size 3 --elements 0,7 --type int,matrix --transport "
                          + std::string(transport));
        INFO(transport << "\n" << a.err << a.out);
        CHECK(a.code == 0);
        CHECK(has(a.out, " 0 wrong, 0 not proved"));
    }
}

TEST_CASE("tutti bench refuses bad arguments before it measures") {
    for (const char* words :
         {"--size 1", "--size 2,3", "--bytes 7", "--repeat 0", "--transport mpi", "--format png",
          "--json --format svg", "--each --format csv", "--collective sum", "--ranks 3"}) {
        INFO(words);
        const answer a = tutti_program(std::string("bench ") + words);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(has(a.err, std::string(words).substr(0, std::string(words).find_first_of(" ="))));
    }
    const answer a = tutti_program("bench --collective exscan --bytes 8 --repeat 1 --csv /no/such/folder/x");
    CHECK(a.code == 2);
    CHECK(has(a.err, "--csv is '/no/such/folder/x'"));
}
