// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/model/machine_file.hpp>

#include "examples/tutti/machine_choice.hpp"
#include "support/catch2.hpp"
#include "support/program_answer.hpp"
#include "support/scratch_file.hpp"

namespace {

using support::answer;
using support::scratch_file;
using support::tutti_program;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Whether the machine was found; if not, the program has to say why. How long things take on a machine where
/// tests run may make no sense.
bool found(const answer& a) {
    INFO(a.out);
    INFO(a.err);
    if (a.code == 0) {
        CHECK(a.err.empty());
        return true;
    }
    CHECK(a.code == 1);
    CHECK(has(a.err, "tutti: no meaningful fit of "));
    CHECK(has(a.err, "Nothing was written."));
    CHECK(a.out.empty());
    return false;
}

} // namespace

TEST_CASE("tutti calibrate writes a machine that parses") {
    const scratch_file file(".machine");
    const answer a =
        tutti_program("calibrate --budget 0.1 --longest 16K --name mine --output " + file.path());
    if (!found(a)) {
        CHECK(file.text().empty());
        return;
    }
    const tutti::machine m = tutti::load_machine(file.path());
    CHECK(m.name == "mine");
    CHECK(m.model_name() == "measured");
    CHECK(has(m.source, "2 threads"));
    for (const char* word : {"call", "latency", "recv_fold", "fetch", "switching", "residual"})
        CHECK(has(a.out, word));
}

TEST_CASE("tutti calibrate prints the machine where no file is named, and JSON where that is asked for") {
    const answer text = tutti_program("calibrate --budget 0.1 --longest 4K");
    if (found(text)) {
        const auto at = text.out.find("name = this-machine\n");
        REQUIRE(at != std::string::npos);
        CHECK(tutti::parse_machine(text.out.substr(at)).name == "this-machine");
    }
    const answer json = tutti_program("calibrate --budget 0.1 --longest 4K --json");
    if (found(json)) {
        const auto rows = support::rows_of(
            json, "calibrate",
            {"parameter", "value", "residual_percent", "worst_percent", "measurements", "found_by"});
        CHECK(rows.size() >= 9);
        CHECK(rows.front()["parameter"].text == "call");
    }
}

TEST_CASE("tutti calibrate refuses bad arguments before it measures") {
    for (const char* words : {"--transport mpi", "--size 1", "--size 65", "--size 2,3", "--budget 0",
                              "--budget x", "--budget -1", "--budget nan", "--longest 1K", "--longest 2G",
                              "--name a#b", "--output /no/such/folder/x", "--ranks 3", "--json=yes"}) {
        INFO(words);
        const answer a = tutti_program(std::string("calibrate ") + words);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(has(a.err, std::string(words).substr(0, std::string(words).find_first_of(" ="))));
    }
}

TEST_CASE("the machines of machines/ are compiled into the program") {
    const auto folder =
        std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "machines";
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        ++files;
        const std::string name = file.path().stem().string();
        INFO(name);
        const program::option options[]{program::machine_option, program::operation_option};
        const std::vector<std::string> words{"--machine", name};
        CHECK(program::chosen_machine(program::arguments(options, words))
              == tutti::load_machine(file.path().string()));
        const std::vector<std::string> by_file{"--machine", file.path().string()};
        CHECK(program::chosen_machine(program::arguments(options, by_file)).name == name);
    }
    CHECK(program::machine_names().size() == files);
}

TEST_CASE("a machine is chosen by name or file, its operation by name") {
    const program::option options[]{program::machine_option, program::operation_option};
    const auto chosen = [&](const std::vector<std::string>& words) {
        return program::chosen_machine(program::arguments(options, words));
    };
    CHECK(chosen({}).name == "threads");
    const auto elan = chosen({"--machine", "quadrics-elan3-nic", "--operation", "int32-max"});
    CHECK(std::get<tutti::moody_2003::model>(elan.model).operation == "int32-max");
    CHECK_THROWS_WITH(chosen({"--machine", "no-such"}), Catch::Contains("--machine is 'no-such'; allowed: ")
                                                            && Catch::Contains("lemieux")
                                                            && Catch::Contains("or a file that can be read"));
    CHECK_THROWS_WITH(chosen({"--machine", "quadrics-elan3-nic", "--operation", "add"}),
                      Catch::Contains("--operation is 'add'; allowed: float64-add, float64-max, int32-add, "
                                      "int32-max"));
    CHECK_THROWS_WITH(chosen({"--operation", "int32-add"}), Catch::Contains("all operations cost the same"));

    const scratch_file bad(".machine");
    std::ofstream(bad.path()) << "model = loggops\nL = 3\n";
    CHECK_THROWS_AS(chosen({"--machine", bad.path()}), tutti::machine_file_error);
}
