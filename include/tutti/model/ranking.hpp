// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/model/candidates.hpp>
#include <tutti/model/evaluate.hpp>

namespace tutti {

/// A candidate with what became of it.
struct rated_candidate {
    /// What became of a candidate.
    enum class verdict : std::uint8_t {
        priced,   ///< `cost` is what it takes
        hopeless, ///< not priced to the end: it takes `at_least_us` or more, which is more than the best
                  ///< takes
        refused,  ///< its claims do not cover the request: see `refusal`
    };

    candidate what{};              ///< algorithm and options
    verdict how = verdict::priced; ///< what became of it
    price cost{};                  ///< of a priced one
    double at_least_us = 0;        ///< of a hopeless one
    round_index rounds = 0;        ///< of the whole schedule
    round_index looked_at = 0;     ///< of a hopeless one: rounds that were priced; 0: none had to be
    std::string_view refusal{};    ///< of a refused one
    std::int64_t work = 0;         ///< steps that pricing it looks at, about
};

/// Whether a stands before b in a ranking, if they are not equal there.
inline bool ranks_before(const rated_candidate& a, const rated_candidate& b) noexcept {
    if (a.how != b.how) return a.how < b.how;
    if (a.how == rated_candidate::verdict::hopeless) return a.at_least_us < b.at_least_us;
    return a.how == rated_candidate::verdict::priced && a.cost.us < b.cost.us;
}

/// All candidates, the best one first: those with a price by price, then the hopeless, then the refused.
/// Equal ones stay in the order of the catalogue.
struct ranking {
    selection_request request{};        ///< what was asked for
    std::string machine_name{};         ///< of what the prices are
    std::vector<rated_candidate> all{}; ///< see above

    /// Whether any algorithm covers the request.
    bool any() const noexcept { return !all.empty() && all.front().how == rated_candidate::verdict::priced; }
    /// Only if any().
    const rated_candidate& best() const noexcept { return all.front(); }

    /// In plain words: why this one is the best, or why not.
    std::string reason(const rated_candidate& c) const;

    /// A line for each candidate: what it takes and why.
    std::string explain() const;

private:
    template <class... Values>
    static std::string text(const char* format, Values... values) {
        char buffer[200];
        std::snprintf(buffer, sizeof buffer, format, values...);
        return buffer;
    }

    /// What the slower one spends more on: the parts that make up a tenth of the difference or more, the
    /// largest first.
    static std::string difference(const price& slow, const price& best);
};

#if TUTTI_BODIES
TUTTI_BODY std::string ranking::reason(const rated_candidate& c) const {
    if (c.how == rated_candidate::verdict::refused) return std::string(c.refusal);
    if (&c == &best()) return "the least time";
    if (c.how == rated_candidate::verdict::hopeless) {
        if (c.looked_at == 0)
            return text("what comes one after the other takes %.2f us or more", c.at_least_us);
        return text("its first %lld of %lld rounds alone take %.2f us", static_cast<long long>(c.looked_at),
                    static_cast<long long>(c.rounds), c.at_least_us);
    }
    return difference(c.cost, best().cost);
}

TUTTI_BODY std::string ranking::explain() const {
    std::string lines;
    for (const rated_candidate& c : all) {
        std::string name = name_of(c.what);
        name.resize(name.size() < 40 ? 40 : name.size(), ' ');
        lines.append(name);
        lines.append(c.how == rated_candidate::verdict::priced ? text("%12.2f us  ", c.cost.us)
                                                               : "           -     ");
        lines.append(reason(c)).append("\n");
    }
    return lines;
}

TUTTI_BODY std::string ranking::difference(const price& slow, const price& best) {
    const double more = slow.us - best.us;
    if (!(more > 0)) return "as fast; comes later in the catalogue";
    const double shares[]{slow.parts.startup - best.parts.startup, slow.parts.transfer - best.parts.transfer,
                          slow.parts.fold - best.parts.fold};
    const bool more_messages = best.messages > 0 && slow.messages > best.messages;
    const auto part = [](const char* what, double mine, double least) { // that of nothing is not told
        const auto us = [](double t) { return text(t < 0.005 ? "%.2g" : "%.2f", t); };
        std::string words = std::string("more ").append(what).append(": ").append(us(mine)).append(" us");
        return least > 0 ? words.append(" against ").append(us(least)) : words;
    };
    const std::string words[]{more_messages ? text("more startup: %lld messages in a row against %lld",
                                                   static_cast<long long>(slow.messages),
                                                   static_cast<long long>(best.messages))
                                            : part("startup", slow.parts.startup, best.parts.startup),
                              part("bytes on the way", slow.parts.transfer, best.parts.transfer),
                              part("folding and copying", slow.parts.fold, best.parts.fold)};
    std::size_t order[]{0, 1, 2};
    for (const std::size_t i : {0U, 1U, 0U}) // three are sorted by hand
        if (shares[order[i]] < shares[order[i + 1]]) std::swap(order[i], order[i + 1]);
    std::string why;
    for (const std::size_t i : order)
        if (shares[i] >= more / 10) why.append(why.empty() ? "" : "; ").append(words[i]);
    return why;
}
#endif

} // namespace tutti
