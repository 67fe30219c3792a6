// SPDX-License-Identifier: BSL-1.0
// labels: optimised
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tutti/render/schedule_svg.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"
#include "support/xml.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

support::xml picture(collective what, const support::schedule& all) {
    return support::read_xml(
        schedule_svg(what, all, {.title = "title", .lines = {"below"}}, schedule_picture::tree));
}

std::vector<std::string> texts(const support::xml& root, const std::string& of_class) {
    std::vector<std::string> list;
    for (const support::xml* e : root.of_class(of_class)) list.push_back(e->text);
    return list;
}

struct box {
    double left, top, right, bottom;
};
bool meet(const box& a, const box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/// "M10,20 H30 V40 H50": its three lines, as thin boxes, from where it begins.
std::vector<box> lines_of(const support::xml& path) {
    std::istringstream d(path["d"]);
    char letter = 0, comma = 0;
    double x = 0, y = 0, turn = 0, to = 0, end = 0;
    d >> letter >> x >> comma >> y >> letter >> turn >> letter >> to >> letter >> end;
    REQUIRE(d);
    const auto line = [](double x1, double y1, double x2, double y2) {
        return box{std::min(x1, x2) - 0.5, std::min(y1, y2) - 0.5, std::max(x1, x2) + 0.5,
                   std::max(y1, y2) + 0.5};
    };
    return {line(x, y, turn, y), line(turn, y, turn, to), line(turn, to, end, to)};
}
std::vector<const support::xml*> paths(const support::xml& root) {
    std::vector<const support::xml*> all = root.of_class("fold");
    for (const support::xml* e : root.of_class("copy")) all.push_back(e);
    return all;
}
std::vector<box> discs(const support::xml& root) {
    std::vector<box> list;
    for (const support::xml* e : root.of_class("rank")) {
        const double x = e->number("cx"), y = e->number("cy"), r = e->number("r");
        list.push_back({x - r, y - r, x + r, y + r});
    }
    return list;
}

} // namespace

TEST_CASE("from 64 ranks on a tree grows from left to right, with nothing behind its nodes", "[render]") {
    for (const auto& [what, name] :
         std::vector<std::pair<collective, std::string>>{{collective::reduce, "fnomial"},
                                                         {collective::bcast, "fnomial"},
                                                         {collective::reduce, "kary"},
                                                         {collective::bcast, "serial"},
                                                         {collective::allreduce, "fnomial"},
                                                         {collective::allreduce, "binary_tree"}})
        for (const rank_type size : {64, 100, 256}) {
            INFO(name_of(what) << " " << name << " on " << size);
            const support::xml root = picture(what, make_schedule(what, name, size, has_root(what) ? 2 : 0));
            const std::vector<box> nodes = discs(root);
            REQUIRE(nodes.size() > 1);
            const box sheet{0, 0, root.number("width"), root.number("height")};
            for (std::size_t k = 0; k < nodes.size(); ++k) {
                CHECK((nodes[k].left >= 0 && nodes[k].right <= sheet.right));
                CHECK((nodes[k].top >= 0 && nodes[k].bottom <= sheet.bottom));
                for (std::size_t other = 0; other < k; ++other) CHECK_FALSE(meet(nodes[k], nodes[other]));
            }
            for (const support::xml* path : paths(root)) {
                const std::vector<box> lines = lines_of(*path);
                std::size_t touched = 0;
                for (const box& line : lines)
                    for (const box& node : nodes) touched += meet(line, node);
                CHECK(touched == 0); // they end a pixel before
            }
            // An edge for each node but the root, in each direction.
            CHECK(paths(root).size() == (what == collective::allreduce ? 2 : 1) * (nodes.size() - 1));
            // Words keep clear of nodes, too, and on the sheet.
            for (const std::string of_class : {"label", "round"})
                for (const support::xml* e : root.of_class(of_class)) {
                    const double wide = 0.5 * e->number("font-size") * static_cast<double>(e->text.size());
                    const bool to_left = e->has("text-anchor") && (*e)["text-anchor"] == "end";
                    const double x = e->number("x") - (to_left ? wide : 0);
                    const box words{x, e->number("y") - 6, x + wide, e->number("y")};
                    CHECK((words.left >= 0 && words.right <= sheet.right));
                    for (const box& node : nodes) CHECK_FALSE(meet(words, node));
                }
        }
    const support::xml on_top = picture(collective::reduce, make_schedule(collective::reduce, "fnomial", 63));
    CHECK(on_top.of_class("fold").front()->name == "line");
}

