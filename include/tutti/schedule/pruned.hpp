// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/generator.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/core/schedule.hpp>
#include <tutti/core/watcher.hpp>

namespace tutti {

namespace detail {

/// A set of blocks for every rank.
class sets_of_blocks {
public:
    using word = std::uint64_t;

    sets_of_blocks(rank_type size, block_index blocks)
        : words_(static_cast<std::size_t>((blocks + 63) / 64)),
          bits_(static_cast<std::size_t>(size) * words_) {}

    bool has(rank_type rank, block_index b) const noexcept {
        return (bits_[index(rank, static_cast<std::size_t>(b) / 64)] >> (b % 64) & 1U) != 0;
    }
    void add(rank_type rank, std::size_t w, word bits) noexcept { bits_[index(rank, w)] |= bits; }
    void remove(rank_type rank, std::size_t w, word bits) noexcept { bits_[index(rank, w)] &= ~bits; }

    /// Calls f(w, bits) for the words in which the rank's set has some of the blocks first..first+count-1.
    template <class F>
    void for_each_word(rank_type rank, block_index first, block_index count, F&& f) const {
        const block_index end = first + count;
        while (first < end) {
            const block_index stop = std::min(end, (first / 64 + 1) * 64);
            const word upto = stop % 64 == 0 ? ~word{0} : (word{1} << (stop % 64)) - 1;
            const word mask = upto & ~((word{1} << (first % 64)) - 1);
            const auto w = static_cast<std::size_t>(first) / 64;
            if (const word bits = bits_[index(rank, w)] & mask; bits != 0) f(w, bits);
            first = stop;
        }
    }

private:
    std::size_t index(rank_type rank, std::size_t w) const noexcept {
        return static_cast<std::size_t>(rank) * words_ + w;
    }

    std::size_t words_;
    std::vector<word> bits_;
};

/// Follows the blocks of an allgather back from those who want them to their owners; see pruned() below.
class pruning {
public:
    pruning(const relation& who, std::vector<any_generator> ranks)
        : ranks_(std::move(ranks)), blocks_(ranks_.front().blocks()), live_(who.size(), blocks_),
          sent_(ranks_.size()), messages_(ranks_.size()) {
        if (blocks_ % who.size() != 0)
            refuse("one with " + std::to_string(blocks_) + " blocks for " + std::to_string(who.size())
                   + " ranks");
        const block_index each = blocks_ / who.size();
        for (rank_type r = 0; r < who.size(); ++r)
            for (const rank_type source : who.sources(r))
                for (block_index b = source * each; b < (source + 1) * each; ++b)
                    live_.add(r, static_cast<std::size_t>(b) / 64, word{1} << (b % 64));
    }

    /// Of ranks first .. first + count - 1; `watch` is told before every round.
    std::vector<schedule> result(rank_type first, rank_type count, watcher watch) {
        std::vector<parts> kept(static_cast<std::size_t>(count));
        const round_index rounds = ranks_.front().rounds();
        for (round_index i = rounds; i-- > 0;) {
            watch(static_cast<double>(rounds - 1 - i) / static_cast<double>(rounds));
            for (rank_type k = 0; k < count; ++k) {
                parts& mine = kept[static_cast<std::size_t>(k)];
                mine.begins.push_back(mine.steps.size());
                add_part(first + k, i, mine.steps);
            }
            if (go_back_over(i)) continue; // others may be busy when a rank is not
            for (parts& mine : kept) {
                while (mine.steps.size() > mine.begins.back()) mine.steps.pop_back();
                mine.begins.pop_back();
            }
        }
        std::vector<schedule> made;
        made.reserve(kept.size());
        for (parts& mine : kept) {
            made.push_back(
                {blocks_, moving_only({.any_size = ranks_.front().claims().any_size,
                                       .max_outstanding = outstanding_,
                                       .rounds = static_cast<round_index>(mine.begins.size()),
                                       .sent_blocks = *std::max_element(sent_.begin(), sent_.end())})});
            for (std::size_t i = mine.begins.size(), end = mine.steps.size(); i-- > 0; end = mine.begins[i])
                made.back().add_round({mine.steps.data() + mine.begins[i], end - mine.begins[i]});
            mine = {}; // with many ranks nobody has room for both
        }
        return made;
    }

private:
    using word = sets_of_blocks::word;

    /// One rank's rounds, the last first, and where each begins.
    struct parts {
        std::vector<step> steps{};
        std::vector<std::size_t> begins{};
    };

    /// Blocks of one message that are carried on; all in one word.
    struct carried {
        rank_type from;
        rank_type to;
        std::size_t w;
        word bits;
    };

    /// Appends what is left of a rank's steps of round i. live_ holds what is wanted behind the round.
    void add_part(rank_type me, round_index i, std::vector<step>& round) const {
        std::size_t begin = round.size(); // of the message
        bool is_empty = true;             // as it was
        emit(me, i, [&](const step& s) {
            const rank_type receiver = s.kind == step_kind::send ? s.peer : me;
            step piece = s;
            piece.flags = 0;
            is_empty = is_empty && s.blocks.count == 0;
            for (block_index k = 0; k < s.blocks.count; ++k) {
                const block_index b = block_at(s.blocks, k, blocks_);
                if (!live_.has(receiver, b)) continue;
                if (round.size() > begin && follows(round.back().blocks, b)) {
                    ++round.back().blocks.count;
                } else {
                    piece.blocks = {.first = b, .count = 1};
                    round.push_back(piece);
                }
            }
            if (s.continues()) return;
            if (is_empty) {
                piece.blocks = s.blocks;
                round.push_back(piece);
            }
            for (; begin + 1 < round.size(); ++begin) round[begin] = round[begin].and_next();
            begin = round.size();
            is_empty = true;
        });
    }

