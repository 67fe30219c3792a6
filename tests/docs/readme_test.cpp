// SPDX-License-Identifier: BSL-1.0
#include "support/catch2.hpp"

#include <filesystem>
#include <string>

#include <tutti/schedule/catalogue.hpp>

#include "support/document.hpp"

// What the README shows is what is there.

namespace {

using support::text_of;

bool readme_has(const std::string& piece) { return text_of("README.md").find(piece) != std::string::npos; }

/// An example as the README shows it: a code block, without the line of the licence.
std::string shown(const std::filesystem::path& example) {
    const std::string text = text_of(example);
    return "```cpp\n" + text.substr(text.find('\n') + 1) + "```\n";
}

} // namespace

TEST_CASE("the README shows the examples as they are", "[docs]") {
    CHECK(readme_has(shown("examples/hello.cpp")));
    CHECK(readme_has(shown("examples/own_algorithm.cpp")));
    CHECK(readme_has(shown("examples/mpi_hello.cpp")));
}

TEST_CASE("the README names every algorithm of the catalogue", "[docs]") {
    for (const tutti::catalogue_entry& entry : tutti::catalogue()) {
        INFO(entry.name);
        CHECK(readme_has("`" + std::string(entry.name) + "`"));
    }
}

TEST_CASE("every path that the README names exists", "[docs]") {
    for (const char* path :
         {"examples/run", "tests/run", "bench/run", "bench/peers", "examples/socket_transport.cpp",
          "include/tutti/transport/concept.hpp", "conanfile.py", "tests/packaging/vcpkg",
          "include/tutti/core/generator.hpp", "include/tutti/schedule/combinators.hpp",
          "include/tutti/transport/mock_options.hpp", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"}) {
        INFO(path);
        CHECK(readme_has(path));
        CHECK(std::filesystem::exists(support::project_root() / path));
    }
}
