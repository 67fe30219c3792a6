// SPDX-License-Identifier: BSL-1.0
#include <tutti/model/machine_file.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "support/catch2.hpp"

namespace {

const std::string logp = "name = mine\nmodel = loggops\nL = 2 us\no = 1 us\ng = 1 us\nG = 6 ns/B\n"
                         "O = 0 ns/B\nS = 64 KiB\n";

/// `logp` with one of its lines replaced.
std::string with_line(std::size_t line, const std::string& text) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t i = 1; at < logp.size(); ++i) {
        const std::size_t end = logp.find('\n', at) + 1;
        result += i == line ? text + "\n" : logp.substr(at, end - at);
        at = end;
    }
    return result;
}

struct refusal {
    std::string file;
    std::size_t line = 0;
    std::string key;
    std::string what;
};

refusal refusal_of(const std::string& text) {
    try {
        (void)tutti::parse_machine(text, "some.machine");
    } catch (const tutti::machine_file_error& e) {
        return {e.file(), e.line(), e.key(), e.what()};
    }
    return {};
}

void check_refused(const std::string& text, std::size_t line, const std::string& key,
                   const std::string& why) {
    INFO(text);
    const refusal r = refusal_of(text);
    CHECK(r.file == "some.machine");
    CHECK(r.line == line);
    CHECK(r.key == key);
    const std::string place = line > 0 ? "some.machine:" + std::to_string(line) + ": " : "some.machine: ";
    CHECK(r.what == place + key + (key.empty() ? "" : ": ") + why);
}

const std::string models = "loggops, measured, moody_2003, rabenseifner_2004, kumar_kale_2004";

tutti::piecewise any_table(std::mt19937_64& random) {
    std::vector<tutti::piecewise::point> points;
    std::int64_t bytes = 0;
    for (int i = 0; i < 5; ++i) {
        bytes += 1 + static_cast<std::int64_t>(random() % 100000);
        points.push_back({bytes, std::ldexp(static_cast<double>(random()), -70)});
    }
    return tutti::piecewise(points);
}

} // namespace

TEST_CASE("a machine is read as it was written, to the last bit, whatever its model") {
    std::mt19937_64 random(7);
    const auto any = [&] {
        return std::ldexp(static_cast<double>(random()), -40 - static_cast<int>(random() % 60));
    };
    for (int i = 0; i < 200; ++i) {
        tutti::loggops l{any(), any(), any(), any(), any(), static_cast<std::int64_t>(random() >> 1),
                         any(), 0};
        if (i % 3 == 0) l.S = INT64_MAX;
        tutti::measured m;
        m.call = any();
        m.send = any_table(random);
        m.latency = any_table(random);
        m.recv = tutti::piecewise::constant(any());
        m.recv_fold = tutti::piecewise({{8, any()}});
        m.fetch = any_table(random);
        m.local = tutti::piecewise::line(any(), any());
        m.inside = static_cast<std::int64_t>(random() % 10000);
        m.cores = 1 + static_cast<int>(random() % 500);
        m.switching = any();
        tutti::moody_2003::model o{any(), any_table(random), any(), {{"a", any_table(random)}}, "a"};
        o.c["another-one"] = any_table(random);
        const tutti::rabenseifner_2004::model r{any(), any(), any(), any(), any()};
        const tutti::kumar_kale_2004::model k{any(), any(), any(), any(), any(), any(), any()};
        for (const tutti::machine& one :
             {tutti::machine{"x", "where = from", l}, tutti::machine{"x y", "", m},
              tutti::machine{"", "s", o}, tutti::machine{"r", "s", r}, tutti::machine{"k", "s", k}}) {
            const std::string text = tutti::text_of(one);
            INFO(text);
            REQUIRE(tutti::parse_machine(text) == one);
        }
    }
}

