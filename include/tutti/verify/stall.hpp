// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <tutti/verify/execution.hpp>

namespace tutti::detail {

/// Says why an execution came to a halt before its end: a message whose other side is never posted, else a
/// cycle of ranks that wait for each other.
class stall {
public:
    stall(const execution& run, const std::vector<any_generator>& generators)
        : run_(run), generators_(generators), size_(static_cast<rank_type>(generators.size())) {}

    /// Whether some rank has not reached its end.
    bool any() const noexcept {
        for (rank_type r = 0; r < size_; ++r)
            if (!run_.ended(r)) return true;
        return false;
    }

    finding explain() {
        for (rank_type r = 0; r < size_; ++r) count_rest(r);
        finding best;
        for (rank_type r = 0; r < size_; ++r) {
            if (run_.ended(r)) continue;
            const auto& me = run_.state(r);
            for (std::size_t m = 0; m < me.messages.size(); ++m) {
                if (!me.messages[m].waiting || comes_later(r, run_.state(r).head(m))) continue;
                if (best.what.empty() || me.round < best.round) best = missing(r, m);
                break;
            }
        }
        return best.what.empty() ? cycle() : best;
    }

private:
    std::size_t first_waiting(rank_type r) const noexcept {
        std::size_t m = 0;
        while (!run_.state(r).messages[m].waiting) ++m;
        return m;
    }
    location where(rank_type r, std::size_t m) const {
        return run_.state(r).at(r, static_cast<std::size_t>(run_.state(r).messages[m].first));
    }

    // Messages of each kind, per ordered pair, that lie in rounds still to come.
    static std::uint64_t key(rank_type poster, rank_type peer, bool sends) noexcept {
        return (static_cast<std::uint64_t>(poster) << 32 | static_cast<std::uint32_t>(peer)) << 1
               | (sends ? 1U : 0U);
    }
    void count_rest(rank_type r) {
        std::vector<step> steps;
        for (round_index i = run_.state(r).round + 1; i < generators_.front().rounds(); ++i) {
            steps.clear();
            generators_[static_cast<std::size_t>(r)].append(i, steps);
            for (const step& s : steps)
                if (s.is_message() && !s.continues()) ++rest_[key(r, s.peer, s.kind == step_kind::send)];
        }
    }
    /// Uses up one message of the peer that would be the partner of `mine`.
    bool comes_later(rank_type r, const step& mine) {
        const auto found = rest_.find(key(mine.peer, r, mine.kind != step_kind::send));
        if (found == rest_.end() || found->second == 0) return false;
        --found->second;
        return true;
    }

    finding missing(rank_type r, std::size_t m) const {
        const step& s = run_.state(r).head(m);
        const std::string peer = "rank " + std::to_string(s.peer);
        const std::string stands =
            run_.ended(s.peer) ? "has ended" : "stands in round " + std::to_string(run_.state(s.peer).round);
        return find(where(r, m),
                    s.kind == step_kind::send
                        ? "sends to " + peer + ", which never receives it (it " + stands + ")"
                        : "waits for a message that " + peer + " never sends (it " + stands + ")");
    }

    finding cycle() const {
        std::vector<bool> seen(static_cast<std::size_t>(size_));
        rank_type r = 0;
        while (run_.ended(r)) ++r;
        for (; !seen[static_cast<std::size_t>(r)]; r = run_.state(r).head(first_waiting(r)).peer)
            seen[static_cast<std::size_t>(r)] = true;
        const rank_type start = r; // on the cycle now
        std::string text = "deadlock without buffering: ";
        std::int64_t length = 0;
        do {
            const location at = where(r, first_waiting(r));
            if (length < longest_listed)
                text += "rank " + std::to_string(r) + " (round " + std::to_string(at.round) + ", step "
                        + std::to_string(at.step) + ") waits for ";
            ++length;
            r = at.peer;
        } while (r != start);
        if (length > longest_listed) text += "... (" + std::to_string(length) + " ranks in all) for ";
        return find(where(start, first_waiting(start)), text + "rank " + std::to_string(start));
    }

    static constexpr std::int64_t longest_listed = 8;

    const execution& run_;
    const std::vector<any_generator>& generators_;
    rank_type size_;
    std::unordered_map<std::uint64_t, std::int64_t> rest_{};
};

} // namespace tutti::detail
