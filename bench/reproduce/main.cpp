// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "../../examples/tutti/json.hpp"
#include "line.hpp"
#include "sections.hpp"

namespace {

using reproduce::line;
using reproduce::paper;

struct section {
    std::string_view name;
    paper (*lines)();
};

constexpr section sections[] = {
    {"moody_2003", reproduce::moody_2003},
    {"rabenseifner_2004", reproduce::rabenseifner_2004},
    {"kumar_kale_2004", reproduce::kumar_kale_2004},
    {"wagner_2003", reproduce::wagner_2003},
};

std::string usage() {
    return "papers [--only PAPER]... [--json FILE] [--document FILE]\n  --only PAPER     "
           + reproduce::listed(sections, [](const section& s) { return s.name; })
           + "\n  --json FILE      also writes all lines there\n"
             "  --document FILE  ends with 1 unless every line stands in FILE; prints only those that do "
             "not\n";
}

const char* verdict(const line& l) { return l.reproduced ? "reproduced" : "differs"; }

/// One row of the table: Markdown, so that it can be put into a document as it is.
std::string text_of(const line& l) {
    const auto cell = [](std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        std::replace(text.begin(), text.end(), '|', '/');
        return text;
    };
    std::string text =
        cell(l.claim) + " | " + cell(l.paper) + " | " + cell(l.ours) + " | " + verdict(l) + " |";
    if (!l.why.empty()) text.append(" ").append(cell(l.why));
    return text;
}

void print(const paper& p) {
    std::printf("\n%s\n\n%s\n%s\n", p.title.c_str(), "claim | paper | ours | verdict | why",
                "--- | --- | --- | --- | ---");
    for (const line& l : p.lines) std::printf("%s\n", text_of(l).c_str());
    const auto reproduced =
        std::count_if(p.lines.begin(), p.lines.end(), [](const line& l) { return l.reproduced; });
    std::printf("\n%d of %d reproduced\n", static_cast<int>(reproduced), static_cast<int>(p.lines.size()));
    std::fflush(stdout);
}

bool write_json(const std::vector<paper>& all, const std::string& path) {
    std::ofstream file(path);
    const char* separator = "\n";
    file << program::json_heading("bench/papers") << ", \"rows\": [";
    for (const paper& p : all)
        for (const line& l : p.lines) {
            using program::in_quotes;
            file << separator << "{\"source\": " << in_quotes(p.name) << ", \"claim\": " << in_quotes(l.claim)
                 << ", \"paper\": " << in_quotes(l.paper) << ", \"ours\": " << in_quotes(l.ours)
                 << ", \"reproduced\": " << (l.reproduced ? "true" : "false")
                 << ", \"why\": " << in_quotes(l.why) << '}';
            separator = ",\n";
        }
    file << "\n]}\n" << std::flush;
    return file.good();
}

/// Prints the lines that `document` lacks; how many.
int missing_lines(const paper& p, const std::string& document) {
    int missing = 0;
    for (const line& l : p.lines) {
        const std::string text = std::string("\n").append(text_of(l)).append("\n");
        if (document.find(text) != std::string::npos) continue;
        std::printf("%s: this line is not in the document:%s", p.name.c_str(), text.c_str());
        ++missing;
    }
    return missing;
}

int refuse(const std::string& why) {
    std::fprintf(stderr, "papers: %s\n%s", why.c_str(), usage().c_str());
    return 2;
}

int run(const std::vector<std::string>& arguments) {
    std::vector<std::string> only;
    std::string json;
    std::string document;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& name = arguments[i];
        if (name == "--help" || name == "-h") {
            std::fputs(usage().c_str(), stdout);
            return 0;
        }
        if (name != "--only" && name != "--json" && name != "--document") return refuse("no option " + name);
        if (i + 1 == arguments.size()) return refuse(name + " needs a value");
        const std::string& value = arguments[++i];
        if (name == "--json") {
            json = value;
        } else if (name == "--document") {
            std::ifstream file(value);
            if (!file) return refuse("cannot read " + value);
            std::ostringstream text;
            text << '\n' << file.rdbuf();
            document = text.str();
        } else {
            if (std::none_of(std::begin(sections), std::end(sections),
                             [&](const section& s) { return s.name == value; }))
                return refuse("no paper " + value);
            only.push_back(value);
        }
    }

    std::vector<paper> all;
    int missing = 0;
    for (const section& s : sections) {
        if (!only.empty() && std::find(only.begin(), only.end(), s.name) == only.end()) continue;
        all.push_back(s.lines());
        if (document.empty())
            print(all.back());
        else
            missing += missing_lines(all.back(), document);
    }
    if (!json.empty() && !write_json(all, json)) return refuse("cannot write " + json);
    return missing == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& e) {
        std::fprintf(stderr, "papers: %s\n", e.what());
        return 1;
    }
}
