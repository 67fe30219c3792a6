// SPDX-License-Identifier: BSL-1.0
#include "support/catch2.hpp"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/schedule/alltoall/kprefix.hpp>
#include <tutti/schedule/alltoall/pairwise.hpp>
#include <tutti/schedule/alltoall/prefix_send.hpp>
#include <tutti/schedule/catalogue.hpp>
#include <tutti/schedule/on_slots.hpp>
#include <tutti/topology/adaptive_ascent.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/tune/choose_strategy.hpp>

#include "support/document.hpp"

// The tables of docs/all_to_all_multicast.md, computed again.

using namespace tutti;

namespace {

std::string document() { return support::text_of("docs/all_to_all_multicast.md"); }

/// A strategy of the catalogue with its defaults, or on slots.
struct strategy {
    std::string name;
    bool on_slots = false;
    rank_type k = 0; // 0: the default
    collective what = collective::allgather;

    std::string title() const {
        return (what == collective::alltoall ? "alltoall " : "") + name + (on_slots ? " on slots" : "");
    }
    any_generator make(const placement& where, place at) const {
        const bool by_hand = what == collective::alltoall && on_slots;
        return by_hand ? alltoall_on(where.slots(), at) : as_rated(where).make(at);
    }
    block_index most_sent(const placement& where) const {
        return what == collective::alltoall
                   ? make(where, {.rank = 0, .size = where.ranks()}).claims().sent_blocks
                   : detail::most_sent(as_rated(where), where.ranks());
    }

private:
    rated_strategy as_rated(const placement& where) const {
        return {.entry = find_algorithm(what, name),
                .with = k == 0 ? parameters{} : parameters{{"k", k}},
                .keeps_slots = on_slots,
                .slots = where.slots()};
    }
    any_generator alltoall_on(const slot_map& slots, place at) const {
        constexpr auto alltoall = of<collective::alltoall>;
        if (name == "pairwise") return generate(alltoall, tutti::on_slots<pairwise>{.slots = slots}, at);
        if (name == "kprefix") return generate(alltoall, tutti::on_slots<kprefix>{.slots = slots}, at);
        return generate(alltoall, tutti::on_slots<prefix_send>{.slots = slots}, at);
    }
};

const std::vector<strategy> strategies{{"ring"},
                                       {"direct"},
                                       {"prefix_send"},
                                       {"kprefix"},
                                       {"kshift"},
                                       {"kring"},
                                       {"mesh2d"},
                                       {"hypercube"},
                                       {"bruck"},
                                       {"recursive_doubling"},
                                       {"recursive_multiplying"},
                                       {"neighbor_exchange"},
                                       {"sparbit"},
                                       {"circulant"},
                                       {"direct", true},
                                       {"prefix_send", true},
                                       {"kprefix", true}};

/// What there is for an alltoall of them.
const std::vector<strategy> for_alltoall{
    {"pairwise", false, 0, collective::alltoall}, {"prefix_send", false, 0, collective::alltoall},
    {"kprefix", false, 0, collective::alltoall},  {"kshift", false, 0, collective::alltoall},
    {"pairwise", true, 0, collective::alltoall},  {"prefix_send", true, 0, collective::alltoall},
    {"kprefix", true, 0, collective::alltoall},   {"mesh2d", false, 0, collective::alltoall},
    {"hypercube", false, 0, collective::alltoall}};

/// What the rounds of a strategy do to a tree whose ascent is adaptive.
struct adaptive_loads {
    std::int64_t worst = 0;
    std::int64_t sum = 0;
    std::int64_t busy = 0;
    double round_us = 0; // all rounds together, blocks of 256 KB
};

constexpr std::int64_t bytes_of_a_block = 256 * 1024;

adaptive_loads adaptive(const fat_tree& tree, const placement& where, const strategy& how) {
    const ensemble all([&](place at) { return how.make(where, at); }, where.ranks());
    const auto lengths = block_bytes::even(all.blocks(), all.blocks());
    adaptive_loads result;
    std::vector<node_message> messages;
    for (round_index i = 0; i < all.rounds(); ++i) {
        messages.clear();
        int hops = 0;
        for_each_message(all, i, lengths, [&](const message& m) {
            messages.push_back({.from = where.node_of(m.from), .to = where.node_of(m.to)});
            hops = std::max(hops, 2 * tree.height(messages.back().from, messages.back().to));
        });
        if (messages.empty()) continue;
        const certain_ascent load = adaptive_certain(tree, messages);
        const std::int64_t most = std::max(load.ascending, load.descending);
        result.worst = std::max(result.worst, most);
        result.sum += most;
        ++result.busy;
        result.round_us += link_costs{}.round_us(most * bytes_of_a_block, hops);
    }
    return result;
}

std::string loads(std::int64_t worst, std::int64_t sum, std::int64_t busy) {
    return std::to_string(worst) + " ("
           + support::fixed(static_cast<double>(sum) / static_cast<double>(busy), 2) + ")";
}

struct tree_with_holes {
    int levels;
    std::array<std::vector<node_type>, 4> missing;
};

const std::vector<tree_with_holes> trees{
    {3, {{{}, {21}, {21, 42}, {2, 3, 9, 10, 14, 21, 22, 23, 30, 35, 41, 42, 47, 52, 58, 60}}}},
    {4, {{{}, {85}, {85, 170}, {3, 17, 40, 55, 77, 85, 99, 120, 133, 140, 161, 170, 190, 202, 230, 251}}}}};

/// The row of a strategy, and how the document heads its table.
std::string row(const tree_with_holes& t, const strategy& how, bool is_adaptive) {
    const fat_tree tree = fat_tree::kary(4, t.levels);
    const routed_fat_tree routed(tree);
    std::string text = "| " + how.title() + " |";
    for (const std::vector<node_type>& missing : t.missing) {
        const placement where = placement::compact(tree.nodes(), missing);
        if (is_adaptive) {
            const adaptive_loads found = adaptive(tree, where, how);
            text += " " + loads(found.worst, found.sum, found.busy) + " |";
            continue;
        }
        const auto make = [&](place at) { return how.make(where, at); };
        const schedule_congestion found = congestion_of_schedule(routed, where, make);
        text += " " + std::to_string(found.rounds.size()) + ", " + std::to_string(how.most_sent(where)) + ", "
                + loads(found.worst.max_load, found.serial_load, found.busy_rounds) + " |";
    }
    return text + "\n";
}

/// The paper's k for kShift. For kPrefix it gives none; 16 nodes is as far as its Figure 6 shows full
/// bandwidth.
constexpr rank_type kshift_k = 8;
constexpr rank_type kprefix_k = 16;

/// A line of the paper's Table 1: nodes, holes, MB/s per node of kShift, kPrefix and prefix-send; 0 if it has
/// none.
struct paper_line {
    rank_type nodes;
    int holes;
    std::array<int, 3> bandwidth;
};
const std::vector<paper_line> table_1{
    {64, 0, {507, 531, 520}},  {128, 0, {432, 519, 428}}, {144, 0, {433, 521, 0}}, {192, 0, {416, 516, 0}},
    {256, 0, {405, 511, 429}}, {128, 1, {392, 338, 316}}, {128, 2, {399, 373, 0}}, {240, 1, {394, 346, 0}}};

/// Effective bandwidth in both directions as link_costs has it, with every block copied to the network
/// interface as often as it is multicast (delta = beta_em: section 2).
std::array<double, 3> predicted(const paper_line& line) {
    const fat_tree tree = fat_tree::kary(4, 4);
    std::vector<node_type> nodes; // holes evenly spread
    for (node_type v = 0; static_cast<rank_type>(nodes.size()) < line.nodes; ++v) {
        bool hole = false;
        for (int h = 1; h <= line.holes; ++h) hole = hole || v == line.nodes * h / (line.holes + 1);
        if (!hole) nodes.push_back(v);
    }
    const placement where = placement::on_nodes(tree.nodes(), nodes);
    std::array<double, 3> result{};
    const std::array<strategy, 3> columns{strategy{"kshift", false, kshift_k},
                                          strategy{"kprefix", false, kprefix_k}, strategy{"prefix_send"}};
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const double copies =
            columns[c].k == 0
                ? 1
                : std::ceil(static_cast<double>(line.nodes) / static_cast<double>(columns[c].k));
        const double us = adaptive(tree, where, columns[c]).round_us
                          + copies * static_cast<double>(bytes_of_a_block) * link_costs{}.us_per_byte;
        constexpr double mb = 1024 * 1024; // the paper's: 400 million bytes/s are its 382 MB/s
        result[c] = 2.0 * (line.nodes - 1) * static_cast<double>(bytes_of_a_block) / us * 1e6 / mb;
    }
    return result;
}

