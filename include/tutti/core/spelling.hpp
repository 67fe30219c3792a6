// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tutti/core/compiled.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <cstddef>
#include <utility>

#include <tutti/core/fixed_array.hpp>
#endif

/// What errors say about a name that there is not.
namespace tutti::detail {

/// How many letters to change, add, leave out or swap with their neighbours until `a` is `b`; capitals and
/// small letters are the same, so are - and _.
[[gnu::cold]] int edits(std::string_view a, std::string_view b);

/// The name that was probably meant: what is called so elsewhere; the first of those with the fewest edits,
/// if these are few for so short a word; or the only one that begins with the word. "" if there is none.
[[gnu::cold]] std::string_view probably_meant(std::string_view word, std::span<const std::string_view> names);

/// " (did you mean ring?)", or "".
[[gnu::cold]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

/// "'rings' (did you mean ring?)", or the word in quotes alone: the value of an argument_error.
[[gnu::cold]] std::string misspelt(std::string_view word, std::span<const std::string_view> names);

/// "ring, bruck": what an argument_error allows.
[[gnu::cold]] std::string listed(std::span<const std::string_view> names);

#if TUTTI_BODIES
TUTTI_BODY int edits(std::string_view a, std::string_view b) {
    const auto folded = [](char c) {
        return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    // Row i: the distances of the first i letters of a from all beginnings of b.
    const std::size_t width = b.size() + 1;
    const fixed_array<int> rows(3 * width);
    int* before = rows.data();
    int* above = before + width;
    int* now = above + width;
    for (std::size_t j = 0; j < width; ++j) above[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < width; ++j) {
            const bool same = folded(a[i - 1]) == folded(b[j - 1]);
            now[j] = std::min({above[j] + 1, now[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2])
                                 && folded(a[i - 2]) == folded(b[j - 1]);
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, now);
    }
    return above[b.size()];
}

TUTTI_BODY std::string_view probably_meant(std::string_view word, std::span<const std::string_view> names) {
    struct other_word {
        std::string_view word, name;
    };
    // What others call by another word, or another verb of the program does; the first name that is known is
    // meant.
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

TUTTI_BODY std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
    const std::string_view meant = probably_meant(word, names);
    return meant.empty() ? std::string() : std::string(" (did you mean ").append(meant).append("?)");
}

TUTTI_BODY std::string misspelt(std::string_view word, std::span<const std::string_view> names) {
    return std::string("'").append(word).append("'").append(did_you_mean(word, names));
}

TUTTI_BODY std::string listed(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
}
#endif

} // namespace tutti::detail