TEST_CASE("a cost that is the same for all lengths is written as one, any other by its points") {
    tutti::measured m;
    m.recv = tutti::piecewise::constant(2);
    m.recv_fold = tutti::piecewise({{1, 3}});
    const std::string text = tutti::text_of(tutti::machine{"x", "", m});
    CHECK(text.find("\nrecv = 2 us\n") != std::string::npos);
    CHECK(text.find("\nrecv_fold = ") == std::string::npos);
    CHECK(text.find("\nrecv_fold(1 B) = 3 us\n") != std::string::npos);
}

TEST_CASE("a machine file may have comments, blanks and its lines in any order") {
    const auto m =
        tutti::parse_machine("# all of it\r\n\r\n  S=64KiB # asks\r\nO = 0 ps/B\n\tG = 6000 ps/B\n"
                             "g = 0.001e3 us\no = 1000 ns\nL = 2000000 ps\nmodel = loggops\nname = mine");
    CHECK(m == tutti::parse_machine(logp));
    const auto& l = std::get<tutti::loggops>(m.model);
    CHECK(l.S == 65536);
    CHECK(l.G == 0.006);
    CHECK(l.fold_per_byte == 0);
}

TEST_CASE("a unit shifts the point exactly") {
    for (const char* text : {"3.13 ns/B", "0.00313 us/B", "3130 ps/B", "313e-2 ns/B"})
        CHECK(std::get<tutti::loggops>(tutti::parse_machine(with_line(6, std::string("G = ") + text)).model).G
              == 0.00313);
}

TEST_CASE("a table is a line for each length, a time alone is a table for all") {
    const std::string head = "model = moody_2003\nL = 1 us\nC = 0 us\n";
    const auto m = std::get<tutti::moody_2003::model>(
        tutti::parse_machine(head
                             + "r(16 B) = 3 us\nr(8 B) = 2 us\nc(add, 8 B) = 1 us\nc(max, 1 KiB) = 5 us\n")
            .model);
    CHECK(m.r == tutti::piecewise({{8, 2}, {16, 3}}));
    CHECK(m.c.at("add") == tutti::piecewise({{8, 1}}));
    CHECK(m.c.at("max") == tutti::piecewise({{1024, 5}}));
    check_refused(head + "r(8 B) = 1 us\nr(16 B) = 3 us\nr(8 B) = 2 us\n", 6, "r(8 B)",
                  "given twice; first in line 4");
    check_refused(head + "r(8 B) = 1 us\nr = 3 us\n", 5, "r", "given for each length, too");
    check_refused(head + "r(8) = 1 us\n", 4, "r(8)", "the unit is missing; allowed: B, KiB, MiB");
    check_refused(head + "r(8 us) = 1 us\n", 4, "r(8 us)", "the unit 'us' is wrong; allowed: B, KiB, MiB");
    check_refused(head + "r(-8 B) = 1 us\n", 4, "r(-8 B)", "the value is negative");
    check_refused(head + "r(x) = 1 us\n", 4, "r(x)", "'x' is not a number");
    check_refused(head + "r(8 B = 1 us\n", 4, "r(8 B", "the bracket is not closed");
    check_refused(head + "r(add, 8 B) = 1 us\n", 4, "r(add, 8 B)", "model moody_2003 has no such key");
    check_refused(head + "r = 1 us\nc(8 B) = 1 us\n", 5, "c(8 B)", "model moody_2003 has no such key");
}