std::string row(const paper_line& line, const std::array<double, 3>& model) {
    std::string text = "| " + std::to_string(line.nodes) + " | " + std::to_string(line.holes) + " |";
    for (std::size_t c = 0; c < 3; ++c) {
        text += " " + (line.bandwidth[c] > 0 ? std::to_string(line.bandwidth[c]) : "-");
        text += " / " + support::fixed(model[c], 0) + " |";
    }
    return text + "\n";
}

void check_row(const std::string& text, const std::string& expected) {
    INFO("the document lacks: " << expected);
    CHECK(text.find(expected) != std::string::npos);
}

} // namespace

TEST_CASE("the document's tables of rounds, volume and link loads are what is computed", "[docs]") {
    const std::string text = document();
    for (const tree_with_holes& t : trees)
        for (const bool is_adaptive : {false, true})
            for (const strategy& how : strategies) check_row(text, row(t, how, is_adaptive));
    for (const bool is_adaptive : {false, true})
        for (const strategy& how : for_alltoall) check_row(text, row(trees.front(), how, is_adaptive));
}

TEST_CASE("loads and distances explain the order of the paper's Table 1", "[docs]") {
    const std::string text = document();
    for (const paper_line& line : table_1) {
        const std::array<double, 3> model = predicted(line);
        check_row(text, row(line, model));
        INFO(line.nodes << " nodes, " << line.holes << " holes");
        const std::size_t best = line.holes == 0 ? 1 : 0; // kPrefix, kShift
        for (std::size_t c = 0; c < 3; ++c)
            if (c != best) {
                CHECK(line.bandwidth[best] > line.bandwidth[c]);
                CHECK(model[best] > model[c]);
            }
    }
}
