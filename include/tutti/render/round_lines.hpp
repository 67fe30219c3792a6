// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/block.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/matched_messages.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES
#include <numeric>
#endif

namespace tutti::detail {

/// The lines of a round: one for each message and local step, or, of ranks that share a row, for those that
/// they have in common: "0 -> 1 block 0 ... 4 -> 0 block 4" is the first of them and the last.
class round_lines {
public:
    round_lines(const schedule_window& part, rank_type size, block_index blocks);

    /// Messages come by sender, in the order of sending. They are not copied: they have to outlive the round.
    void add(const matched_message& m, std::string text);
    /// What a rank does alone, in order.
    void add(rank_type r, std::string text);
    /// What has been added, for the next round to begin.
    std::vector<std::string> take();

private:
    rank_type row_of(rank_type r) const { return row_[static_cast<std::size_t>(r)]; }
    bool shares_row(rank_type r) const;
    likeness::ways ways_on(const matched_message& m, const matched_message& next) const;
    void add(rank_type row, int number, std::string&& text);

    likeness alike_;
    std::vector<rank_type> row_;                                 ///< of each rank: the first of its row
    std::vector<std::pair<std::string, std::string>> lines_{};   ///< first and, if there are several, last
    std::map<std::pair<rank_type, int>, std::size_t> numbers_{}; ///< of lines, by row: below 0 of local steps
    const matched_message* before_ = nullptr;
    likeness::ways ways_ = 0; ///< from message to message of a line
    int number_ = 0;          ///< of what the rank that is read does, of a row
    rank_type alone_ = no_rank;
};

#if TUTTI_BODIES
TUTTI_BODY round_lines::round_lines(const schedule_window& part, rank_type size, block_index blocks)
    : alike_(size, blocks), row_(static_cast<std::size_t>(size)) {
    std::iota(row_.begin(), row_.end(), rank_type{0});
    for (const rank_type r : part.left_out) row_[static_cast<std::size_t>(r)] = row_of(r - 1);
}

TUTTI_BODY void round_lines::add(const matched_message& m, std::string text) {
    if (before_ == nullptr || before_->from != m.from) {
        number_ = 0;
        ways_ = likeness::in_any_way;
    } else if ((ways_ &= ways_on(*before_, m)) == 0) {
        ++number_;
        ways_ = likeness::in_any_way;
    }
    before_ = &m;
    add(row_of(m.from), number_, std::move(text));
}

TUTTI_BODY void round_lines::add(rank_type r, std::string text) {
    number_ = r == alone_ ? number_ - 1 : -1;
    alone_ = r;
    add(row_of(r), number_, std::move(text));
}

TUTTI_BODY std::vector<std::string> round_lines::take() {
    std::vector<std::string> taken;
    for (auto& [first, last] : lines_)
        taken.push_back(last.empty() ? std::move(first) : first.append(" ... ").append(last));
    lines_.clear();
    numbers_.clear();
    before_ = nullptr;
    alone_ = no_rank;
    return taken;
}

TUTTI_BODY bool round_lines::shares_row(rank_type r) const {
    return row_of(r) != r || (static_cast<std::size_t>(r) + 1 < row_.size() && row_of(r + 1) == r);
}

/// How a rank that has a row of its own goes on from one to the next of those that share one.
TUTTI_BODY likeness::ways round_lines::ways_on(const matched_message& m, const matched_message& next) const {
    if (shares_row(m.from) || row_of(m.to) != row_of(next.to) || m.to + 1 != next.to
        || m.sent.size() != next.sent.size())
        return 0;
    likeness::ways ways = likeness::in_any_way;
    for (std::size_t k = 0; k < m.sent.size(); ++k) ways &= alike_.of(m.sent[k], next.sent[k]);
    return ways;
}

TUTTI_BODY void round_lines::add(rank_type row, int number, std::string&& text) {
    const auto [at, first] = numbers_.try_emplace({row, number}, lines_.size());
    if (first)
        lines_.emplace_back(std::move(text), "");
    else
        lines_[at->second].second = std::move(text);
}
#endif

} // namespace tutti::detail
