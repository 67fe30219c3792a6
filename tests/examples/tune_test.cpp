// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <tutti/model/decision_table_file.hpp>
#include <tutti/transport/waiting.hpp>

#include "examples/tutti/busy.hpp"
#include "support/catch2.hpp"
#include "support/program_answer.hpp"
#include "support/scratch_file.hpp"

namespace {

using support::answer;
using support::scratch_file;
using support::tutti_program;
using tutti::collective;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string contents(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// The lines of a text that have this part.
std::string lines_with(const std::string& part, const std::string& text) {
    std::istringstream lines(text);
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (has(line, part)) found.append(line).append("\n");
    return found;
}

} // namespace

TEST_CASE("tutti tune rewrites the rows of the tables that ship for what it has measured, and no others") {
    const std::filesystem::path folder = scratch_file("_tables").path();
    std::filesystem::create_directories(folder);
    const std::filesystem::path header = folder / "default_barrier.hpp";
    const std::string before = "// before\n        // from here\n"
                               "        {cores::own, false, 7, all, \"dissemination\"},\n"
                               "        {cores::shared, false, 9, all, \"dissemination\"},\n"
                               "        // to here\n// behind\n";
    std::ofstream(header) << before;
    const answer a =
        tutti_program("tune --collective barrier --size 2 --budget 0.001 --defaults " + folder.string());
    const std::string after = contents(header);
    std::filesystem::remove_all(folder);
    INFO(a.err << after);
    REQUIRE(a.code == 0);
    const bool own = tutti::detail::usable_cores() >= 2;
    const std::string measured = own ? "cores::own" : "cores::shared";
    const std::string other = own ? "cores::shared" : "cores::own";
    CHECK(lines_with(other, after) == lines_with(other, before));
    CHECK(lines_with(measured, after) != lines_with(measured, before));
    CHECK(has(lines_with(measured, after), "many, all, \"dissemination\""));
    CHECK(after.starts_with("// before\n        // from here\n"));
    CHECK(after.ends_with("        // to here\n// behind\n"));
}

TEST_CASE("tutti tune writes one set of rows where operations that commute have no better choice") {
    const std::filesystem::path folder = scratch_file("_tables").path();
    std::filesystem::create_directories(folder);
    const std::filesystem::path header = folder / "default_scan.hpp"; // all of its algorithms keep the order
    std::ofstream(header) << "        // from here\n        // to here\n";
    const answer a = tutti_program("tune --collective scan --size 2 --longest 4K --budget 0.001 --defaults "
                                   + folder.string());
    const std::string after = contents(header);
    std::filesystem::remove_all(folder);
    INFO(a.err << after);
    REQUIRE(a.code == 0);
    CHECK(has(after, ", true, many, all, "));
    CHECK(!has(after, ", false, "));
}

TEST_CASE("tutti tune writes a decision table that covers the sizes that were measured") {
    const scratch_file file(".table");
    const answer a = tutti_program(
        "tune --collective reduce,alltoall,barrier --size 2,5 --longest 4K --budget 0.001 --json --output "
        + file.path());
    INFO(a.err);
    REQUIRE(a.code == 0);
    const auto rows = support::rows_of(
        a, "tune", {"collective", "size", "bytes", "algorithm", "us", "second", "ratio", "chosen", "regret"});
    CHECK(rows.size() == 2 * (10 + 10 + 1));                                     // 8, 16, 32, ... 4096 bytes
    const tutti::decision_table table = tutti::load_decision_table(file.path()); // its claims were checked
    for (const collective what : {collective::reduce, collective::alltoall, collective::barrier})
        for (const tutti::rank_type size : {2, 5})
            for (const bool commutative : {true, false})
                for (const std::int64_t bytes : {0, 100, 4096, 1 << 20})
                    CHECK(table.find({.what = what, .size = size, .bytes = bytes, .commutative = commutative})
                          != nullptr);
    CHECK(table.find({.what = collective::bcast, .size = 2, .bytes = 8}) == nullptr);
}

TEST_CASE(
    "tutti tune measures what the tables that ship may take for them, all for a table of one's own, and "
    "says what winners lack") {
    // A scan of three ranks, of some algorithm, whose rows are the only ones.
    const auto table_of_scans = [](const std::string& candidates, std::string* said) {
        const std::filesystem::path folder = scratch_file("_tables").path();
        std::filesystem::create_directories(folder);
        const std::filesystem::path header = folder / "default_scan.hpp";
        std::ofstream(header) << "        // from here\n        // to here\n";
        const answer a = tutti_program("tune --collective scan --size 3 --longest 4K --budget 0.001 "
                                       + candidates + "--defaults " + folder.string());
        const std::string after = contents(header);
        std::filesystem::remove_all(folder);
        INFO(a.err);
        REQUIRE(a.code == 0);
        *said = a.err;
        return after;
    };
    std::string said;
    for (const char* candidates : {"", "--candidates winners "}) {
        const std::string rows = table_of_scans(candidates, &said);
        CHECK(!has(rows, "\"recursive_doubling\""));
        CHECK(!has(said, "add to the winners"));
    }
    const std::string rows = table_of_scans("--candidates catalogue ", &said);
    const bool others = has(rows, "\"recursive_doubling\""); // all others are winners
    CHECK(has(said, "note: add to the winners in ") == others);
}

TEST_CASE("tutti tune prices more ranks anew without measuring, and leaves what was measured as it is") {
    const auto priced = [](const std::string& collective, const std::string& rows) {
        const std::filesystem::path folder = scratch_file("_tables").path();
        std::filesystem::create_directories(folder);
        const std::filesystem::path header = folder / ("default_" + collective + ".hpp");
        std::ofstream(header) << "// before\n        // from here\n"
                              << rows << "        // to here\n// behind\n";
        const answer a = tutti_program("tune --collective " + collective
                                       + " --price-beyond 100 --longest 4K --defaults " + folder.string());
        const std::string after = contents(header);
        std::filesystem::remove_all(folder);
        INFO(a.err << after);
        REQUIRE(a.code == 0);
        CHECK(has(a.out, "4000"));
        CHECK(!has(a.out, " 100 "));
        return after;
    };
    SECTION("a row that is for more ranks, too, ends where prices begin") {
        const std::string after = priced("scan", "        {cores::own, true, 6, all, \"chain\"},\n"
                                                 "        {cores::own, true, 120, 95, \"chain\"},\n"
                                                 "        {cores::own, true, 120, all, \"hillis_steele\"},\n"
                                                 "        {cores::own, true, many, all, \"chain\"},\n"
                                                 "        {cores::shared, true, many, all, \"chain\"},\n");
        INFO(after);
        CHECK(after.starts_with("// before\n        // from here\n"
                                "        {cores::own, true, 6, all, \"chain\"},\n"
                                "        {cores::own, true, 100, 95, \"chain\"},\n"
                                "        {cores::own, true, 100, all, \"hillis_steele\"},\n"
                                "        {cores::own, true, "));
        CHECK(!has(after, ", 120, "));
        CHECK(has(after, "        {cores::own, true, many, all, \"hillis_steele\"},\n"));
        CHECK(after.ends_with("        {cores::shared, true, many, all, \"chain\"},\n"
                              "        // to here\n// behind\n"));
    }
    SECTION("a set of rows becomes two where operations that commute have better choices only there") {
        const std::string after = priced("reduce", "        {cores::own, true, many, all, \"serial\"},\n"
                                                   "        {cores::shared, false, 9, all, \"fnomial\"},\n");
        INFO(after);
        CHECK(has(after, "from here\n        {cores::own, false, 100, all, \"serial\"},\n"
                         "        {cores::own, false, "));
        CHECK(has(after, "        {cores::own, true, 100, all, \"serial\"},\n        {cores::own, true, "));
        CHECK(has(after, "        {cores::shared, false, 9, all, \"fnomial\"},\n        // to here\n"));
    }
}

TEST_CASE("whoever measures hears if ranks had no cores meanwhile, and how long") {
    std::istringstream waits("1000000 2500000000 17\n"), other("none");
    CHECK(program::coreless_seconds(waits) == Approx(2.5));
    CHECK(!program::coreless_seconds(other));
    program::coreless_time lost;
    CHECK(lost.note().empty());
    lost.add({});
    lost.add(0.04);
    CHECK(lost.note().empty());
    lost.add(0.321);
    lost.add(0.2);
    CHECK(
        lost.note()
        == "the machine was busy: a rank was without a core for 32 % of the time; measure again when nothing "
           "else runs");
    const program::coreless_time::of_thread mine;
    CHECK(mine.share().value_or(0) >= 0);
}

TEST_CASE("tutti tune refuses bad arguments before it measures") {
    for (const char* words : {"--collective sum", "--size 1", "--size 65", "--longest 1K", "--budget 0",
                              "--budget x", "--candidates best", "--output /no/such/folder/x",
                              "--defaults /no/such/folder", "--ranks 3", "--price-beyond 16"}) {
        INFO(words);
        const answer a = tutti_program(std::string("tune ") + words);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(has(a.err, std::string(words).substr(0, std::string(words).find_first_of(" ="))));
    }
    const std::string folder = scratch_file("_tables").path();
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/default_scan.hpp") << "        // from here\n        // to here\n";
    for (const char* words : {"--price-beyond 0", "--price-beyond x", "--size 3 --price-beyond 16",
                              "--output here.table --price-beyond 16"}) {
        INFO(words);
        const answer a = tutti_program("tune --collective scan --defaults " + folder + " " + words);
        CHECK(a.code == 2);
        CHECK(has(a.err, std::string(words).substr(0, std::string(words).find(' '))));
    }
    std::filesystem::remove_all(folder);
    for (const char* verb : {"tune", "calibrate"})
        CHECK(has(tutti_program(std::string(verb) + " --size 100").err, "; tutti cost prices more ranks"));
}
