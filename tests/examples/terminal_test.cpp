// SPDX-License-Identifier: BSL-1.0
// labels: threads
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "examples/tutti/table.hpp"
#include "examples/tutti/wrapping.hpp"
#include "support/catch2.hpp"
#include "support/program_answer.hpp"

namespace {

using support::answer;
using support::tutti_program;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t longest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, program::width_of(line));
    return most;
}

answer at_width(const std::string& line, long width) {
    return tutti_program(line, tutti::catalogue(), width);
}

/// Words, without what stands between a name and its value, or between two of them.
std::set<std::string> words_in(std::string text) {
    text.erase(
        std::remove_if(text.begin(), text.end(), [](char c) { return c == ',' || c == ';' || c == ':'; }),
        text.end());
    std::istringstream in(text);
    std::set<std::string> found;
    for (std::string word; in >> word;) found.insert(word);
    return found;
}

constexpr const char* verbs[]{"list",   "verify", "run",  "bench",    "congestion", "cost",
                              "choose", "show",   "tune", "simulate", "calibrate"};

} // namespace

TEST_CASE("what every verb prints fits the terminal", "[examples][program][terminal]") {
    const std::string line = GENERATE(
        as<std::string>{}, "list", "list --collective allgather", "verify --size 1..5",
        "verify --collective multicast --size 4", "run --collective bcast --size 2,3 --elements 5 --repeat 1",
        "run --collective allreduce --algorithm ring --size 2 --elements 5 --repeat 1 --each",
        "bench --collective allgather --bytes 64,1K --repeat 2 --transport mock",
        "congestion --fat-tree 4,3 --routing d-mod-k --permutation shift:8 --missing 5,9",
        "congestion --fat-tree 4,2 --collective allgather",
        "congestion --torus 3,3 --algorithm direct --collective allgather",
        "congestion --fat-tree 2,3 --routing adaptive --permutation shift:all --each", "cost --size 8",
        "cost --size 2,8 --bytes 8,1M --collective all --explain", "cost --map",
        "cost --by formula --machine quadrics-elan3-nic --collective reduce", "choose --collective all",
        "choose --size 2..9 --bytes 64,1K,1M", "choose --machine loggops --collective reduce",
        "show --collective allreduce --algorithm ring",
        "show --collective allreduce --algorithm halving_doubling --size 13",
        "show --collective allreduce --algorithm ring --rank 3",
        "show --collective multicast --algorithm kshift --relation random",
        "simulate --size 64 --bytes 8,64K", "simulate --size 16 --algorithm ring --path --histogram",
        "simulate --size 8 --algorithm ring --format text",
        "simulate --size 96 --algorithm fnomial --collective reduce --noise random:30000:60 --repeat 9 "
        "--histogram",
        "simulate --fat-tree 4,2 --algorithm ring --skew uniform:100",
        "tune --collective bcast --size 2 --budget 0.02 --longest 4K",
        "calibrate --budget 0.05 --longest 4K");
    const long width = GENERATE(80L, 60L);
    const answer a = at_width(line, width);
    INFO("tutti " << line << "\n" << a.out << a.err);
    CHECK(a.code != 2);
    CHECK(longest_line(a.out) <= static_cast<std::size_t>(width));
    CHECK(longest_line(a.err) <= static_cast<std::size_t>(width));
}

TEST_CASE("rows of tutti verify take one line each at 80 columns, and say what they leave out",
          "[examples][program][terminal]") {
    for (const std::string line :
         {"verify --size 1..5", "verify --collective allreduce --size 8",
          "verify --collective reduce --root 0,1 --size 2..5", "verify --collective multicast --size 4",
          "verify --collective bcast --size 2 --each"}) {
        std::istringstream lines(at_width(line, 80).out);
        std::string text;
        while (std::getline(lines, text) && !contains(text, "algorithm  ")) {
        } // all alike, and the headings
        REQUIRE(lines);
        for (; std::getline(lines, text) && !text.empty() && !text.starts_with("No room for");) {
            INFO("tutti " << line << "\n" << text);
            CHECK(text.front() != ' ');
        }
    }
    std::string some = at_width("verify --size 1..5", 80).out;
    const std::size_t note = some.find("\nNo room for ");
    REQUIRE(note != std::string::npos);
    std::replace(some.begin(), some.end(), '\n', ' '); // it has two lines
    CHECK(contains(some.substr(note), "rounds x bound, sent x bound, reduced x bound: COLUMNS="));
    const std::string columns = some.substr(some.find("COLUMNS=") + 8, 3);
    CHECK_FALSE(contains(at_width("verify --size 1..5", std::stol(columns)).out, "No room"));
    CHECK_FALSE(contains(at_width("verify --collective allreduce --algorithm ring,swing --size 8", 80).out,
                         "No room"));
    CHECK_FALSE(contains(tutti_program("verify --size 1..5").out, "No room"));
}

