// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tutti/core/any_generator.hpp>
#include <tutti/core/collective.hpp>
#include <tutti/core/compiled.hpp>
#include <tutti/core/ensemble.hpp>
#include <tutti/core/error.hpp>
#include <tutti/core/relation.hpp>
#include <tutti/core/step.hpp>
#include <tutti/render/contributions.hpp>

namespace tutti {

/// Consecutive blocks that go from a buffer of one rank into a buffer of another, or of the same.
struct moved_run {
    buffer_name source = buffer_name::work; ///< of the rank it comes from
    buffer_name target = buffer_name::work; ///< of the rank it goes to
    block_index first = 0;                  ///< in the source
    block_index into = 0;                   ///< in the target
    block_index count = 0;                  ///< blocks, >= 1; in both buffers one behind the other
    block_content what{}; ///< of the first; the next ones hold the next origins of the same ranks

    friend bool operator==(const moved_run&, const moved_run&) = default;
};

/// A message, or a local step (from == to).
struct movement {
    rank_type from = 0;                      ///< the sender
    rank_type to = 0;                        ///< the receiver; may be the sender
    round_index sent = 0;                    ///< round of the sender; mostly also that of the receiver
    bool folds = false;                      ///< what comes is folded into what is there
    operand_side side = operand_side::right; ///< of what comes, where it is folded
    std::vector<moved_run> runs{};           ///< none: the message carries no blocks

    /// Whether it stays on its rank and is no message.
    bool local() const noexcept { return from == to; }
    /// How many it moves, those of all runs.
    block_index blocks() const noexcept {
        block_index sum = 0;
        for (const moved_run& r : runs) sum += r.count;
        return sum;
    }
};

/// All blocks of all buffers of all ranks at one time.
class block_grid {
public:
    block_grid(rank_type size, block_index blocks)
        : size_(size), blocks_(blocks),
          cells_(static_cast<std::size_t>(buffer_count) * static_cast<std::size_t>(size)
                 * static_cast<std::size_t>(blocks)) {}

    /// Numbers the blocks of all buffers from 0: by buffer, then by rank, then by block. Not checked.
    std::size_t index(rank_type r, buffer_name buffer, block_index b) const noexcept {
        const auto plane = static_cast<std::size_t>(buffer) * static_cast<std::size_t>(size_);
        return (plane + static_cast<std::size_t>(r)) * static_cast<std::size_t>(blocks_)
               + static_cast<std::size_t>(b);
    }
    /// Blocks of all ranks in all buffers, used or not.
    std::size_t cells() const noexcept { return cells_.size(); }
    /// What rank r has in a block of a buffer; not checked.
    block_content& operator()(rank_type r, buffer_name buffer, block_index b) noexcept {
        return cells_[index(r, buffer, b)];
    }
    /// The same, to look at.
    const block_content& operator()(rank_type r, buffer_name buffer, block_index b) const noexcept {
        return cells_[index(r, buffer, b)];
    }
    friend bool operator==(const block_grid&, const block_grid&) = default;

private:
    rank_type size_;
    block_index blocks_;
    std::vector<block_content> cells_;
};

/// Executes a schedule with sets of ranks instead of numbers, to show what every rank holds after every
/// round, and which of it is still needed: what a rank will send, fold into, or has to have in the end. What
/// is not needed any more is what papers leave out of their figures.
///
/// It shows what the steps do and proves nothing; that is the prover's business. A barrier moves the news of
/// who has come: one block, folded.
///
/// Memory: 16 bytes per block of each buffer and rank, one bit of each of these per round, and the messages.
/// Throws argument_error for a multicast without its relation, error for a receive whose message is not sent
/// in its round or before, or is of another length.
class symbolic_run {
public:
    template <class G>
    symbolic_run(collective what, const ensemble<G>& all) : symbolic_run(what, nullptr, all) {}

    /// A multicast: `who` asks for what ranks have to hold in the end. Throws argument_error if it is of
    /// another number of ranks.
    template <class G>
    symbolic_run(const relation& who, const ensemble<G>& all)
        : symbolic_run(collective::multicast, &who, all) {}

