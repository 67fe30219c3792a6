// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tutti/core/block_bytes.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/simulate/machine_ticks.hpp>
#include <tutti/simulate/result.hpp>
#include <tutti/simulate/ticks.hpp>

namespace tutti::detail {

/// What one host does in one round: messages and computations, in the order in which it was handed out, and
/// how far it has got.
struct round_work {
    static constexpr std::int32_t no_calc = -1;

    struct sending {
        rank_type peer = 0;
        std::int64_t bytes = 1;
    };
    struct receiving {
        rank_type peer = 0;
        std::int32_t calc = no_calc; ///< which needs it: its fold, or the next local step
        bool open = true;            ///< no message for it yet
    };
    struct calculating {
        ticks duration = 0;
        std::int64_t bytes = 0;
        activity::kind what = activity::kind::fold;
        std::int32_t missing = 0; ///< messages that it needs and that have not come
    };

    std::vector<sending> sends{};
    std::vector<receiving> recvs{};
    std::vector<calculating> calcs{};
    std::size_t next_send = 0;
    std::size_t next_calc = 0;
    std::int32_t pending = 0; ///< of all of these so many are not done

    bool empty() const noexcept { return sends.empty() && recvs.empty() && calcs.empty(); }
    /// At most a message each way, and nothing computed but a fold of what comes in.
    bool simple() const noexcept {
        return sends.size() <= 1 && recvs.size() <= 1
               && (calcs.empty() || (calcs.size() == 1 && calcs.front().missing == 1));
    }
    void clear() noexcept {
        sends.clear();
        recvs.clear();
        calcs.clear();
        next_send = 0;
        next_calc = 0;
    }
    void count() noexcept { pending = static_cast<std::int32_t>(sends.size() + recvs.size() + calcs.size()); }
};

/// The rounds that hosts are in and that are not simple, by number.
class round_works {
public:
    round_work& operator[](std::uint32_t number) noexcept { return works_[number]; }

    /// Takes over what is in `work`, which gets some other memory for its next round.
    std::uint32_t begin(round_work& work) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(works_.size()));
            works_.emplace_back();
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        std::swap(works_[number], work);
        return number;
    }
    void end(std::uint32_t number) { free_.push_back(number); }

private:
    std::vector<round_work> works_{};
    std::vector<std::uint32_t> free_{};
};

/// Fills `work` with what rank r does in round i. A message in several sets of blocks is one; an empty one
/// counts as one byte. Folds and copies that cost nothing do not exist.
///
/// A fold needs its message; a local step, which may read what has come in, all messages listed before it.
/// For those with a fold of their own that is so because computations go in the order listed.
template <class G>
TUTTI_INLINE inline void read_round(const ensemble<G>& all, rank_type r, round_index i,
                                    const block_bytes& bytes, const machine_ticks& costs, round_work& work) {
    work.clear();
    std::int64_t length = 0;
    std::size_t tied = 0; // so many receives have their fold or their local step
    const auto compute_locally = [&](ticks duration, activity::kind what) {
        const auto number = static_cast<std::int32_t>(work.calcs.size());
        round_work::calculating calc{.duration = duration, .bytes = length, .what = what};
        for (; tied < work.recvs.size(); ++tied)
            if (std::int32_t& needs = work.recvs[tied].calc; needs == round_work::no_calc) {
                needs = number;
                ++calc.missing;
            }
        work.calcs.push_back(calc);
    };
    all.emit(r, i, [&](const step& s) TUTTI_INLINE {
        length += bytes(s.blocks);
        if (s.continues()) return;
        switch (s.kind) {
        case step_kind::send:
            work.sends.push_back({.peer = s.peer, .bytes = std::max<std::int64_t>(length, 1)});
            break;
        case step_kind::recv: work.recvs.push_back({.peer = s.peer}); break;
        case step_kind::recv_reduce:
            if (costs.fold.none()) {
                work.recvs.push_back({.peer = s.peer});
            } else {
                work.recvs.push_back({.peer = s.peer, .calc = static_cast<std::int32_t>(work.calcs.size())});
                work.calcs.push_back({.duration = costs.fold(length), .bytes = length, .missing = 1});
            }
            break;
        case step_kind::copy:
            if (!costs.copy.none()) compute_locally(costs.copy(length), activity::kind::copy);
            break;
        case step_kind::reduce:
            if (!costs.fold.none()) compute_locally(costs.fold(length), activity::kind::fold);
            break;
        }
        length = 0;
    });
}

} // namespace tutti::detail