TEST_CASE("help fits the terminal, and 80 characters elsewhere", "[examples][program][terminal]") {
    std::vector<std::string> lines{"help", "help help", "help completion", "help manual"};
    for (const std::string verb : verbs) lines.push_back(verb + " --help");
    for (const std::string& line : lines)
        for (const long width : {0L, 80L, 60L, 40L}) {
            const answer a = at_width(line, width);
            INFO("tutti " << line << "\n" << a.out);
            CHECK(a.code == 0);
            CHECK(longest_line(a.out) <= static_cast<std::size_t>(width > 0 ? width : 80));
            CHECK(words_in(a.out).size() > 10);
        }
    const std::string simulate = at_width("simulate --help", 60).out;
    CHECK(contains(simulate, "\n  --repeat N                simulations of each case, with\n"
                             "                            seeds that count up; 1 by\n"));
    CHECK(contains(simulate, "\nExample: tutti simulate --collective reduce --algorithm \\\n"
                             "         fnomial --radix 2,4 --size 906 --noise \\\n"
                             "         random:30000:60 --repeat 100 --histogram\n"));
    CHECK(contains(at_width("simulate --help", 20).out, "\nExample: tutti simulate \\\n"
                                                        "         --collective \\\n"
                                                        "         reduce \\\n"));
    CHECK(contains(at_width("show --help", 60).out,
                   "\n  svg    a picture: what every rank holds after every round,\n"
                   "         or the tree that the messages make\n"));
}

TEST_CASE("every word has its help", "[examples][program][terminal]") {
    const auto helps = [](const std::string& line, std::string_view begin) {
        const answer a = tutti_program(line);
        INFO("tutti " << line << "\n" << a.out << a.err);
        CHECK(a.code == 0);
        CHECK(a.out.starts_with(begin));
        CHECK(a.err.empty());
    };
    for (const std::string verb : verbs)
        for (const std::string& line : {verb + " -h", verb + " --help", "help " + verb})
            helps(line, "tutti " + verb + " [OPTION...]: ");
    for (const std::string word : {"help [VERB]", "completion bash|zsh|fish", "manual"}) {
        const std::string name = word.substr(0, word.find(' '));
        for (const std::string& line : {name + " -h", name + " --help", "help " + name})
            helps(line, "tutti " + word + ": ");
    }
    helps("completion bash -h", "tutti completion bash|zsh|fish: ");
    helps("--help -h", "tutti help [VERB]: ");
    CHECK(contains(tutti_program("completion -h").out, "\n  bash  source <(tutti completion bash)\n"));
}

TEST_CASE("mistakes are told in lines of the terminal", "[examples][program][terminal]") {
    const std::string line =
        GENERATE(as<std::string>{}, "", "nothing", "cost --foo", "show --collective allreduce",
                 "show --collective allreduce --algorithm all", "verify --root 70 --size 4",
                 "simulate --skew nothing", "cost --algorithm rings", "cost --machine /nowhere/at/all");
    const answer a = at_width(line, 60);
    INFO("tutti " << line << "\n" << a.err);
    CHECK(a.code == 2);
    CHECK(longest_line(a.err) <= 60);
    CHECK(words_in(a.err) == words_in(tutti_program(line).err));
    CHECK(longest_line(tutti_program(line).err) > 60); // as one line where nobody said how wide
    CHECK(contains(a.err, "\n  "));                    // goes on further in
}