    /// From what is wanted behind round i to what is wanted before it. Whether any message is left in it.
    bool go_back_over(round_index i) {
        carried_.clear();
        std::fill(messages_.begin(), messages_.end(), 0);
        bool any = false;
        for (rank_type r = 0; r < static_cast<rank_type>(ranks_.size()); ++r) {
            bool is_empty = true;
            block_index left = 0;
            emit(r, i, [&](const step& s) {
                if (s.kind != step_kind::send) return;
                is_empty = is_empty && s.blocks.count == 0;
                for_each_run(s.blocks, blocks_, [&](block_index first, block_index count) {
                    live_.for_each_word(s.peer, first, count, [&](std::size_t w, word bits) {
                        carried_.push_back({r, s.peer, w, bits});
                        left += std::popcount(bits);
                    });
                });
                if (s.continues()) return;
                if (is_empty || left > 0) {
                    any = true;
                    ++messages_[static_cast<std::size_t>(r)];
                    ++messages_[static_cast<std::size_t>(s.peer)];
                }
                sent_[static_cast<std::size_t>(r)] += left;
                is_empty = true;
                left = 0;
            });
        }
        // What a round brings was not there before it; what its sends take was, even if it comes again.
        for (const carried& c : carried_) live_.remove(c.to, c.w, c.bits);
        for (const carried& c : carried_) live_.add(c.from, c.w, c.bits);
        outstanding_ = std::max(outstanding_, *std::max_element(messages_.begin(), messages_.end()));
        return any;
    }

    /// The steps of a round; refuses those whose blocks cannot be followed.
    template <class Sink>
    void emit(rank_type r, round_index i, Sink&& sink) const {
        bool is_plain = true;
        const auto look_at = [&](const step& s) {
            is_plain = is_plain && (s.kind == step_kind::send || s.kind == step_kind::recv)
                       && s.buffer == buffer_name::work && s.peer >= 0
                       && s.peer < static_cast<rank_type>(ranks_.size()) && s.blocks.first >= 0
                       && s.blocks.first < blocks_ && s.blocks.count >= 0 && s.blocks.count <= blocks_
                       && s.blocks.run >= 0;
            if (is_plain) sink(s);
        };
        steps_.clear();
        ranks_[static_cast<std::size_t>(r)].append(i, steps_);
        for (const step& s : steps_) look_at(s);
        if (!is_plain) refuse("one that does more than to send and receive blocks of work");
    }

    bool follows(const block_set& run, block_index b) const noexcept {
        const block_index next = run.first + run.count;
        return b == (next < blocks_ ? next : next - blocks_);
    }

    [[noreturn]] static void refuse(const std::string& what) {
        throw argument_error("algorithm", what,
                             "an allgather algorithm with equally many blocks per rank, which it sends and "
                             "receives under their own indices and does nothing else with");
    }

    std::vector<any_generator> ranks_;
    block_index blocks_;
    sets_of_blocks live_; // blocks whose value somebody wants: the rank, or those it will hand it on to
    std::vector<block_index> sent_;
    std::vector<std::int64_t> messages_; // of each rank in the round
    std::int64_t outstanding_ = 0;
    std::vector<carried> carried_{};
    mutable step_list steps_{}; // of the rank and round at hand
};

} // namespace detail

namespace detail {
/// See pruned() below; of `count` ranks from at.rank on.
template <class Make>
std::vector<schedule> pruned_ranks(const relation& who, place at, rank_type count, const Make& make,
                                   watcher watch = {}) {
    std::vector<any_generator> ranks;
    ranks.reserve(static_cast<std::size_t>(at.size));
    for (rank_type r = 0; r < at.size; ++r)
        ranks.push_back(make(place{.rank = r, .size = at.size, .root = at.root}));
    return pruning(who, std::move(ranks)).result(at.rank, count, watch);
}
} // namespace detail

/// What is left of rank `at.rank` in an allgather of which only the messages named by `who` are wanted.
/// `make(place)` makes the allgather's generators.
///
/// In an allgather every message flows along a tree from its owner to all. A branch on which nobody wants it
/// is cut off: going back over the rounds of all ranks, a block is carried only if its receiver wants it or
/// hands it on later to somebody who does. Messages of which nothing is left, and rounds without any, vanish
/// on all ranks alike; messages that were empty at first, which hold ranks in step, stay.
///
/// Costs p generators, p^2 bits and a look at every step of every rank: with 1000 ranks about 1 ms for the
/// ceil(lg p) rounds of circulant, 30 ms for the p - 1 rounds of ring.
/// Example with 5 ranks in a ring, where rank 0 sends to rank 2 only: rank 1 receives block 0 in round 0 and
/// hands it on in round 1; rounds 2 and 3 vanish, and ranks 3 and 4 do nothing.
template <class Make>
schedule pruned(const relation& who, place at, Make&& make) {
    return std::move(detail::pruned_ranks(who, at, 1, make).front());
}

/// The same of all ranks, 0 to who.size() - 1, for whoever needs all of them: at the cost of one and of
/// writing their steps down, as against p times that of one. `watch` is told before every round.
template <class Make>
std::vector<schedule> all_pruned(const relation& who, Make&& make, watcher watch = {}) {
    return detail::pruned_ranks(who, {.rank = 0, .size = who.size()}, who.size(), make, watch);
}

} // namespace tutti
