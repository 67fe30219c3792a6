// SPDX-License-Identifier: BSL-1.0
#include <tutti/core/error.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/dot.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/catch2.hpp"
#include "support/ensembles.hpp"
#include "support/told_schedule.hpp"

using namespace support;
using tutti::collective;

namespace {

/// As much of DOT as dot_text writes: which nodes there are, and how messages connect them.
struct graph {
    explicit graph(const std::string& text) {
        std::istringstream lines(text);
        std::string line, last;
        for (std::getline(lines, line); lines; std::getline(lines, line)) {
            last = line;
            std::istringstream words(line);
            std::string first, second, third;
            words >> first >> second >> third;
            if (first == "{") nodes.insert(line.substr(line.find("t_"), line.find(" [") - line.find("t_")));
            if (first.starts_with("r") && second.starts_with("[label")) nodes.insert(first);
            if (second == "->" && line.find("[label=") != std::string::npos) {
                edges.push_back({first, third});
                folds += line.find("penwidth") != std::string::npos;
            }
            depth += line.find('{') != std::string::npos;
            depth -= line.find('}') != std::string::npos;
            quotes += static_cast<int>(std::count(line.begin(), line.end(), '"'));
        }
        REQUIRE(last == "}");
    }
    std::set<std::string> nodes{};
    std::vector<std::pair<std::string, std::string>> edges{};
    int folds = 0, depth = 0, quotes = 0;
};

/// Three rounds, of which only the second has a message.
struct pausing {
    tutti::place at;

    tutti::round_index rounds() const { return 3; }
    tutti::block_index blocks() const { return 1; }
    tutti::capabilities claims() const { return {}; }
    template <class Sink>
    void emit(tutti::round_index i, Sink&& sink) const {
        constexpr tutti::block_set all{.first = 0, .count = 1};
        if (i == 1) sink(at.rank == 0 ? tutti::step::send(1, all) : tutti::step::recv(0, all));
    }
};

} // namespace

TEST_CASE("every message is an arrow one row down, between nodes that are there") {
    for_each_schedule(
        std::vector<tutti::rank_type>{1, 2, 5, 8}, [&](const any_ensemble& all, const std::string& what) {
            INFO(what);
            const graph found(dot_text(all, what, tutti::schedule_picture::rounds));
            const std::vector<tutti::matched_message> messages = matched_messages(all);
            CHECK(found.quotes % 2 == 0);
            REQUIRE(found.edges.size() == messages.size());
            int folds = 0;
            for (std::size_t k = 0; k < messages.size(); ++k) {
                const auto& [from, to] = found.edges[k];
                CHECK(found.nodes.count(from) == 1);
                CHECK(found.nodes.count(to) == 1);
                const std::string sender = "r" + std::to_string(messages[k].from) + "_";
                const std::string receiver = "r" + std::to_string(messages[k].to) + "_";
                CHECK(from.starts_with(sender));
                CHECK(to.starts_with(receiver));
                CHECK(std::stoi(to.substr(receiver.size())) == std::stoi(from.substr(sender.size())) + 1);
                folds += messages[k].folded();
            }
            CHECK(found.folds == folds);
        });
}

TEST_CASE("a small graph") {
    CHECK(dot_text(ensemble_of(collective::reduce, "serial", 2), "a \"title\"")
          == "digraph schedule {\n"
             "  label=\"a \\\"title\\\"\"; labelloc=t;\n"
             "  newrank=true; splines=line; nodesep=0.45; ranksep=0.6; fontname=\"Helvetica\";\n"
             "  node [shape=circle, width=0.35, fixedsize=true, fontname=\"Helvetica\", fontsize=10,"
             " color=\"#52606d\"];\n"
             "  edge [fontname=\"Helvetica\", fontsize=9];\n"
             "\n"
             "  { rank=same; t_0 [shape=plaintext, fixedsize=false, group=t, label=\"round 0\"];\n"
             "    r0_0 [label=\"0\", group=g0];\n"
             "    r1_0 [label=\"1\", group=g1];\n"
             "    t_0 -> r0_0 -> r1_0 [style=invis]; }\n"
             "\n"
             "  { rank=same; t_1 [shape=plaintext, fixedsize=false, group=t, label=\"end\"];\n"
             "    r0_1 [label=\"0\", group=g0];\n"
             "    r1_1 [label=\"1\", group=g1];\n"
             "    t_1 -> r0_1 -> r1_1 [style=invis]; }\n"
             "\n"
             "  edge [style=dotted, arrowhead=none, color=\"#848e98\", weight=100];\n"
             "  r0_0 -> r0_1;\n"
             "  r1_0 -> r1_1;\n"
             "\n"
             "  edge [style=solid, arrowhead=normal, weight=1];\n"
             "  r1_0 -> r0_1 [label=\"\", color=\"#bd5300\", penwidth=2];\n"
             "}\n");
}

