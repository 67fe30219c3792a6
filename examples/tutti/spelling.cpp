// SPDX-License-Identifier: BSL-1.0
#include "spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace program {

namespace {

struct other_word {
    std::string_view word, name;
};
/// What others call by another word, or what other verbs do; the first name that is known is meant.
constexpr other_word other_words[]{
    {"direct", "pairwise"},
    {"direct", "serial"},
    {"linear", "serial"},
    {"linear", "direct"},
    {"linear", "pairwise"},
    {"flat", "serial"},
    {"rabenseifner", "halving_doubling"},
    {"--size", "--ranks"},
    {"--ranks", "--size"},
};

char folded(char c) { return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

} // namespace

int edits(std::string_view a, std::string_view b) {
    // Row i: the distances of the first i letters of a from all beginnings of b.
    std::vector<int> before, above(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            now[j] = std::min({above[j] + 1, now[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2])
                                 && folded(a[i - 2]) == folded(b[j - 1]);
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
        before = above;
        above = now;
    }
    return above.back();
}

std::string_view probably_meant(std::string_view word, std::span<const std::string_view> names) {
    for (const other_word& o : other_words)
        if (edits(word, o.word) == 0 && std::find(names.begin(), names.end(), o.name) != names.end())
            return o.name;
    std::string_view best;
    int fewest = std::max(1, static_cast<int>(word.size()) / 3); // "rings" may have one, "broadcast" three
    bool found = false;
    for (const std::string_view name : names) {
        const int n = edits(word, name);
        if (n > fewest || (found && n == fewest)) continue;
        best = name;
        fewest = n;
        found = true;
    }
    if (found || word.size() < 2) return best;
    for (const std::string_view name : names)
        if (edits(word, name.substr(0, word.size())) == 0) {
            if (!best.empty()) return {};
            best = name;
        }
    return best;
}

std::string misspelt(std::string_view word, std::span<const std::string_view> names) {
    std::string text("'");
    text.append(word).append("'");
    if (const std::string_view meant = probably_meant(word, names); !meant.empty())
        text.append(" (did you mean ").append(meant).append("?)");
    return text;
}

} // namespace program
