// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/watcher.hpp>
#include <tutti/model/decision_table.hpp>
#include <tutti/model/machine.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <utility>

#include <tutti/model/selection.hpp>
#endif

namespace tutti {

/// What a table is to be made for.
struct tabulation {
    /// Which collectives.
    std::vector<collective> collectives{all_collectives.begin(), all_collectives.end()};
    /// Ascending. The rules of each size hold up to the next one.
    std::vector<rank_type> sizes{2, 3, 4, 5, 6, 7, 8};
    std::int64_t most_bytes = 1 << 24; ///< longer vectors get what these get
    std::int64_t element_bytes = 8;    ///< cuts fall between elements
    watcher watch{};                   ///< of sizes
};

/// Makes a decision table for a machine by pricing: for every collective, case and size, the bytes at which
/// the choice changes. Throws argument_error if sizes do not ascend from 1 on or bytes are less than one
/// element. Time: that of rank_algorithms some dozens of times for each size and case.
decision_table tabulate(const machine& on, const tabulation& what = {});

#if TUTTI_BODIES
namespace detail {
/// Finds where choices change.
class tabulating {
public:
    tabulating(const machine& on, const tabulation& what) : on_(on), what_(what) {}

    std::vector<decision_rule> run() {
        std::size_t all = 0;
        std::size_t done = 0;
        for (const collective c : what_.collectives) all += cases_of(c).size() * what_.sizes.size();
        for (const collective c : what_.collectives)
            for (const request_case one : cases_of(c))
                for (std::size_t i = 0; i < what_.sizes.size(); ++i) {
                    add_size(c, one, i);
                    what_.watch(static_cast<double>(++done) / static_cast<double>(all));
                }
        return std::move(rules_);
    }

private:
    struct change {
        std::int64_t first; // bytes
        candidate to;
    };

    candidate choice(collective c, request_case one, rank_type size, std::int64_t bytes) const {
        const ranking all = rank_algorithms(on_, {.what = c,
                                                  .size = size,
                                                  .bytes = bytes,
                                                  .element_bytes = what_.element_bytes,
                                                  .commutative = one.commutative,
                                                  .equal_blocks = one.equal_blocks,
                                                  .every_root = true});
        return all.any() ? all.best().what : candidate{};
    }

    static bool same(const candidate& a, const candidate& b) noexcept {
        return a.entry == b.entry && a.with == b.with;
    }

    /// Doubles the bytes; where the choice differs from the one before, looks for the border between: to an
    /// element, or within 3 % of the bytes.
    std::vector<change> changes(collective c, request_case one, rank_type size) const {
        const auto at = [&](std::int64_t bytes) { return choice(c, one, size, bytes); };
        std::vector<change> all{{0, at(c == collective::barrier ? 0 : what_.element_bytes)}};
        if (c == collective::barrier) return all;
        for (std::int64_t low = what_.element_bytes; low < what_.most_bytes; low *= 2) {
            candidate at_low = all.back().to;
            std::int64_t below = low;
            std::int64_t above = std::min(2 * low, what_.most_bytes);
            const candidate at_high = at(above);
            if (same(at_low, at_high)) continue;
            while (above - below > std::max(what_.element_bytes, below / 32)) {
                const std::int64_t middle = (below + above) / 2 / what_.element_bytes * what_.element_bytes;
                const candidate there = at(middle);
                (same(there, at_low) ? below : above) = middle;
            }
            all.push_back({above, at(above)});
            if (!same(all.back().to, at_high)) all.push_back({std::min(2 * low, what_.most_bytes), at_high});
        }
        return all;
    }

    void add_size(collective c, request_case one, std::size_t i) {
        const rank_type size = what_.sizes[i];
        const rank_type last = i + 1 < what_.sizes.size() ? what_.sizes[i + 1] - 1 : size;
        const std::vector<change> all = changes(c, one, size);
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k].to.entry == nullptr) return; // nothing covers this case
            decision_rule rule{.what = c,
                               .commutative = one.commutative,
                               .ordered = folds(c) ? !one.commutative : true,
                               .equal_blocks = one.equal_blocks,
                               .unequal_blocks = has_unequal_blocks(c) ? !one.equal_blocks : true,
                               .sizes = {size, last},
                               .bytes = {.first = all[k].first},
                               .choice = all[k].to};
            if (k + 1 < all.size()) rule.bytes.last = all[k + 1].first - 1;
            rules_.push_back(std::move(rule));
        }
        join(i, all.size());
    }

    /// If the rules just made are those of the size before, these hold for both.
    void join(std::size_t i, std::size_t count) {
        if (i == 0 || rules_.size() < 2 * count) return;
        const std::size_t mine = rules_.size() - count;
        const std::size_t before = mine - count;
        for (std::size_t k = 0; k < count; ++k) {
            decision_rule joined = rules_[before + k];
            if (joined.sizes.last + 1 != rules_[mine + k].sizes.first) return;
            joined.sizes = rules_[mine + k].sizes;
            if (!(joined == rules_[mine + k])) return;
        }
        // And all of that size's, not only its last ones.
        if (before > 0 && rules_[before - 1].what == rules_[before].what
            && rules_[before - 1].sizes == rules_[before].sizes
            && rules_[before - 1].commutative == rules_[before].commutative
            && rules_[before - 1].equal_blocks == rules_[before].equal_blocks)
            return;
        for (std::size_t k = 0; k < count; ++k) rules_[before + k].sizes.last = rules_[mine + k].sizes.last;
        rules_.resize(mine);
    }

    const machine& on_;
    const tabulation& what_;
    std::vector<decision_rule> rules_;
};
} // namespace detail

TUTTI_BODY decision_table tabulate(const machine& on, const tabulation& what) {
    if (what.element_bytes < 1) detail::throw_argument("element_bytes", what.element_bytes, "at least 1");
    if (what.most_bytes < what.element_bytes)
        detail::throw_argument("most_bytes", what.most_bytes,
                               "at least one element, " + std::to_string(what.element_bytes));
    for (std::size_t i = 0; i < what.sizes.size(); ++i)
        if (what.sizes[i] < 1 || (i > 0 && what.sizes[i] <= what.sizes[i - 1]))
            detail::throw_argument("size", what.sizes[i], "ascending sizes from 1 on");
    return decision_table(on.name, detail::tabulating(on, what).run());
}
#endif

} // namespace tutti