TEST_CASE("every fault of a machine file is told with file, line and key") {
    check_refused(with_line(5, "h = 1 us"), 5, "h", "model loggops has no such key");
    check_refused(with_line(5, "g = 1"), 5, "g", "the unit is missing; allowed: us, ns, ps");
    check_refused(with_line(5, "g = 1 ns/B"), 5, "g", "the unit 'ns/B' is wrong; allowed: us, ns, ps");
    check_refused(with_line(6, "G = 1 ns"), 6, "G", "the unit 'ns' is wrong; allowed: us/B, ns/B, ps/B");
    check_refused(with_line(8, "S = 9 kB"), 8, "S", "the unit 'kB' is wrong; allowed: B, KiB, MiB");
    check_refused(with_line(5, "g = -1 us"), 5, "g", "the value is negative");
    check_refused(with_line(8, "S = -1 B"), 8, "S", "the value is negative");
    check_refused(with_line(5, "g = inf us"), 5, "g", "the value is not finite");
    check_refused(with_line(5, "g = nan us"), 5, "g", "the value is not finite");
    check_refused(with_line(5, "g = 1e400 us"), 5, "g", "the value is out of range");
    check_refused(with_line(8, "S = 9223372036854775807 KiB"), 8, "S", "the value is out of range");
    check_refused(with_line(5, "g = one us"), 5, "g", "'one us' is not a number");
    check_refused(with_line(8, "S = 1.5 KiB"), 8, "S", "'1.5' is not a whole number without unit");
    check_refused(logp + "# more\nL = 3 us\n", 10, "L", "given twice; first in line 3");
    check_refused(logp + "name = other\n", 9, "name", "given twice; first in line 1");
    check_refused(with_line(5, ""), 2, "g", "missing; model loggops needs it");
    check_refused(with_line(2, "model = logp"), 2, "model", "there is no model 'logp'; allowed: " + models);
    check_refused(with_line(2, ""), 0, "model", "missing; allowed: " + models);
    check_refused("", 0, "model", "missing; allowed: " + models);
    check_refused(with_line(5, "g"), 5, "g", "the line is not 'key = value'");
    check_refused(with_line(5, "g ="), 5, "g", "the value is missing");
    check_refused(with_line(5, "= 1 us"), 5, "", "the line is not 'key = value'");
}

TEST_CASE("counts of a machine file are whole, without unit and from 1") {
    const std::string head =
        "model = measured\ninside = 0 B\ncall = 0 us\nsend = 0 us\nlatency = 0 us\nrecv = 0 us\n"
        "recv_fold = 0 us\nfetch = 0 us\nlocal = 0 us\nswitching = 0 us\n";
    CHECK(std::get<tutti::measured>(tutti::parse_machine(head + "cores = 7\n").model).cores == 7);
    check_refused(head + "cores = 0\n", 11, "cores", "the value is less than 1");
    check_refused(head + "cores = -2\n", 11, "cores", "the value is negative");
    check_refused(head + "cores = 2 us\n", 11, "cores", "'2 us' is not a whole number without unit");
    check_refused(head + "cores = 3000000000\n", 11, "cores", "the value is out of range");
    check_refused(head, 1, "cores", "missing; model measured needs it");
}

TEST_CASE("a file that cannot be read is told by its name") {
    const std::string none = "/no/such/folder/some.machine";
    try {
        (void)tutti::load_machine(none);
        FAIL("no error");
    } catch (const tutti::machine_file_error& e) {
        CHECK(e.file() == none);
        CHECK(e.line() == 0);
        CHECK(std::string(e.what()) == none + ": the file cannot be read");
    }
}

TEST_CASE("the machines that come with the library are what the papers say") {
    const auto folder =
        std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "machines";
    int seen = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        INFO(file.path());
        const tutti::machine m = tutti::load_machine(file.path().string());
        CHECK(m.name == file.path().stem().string());
        CHECK(!m.source.empty());
        ++seen;
    }
    CHECK(seen >= 3);

    const auto elan = std::get<tutti::moody_2003::model>(
        tutti::load_machine((folder / "quadrics-elan3-nic.machine").string()).model);
    CHECK(elan.L == 2.10);
    CHECK(elan.r(64) == 0.42);
    CHECK(elan.C == 9.20);
    CHECK(elan.c.size() == 4);
    CHECK(elan.fold(64) == tutti::cost{.fold = 11.56});
    CHECK(elan.c.at("int32-add")(32) == 1.44);

    const auto lemieux = std::get<tutti::kumar_kale_2004::model>(
        tutti::load_machine((folder / "lemieux.machine").string()).model);
    CHECK(lemieux.alpha == 7.4);
    CHECK(lemieux.beta == 0.0075);
    CHECK(lemieux.beta_em == 0.00313);
    CHECK(lemieux.delta == 0.00313);

    CHECK(std::get<tutti::loggops>(tutti::load_machine((folder / "loggops.machine").string()).model)
          == tutti::loggops{});
}