    /// What the schedule was taken for.
    collective what() const noexcept { return what_; }
    rank_type size() const noexcept { return size_; }
    /// That of the schedule; void where the collective has none.
    rank_type root() const noexcept { return root_; }
    /// Blocks of each buffer: at least 1, for a barrier has the news.
    block_index blocks() const noexcept { return blocks_; }
    /// Those of the schedule, empty ones included.
    round_index rounds() const noexcept { return static_cast<round_index>(rounds_.size()); }
    /// Sent in all rounds; local steps are none.
    std::int64_t messages() const noexcept { return messages_; }
    /// What the numbers in block_content stand for.
    const rank_sets& sets() const noexcept { return sets_; }

    /// What comes to its target in round i, by target and in the order in which it lands.
    const std::vector<movement>& movements(round_index i) const noexcept {
        return rounds_[static_cast<std::size_t>(i)];
    }
    /// Before round 0.
    const block_grid& start() const noexcept { return start_; }
    /// Makes of the grid before round i the one after it.
    void advance(block_grid& grid, round_index i) const {
        for (const movement& m : movements(i)) apply(grid, m);
    }
    /// Whether what lies there before round i (after the last: i == rounds()) is used later on or is part of
    /// the result.
    bool needed(round_index i, rank_type r, buffer_name buffer, block_index b) const noexcept {
        return needed_[static_cast<std::size_t>(i)][start_.index(r, buffer, b)];
    }
    /// Whether some step names that buffer, or the collective begins with it.
    bool uses(buffer_name buffer) const noexcept { return used_[static_cast<std::size_t>(buffer)]; }

    /// Whether the collective asks for block b of `work` of that rank in the end.
    bool in_result(rank_type r, block_index b) const noexcept;

    /// The rank whose part of the vector block b is.
    rank_type owner(block_index b) const noexcept {
        return static_cast<rank_type>(b / std::max<block_index>(blocks_ / size_, 1));
    }
    /// Whether every block is between two ranks only: then it matters whose block lies where.
    bool personal() const noexcept {
        return what_ == collective::alltoall || what_ == collective::gather || what_ == collective::scatter;
    }
    /// Whose: the rank that it comes from; of a scatter, where all come from the root, the one it is for.
    rank_type whose(const block_content& what) const noexcept {
        return what_ == collective::scatter ? owner(what.origin) : sets_[what.from].front().first;
    }

private:
    /// `who` is null but for a multicast.
    template <class G>
    symbolic_run(collective what, const relation* who, const ensemble<G>& all)
        : what_(what), size_(all.size()), root_(all.root()), blocks_(std::max<block_index>(all.blocks(), 1)),
          grid_(size_, blocks_) {
        if (who != nullptr) who_ = *who;
        if (what == collective::multicast && (who == nullptr || who->size() != size_))
            throw argument_error("collective", "multicast", "one with a relation of as many ranks");
        fill();
        start_ = grid_;
        rounds_.resize(static_cast<std::size_t>(all.rounds()));
        for (round_index i = 0; i < all.rounds(); ++i) {
            for (rank_type r = 0; r < size_; ++r) send(all, r, i);
            for (rank_type r = 0; r < size_; ++r) land(all, r, i);
        }
        find_needed();
    }

    struct cell_in_flight {
        buffer_name source;
        block_index block;
        block_content what;
    };
    struct message_in_flight {
        round_index sent;
        std::vector<cell_in_flight> cells;
    };

    bool work_given(rank_type r, block_index b) const noexcept;
    bool input_given() const noexcept { return tutti::folds(what_) || what_ == collective::alltoall; }

    void fill();

