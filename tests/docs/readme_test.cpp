// SPDX-License-Identifier: BSL-1.0
#include "support/catch2.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <tutti/schedule/catalogue.hpp>

#include "support/document.hpp"

// What the README and the documents show is what is there.

namespace {

using support::project_root;
using support::text_of;

bool has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

/// An example as a document shows it: a code block, without the line of the licence.
std::string shown(const std::filesystem::path& example) {
    const std::string text = text_of(example);
    return "```cpp\n" + text.substr(text.find('\n') + 1) + "```\n";
}

/// README.md and docs/*.md, named from the project's root.
std::vector<std::filesystem::path> documents() {
    std::vector<std::filesystem::path> all{"README.md"};
    for (const auto& one : std::filesystem::directory_iterator(project_root() / "docs"))
        if (one.path().extension() == ".md") all.push_back("docs" / one.path().filename());
    return all;
}

/// A line of C++ as it may be laid out anyhow: without comment and blanks.
std::string bare(std::string line) {
    const std::size_t comment = line.find("//");
    if (comment != std::string::npos && (comment == 0 || line[comment - 1] == ' ')) line.resize(comment);
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
    return line;
}

/// All that the examples and the tests of documents and adapters compile, bare, in one line.
std::string compiled() {
    std::string all;
    for (const char* folder : {"examples", "tests/docs", "tests/adapters"})
        for (const auto& one : std::filesystem::recursive_directory_iterator(project_root() / folder))
            if (one.path().extension() == ".cpp") {
                std::istringstream text(text_of(one.path()));
                for (std::string line; std::getline(text, line);) all += bare(std::move(line));
            }
    return all;
}

/// The files that a document links to, without those of the web and of its own sections.
std::vector<std::string> links(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
        const std::string target = text.substr(at + 2, text.find_first_of(")#", at) - at - 2);
        if (!target.empty() && !has(target, "://") && !has(target, " ")) all.push_back(target);
    }
    return all;
}

} // namespace

TEST_CASE("the documents show the examples as they are", "[docs]") {
    CHECK(has(text_of("README.md"), shown("examples/hello.cpp")));
    CHECK(has(text_of("docs/own_algorithm.md"), shown("examples/own_algorithm.cpp")));
    CHECK(has(text_of("docs/mpi.md"), shown("examples/mpi_hello.cpp")));
}

TEST_CASE("every line of C++ that the documents show is compiled, by an example or a test", "[docs]") {
    const std::string all = compiled();
    int lines = 0;
    for (const std::filesystem::path& document : documents()) {
        std::istringstream text(text_of(document));
        bool inside = false;
        for (std::string line; std::getline(text, line);) {
            if (line.starts_with("```")) {
                inside = line == "```cpp";
            } else if (inside) {
                INFO(document.string() << ": " << line);
                CHECK(has(all, bare(line)));
                ++lines;
            }
        }
    }
    CHECK(lines > 100);
}

TEST_CASE("the README names every algorithm of the catalogue", "[docs]") {
    const std::string readme = text_of("README.md");
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        INFO(entry.name);
        CHECK(has(readme, "`" + std::string(entry.name) + "`"));
    }
}

TEST_CASE("the README is short, and leads to every document", "[docs]") {
    const std::string readme = text_of("README.md");
    CHECK(std::count(readme.begin(), readme.end(), '\n') <= 200);
    for (const std::filesystem::path& document : documents()) {
        INFO(document.string());
        CHECK((document == "README.md" || has(readme, "](" + document.string() + ")")));
    }
}

TEST_CASE("what the documents link to exists", "[docs]") {
    for (const std::filesystem::path& document : documents())
        for (const std::string& target : links(text_of(document))) {
            INFO(document.string() << " links to " << target);
            CHECK(std::filesystem::exists(project_root() / document.parent_path() / target));
        }
}

TEST_CASE("every path that the documents name exists", "[docs]") {
    std::string all;
    for (const std::filesystem::path& document : documents()) all += text_of(document);
    for (const char* path :
         {"examples/run", "tests/run", "bench/run", "bench/peers", "examples/socket_transport.cpp",
          "include/tutti/transport/concept.hpp", "conanfile.py", "tests/packaging/vcpkg",
          "include/tutti/core/generator.hpp", "include/tutti/schedule/combinators.hpp",
          "include/tutti/transport/mock_options.hpp", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"}) {
        INFO(path);
        CHECK(has(all, path));
        CHECK(std::filesystem::exists(project_root() / path));
    }
}
