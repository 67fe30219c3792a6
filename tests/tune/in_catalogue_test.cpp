// SPDX-License-Identifier: BSL-1.0
#include <tutti/tune/choosers.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <tutti/collectives/exscan.hpp>
#include <tutti/collectives/run_threads.hpp>
#include <tutti/model/decision_table_file.hpp>
#include <tutti/model/tabulate.hpp>

#include "support/catch2.hpp"
#include "support/own_exscan.hpp"

using namespace tutti;

namespace {

constexpr selection_request long_scan{.what = collective::exscan, .size = 8, .bytes = 1 << 23};

std::string algorithm_for(const chooser& asked, const selection_request& r) {
    return name_of(asked.choose(r.what, {.at = {0, r.size, 0}, .bytes = r.bytes}));
}

} // namespace

TEST_CASE("an algorithm that is added is priced with the values that it says are worth trying",
          "[tune][in_catalogue]") {
    const std::string text = rank_algorithms(default_machine(), long_scan).explain();
    INFO(text);
    for (const char* name : {"line pieces=1 ", "line pieces=4 ", "line pieces=128 ", "census "})
        CHECK(text.find(name) != std::string::npos);
    CHECK(text.find("pieces=2 ") == std::string::npos);
    CHECK(text.starts_with("line pieces=128 "));
}

TEST_CASE("a communicator takes it where the machine's model says so, and gets the right result",
          "[tune][in_catalogue]") {
    const auto prices = by_machine(default_machine());
    CHECK(algorithm_for(*prices, long_scan) == "line pieces=128");
    std::array<bool, 8> right{};
    threads::run(8, [&](auto& comm) {
        comm.choose_by(prices);
        std::vector<std::int64_t> v(1 << 20, comm.rank());
        exscan(comm, v, sum{});
        const std::vector<std::int64_t> before(1 << 20, comm.rank() * (comm.rank() - 1) / 2);
        right[static_cast<std::size_t>(comm.rank())] = comm.rank() == 0 || v == before;
    });
    for (const bool each : right) CHECK(each);
}

TEST_CASE("an exscan in place finds its input even where no claim says that it is read late",
          "[tune][in_catalogue]") {
    CHECK_FALSE(support::exscan_line{{0, 2, 0}, 4}.claims().reads_input);
    std::int64_t before = -1;
    threads::run(2, [&](auto& comm) {
        std::vector<std::int64_t> v(1000, 7 + comm.rank());
        exscan(comm, v, sum{}, support::line{4});
        if (comm.rank() == 1 && v == std::vector<std::int64_t>(1000, 7)) before = v.front();
    });
    CHECK(before == 7);
}

TEST_CASE("decision tables are written and read with it", "[tune][in_catalogue]") {
    const decision_table made = tabulate(
        default_machine(), {.collectives = {collective::exscan}, .sizes = {8}, .most_bytes = 1 << 23});
    const std::string text = text_of(made);
    INFO(text);
    CHECK(text.find("line pieces=128") != std::string::npos);
    CHECK(parse_decision_table(text) == made);
    CHECK(algorithm_for(*by_table(made), long_scan) == "line pieces=128");
    CHECK_THROWS_AS(parse_decision_table("tutti decision table 1\nexscan all 1.. 0.. line pieces=0"),
                    argument_error);
    CHECK_THROWS_AS(parse_decision_table("tutti decision table 1\nexscan all 1.. 0.. line segments=2"),
                    argument_error);
}
