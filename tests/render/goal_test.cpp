// SPDX-License-Identifier: BSL-1.0
#include <tutti/render/goal.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/goal_reader.hpp"

using namespace support;
using tutti::block_bytes;
using tutti::collective;
using tutti::simulation_options;

namespace {

constexpr double ns = 0.001;

block_bytes bytes_of(const any_ensemble& all, std::int64_t bytes) {
    return block_bytes::even(bytes, all.blocks());
}

std::string statements(const std::string& goal) {
    std::string text;
    for (std::size_t at = 0; at < goal.size();) {
        const std::size_t end = goal.find('\n', at);
        const std::string line = goal.substr(at, end - at);
        if (!line.empty() && !line.starts_with("//")) text += line + "\n";
        at = end + 1;
    }
    return text;
}

} // namespace

TEST_CASE("every algorithm is valid GOAL, with every message at both its ends and every fold") {
    simulation_options options;
    options.machine.fold_per_byte = 2 * ns;
    for_each_schedule(std::vector<tutti::rank_type>{1, 2, 5, 12}, [&](const any_ensemble& all,
                                                                      const std::string& what) {
        INFO(what);
        const block_bytes bytes = bytes_of(all, 60 * all.blocks());
        const goal_file file = read_goal(goal_text(all, bytes, options, what));
        REQUIRE(file.ranks.size() == static_cast<std::size_t>(all.size()));
        CHECK(file.comments.front() == " " + what);

        const goal_totals all_do = totals_of(file);
        std::int64_t messages = 0, volume = 0, work = 0;
        for (tutti::round_index i = 0; i < all.rounds(); ++i) {
            for_each_message(all, i, bytes, [&](const tutti::message& m) {
                ++messages;
                volume += m.bytes > 0 ? m.bytes : 1;
            });
            for (tutti::rank_type r = 0; r < all.size(); ++r)
                all.emit(r, i, [&](const tutti::step& s) { work += s.folds() ? 2 * bytes(s.blocks) : 0; });
        }
        CHECK(all_do.sends == messages);
        CHECK(all_do.receives == messages);
        CHECK(all_do.sent == volume);
        CHECK(all_do.received == volume);
        CHECK(all_do.computed == work);
    });
}

TEST_CASE("rounds wait for each other, folds for their receives, and for the fold before") {
    simulation_options options;
    options.machine.fold_per_byte = 3 * ns;
    const any_ensemble all = ensemble_of(collective::allreduce, "serial", 3);
    CHECK(statements(goal_text(all, bytes_of(all, 10), options))
          == "num_ranks 3\n"
             "rank 0 {\n"
             "l0: recv 10b from 1\n"
             "l1: calc 30\n"
             "l1 requires l0\n"
             "l2: recv 10b from 2\n"
             "l3: calc 30\n"
             "l3 requires l2\n"
             "l3 requires l1\n"
             "l4: send 10b to 2\n"
             "l4 requires l3\n"
             "l5: send 10b to 1\n"
             "l5 requires l3\n"
             "}\n"
             "rank 1 {\n"
             "l0: send 10b to 0\n"
             "l1: recv 10b from 0\n"
             "l1 requires l0\n"
             "}\n"
             "rank 2 {\n"
             "l0: send 10b to 0\n"
             "l1: recv 10b from 0\n"
             "l1 requires l0\n"
             "}\n");
}

TEST_CASE("local steps wait for the receives and calcs listed before them; without cost they do not exist") {
    const any_ensemble all = ensemble_of(collective::exscan, "census", 4);
    const auto rank_1 = [&](double fold, double copy) {
        simulation_options options;
        options.machine.fold_per_byte = fold;
        options.machine.copy_per_byte = copy;
        const std::string text = statements(goal_text(all, bytes_of(all, 8), options));
        const std::size_t begin = text.find("rank 1 {\n") + 9;
        return text.substr(begin, text.find("}", begin) - begin);
    };
    CHECK(rank_1(0, 0)
          == "l0: send 8b to 2\nl1: recv 8b from 0\nl2: send 8b to 3\nl2 requires l0\nl2 requires l1\n");
    CHECK(rank_1(1 * ns, 2 * ns)
          == "l0: send 8b to 2\n"
             "l1: recv 8b from 0\n"
             "l2: calc 16\n"
             "l2 requires l1\n"
             "l3: calc 8\n"
             "l3 requires l2\n"
             "l4: send 8b to 3\n"
             "l4 requires l0\n"
             "l4 requires l3\n");
}