TEST_CASE("messages of several blocks are labelled with them, or with their number", "[render]") {
    const auto labels = [](const any_ensemble& all) {
        const std::string text = dot_text(all);
        std::vector<std::string> found;
        for (std::size_t at = text.find("weight=1];");
             (at = text.find("[label=\"", at)) != std::string::npos;) {
            at += 8;
            found.push_back(text.substr(at, text.find('"', at) - at));
        }
        return found;
    };
    CHECK(labels(ensemble_of(collective::allgather, "ring", 2))
          == std::vector<std::string>{"block 0", "block 1"});
    CHECK(labels(ensemble_of(collective::alltoall, "bruck", 3)).front() == "block 1 of input");
    CHECK(labels(ensemble_of(collective::alltoall, "bruck", 8)).front() == "4 blocks"); // strewn
}

TEST_CASE("a message that is received later ends in a later row", "[render]") {
    const support::told_schedule all({{{tutti::step::send(1, {0, 1})}},
                                      {{tutti::step::send(0, {0, 1})}, {tutti::step::recv(0, {0, 1})}},
                                      {}});
    CHECK_THROWS_AS(dot_text(all.all()), tutti::argument_error); // of rank 1 nobody receives
    const support::told_schedule late(
        {{{tutti::step::send(1, {0, 1})}}, {{}, {}, {tutti::step::recv(0, {0, 1})}}});
    const std::string text = dot_text(late.all());
    CHECK(text.find("label=\"round 1\"") == std::string::npos);
    CHECK(text.find("  r0_0 -> r1_2 [label=\"block 0\", color=\"#0072b2\", arrowhead=vee];\n}\n")
          != std::string::npos);
}

TEST_CASE("rounds in which nothing is sent have no row") {
    const std::string text = dot_text(tutti::ensemble([](tutti::place at) { return pausing{at}; }, 2));
    CHECK(text.find("label=\"round 1\"") < text.find("label=\"end\""));
    CHECK(text.find("round 0") == std::string::npos);
    CHECK(text.find("round 2") == std::string::npos);
    CHECK(text.find("r0_0 -> r1_1 [label") != std::string::npos);
    CHECK(dot_text(ensemble_of(collective::bcast, "serial", 1)).find("label=\"end\"") != std::string::npos);
}

TEST_CASE("a part has its messages, a column of each of its ranks, and others only where they are met") {
    for_each_schedule(std::vector<tutti::rank_type>{1, 5, 8}, [&](const any_ensemble& all,
                                                                  const std::string& what) {
        if (all.rounds() == 0) return;
        const tutti::schedule_window part{.first_round = all.rounds() / 2,
                                          .last_round = all.rounds() / 2 + 1,
                                          .first_rank = all.size() / 3,
                                          .last_rank = all.size() / 2};
        INFO(what);
        const graph found(dot_text(all, what, tutti::schedule_picture::rounds, part));
        std::multiset<std::pair<std::string, std::string>> there, expected; // the ranks of messages
        const auto rank_of = [](const std::string& node) { return node.substr(1, node.find('_') - 1); };
        std::set<std::string> met;
        for (const auto& [from, to] : found.edges) {
            CHECK(found.nodes.count(from) == 1);
            CHECK(found.nodes.count(to) == 1);
            there.emplace(rank_of(from), rank_of(to));
            met.insert({from, to});
        }
        for (const tutti::matched_message& m : matched_messages(all))
            if (part.has_round(m.sent_in) && part.has_end_of(m.from, m.to))
                expected.emplace(std::to_string(m.from), std::to_string(m.to));
        CHECK(there == expected);
        for (const std::string& node : found.nodes) // those of rounds aside
            CHECK(
                (node.starts_with("t_") || part.has_rank(std::stoi(rank_of(node))) || met.count(node) == 1));
    });
}

