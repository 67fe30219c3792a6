// SPDX-License-Identifier: BSL-1.0
#include <stdexcept>
#include <string>
#include <utility>

#include <tutti/render/svg.hpp>

#include "support/catch2.hpp"
#include "support/xml.hpp"

namespace {

std::string value_of(tutti::svg_attribute a) { return a.value; }

} // namespace

TEST_CASE("a picture is well-formed XML, whatever the words in it", "[render][svg]") {
    tutti::svg_writer picture(200.5, 100, "a < b & \"c\"");
    picture.open("g", {{"class", "one"}, {"note", "<&>\"'"}});
    picture.element("line", {{"class", "two"}, {"x1", 1}, {"x2", 2.25}});
    picture.pointed("line", {{"class", "two"}}, "from <0,1> to <1,1>");
    picture.element("text", {}, std::string("bell \a & tab\t"));
    picture.open("g", {}); // the end of both is written by finish()
    const support::xml root = support::read_xml(std::move(picture).finish());

    CHECK(root.name == "svg");
    CHECK(root["viewBox"] == "0 0 200.5 100");
    REQUIRE(root.children.size() == 3); // title, sheet, group
    CHECK(root.children[0].text == "a < b & \"c\"");
    const support::xml& group = root.children[2];
    CHECK(group["note"] == "<&>\"'");
    REQUIRE(group.children.size() == 4);
    CHECK(group.children[0].number("x2") == 2.25);
    CHECK(group.children[1].children.at(0).text == "from <0,1> to <1,1>");
    CHECK(group.children[2].text == "bell  & tab\t");
    CHECK(root.of_class("two").size() == 2);
}

TEST_CASE("what lies inside is indented", "[render][svg]") {
    tutti::svg_writer picture(20, 10, "title");
    picture.open("g", {{"class", "a"}});
    picture.text(1, 2, 3, "words", "end", "#000000", "bold");
    picture.open("g", {});
    picture.element("rect", {{"x", 1}});
    picture.close();
    picture.pointed("line", {{"x1", 2}}, "told");
    picture.close();
    picture.element("rect", {{"x", 3}});
    CHECK(
        std::move(picture).finish()
        == R"(<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10" font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" fill="#1f2933">
 <title>title</title>
 <rect width="20" height="10" fill="#ffffff"/>
 <g class="a">
  <text x="1" y="2" font-size="3" text-anchor="end" font-weight="bold" fill="#000000">words</text>
  <g>
   <rect x="1"/>
  </g>
  <line x1="2"><title>told</title></line>
 </g>
 <rect x="3"/>
</svg>
)");
}

TEST_CASE("numbers are written short and with a point", "[render][svg]") {
    CHECK(value_of({"x", 3}) == "3");
    CHECK(value_of({"x", 3.0}) == "3");
    CHECK(value_of({"x", 100.0}) == "100");
    CHECK(value_of({"x", 3.499}) == "3.5");
    CHECK(value_of({"x", -0.001}) == "0");
    CHECK(value_of({"x", -12.25}) == "-12.25");
    CHECK(value_of({"x", 1e6 / 3}) == "333333.33");
}

TEST_CASE("the reader of XML in these tests sees what is none", "[render][support]") {
    for (const std::string text :
         {"", "<a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>",
          "<a>&nbsp;</a>", "<a x=\"<\"/>", "<1/>", "<a x=\"1\"y=\"2\"/>", "text", "<a>\a</a>"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(support::read_xml(text), std::runtime_error);
    }
}
