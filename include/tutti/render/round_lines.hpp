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
#include <tutti/core/step.hpp>
#include <tutti/render/alike_ranks.hpp>
#include <tutti/render/matched_messages.hpp>
#include <tutti/render/schedule_window.hpp>

#if TUTTI_BODIES
#include <cstdlib>
#include <numeric>
#endif

namespace tutti::detail {

/// The lines of a round: one for each message and local step, or, of ranks that share a row, for those that
/// they have in common: "0 -> 1 block 0 ... 4 -> 0 block 4" is the first of them and the last. Those between
/// go on likewise, at both ends: to the same rank or the next one, of the same blocks or the next ones.
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
    static constexpr int downwards = 4; // bits further up are the ways from a rank to the one before it
    static constexpr likeness::ways in_any_way = likeness::in_any_way | likeness::in_any_way << downwards;

    struct line {
        std::string first;
        std::string last{};                      ///< if there are several
        const matched_message* newest = nullptr; ///< none of local steps
        likeness::ways sent = in_any_way;        ///< how it goes on, all along
        likeness::ways received = in_any_way;
    };
    using number = std::pair<rank_type, int>; ///< of a line: row, and which of it; of local steps below 0

    rank_type row_of(rank_type r) const { return row_[static_cast<std::size_t>(r)]; }
    bool shares_row(rank_type r) const;
    bool goes_on(line& so_far, const matched_message& next) const;
    likeness::ways ways_on(const std::vector<step>& one, const std::vector<step>& next) const;
    void begin(number n, line one);

    likeness alike_;
    std::vector<rank_type> row_; ///< of each rank: the first of its row
    std::vector<line> lines_{};
    std::map<number, std::size_t> newest_{}; ///< which line has a number
    rank_type sender_ = no_rank;
    rank_type alone_ = no_rank;
    int messages_ = 0; ///< of the sender, before the newest one
    int steps_ = 0;    ///< of the rank alone
};

#if TUTTI_BODIES
TUTTI_BODY round_lines::round_lines(const schedule_window& part, rank_type size, block_index blocks)
    : alike_(size, blocks), row_(static_cast<std::size_t>(size)) {
    std::iota(row_.begin(), row_.end(), rank_type{0});
    for (const rank_type r : part.left_out) row_[static_cast<std::size_t>(r)] = row_of(r - 1);
}

TUTTI_BODY void round_lines::add(const matched_message& m, std::string text) {
    // Of ranks that share a row the first messages are one line, the second ones another; what one rank sends
    // to those of a row is one line.
    messages_ = m.from == sender_ && shares_row(m.from) ? messages_ + 1 : 0;
    sender_ = m.from;
    const number n{row_of(m.from), messages_};
    const auto at = newest_.find(n);
    if (at == newest_.end() || !goes_on(lines_[at->second], m))
        return begin(n, {.first = std::move(text), .newest = &m});
    lines_[at->second].last = std::move(text);
    lines_[at->second].newest = &m;
}

TUTTI_BODY void round_lines::add(rank_type r, std::string text) {
    steps_ = r == alone_ ? steps_ + 1 : 1;
    alone_ = r;
    const number n{row_of(r), -steps_};
    const auto at = newest_.find(n);
    if (at == newest_.end()) return begin(n, {.first = std::move(text)});
    lines_[at->second].last = std::move(text);
}

TUTTI_BODY std::vector<std::string> round_lines::take() {
    std::vector<std::string> taken;
    for (line& l : lines_) taken.push_back(l.last.empty() ? l.first : l.first + " ... " + l.last);
    lines_.clear();
    newest_.clear();
    sender_ = alone_ = no_rank;
    return taken;
}

TUTTI_BODY bool round_lines::shares_row(rank_type r) const {
    return row_of(r) != r || (static_cast<std::size_t>(r) + 1 < row_.size() && row_of(r + 1) == r);
}

TUTTI_BODY bool round_lines::goes_on(line& so_far, const matched_message& next) const {
    const matched_message& one = *so_far.newest;
    if (one.from == next.from && (row_of(one.to) != row_of(next.to) || std::abs(one.to - next.to) != 1))
        return false;
    if (one.folded() != next.folded() || one.received_in != next.received_in) return false;
    const bool up = one.from < next.from || one.to < next.to;
    const auto narrow = [&](likeness::ways& ways, const auto& before, const auto& behind) {
        ways &= up ? ways_on(before, behind) : ways_on(behind, before) << downwards;
        return ways != 0;
    };
    return narrow(so_far.sent, one.sent, next.sent) && narrow(so_far.received, one.received, next.received);
}

/// As far as it is told: which side of a fold a message becomes is not.
TUTTI_BODY likeness::ways round_lines::ways_on(const std::vector<step>& one,
                                               const std::vector<step>& next) const {
    likeness::ways ways = one.size() == next.size() ? likeness::in_any_way : 0;
    for (std::size_t k = 0; k < one.size() && ways != 0; ++k) {
        step told = one[k];
        told.peer = next[k].peer;
        told.blocks = next[k].blocks;
        told.buffer = next[k].buffer;
        ways &= alike_.of(one[k], told);
    }
    return ways;
}

TUTTI_BODY void round_lines::begin(number n, line one) {
    newest_[n] = lines_.size();
    lines_.push_back(std::move(one));
}
#endif

} // namespace tutti::detail
