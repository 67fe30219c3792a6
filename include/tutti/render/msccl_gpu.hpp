// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/core/compiled.hpp>
#include <tutti/core/rank.hpp>

#if TUTTI_BODIES
#include <algorithm>
#endif

namespace tutti {

/// Chunks of one of a GPU's buffers, in MSCCL's words: 'i' input, 'o' output, 's' scratch.
struct msccl_chunks {
    char buffer = 'i';       ///< 'i', 'o' or 's'
    std::int64_t first = -1; ///< -1: no chunk of this GPU

    friend constexpr bool operator==(const msccl_chunks&, const msccl_chunks&) = default;
};

/// What a thread block does next. `type` is one of
///   s    sends source to the block's send peer
///   r    receives target from its recv peer
///   rrc  receives, and folds what came into target
///   cpy  copies source to target
///   re   folds source into target
///   nop  only waits
/// MSCCL has others, which do two of these at once.
struct msccl_step {
    std::string_view type = "nop"; ///< see above
    msccl_chunks source{};         ///< what it reads; of rrc the same as target
    msccl_chunks target{};         ///< what it writes
    std::int64_t count = 0;        ///< chunks
    int depends_block = -1;   ///< waits for step depends_step of that thread block, by its index in blocks()
    int depends_step = -1;    ///< -1, as the block: waits for none
    bool depended_on = false; ///< another thread block waits for it
};

/// Its steps happen one after the other. At most one peer per direction.
struct msccl_thread_block {
    rank_type send = no_rank;        ///< to whom its s go; no_rank: it has none
    rank_type recv = no_rank;        ///< from whom its r and rrc come, likewise
    int channel = 0;                 ///< of the connections to these peers
    std::vector<msccl_step> steps{}; ///< in order
};

/// One GPU's part of an MSCCL algorithm, put together in program order. Thread blocks run side by side; where
/// two of them touch the same chunks, and not both only read, the later one in program order waits for the
/// earlier one. What is known from other waits, or from the order inside a block, is not waited for again.
///
/// Complexity: a step costs O(chunks it touches + thread blocks).
class msccl_gpu {
public:
    /// In the order in which they were first needed, not yet in MSCCL's.
    const std::vector<msccl_thread_block>& blocks() const noexcept { return blocks_; }

    /// Every connection has a thread block of its own in either direction: a send never holds up a receive,
    /// whatever fits into a connection at a time.
    void send(rank_type to, int channel, msccl_chunks from, std::int64_t count) {
        append(block_of(to, no_rank, channel), {.type = "s", .source = from, .count = count});
    }
    /// Puts what comes into `to`, or folds it in.
    void receive(rank_type from, int channel, msccl_chunks to, std::int64_t count, bool fold) {
        append(
            block_of(no_rank, from, channel),
            {.type = fold ? "rrc" : "r", .source = fold ? to : msccl_chunks{}, .target = to, .count = count});
    }
    /// Local steps go into the first thread block.
    void local(msccl_chunks from, msccl_chunks to, std::int64_t count, bool fold) {
        if (blocks_.empty()) blocks_.emplace_back();
        append(0, {.type = fold ? "re" : "cpy", .source = from, .target = to, .count = count});
    }

private:
    /// A step by its place: which block, which step of it.
    using location = std::pair<std::size_t, std::size_t>;

    /// Who used a chunk last.
    struct users {
        bool written = false;
        location writer{};
        std::vector<location> readers{}; // since then
    };

    std::size_t block_of(rank_type to, rank_type from, int channel);

    template <class F>
    void for_each_chunk(const msccl_chunks& chunks, std::int64_t count, F&& f) {
        if (chunks.first < 0) return;
        for (std::int64_t c = chunks.first; c < chunks.first + count; ++c) f(users_[{chunks.buffer, c}]);
    }

    void append(std::size_t block, msccl_step s);

    /// Those of `before` that have to be waited for, at most one per block; afterwards `seen` knows them,
    /// too.
    std::vector<location> needed_of(std::vector<location>& before, std::size_t block,
                                    std::vector<std::size_t>& seen) const;

    std::vector<msccl_thread_block> blocks_{};
    std::vector<std::vector<std::vector<std::size_t>>> seen_{}; // of every step of every block
    std::map<std::pair<char, std::int64_t>, users> users_{};
};

#if TUTTI_BODIES
TUTTI_BODY std::size_t msccl_gpu::block_of(rank_type to, rank_type from, int channel) {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const msccl_thread_block& b) {
        return b.send == to && b.recv == from && b.channel == channel;
    });
    const auto index = static_cast<std::size_t>(found - blocks_.begin());
    if (index == blocks_.size()) blocks_.push_back({.send = to, .recv = from, .channel = channel});
    return index;
}

TUTTI_BODY void msccl_gpu::append(std::size_t block, msccl_step s) {
    std::vector<location> before;
    for_each_chunk(s.source, s.count, [&](const users& u) {
        if (u.written) before.push_back(u.writer);
    });
    for_each_chunk(s.target, s.count, [&](const users& u) {
        if (u.written) before.push_back(u.writer);
        before.insert(before.end(), u.readers.begin(), u.readers.end());
    });

    msccl_thread_block& here = blocks_[block];
    if (seen_.size() < blocks_.size()) seen_.resize(blocks_.size());
    std::vector<std::size_t> seen = seen_[block].empty() ? std::vector<std::size_t>{} : seen_[block].back();
    seen.resize(blocks_.size(), 0); // seen[b]: so many steps of block b are done by now
    const std::vector<location> needed = needed_of(before, block, seen);
    for (std::size_t k = 0; k < needed.size(); ++k) {
        msccl_step& on = blocks_[needed[k].first].steps[needed[k].second];
        on.depended_on = true;
        msccl_step& waiting = k + 1 < needed.size() ? here.steps.emplace_back() : s;
        waiting.depends_block = static_cast<int>(needed[k].first);
        waiting.depends_step = static_cast<int>(needed[k].second);
    }
    const location at{block, here.steps.size()};
    here.steps.push_back(s);
    seen[block] = here.steps.size();
    seen_[block].resize(here.steps.size(), seen); // the nops never are waited for
    seen_[block].back() = seen;

    for_each_chunk(s.source, s.count, [&](users& u) { u.readers.push_back(at); });
    for_each_chunk(s.target, s.count, [&](users& u) { u = {.written = true, .writer = at}; });
}

TUTTI_BODY std::vector<msccl_gpu::location>
msccl_gpu::needed_of(std::vector<location>& before, std::size_t block, std::vector<std::size_t>& seen) const {
    // Later steps have seen more, so they come first.
    std::sort(before.begin(), before.end(), [](const location& a, const location& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<location> needed;
    for (const auto& [b, step] : before) {
        if (b == block || seen[b] > step) continue;
        needed.emplace_back(b, step);
        const std::vector<std::size_t>& theirs = seen_[b][step];
        for (std::size_t k = 0; k < theirs.size(); ++k) seen[k] = std::max(seen[k], theirs[k]);
    }
    return needed;
}
#endif

} // namespace tutti
