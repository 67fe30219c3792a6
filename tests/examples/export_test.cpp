// SPDX-License-Identifier: BSL-1.0
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/collective.hpp>

#include "support/catch2.hpp"
#include "support/goal_reader.hpp"
#include "support/json.hpp"
#include "support/msccl_contract.hpp"
#include "support/program_answer.hpp"

// What is no part of the catalogue, written for other programs: algorithms for nodes, and multicasts.

namespace {

using support::answer;
using support::json;
using support::read_json;
using support::rows_of;
using support::tutti_program;
using tutti::collective;

/// "" or what is wrong with the GOAL that `tutti show` writes of this: all messages have both ends.
std::string goal_trouble(const std::string& schedule, std::size_t size) {
    const answer shown = tutti_program("show " + schedule + " --format goal --bytes 720");
    if (shown.code != 0) return shown.err;
    const support::goal_file file = support::read_goal(shown.out);
    if (file.ranks.size() != size) return std::to_string(file.ranks.size()) + " ranks";
    const support::goal_totals t = support::totals_of(file);
    std::int64_t listed = 0;
    for (const json& row : rows_of("show " + schedule)) listed += row["kind"].text == "send";
    if (t.sends == listed && t.receives == listed && t.sent == t.received && listed > 0) return "";
    return std::to_string(listed) + " messages, " + std::to_string(t.sends) + " sent, "
           + std::to_string(t.receives) + " received";
}

} // namespace

TEST_CASE("MSCCL and GOAL of every algorithm for nodes do what its collective promises",
          "[examples][export]") {
    using layout = std::pair<std::string, int>;
    for (const auto& [nodes, size] : {layout("2,3", 5), layout("2x3", 6), layout("3,1,2", 6)}) {
        const bool alike = nodes == "2x3";
        const std::vector<json> all =
            rows_of("verify --nodes " + nodes + " --root last --radix 2 --segments 1 --algorithm "
                    + (alike ? "by_nodes,multi_lane,three_step --outstanding 1 --pace 0" : "by_nodes"));
        CHECK(all.size() == (alike ? 20U : 11U));
        for (const json& row : all) {
            const collective what = *tutti::collective_named(row["collective"].text);
            const std::string name = row["algorithm"].text;
            const int root = has_root(what) ? std::stoi(row["root"].text) : 0;
            const std::string schedule = "--nodes " + nodes + " --collective " + row["collective"].text
                                         + " --algorithm " + name.substr(0, name.find('('))
                                         + (has_root(what) ? " --root " + std::to_string(root) : "");
            INFO(schedule);
            CHECK(goal_trouble(schedule, static_cast<std::size_t>(size)) == "");
            if (!support::known_to_msccl(what)) continue;
            for (const bool in_place : {false, true}) {
                if (in_place && what == collective::alltoall) continue;
                const answer shown = tutti_program("show " + schedule + " --format msccl --in-place "
                                                   + (in_place ? "yes" : "no"));
                INFO(shown.err);
                REQUIRE(shown.code == 0);
                const int blocks =
                    std::stoi(read_json(tutti_program("show " + schedule + " --json").out)["blocks"].text);
                CHECK(support::msccl_trouble(shown.out, {what, size, root, blocks, in_place}) == "");
            }
        }
    }
}

TEST_CASE("GOAL of every multicast has every message at both its ends", "[examples][export]") {
    const std::vector<json> all = rows_of("verify --collective multicast --size 6 --relation everybody");
    CHECK(all.size() >= 20);
    for (const json& row : all)
        for (const char* const relation : {"everybody", "halves"}) {
            const std::string schedule = "--collective multicast --size 6 --algorithm "
                                         + row["algorithm"].text + " --relation " + relation;
            INFO(schedule);
            CHECK(goal_trouble(schedule, 6) == "");
        }
}