TEST_CASE("the progress line stays one line", "[examples][program][terminal]") {
    const support::seen shown = support::at_terminal("verify --collective bcast --size 3..5", 20);
    CHECK(shown.code == 0);
    const std::string erase = "\033[K";
    for (std::size_t begin = 0; (begin = shown.written.find(erase, begin)) != std::string::npos;) {
        begin += erase.size();
        const std::size_t end = std::min(shown.written.find_first_of("\r\n", begin), shown.written.size());
        if (shown.written.compare(begin, 7, "verify:") == 0) CHECK(end - begin < 20);
    }
    CHECK(contains(shown.written, "verify: "));
}

TEST_CASE("what is no terminal gets a row on each line, whole", "[examples][program][terminal]") {
    for (const std::string line : {"list --collective bcast", "cost --size 8 --collective reduce"}) {
        const std::string out = tutti_program(line).out;
        INFO(out);
        CHECK(longest_line(out) > 100);
        CHECK_FALSE(contains(out, ": classic"));
        CHECK(words_in(out) == words_in(at_width(line, 70).out)); // nothing is lost there
    }
}

TEST_CASE("columns without room stand below their row, those that name it last",
          "[examples][program][terminal]") {
    program::table t({{.key = "name", .identifies = true},
                      {.key = "size", .identifies = true},
                      {.key = "time_us"},
                      {.key = "why"},
                      {.key = "source"}});
    using namespace std::string_literals;
    t.add({"recursive_doubling"s, std::int64_t{8}, 1.5, "the least time"s, "Thakur and Gropp 2003"s});
    t.add({"ring"s, std::int64_t{13}, 2.25, {}, "Patarasuk and Yuan 2009"s});
    const auto printed = [&](long width) {
        std::ostringstream out;
        program::line_width(out) = width;
        t.print(out, false);
        return out.str();
    };
    CHECK(printed(0)
          == "                          time\n"
             "name                size    us  why             source\n"
             "recursive_doubling     8  1.50  the least time  Thakur and Gropp 2003\n"
             "ring                  13  2.25  -               Patarasuk and Yuan 2009\n");
    CHECK(printed(80) == printed(0));
    CHECK(printed(50)
          == "                          time\n"
             "name                size    us  why\n"
             "recursive_doubling     8  1.50  the least time\n"
             "    source: Thakur and Gropp 2003\n"
             "ring                  13  2.25  -\n"
             "    source: Patarasuk and Yuan 2009\n");
    CHECK(printed(24)
          == "\n"
             "name                size\n"
             "recursive_doubling     8\n"
             "    time us: 1.50; why:\n"
             "    the least time;\n"
             "    source: Thakur and\n"
             "    Gropp 2003\n"
             "ring                  13\n"
             "    time us: 2.25;\n"
             "    source: Patarasuk\n"
             "    and Yuan 2009\n");
}

TEST_CASE("text is broken at blanks, and goes on where its column begins", "[examples][program][terminal]") {
    using program::fitted;
    CHECK(program::wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
    CHECK(program::wrapped("shift:1,shift:2,shift:3", 17)
          == std::vector<std::string>{"shift:1,shift:2,", "shift:3"});
    CHECK(program::wrapped("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
    CHECK(program::wrapped("Träff", 5) == std::vector<std::string>{"Träff"}); // characters, not bytes
    CHECK(program::width_of("\033[1mbold\033[0m") == 4);
    CHECK(fitted("any length\n", 0) == "any length\n");
    CHECK(fitted("one two\nthree four\n", 7) == "one two\nthree\nfour\n");
    CHECK(fitted("one two three", 10, 2) == "one two\n  three");
    CHECK(fitted("  a    one two three\n", 16) == "  a    one two\n       three\n");
    CHECK(fitted("Example: tutti --size shift:1,shift:2\n", 20)
          == "Example: tutti --size \\\n         shift:1,shift:2\n");
    CHECK(program::paragraphs("one\ntwo\n\n  a  b\n     c\n  d  e\nthree\n")
          == "one two\n\n  a  b c\n  d  e\nthree\n");
}