TEST_CASE("ranks that are not in a part are paler, and stand in no column") {
    const std::string text =
        dot_text(ensemble_of(collective::allgather, "ring", 5), "", tutti::schedule_picture::fitting,
                 {.first_round = 2, .last_round = 2, .first_rank = 1, .last_rank = 2});
    CHECK(text.substr(text.find("  { rank=same"))
          == "  { rank=same; t_0 [shape=plaintext, fixedsize=false, group=t, label=\"round 2\"];\n"
             "    r0_0 [label=\"0\", group=g0, style=dashed, color=\"#848e98\"];\n"
             "    r1_0 [label=\"1\", group=g1];\n"
             "    r2_0 [label=\"2\", group=g2];\n"
             "    t_0 -> r0_0 -> r1_0 -> r2_0 [style=invis]; }\n"
             "\n"
             "  { rank=same; t_1 [shape=plaintext, fixedsize=false, group=t, label=\"after\"];\n"
             "    r1_1 [label=\"1\", group=g1];\n"
             "    r2_1 [label=\"2\", group=g2];\n"
             "    r3_1 [label=\"3\", group=g3, style=dashed, color=\"#848e98\"];\n"
             "    t_1 -> r1_1 -> r2_1 -> r3_1 [style=invis]; }\n"
             "\n"
             "  edge [style=dotted, arrowhead=none, color=\"#848e98\", weight=100];\n"
             "  r1_0 -> r1_1;\n"
             "  r2_0 -> r2_1;\n"
             "\n"
             "  edge [style=solid, arrowhead=normal, weight=1];\n"
             "  r0_0 -> r1_1 [label=\"block 3\", color=\"#0072b2\", arrowhead=vee];\n"
             "  r1_0 -> r2_1 [label=\"block 4\", color=\"#0072b2\", arrowhead=vee];\n"
             "  r2_0 -> r3_1 [label=\"block 0\", color=\"#0072b2\", arrowhead=vee];\n"
             "}\n");
}

TEST_CASE("a graph has every rank, also those that a folded picture has no row for", "[render]") {
    const any_ensemble ring = ensemble_of(collective::allgather, "ring", 5);
    const auto graph_of = [&](const tutti::schedule_window& shown) {
        return dot_text(ring, "", tutti::schedule_picture::fitting, shown);
    };
    CHECK(graph_of(fold_alike(ring)) == graph_of({}));
    const tutti::schedule_window part{.first_rank = 1, .last_rank = 3};
    CHECK_FALSE(fold_alike(ring, part).left_out.empty());
    CHECK(graph_of(fold_alike(ring, part)) == graph_of(part));
}

TEST_CASE("a part of a tree is drawn round by round, and all of it is no part") {
    const auto all = ensemble_of(collective::reduce, "fnomial", 16);
    using how = tutti::schedule_picture;
    CHECK(dot_text(all, "", how::fitting, {.last_rank = 15}) == dot_text(all));
    CHECK(dot_text(all, "", how::fitting, {.last_rank = 14}).find("rank=same") != std::string::npos);
    CHECK_THROWS_AS(dot_text(all, "", how::tree, {.last_rank = 14}), tutti::argument_error);
    CHECK_THROWS_AS(dot_text(all, "", how::rounds, {.first_rank = 16}), tutti::argument_error);
    CHECK_THROWS_AS(dot_text(all, "", how::rounds, {.first_round = 4}), tutti::argument_error);
}

TEST_CASE("a tree is drawn as one, unless it is a line or rounds are wanted") {
    const auto all = ensemble_of(collective::allreduce, "fnomial", 4);
    CHECK(dot_text(all, "t")
          == "digraph schedule {\n"
             "  label=\"t\"; labelloc=t;\n"
             "  ordering=out; nodesep=0.3; ranksep=0.7; fontname=\"Helvetica\";\n"
             "  node [shape=circle, width=0.35, fixedsize=true, fontname=\"Helvetica\", fontsize=10,"
             " color=\"#52606d\"];\n"
             "  edge [fontname=\"Helvetica\", fontsize=9];\n"
             "  r0 [label=\"0\", style=filled, fillcolor=\"#1f2933\", fontcolor=white];\n"
             "  r1 [label=\"1\"];\n"
             "  r2 [label=\"2\"];\n"
             "  r3 [label=\"3\"];\n"
             "  r0 -> r1 [label=\"0\", color=\"#bd5300\", penwidth=2, dir=back];\n"
             "  r0 -> r1 [label=\"3\", color=\"#0072b2\", arrowhead=vee];\n"
             "  r0 -> r2 [label=\"1\", color=\"#bd5300\", penwidth=2, dir=back];\n"
             "  r0 -> r2 [label=\"2\", color=\"#0072b2\", arrowhead=vee];\n"
             "  r2 -> r3 [label=\"0\", color=\"#bd5300\", penwidth=2, dir=back];\n"
             "  r2 -> r3 [label=\"3\", color=\"#0072b2\", arrowhead=vee];\n"
             "}\n");
    const auto as_rounds = [](const auto& schedule, tutti::schedule_picture how) {
        return dot_text(schedule, "", how).find("rank=same") != std::string::npos;
    };
    using how = tutti::schedule_picture;
    CHECK(as_rounds(all, how::rounds));
    CHECK_FALSE(as_rounds(all, how::fitting));
    CHECK(as_rounds(ensemble_of(collective::bcast, "chain", 12), how::fitting));
    CHECK_FALSE(as_rounds(ensemble_of(collective::bcast, "chain", 12), how::tree));
    CHECK_THROWS_AS(dot_text(ensemble_of(collective::allreduce, "ring", 4), "", how::tree),
                    tutti::argument_error);
}
