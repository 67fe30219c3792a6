// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <tutti/core/ensemble.hpp>
#include <tutti/model/cost.hpp>

namespace tutti::detail {

/// Which messages of a rank carry the same blocks as another one of it, nothing having been written to them
/// in between: what can be copied to the network interface once and sent from there several times (Kumar and
/// Kalé 2004, section 2).
class sent_again {
public:
    sent_again() = default;

    /// Looks at all rounds of rank 0, and from round `alike` on at those of the others: they are asked for no
    /// message before it. Takes time and memory as there are messages, and time as these have blocks.
    template <class G>
    sent_again(const ensemble<G>& all, round_index alike)
        : written_(static_cast<std::size_t>(all.blocks()) * buffer_count),
          messages_(static_cast<std::size_t>(all.size())), next_(messages_.size()) {
        look_at(all, 0, 0);
        if (alike < all.rounds())
            for (rank_type r = 1; r < all.size(); ++r) look_at(all, r, alike);
        written_ = {};
    }

    /// Completes what is known of the next message of rank r: ranks are asked in the order in which they
    /// send. One that stands for others may be asked for more than it sends: they are as its last one.
    void next(rank_type r, message_facts& m) noexcept {
        const std::vector<facts>& mine = messages_[static_cast<std::size_t>(r)];
        if (mine.empty()) return;
        std::size_t& next = next_[static_cast<std::size_t>(r)];
        const facts& known = mine[std::min(next++, mine.size() - 1)];
        m.again = known.again;
        m.first = known.first;
    }

private:
    struct facts {
        bool again = false;
        bool first = true;
    };
    struct key {
        std::vector<block_set> sets;
        buffer_name from;
        friend bool operator==(const key&, const key&) = default;
    };
    struct hash {
        std::size_t operator()(const key& k) const noexcept {
            std::uint64_t h = static_cast<std::uint64_t>(k.from);
            const auto mix = [&h](std::int64_t x) {
                h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U;
                h ^= h >> 29;
            };
            for (const block_set& set : k.sets) {
                mix(set.first);
                mix(set.count);
                mix(set.run);
                mix(set.stride);
            }
            return static_cast<std::size_t>(h);
        }
    };
    struct sending {
        std::size_t message;  // the last that carried this
        std::uint64_t moment; // when
    };

    template <class G>
    void look_at(const ensemble<G>& all, rank_type r, round_index first) {
        std::vector<facts>& mine = messages_[static_cast<std::size_t>(r)];
        std::unordered_map<key, sending, hash> sent;
        const round_range when = all.active(r);
        key message{};
        for (round_index i = std::max(first, when.begin); i < when.end; ++i)
            all.emit(r, i, [&](const step& s) {
                ++now_;
                if (s.kind != step_kind::send) return write(s, all.blocks());
                message.sets.push_back(s.blocks);
                message.from = s.buffer;
                if (s.continues()) return;
                note(message, mine, sent, all.blocks());
                message.sets.clear();
            });
    }

    void write(const step& s, block_index blocks) {
        for_each_run(s.blocks, blocks, [&](block_index first, block_index count) {
            const auto at = place_of(s.buffer, first, blocks);
            std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(at), count, now_);
        });
    }

    void note(const key& message, std::vector<facts>& mine, std::unordered_map<key, sending, hash>& sent,
              block_index blocks) {
        mine.push_back({});
        std::uint64_t changed = 0;
        block_index count = 0;
        for (const block_set& set : message.sets) {
            count += set.count;
            for_each_run(set, blocks, [&](block_index first, block_index n) {
                for (block_index b = first; b < first + n; ++b)
                    changed = std::max(changed, written_[place_of(message.from, b, blocks)]);
            });
        }
        if (count == 0) return;
        const sending here{mine.size() - 1, now_};
        const auto [found, added] = sent.try_emplace(message, here);
        if (added) return;
        if (changed < found->second.moment) {
            mine[found->second.message].again = true;
            mine.back() = {.again = true, .first = false};
        }
        found->second = here;
    }

    static std::size_t place_of(buffer_name buffer, block_index b, block_index blocks) noexcept {
        return static_cast<std::size_t>(buffer) * static_cast<std::size_t>(blocks)
               + static_cast<std::size_t>(b);
    }

    std::vector<std::uint64_t> written_;       // when a block of a buffer was written last
    std::uint64_t now_ = 0;                    // steps looked at
    std::vector<std::vector<facts>> messages_; // by rank
    std::vector<std::size_t> next_;            // by rank
};

} // namespace tutti::detail
