// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/decision_table_file.hpp>

#include <limits>
#include <string>

#include <tutti/model/default_machine.hpp>
#include <tutti/model/tabulate.hpp>

#include "support/catch2.hpp"

using namespace tutti;

namespace {

const std::string heading = "tutti decision table 1\n";

/// What is wrong with a line behind the heading.
std::string refusal(const std::string& line) {
    try {
        parse_decision_table(heading + line, "x.table");
    } catch (const argument_error& e) {
        return e.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a table that is written and read is the same", "[model][decision_table_file]") {
    const decision_table t = tabulate(default_machine(), {.sizes = {2, 3, 4}, .most_bytes = 1 << 14});
    REQUIRE(t.rules().size() > 20);
    const decision_table again = parse_decision_table(text_of(t));
    CHECK(again == t);
    CHECK(text_of(again) == text_of(t));
}

TEST_CASE("comments, blank lines, units and defaults are understood", "[model][decision_table_file]") {
    const decision_table t = parse_decision_table("# by hand\n\n tutti decision table 1 # version\r\n"
                                                  "machine my-machine\n"
                                                  "reduce commutative 2..1K 0..4K fnomial radix=4\n"
                                                  "reduce commutative 2..1K 4097.. fnomial # long ones\n"
                                                  "reduce ordered 2..1024 0.. binary_tree segments=3\n"
                                                  "allgather equal 7 0.. ring\n"
                                                  "bcast all 1.. 0.. fnomial");
    CHECK(t.machine_name() == "my-machine");
    REQUIRE(t.rules().size() == 5);
    CHECK(t.rules()[0].sizes == closed_range<rank_type>{2, 1024});
    CHECK(t.rules()[0].bytes == closed_range<std::int64_t>{0, 4096});
    CHECK(t.rules()[0].choice.with == parameters{{"radix", 4}, {"segments", 1}});
    CHECK(t.rules()[3].sizes == closed_range<rank_type>{7, 7});
    CHECK(!t.rules()[3].unequal_blocks);
    CHECK(t.rules()[4].sizes == closed_range<rank_type>{1, std::numeric_limits<rank_type>::max()});
    const candidate* found =
        t.find({.what = collective::reduce, .size = 1000, .root = 3, .bytes = 1 << 20, .commutative = false});
    REQUIRE(found != nullptr);
    CHECK(name_of(*found) == "binary_tree segments=3");
}

TEST_CASE("whatever is wrong with a line is told with file, line and what is allowed",
          "[model][decision_table_file]") {
    CHECK(contains(refusal("reduced all 2.. 0.. serial"),
                   "x.table:2: collective is 'reduced' (did you mean reduce?); allowed: barrier, "));
    CHECK(contains(refusal("reduce all 2.. 0.. treee"),
                   "x.table:2: algorithm of reduce is 'treee'; allowed: serial, "));
    CHECK(contains(refusal("reduce equal 2.. 0.. serial"),
                   "x.table:2: case is 'equal'; allowed: all, commutative"));
    CHECK(contains(refusal("bcast ordered 2.. 0.. serial"), "x.table:2: case is 'ordered'; allowed: all"));
    CHECK(contains(refusal("reduce commutative,ordered 2.. 0.. serial"), "x.table:2: case"));
    CHECK(contains(refusal("reduce all 2.. serial"), "x.table:2: line is 'reduce all 2.. serial'; allowed: "
                                                     "collective, case, size, bytes, algorithm, options"));
    CHECK(contains(refusal("\n\nreduce all 2..x 0.. serial"),
                   "x.table:4: size is '2..x'; allowed: a range as"));
    CHECK(contains(refusal("reduce all 0..3 0.. serial"),
                   "x.table:2: size is '0..3'; allowed: a range as 2..15, 16.. or 7, from 1 to 2147483647"));
    CHECK(contains(refusal("reduce all 3..2 0.. serial"), "x.table:2: size"));
    CHECK(contains(refusal("reduce all 2..3000000000 0.. serial"), "x.table:2: size"));
    CHECK(contains(
        refusal("reduce all 2.. -1.. serial"),
        "x.table:2: bytes is '-1..'; allowed: a range as 2..15, 16.. or 7, from 0 to 9223372036854775807"));
    CHECK(contains(refusal("reduce all 2.. ..5 serial"), "x.table:2: bytes is '..5'"));
    CHECK(contains(refusal("reduce all 2.. 5..x serial"), "x.table:2: bytes is '5..x'"));
    CHECK(contains(refusal("reduce all 2.. 0..99999999999G serial"), "x.table:2: bytes"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial arity=2"),
                   "x.table:2: option of fnomial is 'arity=2'; allowed: radix, segments"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomail"), "is 'fnomail' (did you mean fnomial?); allowed: "));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radx=2"),
                   "is 'radx=2' (did you mean radix?); allowed: radix, segments, each with = and a number"));
    CHECK(contains(refusal("bcast all 2.. 0.. serial radix=2"),
                   "option of serial is 'radix=2'; allowed: none"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radix"), "x.table:2: option of fnomial"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radix=two"), "x.table:2: radix is 'two'"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radix=2x"),
                   "x.table:2: radix is '2x'; allowed: a number of 32 bits"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radix=1"), "x.table:2: radix is 1"));
    CHECK(contains(refusal("bcast all 2.. 0.. fnomial radix=0"), "x.table:2: radix is 0"));
    CHECK(contains(refusal("machine two words"), "x.table:2: machine"));
    CHECK(contains(refusal("allreduce all 2.. 0.. ring"),
                   "x.table:2: algorithm is ring; allowed: one that covers"));
    CHECK(contains(refusal("bcast all 2.. 0..7 serial\nbcast all 2.. 9.. chain"),
                   "x.table:3: bytes is 9.. (2.. ranks); allowed: a range from 8 on: no rule has 8"));
    CHECK(contains(refusal("bcast all 2.. 0..7 serial\nbcast all 2.. 7.. chain"), "x.table:2 has 0..7"));
    CHECK(refusal("bcast all 2.. 0.. serial") == "");
}

TEST_CASE("another version, no heading and no file are refused", "[model][decision_table_file]") {
    CHECK_THROWS_AS(parse_decision_table("tutti decision table 2\n"), argument_error);
    CHECK_THROWS_AS(parse_decision_table("# nothing\n"), argument_error);
    CHECK_THROWS_WITH(load_decision_table("/no/such.table"), Catch::Contains("a file that can be read"));
}

TEST_CASE("what is written stands below its heading", "[model][decision_table_file]") {
    const std::string text = text_of(parse_decision_table(heading + "bcast all 2.. 0.. serial\n"));
    const std::size_t names = text.find("# collective");
    const std::size_t rule = text.find("bcast");
    REQUIRE((names != std::string::npos && rule != std::string::npos));
    CHECK(text.find("size", names) - names == text.find("2..", rule) - rule);
    CHECK(text.find("bytes", names) - names == text.find("0..", rule) - rule);
    CHECK(text.find("algorithm", names) - names == text.find("serial", rule) - rule);
}
