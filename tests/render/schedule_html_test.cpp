// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/core/error.hpp>
#include <tutti/render/holdings_text.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/render/schedule_json.hpp>
#include <tutti/topology/congestion.hpp>
#include <tutti/topology/fat_tree_routing.hpp>
#include <tutti/topology/torus.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/schedules.hpp"

namespace {

using namespace tutti;
using support::json;
using support::make_schedule;

std::string page(collective what, const support::schedule& all, const page_extras& with = {}) {
    return schedule_html(what, all, {.title = "a <b> & c", .lines = {"below"}}, with);
}

/// What lies between two texts, each of which is there once.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
    const std::size_t first = text.find(begin);
    REQUIRE(first != std::string::npos);
    REQUIRE(text.find(begin, first + 1) == std::string::npos);
    const std::size_t from = first + begin.size();
    const std::size_t to = text.find(end, from);
    REQUIRE(to != std::string::npos);
    return text.substr(from, to - from);
}
json data_of(const std::string& text) {
    return support::read_json(between(text, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

std::vector<std::int64_t> numbers(const json& list) {
    std::vector<std::int64_t> result;
    for (const support::json_member& m : list.members) result.push_back(std::stoll(m.value.text));
    return result;
}
std::size_t entry(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Follows the data as the page does.
class reader {
public:
    explicit reader(const json& data)
        : data_(data),
          grid(static_cast<rank_type>(std::stol(data["size"].text)), std::stol(data["blocks"].text)),
          needed(grid.cells(), false), labels(numbers(data["labels"])) {
        apply(numbers(data["start"]), numbers(data["needed"]));
    }
    void advance(std::size_t i) {
        const json& round = data_["rounds"].members.at(i).value;
        apply(numbers(round["contents"]), numbers(round["needed"]));
        const std::vector<std::int64_t> now = numbers(round["labels"]);
        for (std::size_t k = 0; k < now.size(); k += 2) labels.at(entry(now[k])) = now[k + 1];
    }
    std::string label(rank_type r) const {
        return data_["texts"].members.at(entry(labels.at(entry(r)))).value.text;
    }

private:
    void apply(const std::vector<std::int64_t>& contents, const std::vector<std::int64_t>& toggles) {
        for (std::size_t k = 0; k < contents.size(); k += 6)
            for (std::int64_t i = 0; i < contents[k + 3]; ++i)
                grid(static_cast<rank_type>(contents[k + 1]), static_cast<buffer_name>(contents[k]),
                     contents[k + 2] + i) = {contents[k + 4] + i,
                                             static_cast<rank_sets::number>(contents[k + 5])};
        for (std::size_t k = 0; k < toggles.size(); k += 4)
            for (std::int64_t i = 0; i < toggles[k + 3]; ++i) {
                const std::size_t cell = grid.index(static_cast<rank_type>(toggles[k + 1]),
                                                    static_cast<buffer_name>(toggles[k]), toggles[k + 2] + i);
                needed.at(cell) = !needed.at(cell);
            }
    }
    const json& data_;

public:
    block_grid grid;
    std::vector<bool> needed;
    std::vector<std::int64_t> labels;
};

} // namespace

TEST_CASE("the data has a sentence for every round, and the phases", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const json data = data_of(page(collective::allreduce, all));
    const round_words words = words_of_rounds(collective::allreduce, all);
    REQUIRE(data["words"].members.size() == words.rounds.size());
    for (std::size_t i = 0; i < words.rounds.size(); ++i)
        CHECK(data["words"].members[i].value.text == words.rounds[i]);
    REQUIRE(data["phases"].members.size() == words.phases.size());
    for (std::size_t k = 0; k < words.phases.size(); ++k) {
        const json& phase = data["phases"].members[k].value;
        CHECK(phase.members.at(0).value.text == std::to_string(words.phases[k].first));
        CHECK(phase.members.at(1).value.text == std::to_string(words.phases[k].last));
        CHECK(phase.members.at(2).value.text == words.phases[k].words);
    }
}

TEST_CASE("the data of a page give what every rank holds after every round", "[render]") {
    for (const catalogue_entry& e : catalogue())
        for (const rank_type size : {1, 6, 9}) {
            INFO(name_of(e.what) << " " << e.name << " on " << size);
            const support::schedule all = make_schedule(e, size);
            const symbolic_run run(e.what, all);
            const json data = data_of(page(e.what, all));
            REQUIRE(data["rounds"].members.size() == static_cast<std::size_t>(run.rounds()));
            reader told(data);
            block_grid grid = run.start();
            bool same = true;
            for (round_index i = 0;; ++i) {
                same = same && told.grid == grid;
                for (rank_type r = 0; r < size; ++r) {
                    same = same && told.label(r) == holdings_text(run, grid, i, r);
                    for (int plane = 0; plane < buffer_count; ++plane)
                        for (block_index b = 0; b < run.blocks(); ++b) {
                            const auto buffer = static_cast<buffer_name>(plane);
                            same =
                                same && told.needed[grid.index(r, buffer, b)] == run.needed(i, r, buffer, b);
                        }
                }
                if (i == run.rounds()) break;
                run.advance(grid, i);
                told.advance(entry(i));
            }
            CHECK(same);
        }
}

TEST_CASE("the data of a page say what is drawn of which collective", "[render]") {
    for (const catalogue_entry& e : catalogue()) {
        INFO(name_of(e.what) << " " << e.name);
        const json data = data_of(page(e.what, make_schedule(e, 4, has_root(e.what) ? 2 : 0)));
        const auto is_true = [&](const char* name) {
            CHECK((data[name].what == json::kind::boolean));
            return data[name].text == "true";
        };
        CHECK(data["kind"].text == name_of(e.what));
        CHECK(data["size"].text == "4");
        CHECK(data["root"].text == (has_root(e.what) ? "2" : "0"));
        CHECK(is_true("by_rank") == (folds(e.what) || e.what == collective::barrier));
        const bool personal =
            e.what == collective::alltoall || e.what == collective::gather || e.what == collective::scatter;
        CHECK(is_true("personal") == personal);
        CHECK(data["colours"].members.size() == (personal ? 4U : 0U));
        CHECK(is_true("barrier") == (e.what == collective::barrier));
        const bool has_input = e.what == collective::alltoall || e.what == collective::exscan;
        const std::vector<std::int64_t> buffers = numbers(data["buffers"]);
        CHECK(buffers.at(0) == static_cast<int>(has_input ? buffer_name::input : buffer_name::work));
        CHECK(std::count(buffers.begin(), buffers.end(), static_cast<int>(buffer_name::work)) == 1);
        CHECK(std::count(buffers.begin(), buffers.end(), static_cast<int>(buffer_name::input)) == has_input);
    }
}

TEST_CASE("the data of a page have every message with what it carries", "[render]") {
    const support::schedule all = make_schedule(collective::allreduce, "halving_doubling", 13);
    const json data = data_of(page(collective::allreduce, all));
    const auto& moves = data["rounds"].members.at(3).value["moves"].members;
    REQUIRE(moves.size() == 8);
    const std::vector<std::int64_t> first = numbers(moves[0].value); // to rank 0, by targets
    REQUIRE(first.size() == 7);
    CHECK(first[0] == 4);
    CHECK(first[1] == 0);
    CHECK(first[2] == 3); // sent in this round
    CHECK(first[3] == 1); // folded
    CHECK(first[4] == 0); // from a higher rank: on the right
    CHECK(data["texts"].members.at(entry(first[5])).value.text == "A–B of 4–7");
    CHECK(first[6] == 2);
}

TEST_CASE("a page shows the loads of the links of every round", "[render]") {
    const support::schedule all = make_schedule(collective::allgather, "recursive_doubling", 16);
    const routed_fat_tree tree(fat_tree::kary(4, 2));
    const placement where = placement::compact(16);
    const std::string text = page(collective::allgather, all,
                                  {.network = network_on_page(tree, where, "4-ary 2-tree", "d-mod-k")});
    CHECK(text.find("id=\"network\"") != std::string::npos);
    const json data = data_of(text);
    CHECK(data["network"]["name"].text == "4-ary 2-tree");
    CHECK(data["network"]["routing"].text == "d-mod-k");
    CHECK(data["network"]["links"].members.size() == static_cast<std::size_t>(tree.links()));
    CHECK(data["network"]["names"].members.size() == static_cast<std::size_t>(tree.links()));
    CHECK(data["network"]["nodes"].members.size() == 16);
    // As counted by congestion_of_schedule: the links taken by all messages, and the most on one.
    const schedule_congestion expected = congestion_of_schedule(tree, where, [&](place at) {
        return find_algorithm(collective::allgather, "recursive_doubling")->make(at, {});
    });
    REQUIRE(data["ways"].members.size() == expected.rounds.size());
    for (std::size_t i = 0; i < expected.rounds.size(); ++i) {
        const json& ways = data["ways"].members[i].value;
        REQUIRE(ways.members.size() == data["rounds"].members[i].value["moves"].members.size());
        std::int64_t hops = 0;
        std::map<std::int64_t, std::int64_t> loads;
        for (const support::json_member& way : ways.members)
            for (const std::int64_t link : numbers(way.value)) ++hops, ++loads[link];
        std::int64_t most = 0;
        for (const auto& [link, load] : loads) most = std::max(most, load);
        CHECK(hops == expected.rounds[i].hops);
        CHECK(most == expected.rounds[i].max_load);
    }
}

TEST_CASE("the network of a page is drawn as its plan says", "[render]") {
    const torus on({4, 2});
    const placement where = placement::compact(8, {2});
    const network_plan plan = plan_of(on);
    const json data = data_of(page(collective::allgather, make_schedule(collective::allgather, "ring", 7),
                                   {.network = network_on_page(on, where, "4x2 torus", "")}))["network"];
    REQUIRE(data["links"].members.size() == plan.links.size());
    for (std::size_t l = 0; l < plan.links.size(); ++l) {
        CHECK(data["links"].members[l].value.text == plan.links[l]);
        CHECK(data["names"].members[l].value.text == plan.names[l]);
    }
    REQUIRE(data["nodes"].members.size() == 8);
    for (std::size_t n = 0; n < 8; ++n) {
        const json& node = data["nodes"].members[n].value;
        CHECK(std::stod(node.members.at(0).value.text) == Approx(plan.nodes[n].x).margin(0.1));
        CHECK(std::stod(node.members.at(1).value.text) == Approx(plan.nodes[n].y).margin(0.1));
        CHECK(node.members.at(3).value.text == std::to_string(where.rank_at(static_cast<node_type>(n))));
    }
    CHECK(std::stod(data["width"].text) == Approx(plan.width).margin(0.1));
    CHECK(std::stod(data["height"].text) == Approx(plan.height).margin(0.1));
}

TEST_CASE("a page needs nothing else, and may ask for nothing", "[render]") {
    const std::string text = page(collective::bcast, make_schedule(collective::bcast, "kary", 9));
    CHECK(text.starts_with("<!DOCTYPE html>"));
    CHECK(text.find("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"")
          != std::string::npos);
    for (const char* asking :
         {" src=", " href=", "@import", "fetch(", "XMLHttpRequest", "WebSocket", "import("})
        CHECK(text.find(asking) == std::string::npos);
    CHECK(
        between(text, "<noscript>", "</noscript>")
        == "<p>This page draws with JavaScript, which is off here. A picture without it: --format svg.</p>");
    std::size_t at = 0;
    while ((at = text.find("http", at + 1)) != std::string::npos) { // a name, not an address
        const bool is_name = text.compare(at, 26, "http://www.w3.org/2000/svg") == 0;
        CHECK((is_name || text.compare(at, 10, "http-equiv") == 0));
    }
}

TEST_CASE("the legend of a page has what occurs", "[render]") {
    const auto legend = [](collective what, const std::string& name) {
        const std::string text = page(what, make_schedule(what, name, 4));
        std::vector<bool> has;
        for (const char* words :
             {"folded on arrival", "copied", "the ranks whose parts are in", "needed no more"})
            has.push_back(text.find(std::string(words) + "</span>") != std::string::npos);
        return has;
    };
    CHECK(legend(collective::allreduce, "ring") == std::vector{true, true, true, true});
    CHECK(legend(collective::barrier, "dissemination") == std::vector{true, true, true, true});
    CHECK(legend(collective::allgather, "ring") == std::vector{false, true, false, false});
}

TEST_CASE("titles cannot break out of the page", "[render]") {
    const std::string text = page(collective::bcast, make_schedule(collective::bcast, "kary", 2));
    CHECK(between(text, "<title>", "</title>\n") == "a &lt;b&gt; &amp; c");
    CHECK(between(text, "<h1>", "</h1>") == "a &lt;b&gt; &amp; c");
    detail::json_text out;
    out.words("</script>\"\\\n");
    CHECK(std::move(out).finish() == "\"\\u003c/script>\\\"\\\\ \"");
}

TEST_CASE("a page that would be too large, or lacks something, is refused", "[render]") {
    CHECK_THROWS_WITH(page(collective::bcast, make_schedule(collective::bcast, "kary", 257)),
                      Catch::Contains("ranks in a picture is 257") && Catch::Contains("at most 256"));
    const support::schedule all = make_schedule(collective::bcast, "kary", 9);
    const routed_fat_tree large(fat_tree::kary(8, 4));
    const routed_fat_tree small(fat_tree::kary(4, 2));
    const placement others = placement::compact(16);
    CHECK_THROWS_WITH(page(collective::bcast, all, {.network = network_on_page(large, others, "", "")}),
                      Catch::Contains("links of the network on a page"));
    CHECK_THROWS_WITH(page(collective::bcast, all, {.network = network_on_page(small, others, "", "")}),
                      Catch::Contains("ranks placed on the network is 16"));
}
