// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "support/catch2.hpp"
#include "support/document.hpp"
#include "support/program_answer.hpp"

TEST_CASE("every picture of the documents is what the program draws by the command beside it",
          "[examples][docs]") {
    const std::string before_words = "build/release/examples/tutti ", before_name = " --output ";
    const std::string page = support::text_of("docs/pictures.md");
    std::set<std::string> drawn{"peers.svg"}; // measured: chart_test.cpp draws it anew from its own words
    std::istringstream in(page);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(before_words)) continue;
        INFO(line);
        const std::size_t words = before_words.size(), cut = line.find(before_name);
        REQUIRE(cut != std::string::npos);
        const std::string name = line.substr(cut + before_name.size());
        const support::answer a = support::tutti_program(line.substr(words, cut - words));
        CHECK(a.code == 0);
        const bool same = a.out == support::text_of("docs/" + name); // of which nobody wants to read the text
        CHECK(same);
        drawn.insert(name);
    }
    for (const auto& file : std::filesystem::directory_iterator(support::project_root() / "docs")) {
        const std::string name = file.path().filename().string();
        if (!name.ends_with(".svg")) continue;
        INFO(name);
        CHECK((drawn.contains(name) || name.starts_with("before_")));
        CHECK(page.find("](" + name + ")") != std::string::npos);
    }
}
