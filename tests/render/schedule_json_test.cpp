// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <tutti/core/error.hpp>
#include <tutti/render/schedule_html.hpp>
#include <tutti/render/schedule_json.hpp>

#include "support/catch2.hpp"
#include "support/schedules.hpp"

namespace {

using namespace tutti;
using support::make_schedule;

/// A line for each list with a name.
std::string lines(const std::string& json) {
    std::string text;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const std::size_t end = json[at] == '"' ? json.find('"', at + 1) : json.npos;
        if (end != json.npos && json.compare(end, 2, "\":") == 0 && !text.empty()) text += '\n';
        const std::size_t piece = end == json.npos ? 1 : end + 1 - at;
        text.append(json, at, piece);
        at += piece - 1;
    }
    return text;
}

/// The data of a page.
std::string data_of(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    return lines(page.substr(from, page.find("</script>", from) - from));
}

} // namespace

TEST_CASE("commas and brackets of JSON come where they have to", "[render]") {
    detail::json_text out;
    out.open('{');
    out.name("a"), out.number(1);
    out.name("b");
    out.open('[');
    out.close(']');
    out.name("c");
    out.open('[');
    out.truth(true), out.truth(false), out.fraction(2.25), out.fraction(-3), out.words("w\x1f\x20");
    out.close(']');
    out.close('}');
    CHECK(std::move(out).finish() == R"({"a":1,"b":[],"c":[true,false,2.2,-3.0,"w  "]})");
}

TEST_CASE("the data of an exclusive prefix of three ranks, whole", "[render]") {
    const support::schedule all = make_schedule(collective::exscan, "census", 3);
    CHECK(data_of(schedule_html(collective::exscan, all, {})) == R"({
"kind":"exscan",
"size":3,
"root":0,
"blocks":1,
"by_rank":true,
"personal":false,
"colours":[],
"barrier":false,
"buffers":[1,0],
"start":[1,0,0,1,0,1,1,1,0,1,0,2,1,2,0,1,0,3],
"needed":[1,0,0,1,1,1,0,1],
"labels":[0,1,2],
"rounds":[{
"moves":[[0,1,0,0,0,3,1],[1,2,0,0,0,4,1]],
"contents":[0,1,0,1,0,1,0,2,0,1,0,2],
"needed":[0,1,0,1,0,2,0,1,1,0,0,1,1,1,0,1],
"labels":[0,2,1,3,2,4]},{
"moves":[[1,2,1,1,1,3,1]],
"contents":[0,2,0,1,0,4],
"needed":[],
"labels":[2,5]}],
"sets":[[],[0,0],[1,1],[2,2],[0,1]],
"texts":["input A of 0","input A of 1","","A of 0","A of 1","A of 0–1"],
"words":["2 ranks send 1 block each, shift:1; 1 so far, lower bound 1","rank 1 sends 1 block, to rank 2, folded; 2 so far, lower bound 1"],
"phases":[[0,0,"along the chain"],[1,1,"one message, folding"]]})");
}

TEST_CASE("the network in the data of a page, whole", "[render]") {
    const routed_fat_tree network(fat_tree({2, 2}, {1, 1}));
    const placement where = placement::compact(4, {1});
    const support::schedule all = make_schedule(collective::bcast, "serial", 3);
    const std::string data = data_of(schedule_html(
        collective::bcast, all, {}, {.network = network_on_page(network, where, "n", "d-mod-k")}));
    CHECK(data.substr(data.find("\n\"network\"")) == R"(
"network":{
"name":"n",
"routing":"d-mod-k",
"width":220.0,
"height":260.4,
"widths":[0.8,1.3,2.8,3.4,4.0,4.6,5.2,6.0],
"dashes":["2 4","none","none","none","none","none","none","none"],
"switches":[[104.0,23.0,92.0,22.0,"\u003c0,1>",false,12.0],[58.0,136.0,51.4,22.0,"\u003c0,0>",false,12.0],[150.0,136.0,51.4,22.0,"\u003c1,0>",false,12.0]],
"nodes":[[35.0,228.4,8.0,0,35.0,249.4],[81.0,228.4,8.0,-1,81.0,249.4],[127.0,228.4,8.0,1,127.0,249.4],[173.0,228.4,8.0,2,173.0,249.4]],
"every":1,
"links":["M32.8,220.44 L42.96,146.96","M78.8,220.44 L68.64,146.96","M124.8,220.44 L134.96,146.96","M170.8,220.44 L160.64,146.96","M55.8,124.96 L78.8,34","M147.8,124.96 L124.8,34","M47.36,146.96 L37.2,220.44","M73.04,146.96 L83.2,220.44","M139.36,146.96 L129.2,220.44","M165.04,146.96 L175.2,220.44","M83.2,34 L60.2,124.96","M129.2,34 L152.2,124.96"],
"names":["up from node 0 to switch \u003c0,0>","up from node 1 to switch \u003c0,0>","up from node 2 to switch \u003c1,0>","up from node 3 to switch \u003c1,0>","up from switch \u003c0,0> to switch \u003c0,1>","up from switch \u003c1,0> to switch \u003c0,1>","down from switch \u003c0,0> to node 0","down from switch \u003c0,0> to node 1","down from switch \u003c1,0> to node 2","down from switch \u003c1,0> to node 3","down from switch \u003c0,1> to switch \u003c0,0>","down from switch \u003c0,1> to switch \u003c1,0>"]},
"ways":[[[0,4,11,8],[0,4,11,9]]]})");
}

TEST_CASE("a network on a page has up to 4096 links", "[render]") {
    const auto check = [](std::int32_t nodes) {
        const routed_fat_tree network(fat_tree({nodes}, {1}));
        const placement where = placement::compact(nodes);
        detail::check_extras({.network = network_on_page(network, where, "", "")}, nodes);
    };
    CHECK_NOTHROW(check(2048));
    CHECK_THROWS_AS(check(2049), argument_error);
}

TEST_CASE("every so many nodes of a network on a page there is room for a number", "[render]") {
    const auto every = [](std::int32_t nodes, int levels) {
        const routed_fat_tree network(fat_tree::kary(nodes, levels));
        const placement where = placement::compact(network.tree().nodes());
        const support::schedule all = make_schedule(collective::barrier, "dissemination", where.ranks());
        const std::string data = data_of(schedule_html(collective::barrier, all, {},
                                                       {.network = network_on_page(network, where, "", "")}));
        const std::size_t at = data.find("\"every\":") + 8;
        return data.substr(at, data.find(',', at) - at);
    };
    CHECK(every(4, 2) == "1");
    CHECK(every(100, 1) == "3"); // three digits, 24 pixels, and nodes 9 apart
    CHECK(every(99, 1) == "2");
    CHECK(every(12, 2) == "3");
}
