// SPDX-License-Identifier: BSL-1.0
// labels: slow optimised
#include "support/catch2.hpp"

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "support/document.hpp"
#include "support/fat_tree_lemmas.hpp"

// The tables of docs/lemmas.md, computed again. If one is wrong, the test prints it as it has to be.

using lemmas::all_ascents;
using lemmas::ascent;
using lemmas::family;
using lemmas::tree_shape;

namespace {

std::string document() { return support::text_of("docs/lemmas.md"); }

struct row {
    const char* lemma;
    const char* permutations;
    family of;
};

constexpr row rows[] = {
    {"1", "shift by 1", family::shift_by_1},
    {"2", "the k top subtrees change places", family::quarters},
    {"(2)", "k * k parts change places", family::finer_parts},
    {"3", "the tree is mapped into itself", family::automorphisms},
    {"4", "xor with 2^d, every d", family::exchanges},
    {"5", "xor with j, every j", family::xors},
    {"6", "shift by a * k^j, both ways", family::named_shifts},
    {"(6)", "shift by d, every d", family::shifts},
    {"", "drawn at random", family::any},
};

/// On which trees all permutations of a row are free.
std::string where(const std::vector<tree_shape>& trees, const std::vector<bool>& all_free) {
    bool everywhere = true;
    bool powers_of_two = true;
    bool binary = true;
    std::vector<std::string> named;
    for (std::size_t i = 0; i < trees.size(); ++i) {
        everywhere = everywhere && all_free[i];
        powers_of_two = powers_of_two && all_free[i] == trees[i].power_of_two();
        binary = binary && all_free[i] == (trees[i].k == 2);
        if (all_free[i]) named.push_back(trees[i].name());
    }
    if (everywhere) return "every tree";
    if (powers_of_two) return "k = 2^i";
    if (binary) return "k = 2";
    REQUIRE(named.size() == 1);
    return "only " + named[0];
}

} // namespace

TEST_CASE("on which trees each lemma holds is as the document says", "[docs][lemmas]") {
    const std::vector<tree_shape> trees = lemmas::all_trees(256, 2);
    std::vector<lemmas::judge> judges;
    for (const tree_shape& shape : trees) judges.emplace_back(shape);
    std::ostringstream table;
    table << "| lemma | permutations |";
    for (const ascent how : all_ascents) table << ' ' << name_of(how) << " |";
    table << "\n|---|---|---|---|---|---|\n";
    for (const row& r : rows) {
        std::vector<std::vector<tutti::permutation_table>> permutations;
        for (const tree_shape& shape : trees) permutations.push_back(lemmas::permutations(r.of, shape));
        table << "| " << r.lemma << " | " << r.permutations << " |";
        for (const ascent how : all_ascents) {
            std::vector<bool> all_free;
            for (std::size_t i = 0; i < trees.size(); ++i)
                all_free.push_back(lemmas::free_share(judges[i], how, permutations[i]).text() == "all");
            table << ' ' << where(trees, all_free) << " |";
        }
        table << '\n';
    }
    INFO(table.str());
    CHECK(document().find(table.str()) != std::string::npos);
}

TEST_CASE("how many permutations are free on the trees of the document is as it says", "[docs][lemmas]") {
    const std::vector<tree_shape> trees{{2, 6}, {3, 4}, {4, 3}, {4, 4}, {4, 5}, {8, 2}, {10, 2}};
    std::vector<lemmas::judge> judges;
    std::ostringstream table;
    table << "| lemma | permutations | routing |";
    for (const tree_shape& shape : trees) {
        judges.emplace_back(shape);
        table << ' ' << shape.name() << " |";
    }
    table << "\n|---|---|---|---|---|---|---|---|---|---|\n";
    for (const row& r : rows) {
        std::vector<std::string> cells; // of each routing
        for (const ascent how : all_ascents) {
            std::string line;
            for (std::size_t i = 0; i < trees.size(); ++i)
                line += ' ' + lemmas::free_share(judges[i], how, lemmas::permutations(r.of, trees[i])).text()
                        + " |";
            cells.push_back(line);
        }
        // Routings that agree share a line.
        for (std::size_t i = 0; i < cells.size();) {
            std::string routings;
            const std::size_t first = i;
            for (; i < cells.size() && cells[i] == cells[first]; ++i)
                routings += (i > first ? ", " : "") + name_of(all_ascents[i]);
            if (i - first == cells.size()) routings = "all four";
            table << "| " << r.lemma << " | " << r.permutations << " | " << routings << " |" << cells[first]
                  << '\n';
        }
    }
    INFO(table.str());
    CHECK(document().find(table.str()) != std::string::npos);
}