TEST_CASE("empty messages have one byte; costs below a nanosecond make all times picoseconds") {
    const any_ensemble barrier = ensemble_of(collective::barrier, "dissemination", 2);
    CHECK(goal_text(barrier, bytes_of(barrier, 0)).find("send 1b to 1") != std::string::npos);

    const any_ensemble all = ensemble_of(collective::reduce, "serial", 2);
    const auto folding = [&](double us_per_byte, std::int64_t bytes) {
        simulation_options options;
        options.machine.fold_per_byte = us_per_byte;
        return read_goal(goal_text(all, bytes_of(all, bytes), options)).ranks[0].operations.back();
    };
    CHECK(folding(0.002, 3).amount == 6);     // ns
    CHECK(folding(0.0005, 3).amount == 1500); // ps
    CHECK(folding(0.0000005, 3).amount == 2); // 1.5 ps: halves go up
    CHECK(folding(0.0000004, 3).amount == 1);
    CHECK(folding(0.0004, 0).amount == 0);
    CHECK(folding(0.0004, 0).what == goal_operation::kind::calc); // of nothing, but it is there
    CHECK(folding(0, 3).what == goal_operation::kind::recv);
}

TEST_CASE("a rank that comes late begins with a calc; the others do not") {
    const any_ensemble all = ensemble_of(collective::bcast, "fnomial", 3);
    simulation_options options;
    options.skew = {.how = tutti::start_skew::shape::one_late, .us = 7, .late_rank = 1};
    const std::string text = goal_text(all, bytes_of(all, 8), options);
    CHECK(text.find("rank 1 {\nl0: calc 7000\nl1: recv 8b from 0\nl1 requires l0\n}") != std::string::npos);
    CHECK(text.find("calc") == text.rfind("calc"));
}

TEST_CASE("what is no whole number of units becomes the nearest one, a half the next") {
    const any_ensemble all = ensemble_of(collective::bcast, "serial", 2);
    simulation_options options;
    for (const auto& [us, told] : {std::pair(7.0004, "calc 7000\n"), std::pair(7.0005, "calc 7001\n")}) {
        options.skew = {.how = tutti::start_skew::shape::one_late, .us = us, .late_rank = 1};
        CHECK_THAT(goal_text(all, bytes_of(all, 8), options), Catch::Contains(told));
    }
}

TEST_CASE("the file says what it is, in comments of one line each") {
    const any_ensemble all = ensemble_of(collective::bcast, "serial", 2);
    simulation_options options;
    options.machine.L = 1.25;
    const goal_file file = read_goal(goal_text(all, bytes_of(all, 8), options, "two\nlines"));
    CHECK(file.comments
          == std::vector<std::string>{" two lines", " LogGOPSim -L 1250 -o 1500 -g 1000 -G 6 -O 0 -S 65535"});
}

TEST_CASE("a cost that is no whole number of nanoseconds makes picoseconds of all times") {
    const any_ensemble all = ensemble_of(collective::bcast, "serial", 2);
    simulation_options options;
    options.machine.G = 0.04 * ns;
    options.skew = {.how = tutti::start_skew::shape::one_late, .us = 7, .late_rank = 1};
    const goal_file file = read_goal(goal_text(all, bytes_of(all, 8), options));
    CHECK(file.comments
          == std::vector<std::string>{" LogGOPSim -L 2500000 -o 1500000 -g 1000000 -G 40 -O 0 -S 65535",
                                      " All times are picoseconds, also those that LogGOPSim prints"});
    CHECK(file.ranks[1].operations.front().amount == 7'000'000);
    options.machine.L = 3000;
    CHECK_THROWS_WITH(goal_text(all, bytes_of(all, 8), options),
                      Catch::Contains("machine.L is 3000.000000 us; allowed: at most 2147 us"));
    options.machine.L = 2147.483647;
    CHECK_NOTHROW(goal_text(all, bytes_of(all, 8), options));
    options.machine.L = 2147.483648;
    CHECK_THROWS_AS(goal_text(all, bytes_of(all, 8), options), tutti::argument_error);
    options.machine.L = 3000;
    options.machine.G = 6 * ns;
    CHECK(goal_text(all, bytes_of(all, 8), options).find("-L 3000000 ") != std::string::npos);
}