    template <class G>
    void send(const ensemble<G>& all, rank_type r, round_index i) {
        message_in_flight m{.sent = i, .cells = {}};
        all.emit(r, i, [&](const step& s) {
            if (s.kind != step_kind::send) return;
            if (what_ == collective::barrier) {
                m.cells.push_back({s.buffer, 0, grid_(r, s.buffer, 0)});
            } else {
                for (block_index k = 0; k < s.blocks.count; ++k) {
                    const block_index b = block_at(s.blocks, k, blocks_);
                    m.cells.push_back({s.buffer, b, grid_(r, s.buffer, b)});
                }
            }
            used_[static_cast<std::size_t>(s.buffer)] = true;
            if (s.continues()) return;
            flying_[{r, s.peer}].push_back(std::exchange(m, {.sent = i, .cells = {}}));
            ++messages_;
        });
    }

    template <class G>
    void land(const ensemble<G>& all, rank_type r, round_index i) {
        movement m;
        std::vector<cell_in_flight> targets;
        all.emit(r, i, [&](const step& s) {
            if (s.kind == step_kind::send) return;
            m.to = r;
            m.from = s.is_local() ? r : s.peer;
            m.folds = s.folds() || what_ == collective::barrier;
            m.side = s.side();
            used_[static_cast<std::size_t>(s.buffer)] = true;
            if (s.is_local()) used_[static_cast<std::size_t>(s.source)] = true;
            if (what_ == collective::barrier)
                targets.push_back({s.buffer, 0, {}});
            else
                for (block_index k = 0; k < s.blocks.count; ++k)
                    targets.push_back({s.buffer, block_at(s.blocks, k, blocks_), {}});
            if (s.continues()) return;
            message_in_flight arrived = s.is_local() ? local(s, r, i) : take(s.peer, r, i);
            m.sent = arrived.sent;
            if (arrived.cells.size() != targets.size())
                throw error("tutti: the message from rank " + std::to_string(m.from) + " to rank "
                            + std::to_string(r) + " in round " + std::to_string(i) + " has "
                            + std::to_string(arrived.cells.size()) + " blocks, its receiver expects "
                            + std::to_string(targets.size()));
            for (std::size_t k = 0; k < targets.size(); ++k) join(m, arrived.cells[k], targets[k]);
            targets.clear();
            apply(grid_, m);
            rounds_[static_cast<std::size_t>(i)].push_back(std::exchange(m, {}));
        });
    }
    message_in_flight local(const step& s, rank_type r, round_index i) const;
    message_in_flight take(rank_type from, rank_type to, round_index i);

    /// One more block at the end of a movement: part of its last run if it continues that.
    static void join(movement& m, const cell_in_flight& source, const cell_in_flight& target);

    void apply(block_grid& grid, const movement& m) const;

    /// Backwards from the result: a block is needed if it is part of it, or goes into one that is.
    void find_needed();