TEST_CASE("subtrees that are alike are drawn once, with their number and their ranks", "[render]") {
    const support::xml of_four =
        picture(collective::reduce, make_schedule(collective::reduce, "fnomial", 64, 0, {{"radix", 4}}));
    CHECK(texts(of_four, "label")
          == std::vector<std::string>{"× 3: 1–3", "× 3: 4,8,12", "× 3: 5–7", "× 3: 16,32,48", "× 3: 17–19",
                                      "× 3: 20,24,28", "× 3: 21–23"});
    CHECK(of_four.of_class("rank").size() == 8);
    CHECK(of_four.of_class("fold").front()->children.at(0).text
          == "3 alike, the last: round 0: rank 3 to rank 0: A of 3, folded");
    const support::xml flat = picture(collective::bcast, make_schedule(collective::bcast, "serial", 64));
    CHECK(texts(flat, "label") == std::vector<std::string>{"× 63: 1–63"});
    CHECK(flat.of_class("copy").size() == 1);

    // Of a binomial tree no two subtrees of one parent are alike; labels say whose parts are in.
    const support::xml binomial =
        picture(collective::reduce, make_schedule(collective::reduce, "fnomial", 64));
    CHECK(binomial.of_class("rank").size() == 64);
    const std::vector<std::string> labels = texts(binomial, "label");
    CHECK(std::count(labels.begin(), labels.end(), "32–63") == 1);
    CHECK(labels.size() == 31); // all that have children, but for the root
}

TEST_CASE("the legend says what a number of subtrees means only where there is one", "[render]") {
    for (const auto& [what, name, radix] : std::vector<std::tuple<collective, std::string, std::int64_t>>{
             {collective::reduce, "fnomial", 2},
             {collective::reduce, "fnomial", 4},
             {collective::bcast, "fnomial", 2},
             {collective::allreduce, "fnomial", 2},
             {collective::allreduce, "fnomial", 8}}) {
        INFO(name_of(what) << " " << name << " of radix " << radix);
        const support::xml root = picture(what, make_schedule(what, name, 64, 0, {{"radix", radix}}));
        const std::vector<std::string> labels = texts(root, "label");
        const bool is_any = std::any_of(labels.begin(), labels.end(),
                                        [](const std::string& label) { return label.starts_with("× "); });
        CHECK(is_any == (radix > 2));
        std::string legend;
        for (const support::xml& e : root.children)
            if (e.name == "text" && e.text.starts_with("Edges bear")) legend = e.text;
        REQUIRE_FALSE(legend.empty());
        CHECK((legend.find("are alike") != std::string::npos) == is_any);
    }
}

TEST_CASE("rounds stand at the child's end, and the legend says what the colours are", "[render]") {
    const support::xml root =
        picture(collective::allreduce, make_schedule(collective::allreduce, "binary_tree", 100));
    std::set<double> columns;
    for (const support::xml* e : root.of_class("rank")) columns.insert(e->number("cx"));
    for (const support::xml* e : root.of_class("round")) {
        const auto next = columns.lower_bound(e->number("x"));
        REQUIRE(next != columns.end());
        CHECK(*next - e->number("x") < 25); // a node's radius and an arrow's head
    }
    CHECK(root.of_class("round").size() == paths(root).size());
    std::vector<std::string> words;
    std::vector<std::string> colours;
    for (const support::xml& e : root.children) {
        if (e.name == "text") words.push_back(e.text);
        if (e.name == "line") colours.push_back(e["stroke"]);
    }
    CHECK(words
          == std::vector<std::string>{
              "title", "below", "folded on arrival", "copied",
              "Edges bear the rounds of their messages; beside a node, whose parts it has folded when it "
              "passes them on. × 3: 4–6 is one of three that are alike, ranks 4 to 6."});
    CHECK(colours
          == std::vector<std::string>{std::string(detail::colours::folded),
                                      std::string(detail::colours::copied)});
}
