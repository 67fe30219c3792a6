// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <fstream>
#include <string>

#include <tutti/model/decision_table_file.hpp>

#include "support/catch2.hpp"
#include "support/program_answer.hpp"
#include "support/scratch_file.hpp"

namespace {

using support::answer;
using support::scratch_file;
using support::tutti_program;
using tutti::collective;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("tutti tune writes a decision table that covers the sizes that were measured") {
    const scratch_file file(".table");
    const answer a = tutti_program(
        "tune --collective reduce,alltoall,barrier --size 2,5 --longest 4K --budget 0.001 --json --output "
        + file.path());
    INFO(a.err);
    REQUIRE(a.code == 0);
    const auto rows = support::rows_of(
        a, "tune", {"collective", "size", "bytes", "algorithm", "us", "second", "ratio", "chosen", "regret"});
    CHECK(rows.size() == 2 * (5 + 5 + 1)); // 8, 32, 128, 512 and 2048 bytes
    const tutti::decision_table table = tutti::load_decision_table(file.path()); // its claims were checked
    for (const collective what : {collective::reduce, collective::alltoall, collective::barrier})
        for (const tutti::rank_type size : {2, 5})
            for (const bool commutative : {true, false})
                for (const std::int64_t bytes : {0, 100, 4096, 1 << 20})
                    CHECK(table.find({.what = what, .size = size, .bytes = bytes, .commutative = commutative})
                          != nullptr);
    CHECK(table.find({.what = collective::bcast, .size = 2, .bytes = 8}) == nullptr);
}

TEST_CASE("tutti tune refuses bad arguments before it measures") {
    for (const char* words :
         {"--collective sum", "--size 1", "--size 65", "--longest 1K", "--budget 0", "--budget x",
          "--output /no/such/folder/x", "--defaults /no/such/folder", "--ranks 3"}) {
        INFO(words);
        const answer a = tutti_program(std::string("tune ") + words);
        CHECK(a.code == 2);
        CHECK(a.out.empty());
        CHECK(has(a.err, std::string(words).substr(0, std::string(words).find_first_of(" ="))));
    }
}