    collective what_;
    rank_type size_;
    rank_type root_;
    relation who_; // of a multicast
    block_index blocks_;
    mutable rank_sets sets_; // a union that is known already changes nothing
    block_grid grid_;        // now
    block_grid start_{0, 0};
    std::vector<std::vector<movement>> rounds_;
    std::vector<std::vector<bool>> needed_; // before each round, and in the end
    std::map<std::pair<rank_type, rank_type>, std::deque<message_in_flight>> flying_;
    std::array<bool, buffer_count> used_{};
    std::int64_t messages_ = 0;
};

#if TUTTI_BODIES
TUTTI_BODY bool symbolic_run::in_result(rank_type r, block_index b) const noexcept {
    switch (what_) {
    case collective::reduce:
    case collective::gather: return r == root_;
    case collective::reduce_scatter:
    case collective::scatter: return owner(b) == r;
    case collective::exscan: return r > 0;
    case collective::multicast: return owner(b) == r || who_.wants(r, owner(b));
    default: return true;
    }
}

TUTTI_BODY bool symbolic_run::work_given(rank_type r, block_index b) const noexcept {
    switch (what_) {
    case collective::bcast:
    case collective::scatter: return r == root_;
    case collective::allgather:
    case collective::gather:
    case collective::multicast: return owner(b) == r;
    case collective::alltoall:
    case collective::exscan: return false;
    default: return true;
    }
}

TUTTI_BODY void symbolic_run::fill() {
    used_[static_cast<std::size_t>(buffer_name::work)] = true;
    for (rank_type r = 0; r < size_; ++r) {
        const rank_sets::number own = sets_.of_rank(r);
        for (block_index b = 0; b < blocks_; ++b) {
            if (work_given(r, b)) grid_(r, buffer_name::work, b) = {b, own};
            if (input_given()) grid_(r, buffer_name::input, b) = {b, own};
        }
    }
}

TUTTI_BODY symbolic_run::message_in_flight symbolic_run::local(const step& s, rank_type r,
                                                               round_index i) const {
    message_in_flight m{.sent = i, .cells = {}};
    for (block_index k = 0; k < s.blocks.count; ++k) {
        const block_index b = block_at(s.blocks, k, blocks_);
        m.cells.push_back({s.source, b, grid_(r, s.source, b)});
    }
    return m;
}

TUTTI_BODY symbolic_run::message_in_flight symbolic_run::take(rank_type from, rank_type to, round_index i) {
    const auto queue = flying_.find({from, to});
    if (queue == flying_.end())
        throw error("tutti: rank " + std::to_string(to) + " receives from rank " + std::to_string(from)
                    + " in round " + std::to_string(i) + ", but that message is sent later or never");
    message_in_flight first = std::move(queue->second.front());
    queue->second.pop_front();
    if (queue->second.empty()) flying_.erase(queue); // of an alltoall's pairs nearly all are heard of once
    return first;
}

TUTTI_BODY void symbolic_run::join(movement& m, const cell_in_flight& source, const cell_in_flight& target) {
    if (!m.runs.empty()) {
        moved_run& last = m.runs.back();
        if (last.source == source.source && last.target == target.source
            && last.first + last.count == source.block && last.into + last.count == target.block
            && last.what.from == source.what.from
            && (source.what.empty() || last.what.origin + last.count == source.what.origin)) {
            ++last.count;
            return;
        }
    }
    m.runs.push_back({.source = source.source,
                      .target = target.source,
                      .first = source.block,
                      .into = target.block,
                      .count = 1,
                      .what = source.what});
}

TUTTI_BODY void symbolic_run::apply(block_grid& grid, const movement& m) const {
    for (const moved_run& run : m.runs)
        for (block_index k = 0; k < run.count; ++k) {
            block_content& cell = grid(m.to, run.target, run.into + k);
            const block_content arrived{run.what.origin + k, run.what.from};
            if (m.folds && !cell.empty())
                cell.from = sets_.united(cell.from, arrived.from);
            else
                cell = arrived;
        }
}

TUTTI_BODY void symbolic_run::find_needed() {
    needed_.assign(rounds_.size() + 1, {});
    std::vector<bool> now(start_.cells(), false);
    for (rank_type r = 0; r < size_; ++r)
        for (block_index b = 0; b < blocks_; ++b)
            now[start_.index(r, buffer_name::work, b)] = in_result(r, b);
    needed_.back() = now;
    std::vector<std::vector<std::size_t>> sent(rounds_.size()); // needed blocks that leave in a round
    for (std::size_t i = rounds_.size(); i-- > 0;) {
        for (std::size_t k = rounds_[i].size(); k-- > 0;) {
            const movement& m = rounds_[i][k];
            for (const moved_run& run : m.runs)
                for (block_index b = 0; b < run.count; ++b) {
                    const std::size_t target = start_.index(m.to, run.target, run.into + b);
                    if (!now[target]) continue;
                    if (!m.folds) now[target] = false;
                    const std::size_t source = start_.index(m.from, run.source, run.first + b);
                    if (m.local())
                        now[source] = true;
                    else
                        sent[static_cast<std::size_t>(m.sent)].push_back(source);
                }
        }
        for (const std::size_t cell : sent[i]) now[cell] = true;
        needed_[i] = now;
    }
}
#else
extern template symbolic_run::symbolic_run(collective, const ensemble<any_generator>&);
extern template symbolic_run::symbolic_run(const relation&, const ensemble<any_generator>&);
#endif

} // namespace tutti
