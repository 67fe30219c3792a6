// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/render/comparison_html.hpp>
#include <tutti/render/schedule_html.hpp>

#include "support/catch2.hpp"
#include "support/json.hpp"
#include "support/schedules.hpp"

namespace {

using namespace tutti;
using support::make_schedule;
using side = compared_schedule<any_generator>;

std::size_t count(std::string_view text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
    return n;
}

/// The data of the script element with that name, as it is written.
std::string data_of(const std::string& page, const std::string& name) {
    const std::string begin = "<script type=\"application/json\" id=\"" + name + "\">";
    const std::size_t at = page.find(begin);
    REQUIRE(at != std::string::npos);
    const std::size_t from = at + begin.size();
    return page.substr(from, page.find("</script>", from) - from);
}

} // namespace

TEST_CASE("a page of two schedules has all that the page of each has, under names of its own", "[render]") {
    const collective what = collective::allreduce;
    const support::schedule ring = make_schedule(what, "ring", 6);
    const support::schedule halving = make_schedule(what, "halving_doubling", 6);
    const std::string page =
        comparison_html(what, side{ring, {.title = "ring", .lines = {"on the left"}}},
                        side{halving, {.title = "halving", .lines = {"on the right"}}}, {.title = "both"});
    CHECK(data_of(page, "data") == data_of(schedule_html(what, ring, {}), "data"));
    CHECK(data_of(page, "data-2") == data_of(schedule_html(what, halving, {}), "data"));
    CHECK(support::read_json(data_of(page, "data-2"))["size"].text == "6");
    for (const char* name : {"overview", "words", "stage", "detail"})
        for (const char* part : {"", "-2"})
            CHECK(count(page, std::string("id=\"") + name + part + "\"") == 1);
    for (const char* once : {"id=\"slider\"", "id=\"play\"", "<h1>both</h1>", "function view_of("})
        CHECK(count(page, once) == 1);
    CHECK(page.find("<h2>ring</h2>\n<p class=\"facts\">on the left</p>")
          < page.find("<h2>halving</h2>\n<p class=\"facts\">on the right</p>"));
    CHECK(count(page, "<body class=\"compared\">") == 1);
    CHECK(count(page, "<div class=\"sides\">") == 1);
    CHECK(count(page, "<div") == count(page, "</div>"));
    CHECK(count(schedule_html(what, ring, {}), "<body>") == 1);
    CHECK(count(schedule_html(what, ring, {}), "<div class=\"sides\">") == 0);
    CHECK(page.find("class=\"figures\"") == std::string::npos); // none were given
    CHECK(page.find(" src=") == std::string::npos);
    CHECK(page.find(" href=") == std::string::npos);
}

TEST_CASE("figures of two schedules stand in a table, and cannot break out of it", "[render]") {
    const support::schedule all = make_schedule(collective::bcast, "kary", 3);
    const std::string page =
        comparison_html(collective::bcast, side{all, {.title = "<one>"}}, side{all, {.title = "other"}},
                        {.title = "a & b"}, {{"rounds", "2", "3"}, {"<b>", "&", "\""}});
    CHECK(page.find("<th scope=\"col\">&lt;one&gt;</th><th scope=\"col\">other</th></tr>\n"
                    "<tr><th scope=\"row\">rounds</th><td>2</td><td>3</td></tr>\n"
                    "<tr><th scope=\"row\">&lt;b&gt;</th><td>&amp;</td><td>&quot;</td></tr>\n")
          != std::string::npos);
    CHECK(page.find("aria-label=\"&lt;one&gt;\"") != std::string::npos);
    CHECK(page.find("<h1>a &amp; b</h1>") != std::string::npos);
}

TEST_CASE("multicasts are compared over one relation", "[render]") {
    const support::schedule ring = make_schedule(collective::allgather, "ring", 4);
    const support::schedule direct = make_schedule(collective::allgather, "direct", 4);
    const relation everybody = relation::all_to_all(4);
    const std::string page = comparison_html(everybody, side{ring, {.title = "ring"}},
                                             side{direct, {.title = "direct"}}, {.title = "both"});
    CHECK(data_of(page, "data") == data_of(schedule_html(everybody, ring, {}), "data"));
    CHECK(support::read_json(data_of(page, "data-2"))["kind"].text == "multicast");
}

TEST_CASE("schedules of different sizes are not compared, nor what cannot be drawn", "[render]") {
    const support::schedule three = make_schedule(collective::bcast, "kary", 3);
    const support::schedule four = make_schedule(collective::bcast, "kary", 4);
    CHECK_THROWS_WITH(comparison_html(collective::bcast, side{three, {}}, side{four, {}}, {}),
                      Catch::Contains("ranks of the other schedule is 4")
                          && Catch::Contains("3, those of the one"));
    const support::schedule many = make_schedule(collective::bcast, "kary", 257);
    CHECK_THROWS_WITH(comparison_html(collective::bcast, side{many, {}}, side{many, {}}, {}),
                      Catch::Contains("at most 256"));
}
