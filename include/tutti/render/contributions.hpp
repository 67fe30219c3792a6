// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

#if TUTTI_BODIES
#include <algorithm>
#include <iterator>
#endif

/// What a block is made of, for pictures: whose contributions are folded into it.
namespace tutti {

/// Ranks first..last.
struct rank_interval {
    rank_type first = 0; ///< 0 <= first <= last
    rank_type last = 0;  ///< this one, too

    friend auto operator<=>(const rank_interval&, const rank_interval&) = default;
};

/// Ranks, as intervals that ascend and do not touch.
using rank_set = std::vector<rank_interval>;

/// All ranks of either set.  Example with 5 ranks: {0..1, 4} and {2} make {0..2, 4}.
rank_set united(const rank_set& a, const rank_set& b);

/// How many ranks there are in it, not how many intervals.
inline rank_type count(const rank_set& ranks) noexcept {
    rank_type sum = 0;
    for (const rank_interval& i : ranks) sum += i.last - i.first + 1;
    return sum;
}

/// "0–3" or "0–3,5"; the dash is the one of intervals, as in the literature.
std::string text_of(const rank_set& ranks);

/// Sets of ranks that have numbers: equal ones the same, the empty one 0.
class rank_sets {
public:
    /// Numbers count up from 0 and stay as they are as long as the object lives.
    using number = std::int32_t;

    rank_sets() { number_of({}); }

    const rank_set& operator[](number n) const noexcept { return sets_[static_cast<std::size_t>(n)]; }
    std::size_t size() const noexcept { return sets_.size(); }

    /// Of one rank alone; makes a number if it has none yet.
    number of_rank(rank_type r) { return number_of({{r, r}}); }
    /// Of all ranks of either set; makes a number if they have none yet, and remembers what was asked.
    number united(number a, number b);

private:
    number number_of(rank_set ranks);

    std::vector<rank_set> sets_;
    std::map<rank_set, number> numbers_;
    std::map<std::pair<number, number>, number> unions_;
};

/// What a block of a buffer holds: the contributions of some ranks to a block of the vector.
struct block_content {
    block_index origin = 0;     ///< the block contributed to
    rank_sets::number from = 0; ///< by whom; 0: it holds nothing yet

    bool empty() const noexcept { return from == 0; }
    friend bool operator==(const block_content&, const block_content&) = default;
};

/// "A", "B", ... as in the papers; where letters do not suffice "b0", "b1", ..., which are no ranks.
std::string block_name(block_index b, block_index blocks);

#if TUTTI_BODIES
TUTTI_BODY rank_set united(const rank_set& a, const rank_set& b) {
    rank_set both;
    both.reserve(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    rank_set result;
    for (const rank_interval& next : both) {
        if (!result.empty() && next.first <= result.back().last + 1)
            result.back().last = std::max(result.back().last, next.last);
        else
            result.push_back(next);
    }
    return result;
}

TUTTI_BODY std::string text_of(const rank_set& ranks) {
    std::string text;
    for (const rank_interval& i : ranks) {
        if (!text.empty()) text += ",";
        text += std::to_string(i.first);
        if (i.last > i.first) text.append("–").append(std::to_string(i.last));
    }
    return text;
}

TUTTI_BODY rank_sets::number rank_sets::united(number a, number b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto [known, is_new] = unions_.try_emplace({std::min(a, b), std::max(a, b)}, 0);
    if (is_new) known->second = number_of(tutti::united((*this)[a], (*this)[b]));
    return known->second;
}

TUTTI_BODY rank_sets::number rank_sets::number_of(rank_set ranks) {
    const auto [known, is_new] = numbers_.try_emplace(ranks, static_cast<number>(sets_.size()));
    if (is_new) sets_.push_back(std::move(ranks));
    return known->second;
}

TUTTI_BODY std::string block_name(block_index b, block_index blocks) {
    return blocks <= 26 ? std::string(1, static_cast<char>('A' + b))
                        : std::string("b").append(std::to_string(b));
}
#endif

} // namespace tutti