TEST_CASE("line by line and as one text it is the same") {
    const any_ensemble all = ensemble_of(collective::allgather, "ring", 4);
    std::string joined;
    bool whole_lines = true;
    write_goal(all, bytes_of(all, 8), {}, "ring", [&](std::string_view line) {
        whole_lines = whole_lines && line.ends_with('\n') && line.find('\n') == line.size() - 1;
        joined += line;
    });
    CHECK(whole_lines);
    CHECK(joined == goal_text(all, bytes_of(all, 8), {}, "ring"));
}

TEST_CASE("what GOAL cannot say is refused before the first line") {
    const any_ensemble all = ensemble_of(collective::alltoall, "pairwise", 3);
    const auto refused = [&](const block_bytes& bytes, const simulation_options& options) -> std::string {
        try {
            write_goal(all, bytes, options, "", [](std::string_view) { throw std::logic_error("a line"); });
        } catch (const tutti::argument_error& e) {
            return e.argument();
        }
        return "";
    };
    CHECK(refused(block_bytes::even(30, 4), {}) == "bytes.blocks()");
    CHECK(refused(block_bytes::even(31, 3), {}) == "bytes");
    simulation_options noisy;
    noisy.noise.how = tutti::os_noise::shape::periodic;
    noisy.noise.period_us = 10;
    CHECK(refused(block_bytes::even(30, 3), noisy) == "noise");
    simulation_options other;
    other.by = tutti::progress_by::bypass;
    CHECK(refused(block_bytes::even(30, 3), other) == "progress");
    simulation_options overlapped;
    overlapped.receiving = tutti::receiving_rule::overlapped;
    CHECK(refused(block_bytes::even(30, 3), overlapped) == "receiving");
}

TEST_CASE("the reader of these tests is as strict as LogGOPSim's") {
    const auto rank = [](const std::string& lines) {
        return "num_ranks 2\nrank 0 {\n" + lines + "}\nrank 1 {\n}\n";
    };
    CHECK_NOTHROW(read_goal(rank("")));
    CHECK_NOTHROW(
        read_goal(rank("a: send 3b to 1 tag 4\n b :recv 1b from 1\n\ncalc 0\nb irequires a\n// end\n")));
    for (const char* wrong :
         {"send 3 to 1\n", "send 3b from 1\n", "send 3b to 2\n", "send 3b to 0\n", "send 0b to 1\n",
          "a: calc 1 // why\n", "a: calc 1\na: calc 2\n", "a requires b\n", "a: calc 1\na requires b\n",
          "calc -1\n", "1a: calc 1\n", "calc 1 calc 2\n", "a:\ncalc 1\n", "rank 1 {\n"}) {
        INFO(wrong);
        CHECK_THROWS_AS(read_goal(rank(wrong)), std::runtime_error);
    }
    CHECK_THROWS_AS(read_goal("num_ranks 1\nrank 1 {\n}\n"), std::runtime_error);
    CHECK_THROWS_AS(read_goal("num_ranks 2\nrank 0 {\n}\n"), std::runtime_error);
    CHECK_THROWS_AS(read_goal("num_ranks 1\nrank 0 {\n"), std::runtime_error);
    CHECK_THROWS_AS(read_goal("num_ranks 1\nrank 0 {\n}"), std::runtime_error);
    CHECK_THROWS_AS(read_goal("rank 0 {\n}\n"), std::runtime_error);
}
